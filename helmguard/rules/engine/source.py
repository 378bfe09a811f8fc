"""Expressions and templates of a rule file: their text and place, compiled when first needed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec

from helmguard.model.json_value import JSONValue
from helmguard.rules.engine.cel import CelEngine, CelError, CelFailure, Expression
from helmguard.rules.engine.functions import text

_STRING_FORMS = (
    r"(?<!\w)[rR]'''.*?'''",
    r'(?<!\w)[rR]""".*?"""',
    r"(?<!\w)[rR]'[^'\n]*'",
    r'(?<!\w)[rR]"[^"\n]*"',
    r"'''(?:[^\\]|\\.)*?'''",
    r'"""(?:[^\\]|\\.)*?"""',
    r"'(?:[^'\\]|\\.)*'",
    r'"(?:[^"\\]|\\.)*"',
)
_STRING = re.compile("|".join(_STRING_FORMS), re.DOTALL)
_NO_CODE = re.compile("|".join([*_STRING_FORMS, r"//[^\n]*"]), re.DOTALL)
_WORD = re.compile(r"(?<![\w.])[A-Za-z_]\w*")


class RuleError(Exception):
    """A rule file that cannot be used; ``line`` and ``column`` count from 1, 0 where they are not known."""

    def __init__(self, message: str, file: str = "", line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.file, self.line, self.column = file, line, column

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        return f"{place}: {self.args[0]}" if place else str(self.args[0])


class Place(msgspec.Struct, frozen=True):
    """Where a text begins in a rule file."""

    file: str
    line: int = 0
    column: int = 0


@dataclass(slots=True)
class Source:
    """One CEL expression."""

    text: str
    place: Place
    _compiled: Expression | None = field(default=None, repr=False, compare=False)

    def compiled(self, engine: CelEngine) -> Expression:
        """Compiles it the first time.

        Raises:
            RuleError: it does not compile.
        """
        if self._compiled is None:
            try:
                self._compiled = engine.compile(self.text)
            except CelError as error:
                line = self.place.line + self.text.count("\n", 0, error.offset)
                raise RuleError(f"{error} in {self._line(error.offset)!r}", self.place.file, line) from None
        return self._compiled

    def words(self) -> frozenset[str]:
        """Words that may be variables; some are functions."""
        return frozenset(_WORD.findall(_NO_CODE.sub("", self.text)))

    def code(self) -> str:
        """The text with blanks in place of its strings and comments."""
        return _NO_CODE.sub(lambda found: " " * len(found[0]), self.text)

    def evaluate(self, engine: CelEngine, scope: Any) -> JSONValue | CelFailure:
        """The value in a scope of this engine."""
        return self.compiled(engine).evaluate(scope)

    def error(self, message: str, offset: int) -> RuleError:
        """An error about the name at an offset of the text."""
        line = self.place.line + self.text.count("\n", 0, max(offset, 0))
        return RuleError(f"{message} in {self._line(offset)!r}", self.place.file, line)

    def _line(self, offset: int) -> str:
        lines = self.text.split("\n")
        return lines[min(self.text.count("\n", 0, max(offset, 0)), len(lines) - 1)].strip()


class Template(msgspec.Struct, frozen=True):
    """Text with ``${CEL}`` in it."""

    parts: tuple[str | Source, ...]

    def evaluate(self, engine: CelEngine, scope: Any, failures: list[CelFailure] | None = None) -> str:
        """The text; what cannot be told (a missing fact) stands as ``?``, and is added to ``failures``."""
        parts = []
        for part in self.parts:
            value = part if isinstance(part, str) else part.evaluate(engine, scope)
            if isinstance(value, CelFailure):
                parts.append("?")
                if failures is not None:
                    failures.append(value)
            else:
                parts.append(written(value))
        return "".join(parts)

    def sources(self) -> Iterator[Source]:
        """The expressions in it."""
        return (part for part in self.parts if isinstance(part, Source))


def written(value: JSONValue) -> str:
    """Text stands whole, however long: it may be a command to paste. Everything else as messages show it."""
    return value if isinstance(value, str) else text(value)


def read_template(template: str, place: Place) -> Template:
    """Splits a text at its ``${...}``; braces and quotes inside an expression are balanced.

    Raises:
        RuleError: a ``${`` has no end.
    """
    parts: list[str | Source] = []
    at = 0
    while True:
        begin = template.find("${", at)
        if begin < 0:
            break
        end = _end(template, begin + 2)
        if end < 0:
            raise RuleError("a '${' without its '}'", place.file, place.line)
        line = place.line + template.count("\n", 0, begin)
        parts += [template[at:begin], Source(template[begin + 2 : end], Place(place.file, line))]
        at = end + 1
    parts.append(template[at:])
    return Template(tuple(part for part in parts if part != ""))


def _end(template: str, at: int) -> int:
    """The offset of the brace that closes an expression which begins at ``at``, -1 for none."""
    depth = 0
    while at < len(template):
        string = _STRING.match(template, at)
        if string is not None:
            at = string.end()
            continue
        if template[at] in "\"'":
            return -1
        if template[at] == "{":
            depth += 1
        elif template[at] == "}":
            if not depth:
                return at
            depth -= 1
        at += 1
    return -1
