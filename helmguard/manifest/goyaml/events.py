"""The grammar of YAML over the exact scanner's tokens: one document as a stream of events.

The events are PyYAML's own classes, so that nodes can be built from libyaml's events and from these alike.
A state is a bound method that returns the next event and sets the state after it; ``_pending`` holds the
states to return to.

Source: go.yaml.in/yaml v2.4.2 parserc.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from helmguard.manifest.goyaml.error import YAMLError
from helmguard.manifest.goyaml.scanner import Scanner
from helmguard.manifest.goyaml.tokens import Token
from helmguard.manifest.goyaml.tokens import TokenKind as Kind

_State: TypeAlias = Callable[[], Event]

_ABSENT_IN_MAPPING = frozenset((Kind.KEY, Kind.VALUE, Kind.BLOCK_END))
_ABSENT_IN_INDENTLESS_SEQUENCE = frozenset((Kind.BLOCK_ENTRY, Kind.KEY, Kind.VALUE, Kind.BLOCK_END))
_ABSENT_IN_DOCUMENT = frozenset(
    (Kind.VERSION_DIRECTIVE, Kind.TAG_DIRECTIVE, Kind.DOCUMENT_START, Kind.DOCUMENT_END, Kind.STREAM_END)
)
_DEFAULT_TAGS = {"!": "!", "!!": "tag:yaml.org,2002:"}


def events(data: bytes) -> Iterator[Event]:
    """The events of the first document, its end included; none at all for an empty text.

    Raises:
        YAMLError: Go refuses the text before the document's end.
    """
    grammar = _Grammar(Scanner(data))
    if not grammar.start_document():
        return
    while True:
        event = grammar.next_event()
        yield event
        if type(event) is DocumentEndEvent:
            return


class _Grammar:
    def __init__(self, scanner: Scanner) -> None:
        self._scanner = scanner
        self._pending: list[_State] = [self._document_end]
        self._starts: list[Any] = []
        self._tags = dict(_DEFAULT_TAGS)
        self._state: _State = self._block_node

    def next_event(self) -> Event:
        return self._state()

    def _peek(self) -> Token:
        return self._scanner.next_token()

    def _pop(self) -> Token:
        return self._scanner.pop_token()

    def _return(self) -> None:
        self._state = self._pending.pop()

    # -- documents

    def start_document(self) -> bool:
        """Read directives and the start indicator; False at the end of the text."""
        kind = self._peek().kind
        if kind is Kind.STREAM_END:
            return False
        if kind not in _ABSENT_IN_DOCUMENT or kind is Kind.DOCUMENT_END:
            return True
        self._read_directives()
        token = self._peek()
        if token.kind is not Kind.DOCUMENT_START:
            raise _error("did not find expected <document start>", token.start)
        self._pop()
        self._state = self._document_content
        return True

    def _read_directives(self) -> None:
        version_seen = False
        handles: dict[str, str] = {}
        while (token := self._peek()).kind in (Kind.VERSION_DIRECTIVE, Kind.TAG_DIRECTIVE):
            if token.kind is Kind.VERSION_DIRECTIVE:
                if version_seen:
                    raise _error("found duplicate %YAML directive", token.start)
                if token.text != "1.1":
                    raise _error("found incompatible YAML document", token.start)
                version_seen = True
            else:
                if token.text in handles:
                    raise _error("found duplicate %TAG directive", token.start)
                handles[token.text] = token.suffix
            self._pop()
        self._tags |= handles

    def _document_content(self) -> Event:
        token = self._peek()
        if token.kind in _ABSENT_IN_DOCUMENT:
            self._return()
            return _empty_scalar(token.start)
        return self._node(block=True)

    def _document_end(self) -> Event:
        token = self._peek()
        return DocumentEndEvent(token.start, token.start)

    # -- nodes

    def _block_node(self) -> Event:
        return self._node(block=True)

    def _node(self, *, block: bool, indentless: bool = False) -> Event:
        token = self._peek()
        if token.kind is Kind.ALIAS:
            self._pop()
            self._return()
            return AliasEvent(token.text, token.start, token.end)
        start = token.start
        anchor, tag, end = self._properties()
        token = self._peek()
        kind = token.kind
        if indentless and kind is Kind.BLOCK_ENTRY:
            self._state = self._indentless_sequence_entry
            return SequenceStartEvent(anchor, tag, tag is None, start, token.end, flow_style=False)
        if kind is Kind.SCALAR:
            self._pop()
            self._return()
            plain = (tag is None and not token.style) or tag == "!"
            implicit = (plain, tag is None and not plain)
            return ScalarEvent(anchor, tag, implicit, token.text, start, token.end, style=token.style)
        if kind is Kind.FLOW_SEQUENCE_START:
            self._state = self._first_flow_sequence_entry
            return SequenceStartEvent(anchor, tag, tag is None, start, token.end, flow_style=True)
        if kind is Kind.FLOW_MAPPING_START:
            self._state = self._first_flow_mapping_key
            return MappingStartEvent(anchor, tag, tag is None, start, token.end, flow_style=True)
        if block and kind is Kind.BLOCK_SEQUENCE_START:
            self._state = self._first_block_sequence_entry
            return SequenceStartEvent(anchor, tag, tag is None, start, token.end, flow_style=False)
        if block and kind is Kind.BLOCK_MAPPING_START:
            self._state = self._first_block_mapping_key
            return MappingStartEvent(anchor, tag, tag is None, start, token.end, flow_style=False)
        if anchor or tag:
            self._return()
            return ScalarEvent(anchor, tag, (tag is None, False), "", start, end, style="")
        raise _error("did not find expected node content", token.start, start)

    def _properties(self) -> tuple[str | None, str | None, Any]:
        """Anchor and tag, in either order, at most one of each; and where they end."""
        start = end = self._peek().start
        anchor: str | None = None
        tag: Token | None = None
        while True:
            token = self._peek()
            if token.kind is Kind.ANCHOR and anchor is None:
                anchor = token.text
            elif token.kind is Kind.TAG and tag is None:
                tag = token
            else:
                break
            end = token.end
            self._pop()
        if tag is None:
            return anchor, None, end
        if not tag.text:
            return anchor, tag.suffix, end
        name = self._tags[tag.text] + tag.suffix if tag.text in self._tags else ""
        if not name:
            raise _error("found undefined tag handle", tag.start, start)
        return anchor, name, end

    # -- block collections

    def _open(self) -> None:
        """Take the token that starts a collection."""
        self._starts.append(self._pop().start)

    def _close(self, event: type[Event]) -> Event:
        """Take the token that ends a collection."""
        token = self._pop()
        self._starts.pop()
        self._return()
        return event(token.start, token.end)

    def _descend(self, back_to: _State, *, block: bool, indentless: bool = False) -> Event:
        self._pending.append(back_to)
        return self._node(block=block, indentless=indentless)

    def _absent(self, state: _State, mark: Any) -> Event:
        self._state = state
        return _empty_scalar(mark)

    def _first_block_sequence_entry(self) -> Event:
        self._open()
        return self._block_sequence_entry()

    def _block_sequence_entry(self) -> Event:
        token = self._peek()
        if token.kind is Kind.BLOCK_END:
            return self._close(SequenceEndEvent)
        if token.kind is not Kind.BLOCK_ENTRY:
            raise _error("did not find expected '-' indicator", token.start, self._starts[-1])
        self._pop()
        if self._peek().kind in (Kind.BLOCK_ENTRY, Kind.BLOCK_END):
            return self._absent(self._block_sequence_entry, token.end)
        return self._descend(self._block_sequence_entry, block=True)

    def _indentless_sequence_entry(self) -> Event:
        token = self._peek()
        if token.kind is not Kind.BLOCK_ENTRY:
            self._return()
            return SequenceEndEvent(token.start, token.start)
        self._pop()
        if self._peek().kind in _ABSENT_IN_INDENTLESS_SEQUENCE:
            return self._absent(self._indentless_sequence_entry, token.end)
        return self._descend(self._indentless_sequence_entry, block=True)

    def _first_block_mapping_key(self) -> Event:
        self._open()
        return self._block_mapping_key()

    def _block_mapping_key(self) -> Event:
        token = self._peek()
        if token.kind is Kind.BLOCK_END:
            return self._close(MappingEndEvent)
        if token.kind is not Kind.KEY:
            raise _error("did not find expected key", token.start, self._starts[-1])
        self._pop()
        if self._peek().kind in _ABSENT_IN_MAPPING:
            return self._absent(self._block_mapping_value, token.end)
        return self._descend(self._block_mapping_value, block=True, indentless=True)

    def _block_mapping_value(self) -> Event:
        token = self._peek()
        if token.kind is not Kind.VALUE:
            return self._absent(self._block_mapping_key, token.start)
        self._pop()
        if self._peek().kind in _ABSENT_IN_MAPPING:
            return self._absent(self._block_mapping_key, token.end)
        return self._descend(self._block_mapping_key, block=True, indentless=True)

    # -- flow collections

    def _first_flow_sequence_entry(self) -> Event:
        self._open()
        return self._flow_sequence_entry(first=True)

    def _later_flow_sequence_entry(self) -> Event:
        return self._flow_sequence_entry(first=False)

    def _flow_sequence_entry(self, *, first: bool) -> Event:
        self._pass_comma(first, Kind.FLOW_SEQUENCE_END, "did not find expected ',' or ']'")
        token = self._peek()
        if token.kind is Kind.FLOW_SEQUENCE_END:
            return self._close(SequenceEndEvent)
        if token.kind is Kind.KEY:
            self._pop()
            self._state = self._pair_key
            return MappingStartEvent(None, None, True, token.start, token.end, flow_style=True)
        return self._descend(self._later_flow_sequence_entry, block=False)

    def _pass_comma(self, first: bool, end: Kind, problem: str) -> None:
        token = self._peek()
        if first or token.kind is end:
            return
        if token.kind is not Kind.FLOW_ENTRY:
            raise _error(problem, token.start, self._starts[-1])
        self._pop()

    def _pair_key(self) -> Event:
        token = self._peek()
        if token.kind in (Kind.VALUE, Kind.FLOW_ENTRY, Kind.FLOW_SEQUENCE_END):
            # Go takes the token along, a quirk that shows in "[?,a]".
            self._pop()
            return self._absent(self._pair_value, token.end)
        return self._descend(self._pair_value, block=False)

    def _pair_value(self) -> Event:
        token = self._peek()
        if token.kind is Kind.VALUE:
            self._pop()
            token = self._peek()
            if token.kind not in (Kind.FLOW_ENTRY, Kind.FLOW_SEQUENCE_END):
                return self._descend(self._pair_end, block=False)
        return self._absent(self._pair_end, token.start)

    def _pair_end(self) -> Event:
        token = self._peek()
        self._state = self._later_flow_sequence_entry
        return MappingEndEvent(token.start, token.start)

    def _first_flow_mapping_key(self) -> Event:
        self._open()
        return self._flow_mapping_key(first=True)

    def _later_flow_mapping_key(self) -> Event:
        return self._flow_mapping_key(first=False)

    def _flow_mapping_key(self, *, first: bool) -> Event:
        self._pass_comma(first, Kind.FLOW_MAPPING_END, "did not find expected ',' or '}'")
        token = self._peek()
        if token.kind is Kind.FLOW_MAPPING_END:
            return self._close(MappingEndEvent)
        if token.kind is not Kind.KEY:
            return self._descend(self._absent_flow_mapping_value, block=False)
        self._pop()
        token = self._peek()
        if token.kind in (Kind.VALUE, Kind.FLOW_ENTRY, Kind.FLOW_MAPPING_END):
            return self._absent(self._flow_mapping_value, token.start)
        return self._descend(self._flow_mapping_value, block=False)

    def _flow_mapping_value(self) -> Event:
        token = self._peek()
        if token.kind is Kind.VALUE:
            self._pop()
            token = self._peek()
            if token.kind not in (Kind.FLOW_ENTRY, Kind.FLOW_MAPPING_END):
                return self._descend(self._later_flow_mapping_key, block=False)
        return self._absent(self._later_flow_mapping_key, token.start)

    def _absent_flow_mapping_value(self) -> Event:
        return self._absent(self._later_flow_mapping_key, self._peek().start)


def _empty_scalar(mark: Any) -> ScalarEvent:
    return ScalarEvent(None, None, (True, False), "", mark, mark, style="")


def _error(problem: str, mark: Any, context: Any = None) -> YAMLError:
    """Go counts the lines of these errors from 0 and leaves a 0 out."""
    line = mark.line or (context.line if context else 0)
    where = f"line {line}: " if line else ""
    return YAMLError(f"yaml: {where}{problem}", line=mark.line + 1, column=mark.column + 1)
