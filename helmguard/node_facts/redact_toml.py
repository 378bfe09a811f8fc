"""Takes credentials out of a TOML file, whatever state it is in, without moving a line or changing a type.

It reads TOML's tokens and no more: what reads a file properly stops where the file is broken, and the secrets
behind that place must not get out either.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

import msgspec

from helmguard.node_facts.secret_keys import DROPPED, holds_credentials, line_ends, without_credentials

_TOKEN = re.compile(
    r"(?P<blank>[ \t\r]+)|(?P<end>\n)|(?P<comment>\#[^\n]*)"
    r'|(?P<long>"""(?:\\[\s\S]|[^\\])*?(?:"{3,5}|\Z)|\'\'\'[\s\S]*?(?:\'{3,5}|\Z))'
    r'|(?P<string>"(?:\\[^\n]|[^"\\\n])*"?|\'[^\'\n]*\'?)'
    r"|(?P<mark>[\[\]{}=,])|(?P<bare>[^\s\[\]{}=,\"'#]+)"
)
_HEADER = re.compile(r"[ \t]*\[(?:\"(?:\\.|[^\"\\\n])*\"|'[^'\n]*'|[^\n\"'#=,{}])*\][ \t\r]*(?=\#|\n|\Z)")
_LOOSE_HEADER = re.compile(r"[^\n=#{}]*\][ \t\r]*(?=\#|\n|\Z)")
"""What may be one in a broken file."""
_NUMBER = re.compile(r"[+-]?(?:0x[0-9A-Fa-f_]+|0o[0-7_]+|0b[01_]+|\d[\d_]*)")
_FLOAT = re.compile(r"[+-]?(?:\d[\d_]*(?:\.[\d_]+)?(?:[eE][+-]?[\d_]+)?|inf|nan)")
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[Tt].*)?|\d\d:\d\d:\d\d.*")
_SECRET_LINE = re.compile(
    r"(?<![\w-])([\"']?[\w-]{0,64}(?:auth|password|passwd|username|identity_?token|registry_?token|token|secret|"
    r"authorization)[\"']?(?:[ \t]*[=:][ \t]*|[ \t]+(?=[\"'\w])))([^\s=][^\r\n]*)",
    re.IGNORECASE,
)
_GONE = re.compile(
    rf"(?:[\"']{{0,3}}(?:{DROPPED}|true|false|0|0\.0)?[\"']{{0,3}}[\s\]}},]*|[\[{{][\[{{\s]*)(?:\#.*)?"
)
_HARMLESS_LINE = re.compile(
    r"[^\S\n]*(?:[\[\]{},\s]*|[\"']{3}|\#.*|[\"']+(?:/|https?://|io\.containerd)[^\n]*|\[[^\n]*\].*)"
)


def redact_toml(text: str) -> tuple[str, int]:
    """The text without credentials, and how many values were taken out.

    What is no TOML stays none: it is judged by what containerd says of it.
    """
    if _is_toml(text):
        return _redacted(text, bare=False, broken=False)
    redacted, count = _redacted(text, bare=False, broken=True)
    if _is_toml(redacted):
        # What made it no TOML was in a value that is gone.
        return _redacted(text, bare=True, broken=True)
    return redacted, count


def _redacted(text: str, *, bare: bool, broken: bool) -> tuple[str, int]:
    reader = _Reader(text, bare, broken)
    clean = "".join(reader.read())
    count = reader.count
    if broken:
        for further in (_by_lines, without_credentials, _without_loose_lines):
            clean, more = further(clean)
            count += more
    return clean, count


def _by_lines(text: str) -> tuple[str, int]:
    """For comments and broken files: the rest of a line behind a word that announces a credential."""
    count = 0

    def dropped(found: re.Match[str]) -> str:
        nonlocal count
        if _GONE.fullmatch(found[2]):
            return found.group()
        count += 1
        return found[1] + DROPPED

    return _SECRET_LINE.sub(dropped, text), count


def _without_loose_lines(text: str) -> tuple[str, int]:
    """A broken file without lines that assign nothing: they may be of a text whose quotes are gone."""
    lines = text.split("\n")
    loose = [
        number
        for number, line in enumerate(lines)
        if "=" not in line and DROPPED not in line and not _HARMLESS_LINE.fullmatch(line)
    ]
    for number in loose:
        lines[number] = DROPPED + "\r" * lines[number].endswith("\r")
    return "\n".join(lines), len(loose)


def _is_toml(text: str) -> bool:
    try:
        tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        return False
    return True


class _Frame(msgspec.Struct):
    """The table, list or inline table that tokens stand in; ``key`` is that of the value being read."""

    mark: str
    path: tuple[str, ...]
    key: tuple[str, ...] = ()


class _Reader:
    """``bare``: values are replaced by what is no TOML. ``broken``: lists and tables may not be closed."""

    def __init__(self, text: str, bare: bool, broken: bool) -> None:
        self.count = 0
        self._text = text
        self._bare, self._broken = bare, broken
        self._frames = [_Frame("", ())]
        self._key: list[str] = []
        self._value = False

    def read(self) -> Iterator[str]:
        """The text, piece by piece."""
        at = 0
        at_line_start = True
        while at < len(self._text):
            if at_line_start and (self._broken or len(self._frames) == 1):
                header = _HEADER.match(self._text, at) or self._loose_header(at)
                if header:
                    self._begin_table(_table_names(header.group()))
                    yield self._without_credentials(header.group())
                    at = header.end()
                    at_line_start = False
                    continue
            found = _TOKEN.match(self._text, at)
            if found is None:
                yield self._text[at]
                at += 1
                continue
            at = found.end()
            kind = found.lastgroup or ""
            at_line_start = kind == "end"
            yield self._token(kind, found.group())

    def _loose_header(self, at: int) -> re.Match[str] | None:
        found = _LOOSE_HEADER.match(self._text, at) if self._broken else None
        return found if found and holds_credentials(_table_names(found.group())) else None

    def _begin_table(self, names: tuple[str, ...]) -> None:
        """``[plugins."x".registry]``: what follows stands below these keys."""
        self._frames = [_Frame("", names)]
        self._key, self._value = [], False

    def _token(self, kind: str, token: str) -> str:
        if kind == "comment":
            return self._comment(token)
        if kind == "mark":
            self._mark(token)
        elif kind == "end":
            self._end_line()
        elif kind != "blank":
            return self._key_or_value(kind, token)
        return token

    def _key_or_value(self, kind: str, token: str) -> str:
        if self._value:
            return self._judged(kind, token)
        in_list = self._frames[-1].mark == "["
        if in_list:
            self._key = []
        self._key += _key_parts(token)
        # In a list that was not closed it may be a key: judging it as a value does not hurt.
        return self._judged(kind, token) if in_list else self._without_credentials(token)

    def _mark(self, mark: str) -> None:
        frame = self._frames[-1]
        if mark == "=":
            if not (self._broken and self._value):
                frame.key = tuple(self._key)
            self._value = True
        elif mark in "[{":
            self._frames.append(_Frame(mark, (*frame.path, *frame.key)))
            self._value = False
        elif mark in "]}":
            if len(self._frames) > 1:
                self._frames.pop()
            self._value = False
        else:
            self._value = False
        self._key = []

    def _end_line(self) -> None:
        frame = self._frames[-1]
        if frame.mark == "" or (self._broken and frame.mark == "{"):
            # A pair ends with its line, and so does an inline table.
            del self._frames[1:]
            self._key, self._value = [], False
            self._frames[0].key = ()

    def _judged(self, kind: str, token: str) -> str:
        frame = self._frames[-1]
        if not holds_credentials((*frame.path, *frame.key)):
            return self._without_credentials(token) if kind in ("string", "long") else token
        if token in ("true", "false") or token.strip("\"'\r\n") in ("", DROPPED):
            return token
        self.count += 1
        return DROPPED + line_ends(token) if self._bare else _replaced(kind, token)

    def _without_credentials(self, token: str) -> str:
        """A text in which a credential may be: an escape in the middle of one must not hide it."""
        quotes = next(
            (mark for mark in ('"""', "'''") if token.startswith(mark) and token.endswith(mark)), ""
        )
        inner = token[3:-3] if quotes and len(token) >= 6 else token
        redacted, count = without_credentials(inner)
        if inner is not token:
            redacted = f"{quotes}{redacted}{quotes}"
        if "\\" in token and token.startswith('"'):
            count = count or without_credentials(_unescaped(token))[1]
            if count:
                redacted = _replaced("long" if token.startswith('"""') else "string", token)
        self.count += count
        return redacted

    def _comment(self, token: str) -> str:
        """A setting that was commented out holds its credential all the same."""
        redacted, count = _by_lines(token)
        if holds_credentials(self._frames[0].path) and "=" in token and DROPPED not in redacted:
            redacted, count = f"{token.partition('=')[0]}= {DROPPED}", 1
        self.count += count
        return self._without_credentials(redacted)


def _replaced(kind: str, token: str) -> str:
    """A value of the same type; a string that does not end goes on not ending."""
    if kind == "long":
        quotes = token[:3]
        closing = quotes if len(token) >= 6 and token.endswith(quotes) else ""
        return f"{quotes}{DROPPED}{line_ends(token)}{closing}"
    if kind == "string":
        quote = token[0]
        closing = quote if len(token) > 1 and token.endswith(quote) else ""
        return f"{quote}{DROPPED}{closing}"
    if _DATE.fullmatch(token):
        return "1970-01-01" if "-" in token else "00:00:00"
    if _NUMBER.fullmatch(token):
        return "0"
    return "0.0" if _FLOAT.fullmatch(token) else DROPPED


def _table_names(header: str) -> tuple[str, ...]:
    tokens = (token for token in _TOKEN.finditer(header) if token.lastgroup in ("bare", "string"))
    return tuple(part for token in tokens for part in _key_parts(token.group()))


def _key_parts(token: str) -> list[str]:
    if token.startswith("'"):
        return [token.strip("'")]
    if token.startswith('"'):
        return [_unescaped(token)]
    return [part for part in token.split(".") if part]


def _unescaped(token: str) -> str:
    try:
        return str(tomllib.loads(f"k = {token}")["k"])
    except (tomllib.TOMLDecodeError, ValueError):
        return token.strip('"')
