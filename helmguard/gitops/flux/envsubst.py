"""``${...}`` in a text, as Flux's envsubst reads and replaces it (fluxcd/pkg envsubst, a fork of drone's)."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable

import msgspec

_NAME = re.compile(r"[^\W]+")  # letters, digits and underscores
_REPLACE = re.compile(r"/[/#%]?")


class SubstitutionError(Exception):
    """An expression that Flux refuses."""


class Variables(msgspec.Struct):
    """``known`` by name; ``why`` says of any other why its value is not known, empty where it has none.

    ``used``, ``missing`` and ``unknown`` fill while texts are substituted: what had a value, what has none
    and no default either, and what is not known.
    """

    known: dict[str, str]
    why: str = ""
    used: set[str] = msgspec.field(default_factory=set)
    missing: set[str] = msgspec.field(default_factory=set)
    unknown: set[str] = msgspec.field(default_factory=set)


def substitute(text: str, variables: Variables) -> str:
    """``text`` with its expressions replaced; one that is not known stays as it stands.

    Raises:
        SubstitutionError: Flux refuses an expression.
    """
    return _Reader(text, variables).text()


class _Unknown(Exception):
    """An expression whose value is not known."""


class _Reader:
    def __init__(self, text: str, variables: Variables) -> None:
        self.input = text
        self.at = 0
        self.variables = variables

    def text(self) -> str:
        parts: list[str] = []
        while self.at < len(self.input):
            dollar = self.input.find("$", self.at)
            if dollar < 0:
                break
            parts.append(self.input[self.at : dollar])
            following = self.input[dollar + 1 : dollar + 2]
            self.at = dollar + 1
            if following == "$":
                self.at = dollar + 2
                parts.append("$")
            elif following == "{":
                self.at = dollar + 2
                parts.append(self._expression_or_itself(dollar))
            else:
                parts.append("$")
        return "".join(parts) + self.input[self.at :]

    def _expression_or_itself(self, start: int) -> str:
        try:
            return self._expression()
        except _Unknown:
            self.at = self._end(start)
            return self.input[start : self.at]

    def _end(self, start: int) -> int:
        """After the brace that closes the expression at ``start``."""
        depth = 0
        for match in re.finditer(r"\$\{|\}", self.input[start:]):
            depth += 1 if match[0] == "${" else -1
            if depth == 0:
                return start + match.end()
        raise SubstitutionError("missing closing brace")

    def _expression(self) -> str:
        """The value of the expression whose ``${`` has been read, and past its ``}``."""
        if self._peek() == "#":
            self.at += 1
            value = self._value(self._name())
            self._close()
            return str(len(value.encode()))
        name = self._name()
        match self._peek():
            case ":" if self.input[self.at + 1 : self.at + 2] in tuple("=-?+"):
                return self._default(name, 2)
            case ":":
                return self._substring(name)
            case "=":
                return self._default(name, 1)
            case "," | "^":
                return self._cased(name)
            case "/":
                return self._replaced(name)
            case "#" | "%":
                return self._trimmed(name)
        self._close()
        return self._value(name)

    def _default(self, name: str, width: int) -> str:
        """Flux takes all of ``:= :- :? :+ =`` for the same: a default for what is unset or empty."""
        self.at += width
        given = self._argument("}") if self._peek() != "}" else ""
        self._close()
        value = self._value(name, required=False)
        return value or given

    def _substring(self, name: str) -> str:
        self.at += 1
        first = self._argument(":}")
        second = ""
        if self._peek() == ":":
            self.at += 1
            second = self._argument("}")
        self._close()
        value = self._value(name)
        try:
            start = int(first)
            start = max(len(value) + start, 0) if start < 0 else start
            return value[start:] if not second else value[start : start + int(second)]
        except ValueError:
            return value

    def _cased(self, name: str) -> str:
        match = re.compile(r"[,^]{1,2}").match(self.input, self.at)
        operator = match[0] if match else ""
        self.at += len(operator)
        self._close()
        value = self._value(name)
        change: Callable[[str], str] = str.lower if operator[:1] == "," else str.upper
        return change(value) if len(operator) == 2 else change(value[:1]) + value[1:]

    def _replaced(self, name: str) -> str:
        match = _REPLACE.match(self.input, self.at)
        operator = match[0] if match else ""
        self.at += len(operator)
        old = self._argument("/}", escapes=True)
        if self._peek() != "/":
            raise SubstitutionError("bad substitution")
        self.at += 1
        new = self._argument("}", escapes=True) if self._peek() != "}" else ""
        self._close()
        value = self._value(name)
        match operator:
            case "//":
                return value.replace(old, new)
            case "/#":
                return new + value.removeprefix(old) if value.startswith(old) else value
            case "/%":
                return value.removesuffix(old) + new if value.endswith(old) else value
        return value.replace(old, new, 1)

    def _trimmed(self, name: str) -> str:
        operator = self._peek()
        longest = self.input[self.at + 1 : self.at + 2] == operator
        self.at += 2 if longest else 1
        pattern = self._argument("}")
        self._close()
        value = self._value(name)
        lengths = range(len(value), 0, -1) if longest else range(1, len(value) + 1)
        for length in lengths:
            piece = value[:length] if operator == "#" else value[-length:]
            if fnmatch.fnmatchcase(piece, pattern):
                return value[length:] if operator == "#" else value[:-length]
        return value

    def _argument(self, stops: str, *, escapes: bool = False) -> str:
        """A text up to one of ``stops``, with the expressions inside it replaced."""
        parts: list[str] = []
        while self.at < len(self.input) and self.input[self.at] not in stops:
            pair = self.input[self.at : self.at + 2]
            if pair == "${":
                self.at += 2
                parts.append(self._expression())
            elif escapes and pair in ("$$", "\\/", "\\\\"):
                parts.append(pair[1])
                self.at += 2
            else:
                parts.append(self.input[self.at])
                self.at += 1
        return "".join(parts)

    def _name(self) -> str:
        match = _NAME.match(self.input, self.at)
        if match is None:
            raise SubstitutionError("unable to parse variable name")
        self.at = match.end()
        return match[0]

    def _value(self, name: str, *, required: bool = True) -> str:
        variables = self.variables
        if name in variables.known:
            variables.used.add(name)
            return variables.known[name]
        if variables.why:
            variables.unknown.add(name)
            raise _Unknown
        if required:
            variables.missing.add(name)
        return ""

    def _peek(self) -> str:
        return self.input[self.at : self.at + 1]

    def _close(self) -> None:
        if self._peek() != "}":
            raise SubstitutionError("missing closing brace")
        self.at += 1
