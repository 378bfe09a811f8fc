"""``${...}`` in a text, as Flux's envsubst reads and replaces it (fluxcd/pkg envsubst, a fork of drone's)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

import msgspec

from helmguard.gitops.flux.expansions import EXPANSIONS

_NAME = re.compile(r"\w+")
_OPERATORS = (
    # What an operator looks like, and what follows: up to where each of its arguments goes.
    (re.compile(r":?=|:[-?+]"), "default"),
    (re.compile(r":"), "substring"),
    (re.compile(r"[,^]{1,2}"), "none"),
    (re.compile(r"/[/#%]?"), "replace"),
    (re.compile(r"##?|%%?"), "one"),
)


class SubstitutionError(Exception):
    """An expression that Flux refuses."""


class Variables(msgspec.Struct):
    """``known`` by name; ``why`` says of any other why its value is not known, empty where it has none.

    ``missing`` and ``unknown`` fill while texts are substituted: the names that have no value and no default
    either, and those whose value is not known.
    """

    known: dict[str, str]
    why: str = ""
    missing: set[str] = msgspec.field(default_factory=set)
    unknown: set[str] = msgspec.field(default_factory=set)


class _Expression(msgspec.Struct):
    """One ``${...}``; ``source`` is how it is written."""

    name: str
    operator: str
    arguments: list[_Part]
    source: str = ""


_Part: TypeAlias = str | _Expression


def substitute(text: str, variables: Variables) -> str:
    """``text`` with its expressions replaced; one that is not known stays as it stands.

    Raises:
        SubstitutionError: Flux refuses an expression.
    """
    return "".join(_value(part, variables, whole=True) for part in list(_Parser(text).parts()))


def _value(part: _Part, variables: Variables, *, whole: bool = False) -> str:
    if isinstance(part, str):
        return part
    try:
        return _expanded(part, variables)
    except _NotKnown:
        if not whole:
            raise
        return part.source


class _NotKnown(Exception):
    """An expression rests on a variable whose value is not known."""


def _expanded(part: _Expression, variables: Variables) -> str:
    arguments = [_value(argument, variables) for argument in part.arguments]
    known = variables.known.get(part.name)
    if known is None and variables.why:
        variables.unknown.add(part.name)
        raise _NotKnown
    if part.operator[-1:] in ("=", "-", "?", "+"):
        # Flux takes all of these for the same: a default for what is unset or empty.
        return known or "".join(arguments)
    if known is None:
        variables.missing.add(part.name)
    expand = EXPANSIONS.get((part.operator, len(arguments)))
    try:
        return expand(known or "", *arguments) if expand is not None else known or ""
    except ValueError:
        raise SubstitutionError(f"{part.source} ends before it begins") from None


class _Parser:
    """Reads a text from its start to its end."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def parts(self) -> Iterator[_Part]:
        """The texts and expressions of the text; ``$$`` is a dollar sign."""
        while self.at < len(self.text):
            if self.text.startswith("${", self.at):
                yield self._expression()
            else:
                yield self._run("", escapes=("$$",))

    def _expression(self) -> _Expression:
        start = self.at
        self.at += 2
        if self._peek() == "#":
            self.at += 1
            found = _Expression(self._name("bad substitution"), "#", [])
        else:
            found = _Expression(self._name("unable to parse variable name"), "", [])
            self._read_operator(found)
        if self._peek() != "}":
            raise SubstitutionError("bad substitution" if found.operator else "missing closing brace")
        self.at += 1
        found.source = self.text[start : self.at]
        return found

    def _read_operator(self, found: _Expression) -> None:
        for pattern, form in _OPERATORS:
            match = pattern.match(self.text, self.at)
            if match is None:
                continue
            found.operator = match[0]
            self.at = match.end()
            match form:
                case "default":
                    while self._peek() != "}":
                        found.arguments.append(self._argument("}"))
                case "substring":
                    self._read_substring(found)
                case "replace":
                    self._read_replacement(found)
                case "one":
                    found.arguments.append(self._argument("}"))
            return

    def _read_substring(self, found: _Expression) -> None:
        found.arguments.append(self._argument(":}"))
        colons = self._skip(":")
        if colons:
            found.arguments.append(self._argument("}"))

    def _read_replacement(self, found: _Expression) -> None:
        found.arguments.append(self._argument("/", escapes=True))
        if not self._skip("/"):
            raise SubstitutionError("bad substitution")
        if self._peek() != "}":
            found.arguments.append(self._argument("}", escapes=True))

    def _argument(self, stops: str, *, escapes: bool = False) -> _Part:
        """One expression, or a text up to the next one or one of ``stops``; not both, and not nothing."""
        if self.text.startswith("${", self.at):
            return self._expression()
        escaped = ("$$", "\\/", "\\\\") if escapes else ()
        run = self._run(stops, escaped)
        if not run:
            raise SubstitutionError("unable to parse substitution within function")
        return run

    def _run(self, stops: str, escapes: tuple[str, ...]) -> str:
        parts: list[str] = []
        while self.at < len(self.text) and not self.text.startswith("${", self.at):
            pair = self.text[self.at : self.at + 2]
            if pair in escapes:
                parts.append(pair[1])
                self.at += 2
            elif pair[0] not in stops:
                parts.append(pair[0])
                self.at += 1
            else:
                break
        return "".join(parts)

    def _name(self, refusal: str) -> str:
        match = _NAME.match(self.text, self.at)
        if match is None:
            raise SubstitutionError(refusal)
        self.at = match.end()
        return match[0]

    def _skip(self, character: str) -> int:
        start = self.at
        while self._peek() == character:
            self.at += 1
        return self.at - start

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]
