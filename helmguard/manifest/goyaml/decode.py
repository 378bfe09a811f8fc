"""From a tree of nodes to a value, as Go decodes it and turns it into JSON.

Rules that differ from YAML as other readers know it: a merge key (``<<``) takes effect where it stands, so it
overrides keys before it; an alias is decoded anew wherever it stands; excessive aliasing is an error; keys
become text.

Source: go.yaml.in/yaml v2.4.2 decode.go, sigs.k8s.io/yaml v1.6.0 yaml.go.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Iterator
from typing import Any, TypeAlias

import msgspec

from helmguard.manifest.goyaml.error import YAMLError
from helmguard.manifest.goyaml.go_syntax import go_syntax
from helmguard.manifest.goyaml.keys import identity, key_text
from helmguard.manifest.goyaml.nodes import Node, NodeKind
from helmguard.manifest.goyaml.scalars import MERGE_TAG, resolve_plain, resolve_tagged
from helmguard.manifest.numbers import Scalar
from helmguard.model.json_value import JSONValue

Position: TypeAlias = tuple[int, int]


class Decoded(msgspec.Struct):
    """A value and where it stands (line and column, from 1).

    ``positions``: of a map, key -> (place of the key, Decoded); of a list, its Decoded items; else None.
    ``refusal``: why JSON cannot hold the value; it matters only if no later key overwrites the value.
    """

    value: JSONValue
    place: Position
    positions: Any = None
    refusal: YAMLError | None = None


# A step asks for a nested step by yielding it and gets its result: recursion that depth cannot exhaust.
_Step: TypeAlias = Generator["_Step", Any, Any]
_Entries: TypeAlias = dict[object, tuple[Scalar, Node, Decoded]]


def decode(root: Node, *, strict: bool = False) -> Decoded:
    """The value of ``root``.

    Raises:
        YAMLError: Go refuses the document; with ``strict`` also when a key is set twice in one map.
    """
    decoder = _Decoder(strict)
    decoded: Decoded = _run(decoder.decode(root))
    decoder.raise_complaints()
    if decoded.refusal:
        raise decoded.refusal
    return decoded


def _run(step: _Step) -> Any:
    steps = [step]
    result: Any = None
    while steps:
        try:
            nested = steps[-1].send(result)
        except StopIteration as stop:
            steps.pop()
            result = stop.value
        else:
            steps.append(nested)
            result = None
    return result


class _Decoder:
    def __init__(self, strict: bool) -> None:
        self._strict = strict
        self._complaints: list[tuple[str, Position]] = []
        self._in_progress: set[int] = set()
        self._count = 1
        self._alias_count = 0
        self._alias_depth = 0

    def decode(self, node: Node, into: _Entries | None = None) -> _Step:
        """Decode one node; a mapping's entries go ``into`` another's when it is merged there."""
        self._tally(node)
        if node.kind is NodeKind.SCALAR:
            return _scalar(node)
        if node.kind is NodeKind.SEQUENCE:
            items = []
            for child in node.children:
                items.append((yield self.decode(child)))
            return _list(node, items)
        if node.kind is NodeKind.ALIAS:
            return (yield self._alias(node, into))
        entries: _Entries = {} if into is None else into
        yield self._mapping(node, entries)
        return _map(node, entries) if into is None else None

    def raise_complaints(self) -> None:
        """Report the keys that were set twice, all in one error as Go does."""
        if not self._complaints:
            return
        lines = "".join(f"\n  {text}" for text, _ in self._complaints)
        line, column = self._complaints[0][1]
        raise YAMLError(f"yaml: unmarshal errors:{lines}", line=line, column=column)

    def _alias(self, node: Node, into: _Entries | None) -> _Step:
        assert node.target is not None
        if id(node) in self._in_progress:
            raise _error(f"anchor '{node.text}' value contains itself", node)
        self._in_progress.add(id(node))
        self._alias_depth += 1
        decoded = yield self.decode(node.target, into)
        self._alias_depth -= 1
        self._in_progress.discard(id(node))
        return decoded

    def _mapping(self, node: Node, entries: _Entries) -> _Step:
        for key_node, value_node in _pairs(node):
            if _is_merge(key_node):
                yield self._merge(value_node, entries)
                continue
            key = yield self.decode(key_node)
            if isinstance(key.value, dict | list):
                raise _error(f"invalid map key: {go_syntax(key.value)}", key_node)
            decoded = yield self.decode(value_node)
            same = identity(key.value)
            if self._strict and same in entries:
                text = f"line {value_node.line}: key {go_syntax(key.value)} already set in map"
                self._complaints.append((text, (key_node.line, key_node.column)))
            else:
                entries[same] = (key.value, key_node, decoded)

    def _merge(self, node: Node, entries: _Entries) -> _Step:
        """Merge one map or several; of several the first has the last word."""
        if node.kind is NodeKind.SEQUENCE:
            for child in reversed(node.children):
                _require_mapping(child)
                yield self.decode(child, entries)
        else:
            _require_mapping(node)
            yield self.decode(node, entries)

    def _tally(self, node: Node) -> None:
        """Count, and stop where too much of the document comes out of aliases."""
        self._count += 1
        if self._alias_depth:
            self._alias_count += 1
        if self._alias_count <= 100 or self._count <= 1000:
            return
        if self._alias_count / self._count > _allowed_alias_ratio(self._count):
            raise _error("document contains excessive aliasing", node)


def _allowed_alias_ratio(count: int) -> float:
    low, high = 400_000, 4_000_000
    if count <= low:
        return 0.99
    if count >= high:
        return 0.10
    return 0.99 - 0.89 * ((count - low) / (high - low))


def _pairs(node: Node) -> Iterator[tuple[Node, Node]]:
    children = iter(node.children)
    return zip(children, children, strict=True)


def _is_merge(key: Node) -> bool:
    return key.kind is NodeKind.SCALAR and key.text == "<<" and (key.plain or key.tag == MERGE_TAG)


def _require_mapping(node: Node) -> None:
    named = node.target if node.target is not None else node
    if named.kind is not NodeKind.MAPPING:
        raise _error("map merge requires map or sequence of maps as the value", node)


def _scalar(node: Node) -> Decoded:
    place = (node.line, node.column)
    value: Scalar
    if node.tag is not None:
        value = resolve_tagged(node.tag, node.text, *place)
    else:
        value = resolve_plain(node.text) if node.plain else node.text
    refusal = None
    if isinstance(value, float) and not math.isfinite(value):
        name = "NaN" if math.isnan(value) else "+Inf" if value > 0 else "-Inf"
        refusal = YAMLError(f"json: unsupported value: {name}", line=node.line, column=node.column)
    return Decoded(value, place, None, refusal)


def _list(node: Node, items: list[Decoded]) -> Decoded:
    value = [item.value for item in items]
    return Decoded(value, (node.line, node.column), items, _first(item.refusal for item in items))


def _map(node: Node, entries: _Entries) -> Decoded:
    value: dict[str, JSONValue] = {}
    positions: dict[str, tuple[Position, Decoded]] = {}
    refusal = None
    for key, key_node, decoded in entries.values():
        text = key_text(key)
        if text is None:
            refusal = refusal or _unsupported_key(key, key_node, decoded)
        else:
            value[text] = decoded.value
            positions[text] = ((key_node.line, key_node.column), decoded)
    refusal = refusal or _first(decoded.refusal for _, _, decoded in entries.values())
    return Decoded(value, (node.line, node.column), positions, refusal)


def _first(refusals: Iterable[YAMLError | None]) -> YAMLError | None:
    return next((refusal for refusal in refusals if refusal), None)


def _unsupported_key(key: Scalar, node: Node, decoded: Decoded) -> YAMLError:
    kind, text = ("%!s(<nil>)", "<nil>") if key is None else ("uint64", f"0x{key:x}")
    problem = f"unsupported map key of type: {kind}, key: {text}, value: {go_syntax(decoded.value)}"
    return YAMLError(problem, line=node.line, column=node.column)


def _error(problem: str, node: Node) -> YAMLError:
    return YAMLError(f"yaml: {problem}", line=node.line, column=node.column)
