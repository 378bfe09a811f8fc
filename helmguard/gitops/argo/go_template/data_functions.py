"""Functions of maps, lists and any value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from helmguard.gitops.argo.go_template.comparison import equal, is_true
from helmguard.gitops.argo.go_template.open_map import OpenMap
from helmguard.gitops.argo.go_template.template_error import MissingKeyError, TemplateError
from helmguard.gitops.argo.go_template.text_functions import as_text
from helmguard.gitops.argo.json_numbers import as_floats
from helmguard.manifest import yaml
from helmguard.values.go_format import go_type
from helmguard.values.go_json import decode_exact

_KINDS = {"nil": "invalid", "map[string]interface {}": "map", "[]interface {}": "slice"}


def _from_yaml(text: str) -> Any:
    try:
        return as_floats(yaml.load(text))
    except yaml.YAMLError as error:
        raise TemplateError(f"error calling fromYaml: {error.message}") from None


def _index(value: Any, *keys: Any) -> Any:
    for key in keys:
        if isinstance(value, dict):
            if isinstance(value, OpenMap) and key not in value:
                raise MissingKeyError(f".{key}")
            value = value.get(key)
        elif isinstance(value, list | str) and isinstance(key, int):
            if not 0 <= key < len(value):
                raise TemplateError(f"error calling index: index out of range: {key}")
            value = value[key] if isinstance(value, list) else value.encode()[key]
        elif value is None:
            raise TemplateError("error calling index: index of untyped nil")
        else:
            raise TemplateError(f"error calling index: can't index item of type {go_type(value)}")
    return value


def _slice(items: list[Any], start: Any = 0, end: Any = None) -> list[Any]:
    """sprig's, which hides Go's: of lists alone."""
    if not isinstance(items, list):
        raise TemplateError("error calling slice: list should be type of slice or array")
    return items[int(start) : len(items) if end is None else int(end)]


def _dig(*arguments: Any) -> Any:
    *keys, default, value = arguments
    for key in keys:
        if not isinstance(value, dict) or (key not in value and not isinstance(value, OpenMap)):
            return default
        value = _index(value, key)
    return value


def _has_key(value: dict[str, Any], key: str) -> bool:
    return key in value or _index(value, key) is not None


def _dict(*items: Any) -> dict[str, Any]:
    pairs = [*items, ""] if len(items) % 2 else list(items)
    return {as_text(key): value for key, value in zip(pairs[::2], pairs[1::2], strict=True)}


def _set(value: dict[str, Any], key: str, item: Any) -> dict[str, Any]:
    value[key] = item
    return value


def _unset(value: dict[str, Any], key: str) -> dict[str, Any]:
    value.pop(key, None)
    return value


def _merged(*maps: dict[str, Any]) -> dict[str, Any]:
    """sprig's ``merge``: the first one wins, except where it is empty."""
    result: dict[str, Any] = {}
    for one in maps:
        for key, value in one.items():
            if isinstance(result.get(key), dict) and isinstance(value, dict):
                result[key] = _merged(result[key], value)
            elif not is_true(result.get(key)):
                result[key] = value
    return result


def _default(fallback: Any, *given: Any) -> Any:
    return given[0] if given and is_true(given[0]) else fallback


def _ternary(yes: Any, no: Any, condition: Any) -> Any:
    if not isinstance(condition, bool):
        raise TemplateError(f"error calling ternary: expected bool; found {go_type(condition)}")
    return yes if condition else no


def _unique(items: list[Any]) -> list[Any]:
    found: list[Any] = []
    found.extend(item for item in items if item not in found)
    return found


def _fail(message: str) -> None:
    raise TemplateError(message)


def _kind(value: Any) -> str:
    return _KINDS.get(go_type(value), go_type(value))


def _length(value: Any) -> int:
    return len(value.encode()) if isinstance(value, str) else len(value)


DATA_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "default": _default,
    "empty": lambda value: not is_true(value),
    "coalesce": lambda *values: next((value for value in values if is_true(value)), None),
    "ternary": _ternary,
    "fail": _fail,
    "not": lambda value: not is_true(value),
    "eq": equal,
    "ne": lambda left, right: not equal(left, right),
    "len": _length,
    "index": _index,
    "slice": _slice,
    "kindOf": _kind,
    "kindIs": lambda kind, value: _kind(value) == kind,
    "typeOf": lambda value: "<nil>" if value is None else go_type(value),
    "dict": _dict,
    "get": lambda value, key: "" if _index(value, key) is None else value[key],
    "set": _set,
    "unset": _unset,
    "hasKey": _has_key,
    "dig": _dig,
    "keys": lambda *maps: sorted(key for one in maps for key in one),
    "values": lambda value: [value[key] for key in sorted(value)],
    "pick": lambda value, *keys: {key: value[key] for key in keys if key in value},
    "omit": lambda value, *keys: {key: item for key, item in value.items() if key not in keys},
    "merge": _merged,
    "mergeOverwrite": lambda *maps: _merged(*reversed(maps)),
    "list": lambda *items: list(items),
    "tuple": lambda *items: list(items),
    "first": lambda items: items[0] if items else None,
    "last": lambda items: items[-1] if items else None,
    "rest": lambda items: items[1:],
    "initial": lambda items: items[:-1],
    "append": lambda items, item: [*items, item],
    "prepend": lambda items, item: [item, *items],
    "concat": lambda *lists: [item for one in lists for item in one],
    "has": lambda item, items: item in (items or ()),
    "without": lambda items, *gone: [item for item in items if item not in gone],
    "compact": lambda items: [item for item in items if is_true(item)],
    "uniq": _unique,
    "reverse": lambda items: items[::-1],
    "sortAlpha": lambda items: sorted(map(as_text, items)),
    "toJson": yaml.go_json,
    "fromJson": lambda text: as_floats(decode_exact(text)),
    "toYaml": lambda value: yaml.dump(value, sort_keys=True).rstrip("\n"),
    "fromYaml": _from_yaml,
    "fromYamlArray": _from_yaml,
}
