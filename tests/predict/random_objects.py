"""Random old, new and live objects: variants of a kind, mixed, with fields put in, taken out and bent."""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

from kinds import PARTS, VARIANTS, Place

from helmguard.predict.schema.builtin_types import builtin_type, struct_type
from helmguard.predict.schema.value_type import ANY, ValueType

Pool = dict[tuple[str, str], list[Any]]


def root_type(place: Place) -> ValueType:
    """The type of a kind's objects."""
    found = builtin_type(place.api_version, place.kind)
    if found is not None:
        return found
    assert place.custom is not None
    return place.custom.root


def variant(dice: Random, place: Place, name: str) -> dict[str, Any]:
    """One of a kind's variants as a document, with ``NAME`` filled in."""
    chosen = dice.choice(VARIANTS[place.kind])
    return document(chosen, place, name)


def document(body: dict[str, Any], place: Place, name: str) -> dict[str, Any]:
    """The body with its identity."""
    filled = _with_name(copy.deepcopy(body), name.partition(".")[0])
    metadata = {**(filled.pop("metadata", None) or {}), "name": name}
    if place.namespace is not None:
        metadata["namespace"] = place.namespace
    return {"apiVersion": place.api_version, "kind": place.kind, "metadata": metadata, **filled}


def _with_name(value: Any, name: str) -> Any:
    if isinstance(value, dict):
        return {key: _with_name(below, name) for key, below in value.items()}
    if isinstance(value, list):
        return [_with_name(item, name) for item in value]
    return name if value == "NAME" else value


def mixed(dice: Random, left: Any, right: Any, depth: int = 0) -> Any:
    """A value made of parts of both: keys and items of either, some gone, some twice, some moved."""
    if isinstance(left, dict) and isinstance(right, dict):
        return _mixed_map(dice, left, right, depth)
    if isinstance(left, list) and isinstance(right, list):
        return _mixed_list(dice, left, right, depth)
    return dice.choice([left, right])


def _mixed_map(dice: Random, left: Any, right: Any, depth: int) -> Any:
    result = {}
    for key in dict.fromkeys([*left, *right]):
        chance = dice.random()
        if key in left and key in right:
            result[key] = mixed(dice, left[key], right[key], depth + 1) if chance < 0.7 else left[key]
        elif key in left:
            if depth == 0 or chance < 0.8:
                result[key] = left[key]
        elif chance < 0.4:
            result[key] = right[key]
    return result


def _mixed_list(dice: Random, left: Any, right: Any, depth: int) -> Any:
    result = list(left)
    for index in range(min(len(left), len(right))):
        if dice.random() < 0.4:
            result[index] = mixed(dice, left[index], right[index], depth + 1)
    result += [item for item in right if dice.random() < 0.3]
    if result and dice.random() < 0.2:
        result.pop(dice.randrange(len(result)))
    if dice.random() < 0.15:
        dice.shuffle(result)
    return result


@cache
def pool(kind: str, place: Place) -> Pool:
    """Values by type and field, from the parts and from the kind's own variants."""
    values: Pool = defaultdict(list)
    for type_name, parts in PARTS.items():
        for part in parts:
            _collect(part, struct_type(type_name), values)
    for body in VARIANTS[kind]:
        _collect(body, root_type(place), values)
    return values


def _collect(value: Any, type_: ValueType, values: Pool) -> None:
    if isinstance(value, dict):
        for key, below in value.items():
            if type_.shape == "struct":
                values[(_name(type_), key)].append(below)
            _collect(below, type_.child(key) or ANY, values)
    elif isinstance(value, list):
        for item in value:
            _collect(item, type_.element(), values)


def _name(type_: ValueType) -> str:
    return type_.name or str(id(type_.schema))


def bent(dice: Random, body: dict[str, Any], place: Place, times: int, *, roughly: bool) -> dict[str, Any]:
    """The document after some small changes; ``roughly``: also such as make no sense."""
    result = copy.deepcopy(body)
    for _ in range(times):
        spots = list(_spots(result, root_type(place)))
        spots = [
            spot for spot in spots if spot[2] not in ("apiVersion", "kind", "name", "namespace") or spot[3]
        ]
        if not spots:
            break
        container, key, _, _, below, owner = dice.choice(spots)
        if dice.random() < 0.5 and owner is not None:
            container, owner_type = owner
            names = [name for type_name, name in pool(place.kind, place) if type_name == _name(owner_type)]
            names = [name for name in names if name not in ("apiVersion", "kind", "name", "namespace")]
            if names:
                key = dice.choice(names)
                values = pool(place.kind, place)[(_name(owner_type), key)]
                container[key] = copy.deepcopy(dice.choice(values))
                continue
            container, key = spots[0][0], spots[0][1]
        if (isinstance(container, dict) and key in container) or isinstance(container, list):
            _bend(dice, container, key, below, roughly)
    return result


Spot = tuple[Any, Any, str, bool, ValueType, "tuple[Any, ValueType] | None"]


def _spots(value: Any, type_: ValueType, depth: int = 0) -> Iterator[Spot]:
    """Every place in a document: container, key, name, if it is deep down, its type, the struct around."""
    if isinstance(value, dict):
        owner = (value, type_) if type_.shape == "struct" else None
        for key, below in value.items():
            child = type_.child(key) or ANY
            yield value, key, str(key), depth > 1, child, owner
            yield from _spots(below, child, depth + 1)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield value, index, "", True, type_.element(), None
            yield from _spots(item, type_.element(), depth + 1)


def _bend(dice: Random, container: Any, key: Any, type_: ValueType, roughly: bool) -> None:
    value = container[key]
    if isinstance(container, list) and dice.random() < 0.4:
        if dice.random() < 0.5:
            container.insert(dice.randrange(len(container) + 1), copy.deepcopy(value))
        else:
            container.pop(key)
        return
    if isinstance(value, list) and value and dice.random() < 0.5:
        dice.shuffle(value)
        return
    chance = dice.random()
    if chance < 0.3 and isinstance(container, dict):
        del container[key]
    elif chance < 0.4:
        container[key] = None
    elif chance < 0.5:
        container[key] = {dict: {}, list: [], str: "", int: 0, bool: False}.get(type(value), value)
    elif chance < 0.55 and roughly:
        container[key] = dice.choice(["x", 1, True, {"a": 1}, ["a"], -1, 1.5, [{"name": "a"}], {}])
    elif chance < 0.6 and roughly and isinstance(value, dict):
        value["unknownField"] = dice.choice([1, {"a": "b"}, [1]])
    else:
        container[key] = _other(dice, value, type_)


_QUANTITIES = [
    "1",
    1,
    "1000m",
    "0.5",
    0.5,
    "1024Mi",
    "1Gi",
    "1e3",
    "1E3",
    "100M",
    "0",
    0,
    "1.5Gi",
    "0.1",
    "1k",
]


def _other(dice: Random, value: Any, type_: ValueType) -> Any:
    """Another value of the same sort."""
    if type_.scalar == "quantity":
        return dice.choice(_QUANTITIES)
    if type_.scalar == "intstr":
        return dice.choice([0, 1, "1", 80, "http", "25%", "0%", ""])
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return dice.choice([0, 1, value + 1, 5, -1])
    if isinstance(value, str):
        return dice.choice(["", f"{value}x", value.upper(), "a", "é"])
    return value
