"""From characters to tokens, exactly as Go does it.

The layout rules of YAML live here: indentation opens and closes collections, and a scalar turns out to be a
key only when its colon comes ("simple key"), so tokens wait in a queue until that is settled.

Source: go.yaml.in/yaml v2.4.2 scannerc.go.
"""

from __future__ import annotations

import re

import msgspec

from helmguard.manifest.goyaml import scalar_scanner, tag_scanner
from helmguard.manifest.goyaml.error import YAMLError
from helmguard.manifest.goyaml.reader import BREAKS, END, Mark, Reader
from helmguard.manifest.goyaml.tokens import Token, TokenKind

_BLANKS = " \t"
_BLANK_OR_END = _BLANKS + BREAKS + END
_INDICATORS = "-?:,[]{}#&*!|>'\"%@`"
_COMMENT = re.compile(f"[^{BREAKS}{END}]+")
_SPACES = re.compile(" +")
_SPACES_OR_TABS = re.compile("[ \t]+")
_NAME = re.compile("[0-9A-Za-z_-]+")
_AFTER_NAME = _BLANK_OR_END + "?:,]}%@`"

_DEEPEST = 10_000
_LONGEST_KEY = 1024


class _SimpleKey(msgspec.Struct):
    """Where a key may have started that no colon has confirmed yet; one for each open flow collection."""

    possible: bool
    required: bool
    token: int  # counted from the start of the text
    mark: Mark


class Scanner:
    """Tokens on demand; ``next_token`` looks, ``pop_token`` takes."""

    def __init__(self, data: bytes) -> None:
        self.reader = Reader(data)
        self._queue: list[Token] = []
        self._taken = 0
        self._settled = False
        self._indent = -1
        self._indents: list[int] = []
        self._flow_level = 0
        self._key_allowed = True
        self._keys = [_SimpleKey(False, False, 0, self.reader.mark)]
        # Go finds the key that starts at a token through this map, and may find an outdated one.
        self._key_of_token: dict[int, int] = {}

    # -- the queue

    def next_token(self) -> Token:
        """The token that comes next."""
        if not self._settled:
            while self._needs_more():
                self._fetch()
            self._settled = True
        return self._queue[0]

    def pop_token(self) -> Token:
        """The token that comes next, taken off."""
        token = self.next_token()
        del self._queue[0]
        self._taken += 1
        self._settled = False
        return token

    def _needs_more(self) -> bool:
        if not self._queue:
            return True
        level = self._key_of_token.get(self._taken)
        return level is not None and level < len(self._keys) and self._is_valid(self._keys[level])

    def _insert(self, token: Token, at: int = -1) -> None:
        """Put a token at a place of the queue; a place already taken means its end."""
        if at < 0:
            self._queue.append(token)
        else:
            self._queue.insert(at, token)

    def _insert_here(self, kind: TokenKind, length: int = 0) -> None:
        start = self.reader.mark
        self.reader.skip(length)
        self._insert(Token(kind, start, self.reader.mark))

    def error(self, problem: str, context: Mark | None = None) -> YAMLError:
        """An error at the cursor; Go names no line where that would be the first."""
        mark = self.reader.mark
        line = mark.line + 1 if mark.line else context.line if context else 0
        where = f"line {line}: " if line else ""
        return YAMLError(f"yaml: {where}{problem}", line=mark.line + 1, column=mark.column + 1)

    # -- simple keys

    def _is_valid(self, key: _SimpleKey) -> bool:
        """Whether the colon may still come: on the same line, within 1024 characters."""
        if not key.possible:
            return False
        reader = self.reader
        if key.mark.line < reader.line or key.mark.index + _LONGEST_KEY < reader.index:
            if key.required:
                raise self.error("could not find expected ':'", key.mark)
            key.possible = False
            return False
        return True

    def _save_key(self) -> None:
        if not self._key_allowed:
            return
        required = self._flow_level == 0 and self._indent == self.reader.column
        token = self._taken + len(self._queue)
        self._drop_key()
        self._keys[-1] = _SimpleKey(True, required, token, self.reader.mark)
        self._key_of_token[token] = len(self._keys) - 1

    def _drop_key(self) -> None:
        key = self._keys[-1]
        if not key.possible:
            return
        if key.required:
            raise self.error("could not find expected ':'", key.mark)
        key.possible = False
        self._key_of_token.pop(key.token, None)

    # -- levels

    def _roll_indent(self, column: int, kind: TokenKind, mark: Mark, token: int = -1) -> None:
        """Open a block collection where the text is indented further."""
        if self._flow_level or self._indent >= column:
            return
        self._indents.append(self._indent)
        self._indent = column
        if len(self._indents) > _DEEPEST:
            raise self.error(f"exceeded max depth of {_DEEPEST}", self._keys[-1].mark)
        self._insert(Token(kind, mark, mark), token - self._taken if token >= 0 else -1)

    def _unroll_indent(self, column: int) -> None:
        """Close the block collections that are indented further than ``column``."""
        if self._flow_level:
            return
        while self._indent > column:
            mark = self.reader.mark
            self._insert(Token(TokenKind.BLOCK_END, mark, mark))
            self._indent = self._indents.pop()

    # -- fetching

    def _fetch(self) -> None:
        """Put the next token, or several, into the queue."""
        self._pass_blanks_and_comments()
        self._unroll_indent(self.reader.column)
        self.reader.need(4)
        character = self.reader.peek()
        if character == END:
            self._fetch_stream_end()
        elif self.reader.column == 0 and character == "%":
            self._reset_line()
            self._insert(tag_scanner.scan_directive(self))
        elif self._at_document_indicator("---"):
            self._fetch_document_indicator(TokenKind.DOCUMENT_START)
        elif self._at_document_indicator("..."):
            self._fetch_document_indicator(TokenKind.DOCUMENT_END)
        elif character in "[{":
            self._fetch_flow_start(character)
        elif character in "]}":
            self._fetch_flow_end(character)
        elif character == ",":
            self._drop_key()
            self._key_allowed = True
            self._insert_here(TokenKind.FLOW_ENTRY, 1)
        elif character in "-?:" and self._is_indicator(character):
            {"-": self._fetch_block_entry, "?": self._fetch_key, ":": self._fetch_value}[character]()
        elif character in "|>" and not self._flow_level:
            self._drop_key()
            self._key_allowed = True
            self._insert(scalar_scanner.scan_block_scalar(self, self._indent))
        else:
            self._fetch_key_candidate(character)

    def _is_indicator(self, character: str) -> bool:
        if self.reader.peek(1) in _BLANK_OR_END:
            return True
        return character != "-" and self._flow_level > 0

    def _fetch_key_candidate(self, character: str) -> None:
        """A node that could turn out to be a key: alias, anchor, tag, quoted or plain scalar."""
        if character in "*&":
            self._start_key_candidate()
            self._insert(self._scan_name(character))
        elif character == "!":
            self._start_key_candidate()
            self._insert(tag_scanner.scan_tag(self))
        elif character in "'\"":
            self._start_key_candidate()
            self._insert(scalar_scanner.scan_quoted_scalar(self))
        elif self._starts_plain_scalar(character):
            self._start_key_candidate()
            token, broken = scalar_scanner.scan_plain_scalar(self, self._indent, self._flow_level > 0)
            self._insert(token)
            if broken:
                self._key_allowed = True
        else:
            raise self.error("found character that cannot start any token", self.reader.mark)

    def _start_key_candidate(self) -> None:
        self._save_key()
        self._key_allowed = False

    def _starts_plain_scalar(self, character: str) -> bool:
        following = self.reader.peek(1)
        if character not in _INDICATORS and character not in _BLANK_OR_END:
            return True
        if character == "-":
            return following not in _BLANKS
        return character in "?:" and not self._flow_level and following not in _BLANK_OR_END

    def _fetch_stream_end(self) -> None:
        reader = self.reader
        if reader.column:
            reader.column = 0
            reader.line += 1
        self._reset_line()
        self._insert_here(TokenKind.STREAM_END)

    def _reset_line(self) -> None:
        """Close all block collections and forget the key: a directive or document indicator follows."""
        self._unroll_indent(-1)
        self._drop_key()
        self._key_allowed = False

    def _at_document_indicator(self, indicator: str) -> bool:
        reader = self.reader
        return reader.column == 0 and reader.startswith(indicator) and reader.peek(3) in _BLANK_OR_END

    def _fetch_document_indicator(self, kind: TokenKind) -> None:
        self._reset_line()
        self._insert_here(kind, 3)

    def _fetch_flow_start(self, character: str) -> None:
        self._save_key()
        next_token = self._taken + len(self._queue)
        self._keys.append(_SimpleKey(False, False, next_token, self.reader.mark))
        self._flow_level += 1
        if self._flow_level > _DEEPEST:
            raise self.error(f"exceeded max depth of {_DEEPEST}", self.reader.mark)
        self._key_allowed = True
        self._insert_here(
            TokenKind.FLOW_SEQUENCE_START if character == "[" else TokenKind.FLOW_MAPPING_START, 1
        )

    def _fetch_flow_end(self, character: str) -> None:
        self._drop_key()
        if self._flow_level:
            self._flow_level -= 1
            # For an empty collection this forgets the key that the collection itself may be: a quirk of Go's.
            self._key_of_token.pop(self._keys.pop().token, None)
        self._key_allowed = False
        self._insert_here(TokenKind.FLOW_SEQUENCE_END if character == "]" else TokenKind.FLOW_MAPPING_END, 1)

    def _fetch_block_entry(self) -> None:
        if not self._flow_level:
            if not self._key_allowed:
                raise self.error("block sequence entries are not allowed in this context", self.reader.mark)
            self._roll_indent(self.reader.column, TokenKind.BLOCK_SEQUENCE_START, self.reader.mark)
        self._drop_key()
        self._key_allowed = True
        self._insert_here(TokenKind.BLOCK_ENTRY, 1)

    def _fetch_key(self) -> None:
        if not self._flow_level:
            if not self._key_allowed:
                raise self.error("mapping keys are not allowed in this context", self.reader.mark)
            self._roll_indent(self.reader.column, TokenKind.BLOCK_MAPPING_START, self.reader.mark)
        self._drop_key()
        self._key_allowed = not self._flow_level
        self._insert_here(TokenKind.KEY, 1)

    def _fetch_value(self) -> None:
        key = self._keys[-1]
        if self._is_valid(key):
            self._insert(Token(TokenKind.KEY, key.mark, key.mark), key.token - self._taken)
            self._roll_indent(key.mark.column, TokenKind.BLOCK_MAPPING_START, key.mark, key.token)
            key.possible = False
            self._key_of_token.pop(key.token, None)
            self._key_allowed = False
        else:
            if not self._flow_level:
                if not self._key_allowed:
                    raise self.error("mapping values are not allowed in this context", self.reader.mark)
                self._roll_indent(self.reader.column, TokenKind.BLOCK_MAPPING_START, self.reader.mark)
            self._key_allowed = not self._flow_level
        self._insert_here(TokenKind.VALUE, 1)

    def _scan_name(self, character: str) -> Token:
        """An anchor's or an alias's name."""
        reader = self.reader
        start = reader.mark
        reader.skip()
        name = reader.take(_NAME)
        if not name or reader.peek() not in _AFTER_NAME:
            raise self.error("did not find expected alphabetic or numeric character", start)
        return Token(TokenKind.ANCHOR if character == "&" else TokenKind.ALIAS, start, reader.mark, name)

    def _pass_blanks_and_comments(self) -> None:
        """Up to the next token. A tab may not stand where a key could start."""
        reader = self.reader
        while True:
            if reader.column == 0 and reader.window_starts_with_bom():
                reader.skip()
            reader.take(_SPACES_OR_TABS if self._flow_level or not self._key_allowed else _SPACES)
            if reader.peek() == "#":
                reader.take(_COMMENT)
            if reader.peek() not in BREAKS:
                return
            reader.need(2)
            reader.take_break()
            if not self._flow_level:
                self._key_allowed = True
