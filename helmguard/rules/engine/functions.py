"""The functions that rules have beside CEL's own. All are total: bad input gives the documented value."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from fnmatch import translate
from functools import lru_cache
from typing import Any, Literal

import msgspec

from helmguard.model.json_value import JSONValue
from helmguard.predict.api_server.quantity import amount
from helmguard.values.semver import Version, satisfies

TypeName = Literal["dyn", "string", "bool", "int", "double"]

_STEP = re.compile(r"""([^.\[\]]+)|\[("(?:[^"\\]|\\.)*")\]|\[([^\]]*)\]""")
_SHOWN = 5
_LONGEST_TEXT = 80


class Function(msgspec.Struct, frozen=True):
    """A function as the CEL library is told of it."""

    name: str
    parameters: tuple[TypeName, ...]
    result: TypeName
    call: Callable[..., Any]


def quantity(value: JSONValue) -> float:
    """``quantity("1500m")`` is 1.5, ``quantity("1Gi")`` 1073741824.0; 0.0 for what is none."""
    number = _amount(value)
    return float(number) if number is not None else 0.0


def is_quantity(value: JSONValue) -> bool:
    """Whether ``quantity`` can read the value."""
    return _amount(value) is not None


def compare_versions(left: str, right: str) -> int:
    """-1, 0 or 1 for semantic versions (``v`` allowed); 0 where either is none."""
    first, second = Version.parse(left), Version.parse(right)
    return first.compare(second) if first is not None and second is not None else 0


def is_version(text: str) -> bool:
    """Whether the text is a semantic version as Helm reads it."""
    return Version.parse(text) is not None


def major(text: str) -> int:
    """The major number of a semantic version, -1 for what is none."""
    version = Version.parse(text)
    return version.major if version is not None else -1


def minor(text: str) -> int:
    """The minor number of a semantic version, -1 for what is none."""
    version = Version.parse(text)
    return version.minor if version is not None else -1


def in_range(version: str, version_range: str) -> bool:
    """Whether a version lies in a range as charts write it (``>=1.25.0-0 <2``)."""
    return satisfies(version, version_range)


def glob(text: str, pattern: str) -> bool:
    """Whether the whole text fits a pattern of ``*``, ``?`` and ``[...]``; case matters."""
    return _pattern(pattern).match(text) is not None


def under(path: str, parent: str) -> bool:
    """Whether a field path is ``parent`` or inside it: ``under("spec.a[0].b", "spec.a")``."""
    return path == parent or (path.startswith(parent) and path[len(parent)] in ".[")


def last_key(path: str) -> str:
    """The last key of a path: ``enabled`` of ``driver.enabled``, ``web`` of ``a[name=web]``."""
    steps = _STEP.findall(path)
    if not steps:
        return ""
    key, quoted, index = steps[-1]
    return key or _unquoted(quoted) or index.rpartition("=")[2]


def at(value: JSONValue, path: str, default: JSONValue) -> JSONValue:
    """What stands at a path (``spec.ports[0].name``, ``containers[name=web].image``), else the default.

    Keys with dots stand in brackets, in quotes as helmguard prints them or without. Null counts as not there.
    """
    here = value
    for key, quoted, index in _STEP.findall(path):
        if isinstance(here, list) and index:
            here = _item(here, index)
        elif isinstance(here, dict):
            here = here.get(_unquoted(quoted) if quoted else key or index)
        else:
            return default
    return default if here is None else here


def text(value: JSONValue) -> str:
    """A value as messages show it: text as it is, the rest as JSON, cut after some 80 characters."""
    shown = value if isinstance(value, str) else _json(value)
    return shown if len(shown) <= _LONGEST_TEXT else shown[: _LONGEST_TEXT - 1] + "…"


def listed(items: JSONValue) -> str:
    """``a, b and 7 more``: at most five items, in their order, each once; ``nothing`` for none or null.

    What is no list is listed alone.
    """
    if not isinstance(items, list):
        items = [] if items is None else [items]
    shown = list(dict.fromkeys(text(item) for item in items))
    if not shown:
        return "nothing"
    if len(shown) > _SHOWN:
        return f"{', '.join(shown[:_SHOWN])} and {len(shown) - _SHOWN} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0]


def counted(number: int, noun: str) -> str:
    """``1 pod``, ``3 pods``, ``2 policies``."""
    if number == 1:
        return f"1 {noun}"
    if re.search(r"[^aeiou]y$", noun):
        return f"{number} {noun[:-1]}ies"
    return f"{number} {noun}{'es' if re.search(r'(s|x|ch|sh)$', noun) else 's'}"


def labelled(items: JSONValue, labels: JSONValue) -> JSONValue:
    """The objects of a list that carry all these labels; all of them for none."""
    wanted = labels.items() if isinstance(labels, dict) else ()
    return [item for item in items if _carries(item, wanted)] if isinstance(items, list) else []


FUNCTIONS = (
    Function("quantity", ("dyn",), "double", quantity),
    Function("isQuantity", ("dyn",), "bool", is_quantity),
    Function("compareVersions", ("string", "string"), "int", compare_versions),
    Function("isVersion", ("string",), "bool", is_version),
    Function("major", ("string",), "int", major),
    Function("minor", ("string",), "int", minor),
    Function("inRange", ("string", "string"), "bool", in_range),
    Function("glob", ("string", "string"), "bool", glob),
    Function("under", ("string", "string"), "bool", under),
    Function("lastKey", ("string",), "string", last_key),
    Function("at", ("dyn", "string", "dyn"), "dyn", at),
    Function("text", ("dyn",), "string", text),
    Function("listed", ("dyn",), "string", listed),
    Function("labelled", ("dyn", "dyn"), "dyn", labelled),
    Function("counted", ("int", "string"), "string", counted),
)


def _amount(value: JSONValue) -> Any:
    if isinstance(value, bool) or value is None:
        return None
    return amount(str(value))


def _carries(item: JSONValue, labels: Iterable[tuple[str, JSONValue]]) -> bool:
    carried = at(item, "metadata.labels", {})
    return isinstance(carried, dict) and all(carried.get(name) == value for name, value in labels)


def _item(items: list[JSONValue], index: str) -> JSONValue:
    if index.isascii() and index.isdigit():
        return items[int(index)] if int(index) < len(items) else None
    wanted = [part.partition("=") for part in index.split(",")]
    return next((item for item in items if isinstance(item, dict) and _has(item, wanted)), None)


def _has(item: dict[str, JSONValue], wanted: list[tuple[str, str, str]]) -> bool:
    """Whether each named field is there and says that."""
    return all(name in item and value in (str(item[name]), text(item[name])) for name, _, value in wanted)


def _unquoted(quoted: str) -> str:
    try:
        return str(json.loads(quoted, strict=False)) if quoted else ""
    except ValueError:
        return quoted[1:-1]


def _json(value: JSONValue) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value, ensure_ascii=False, default=str)


@lru_cache(maxsize=256)
def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(translate(pattern))
