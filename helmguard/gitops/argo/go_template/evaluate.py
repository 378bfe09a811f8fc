"""Running a template over parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from helmguard.gitops.argo.go_template.comparison import is_true
from helmguard.gitops.argo.go_template.functions import FUNCTIONS
from helmguard.gitops.argo.go_template.parse import parse
from helmguard.gitops.argo.go_template.template_error import MissingKeyError, TemplateError
from helmguard.gitops.argo.go_template.tree import (
    Action,
    Branch,
    Chain,
    Command,
    Dot,
    Expression,
    Function,
    Literal,
    Node,
    Pipeline,
    Text,
    Variable,
)
from helmguard.values.go_format import go_text, go_type

_MAX_STEPS = 100_000
_MAX_LENGTH = 2_000_000
_NOT_GIVEN = object()

Open = Callable[[str], str]
Functions = Mapping[str, Callable[..., Any]]


def execute(
    template: str,
    parameters: Mapping[str, Any],
    *,
    missing_is_error: bool = False,
    left_open: Open | None = None,
    functions: Functions = FUNCTIONS,
) -> str:
    """The text that a template makes.

    ``missing_is_error`` is ``missingkey=error``. ``left_open``: parameters that are missing are not known
    (instead of not there); it gets the source of each action that needs one, and gives the text for it.
    ``functions`` are those that the template may call.

    Raises:
        MissingKeyError: a parameter is missing that has to be there.
        TemplateError: the template cannot be read, fails, or uses what is not implemented.
    """
    run = _Run(parameters, missing_is_error or left_open is not None, left_open, functions)
    run.nodes(parse(template), parameters)
    return "".join(run.output)


class _Run:
    def __init__(
        self,
        root: Mapping[str, Any],
        missing_is_error: bool,
        left_open: Open | None,
        functions: Functions,
    ) -> None:
        self.missing_is_error = missing_is_error
        self.left_open = left_open
        self.functions = functions
        self.output: list[str] = []
        self.length = 0
        self.steps = 0
        self.scopes: list[dict[str, Any]] = [{"": root}]

    def nodes(self, nodes: Iterable[Node], dot: Any) -> None:
        for node in nodes:
            self._step()
            if isinstance(node, Text):
                self._write(node.text)
            elif isinstance(node, Action):
                self._action(node, dot)
            else:
                self._branch(node, dot)

    def _action(self, node: Action, dot: Any) -> None:
        try:
            value = self.pipeline(node.pipeline, dot)
        except MissingKeyError:
            if self.left_open is None or node.pipeline.variables:
                raise
            self._write(self.left_open(node.source))
            return
        if not node.pipeline.variables:
            self._write("<no value>" if value is None else go_text(value))

    def _branch(self, node: Branch, dot: Any) -> None:
        self.scopes.append({})
        if node.keyword == "range":
            self._range(node, dot)
        else:
            value = self.pipeline(node.pipeline, dot)
            inner = value if node.keyword == "with" else dot
            if is_true(value):
                self.nodes(node.body, inner)
            else:
                self.nodes(node.otherwise, dot)
        self.scopes.pop()

    def _range(self, node: Branch, dot: Any) -> None:
        names = node.pipeline.variables
        value = self.pipeline(Pipeline(node.pipeline.commands), dot)
        items: list[tuple[Any, Any]]
        if isinstance(value, Mapping):
            items = sorted(value.items())
        elif isinstance(value, list):
            items = list(enumerate(value))
        elif value is None:
            items = []
        else:
            raise TemplateError(f"range can't iterate over {go_text(value)}")
        for key, item in items:
            given = (key, item) if len(names) == 2 else (item,)
            self.scopes.append(dict(zip((name[1:] for name in names), given, strict=False)))
            self.nodes(node.body, item)
            self.scopes.pop()
        if not items:
            self.nodes(node.otherwise, dot)

    def pipeline(self, pipeline: Pipeline, dot: Any) -> Any:
        value: Any = _NOT_GIVEN
        for command in pipeline.commands:
            value = self._command(command, dot, value)
        for name in pipeline.variables:
            self._set(name[1:], value, assigns=pipeline.assigns)
        return value

    def _command(self, command: Command, dot: Any, last: Any) -> Any:
        self._step()
        first, *rest = command.words
        if not isinstance(first, Function):
            if rest or last is not _NOT_GIVEN:
                raise TemplateError("a value is not a function, and takes no arguments")
            return self._value(first, dot)
        if first.name in ("and", "or"):
            return self._and_or(first.name, rest, dot, last)
        arguments = [self._value(word, dot) for word in rest]
        if last is not _NOT_GIVEN:
            arguments.append(last)
        return _called(self.functions, first.name, arguments)

    def _and_or(self, name: str, words: list[Expression], dot: Any, last: Any) -> Any:
        value: Any = None
        for word in words:
            value = self._value(word, dot)
            if is_true(value) == (name == "or"):
                return value
        return value if last is _NOT_GIVEN else last

    def _value(self, word: Expression, dot: Any) -> Any:
        if isinstance(word, Literal):
            return word.value
        if isinstance(word, Dot):
            return dot
        if isinstance(word, Variable):
            return self._get(word.name)
        if isinstance(word, Function):
            return _called(self.functions, word.name, [])
        if isinstance(word, Chain):
            return self._chain(word, dot)
        return self.pipeline(word, dot)

    def _chain(self, chain: Chain, dot: Any) -> Any:
        value = self._value(chain.base, dot)
        for index, field in enumerate(chain.fields):
            path = "." + ".".join(chain.fields[: index + 1])
            if isinstance(value, Mapping):
                if field not in value and self.missing_is_error:
                    raise MissingKeyError(path)
                value = value.get(field)
            elif value is None:
                raise MissingKeyError(path)
            else:
                raise TemplateError(f"can't evaluate field {field} in type {go_type(value)}")
        return value

    def _get(self, name: str) -> Any:
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        raise TemplateError(f"undefined variable ${name}")

    def _set(self, name: str, value: Any, *, assigns: bool) -> None:
        if assigns:
            for scope in reversed(self.scopes):
                if name in scope:
                    scope[name] = value
                    return
            raise TemplateError(f"undefined variable ${name}")
        self.scopes[-1][name] = value

    def _write(self, text: str) -> None:
        self.length += len(text)
        if self.length > _MAX_LENGTH:
            raise TemplateError("it makes more than two million characters")
        self.output.append(text)

    def _step(self) -> None:
        self.steps += 1
        if self.steps > _MAX_STEPS:
            raise TemplateError("it takes more than a hundred thousand steps")


def _called(functions: Functions, name: str, arguments: list[Any]) -> Any:
    function = functions.get(name)
    if function is None:
        raise TemplateError(f"the function {name} is not implemented")
    try:
        return function(*arguments)
    except TemplateError:
        raise
    except (
        TypeError,
        ValueError,
        IndexError,
        KeyError,
        AttributeError,
        OverflowError,
        RecursionError,
    ) as error:
        raise TemplateError(f"error calling {name}: {error}") from None
