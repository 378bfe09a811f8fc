"""A template's text as a tree."""

from __future__ import annotations

import json
import re
from functools import lru_cache

from helmguard.gitops.argo.go_template.template_error import TemplateError
from helmguard.gitops.argo.go_template.tokens import Piece, Word, pieces, words
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

_BRANCHES = ("if", "with", "range")
_KEYWORDS = ("define", "block", "template", "break", "continue")
_CONSTANTS = {"true": True, "false": False, "nil": None}
_MAX_DEPTH = 60
_GO_ONLY_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|([av]))")


@lru_cache(maxsize=512)
def parse(template: str) -> tuple[Node, ...]:
    """The template's nodes.

    Raises:
        TemplateError: it is no template, or uses what is not implemented.
    """
    parser = _Nodes(pieces(template))
    nodes, end = parser.until_end(0)
    if end:
        raise TemplateError(f"{{{{ {end} }}}} without a beginning")
    return nodes


class _Nodes:
    def __init__(self, found: list[Piece]) -> None:
        self.pieces = found
        self.index = 0

    def until_end(self, depth: int) -> tuple[tuple[Node, ...], str]:
        """Nodes up to the end of the template, ``end`` or ``else``; what stopped it."""
        if depth > _MAX_DEPTH:
            raise TemplateError("it is nested too deep")
        nodes: list[Node] = []
        while self.index < len(self.pieces):
            piece = self.pieces[self.index]
            self.index += 1
            keyword = piece.text.split(None, 1)[0] if piece.is_action and piece.text else ""
            if not piece.is_action:
                nodes.append(Text(piece.text))
            elif keyword in ("end", "else"):
                return tuple(nodes), piece.text
            elif keyword in _KEYWORDS:
                raise TemplateError(f"{keyword} is not implemented: {{{{ {piece.text} }}}}")
            elif keyword in _BRANCHES:
                nodes.append(self._branch(piece.text, depth))
            else:
                nodes.append(Action(parse_action(piece.text), piece.text))
        return tuple(nodes), ""

    def _branch(self, source: str, depth: int) -> Branch:
        keyword, _, rest = source.partition(" ")
        body, end = self.until_end(depth + 1)
        otherwise: tuple[Node, ...] = ()
        follows = end.removeprefix("else").strip() if end.startswith("else") else ""
        if follows:
            otherwise = (self._branch(follows, depth + 1),)
        elif end == "else":
            otherwise, end = self.until_end(depth + 1)
        if not end:
            raise TemplateError(f"{{{{ {source} }}}} has no end")
        return Branch(keyword, parse_action(rest), body, otherwise, source)


def parse_action(source: str) -> Pipeline:
    """What stands between the braces, as a pipeline.

    Raises:
        TemplateError: it is none.
    """
    reader = _Words(source)
    pipeline = reader.pipeline(0)
    if reader.peek() is not None:
        raise reader.error()
    return pipeline


class _Words:
    def __init__(self, source: str) -> None:
        self.source = source
        self.words = list(words(source))
        self.index = 0

    def peek(self, ahead: int = 0) -> Word | None:
        index = self.index + ahead
        return self.words[index] if index < len(self.words) else None

    def take(self) -> Word:
        word = self.peek()
        if word is None:
            raise self.error()
        self.index += 1
        return word

    def is_sign(self, *signs: str, ahead: int = 0) -> bool:
        word = self.peek(ahead)
        return word is not None and word.kind == "sign" and word.text in signs

    def error(self) -> TemplateError:
        return TemplateError(f"not understood: {{{{ {self.source} }}}}")

    def pipeline(self, depth: int) -> Pipeline:
        if depth > _MAX_DEPTH:
            raise TemplateError("it is nested too deep")
        variables, assigns = self._declared()
        commands = [self._command(depth)]
        while self.is_sign("|"):
            self.take()
            commands.append(self._command(depth))
        return Pipeline(tuple(commands), variables, assigns)

    def _declared(self) -> tuple[tuple[str, ...], bool]:
        first = self.peek()
        if first is None or first.kind != "variable":
            return (), False
        if self.is_sign(":=", "=", ahead=1):
            self.take()
            return (first.text,), self.take().text == "="
        second = self.peek(2)
        if self.is_sign(",", ahead=1) and second is not None and second.kind == "variable":
            self.index += 3
            return (first.text, second.text), self.take().text == "="
        return (), False

    def _command(self, depth: int) -> Command:
        found: list[Expression] = []
        while self.peek() is not None and not self.is_sign("|", ")"):
            found.append(self._operand(depth))
        if not found:
            raise self.error()
        return Command(tuple(found))

    def _operand(self, depth: int) -> Expression:
        word = self.take()
        base: Expression
        fields: list[str] = []
        if word.kind == "sign" and word.text == "(":
            base = self.pipeline(depth + 1)
            if not self.is_sign(")"):
                raise self.error()
            self.take()
        elif word.kind == "field":
            base = Dot()
            fields.append(word.text[1:])
        else:
            base = self._term(word)
        while (following := self.peek()) is not None and following.kind == "field" and not following.spaced:
            fields.append(self.take().text[1:])
        return Chain(base, tuple(fields)) if fields else base

    def _term(self, word: Word) -> Expression:
        if word.kind == "string":
            return Literal(_unquoted(word.text))
        if word.kind == "raw":
            return Literal(word.text[1:-1])
        if word.kind == "number":
            return Literal(_number(word.text))
        if word.kind == "variable":
            return Variable(word.text[1:])
        if word.kind == "dot":
            return Dot()
        if word.kind == "name":
            return Literal(_CONSTANTS[word.text]) if word.text in _CONSTANTS else Function(word.text)
        raise self.error()


def _number(text: str) -> int | float:
    is_hex = text.lower().lstrip("+-").startswith("0x")
    try:
        return float(text) if not is_hex and any(mark in text for mark in ".eE") else int(text, 0)
    except ValueError:
        raise TemplateError(f"not understood: {text}") from None


def _unquoted(text: str) -> str:
    text = _GO_ONLY_ESCAPE.sub(
        lambda match: f"\\u00{match[1]}" if match[1] else {"a": "\\u0007", "v": "\\u000b"}[match[2]], text
    )
    try:
        return str(json.loads(text, strict=False))
    except ValueError:
        raise TemplateError(f"not understood: {text}") from None
