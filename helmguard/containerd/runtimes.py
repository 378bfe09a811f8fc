"""The runtimes that the CRI plugin knows, from its decoded settings."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from typing import Any

from helmguard.containerd.decode import Decoded, Dialect, WrongTypeError, decode
from helmguard.containerd.located import Leaf, Table
from helmguard.containerd.schema import Shape
from helmguard.containerd.toml_places import KeyPath
from helmguard.model.containerd_settings import ConfigPlace, RuntimeSettings

_OF_MODEL = ("runtime_type", "runtime_path", "options")
_WINDOWS = "io.containerd.runhcs.v1"


def runtimes_of(
    decoded: Decoded, options: Mapping[str, Shape], dialect: Dialect
) -> dict[str, RuntimeSettings]:
    """By their names, sorted."""
    settings = decoded.values.get("containerd", {})
    return {
        name: _runtime(name, runtime, decoded, options, dialect)
        for name, runtime in sorted(settings.get("runtimes", {}).items())
    }


def _runtime(
    name: str, values: Mapping[str, Any], decoded: Decoded, shapes: Mapping[str, Shape], dialect: Dialect
) -> RuntimeSettings:
    options = values.get("options")
    kind = values.get("runtime_type", "")
    error, unknown = _options_fit(kind, options, shapes, dialect)
    given = options or {}
    binary, systemd = given.get("BinaryName"), given.get("SystemdCgroup")
    return RuntimeSettings(
        name=name,
        type=kind,
        path=values.get("runtime_path", ""),
        binary_name=binary if isinstance(binary, str) else None,
        systemd_cgroup=systemd if isinstance(systemd, bool) else None,
        options={key: value for key, value in sorted(given.items()) if _is_further(key, value)},
        others=dict(_others(values)),
        options_error=error,
        unknown_options=unknown,
        places=dict(_places(_table_of(name, decoded), decoded)),
    )


def _is_further(key: str, value: Any) -> bool:
    if key == "BinaryName":
        return not isinstance(value, str)
    if key == "SystemdCgroup":
        return not isinstance(value, bool)
    return bool(value)


def _others(values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in sorted(values.items()):
        name = "sandboxer" if key == "sandbox_mode" else key
        if key not in _OF_MODEL and value and (name, value) != ("sandboxer", "podsandbox"):
            yield name, value


def _options_fit(
    kind: str, options: Mapping[str, Any] | None, shapes: Mapping[str, Shape], dialect: Dialect
) -> tuple[str, tuple[str, ...]]:
    """Why a runtime's options do not fit its type, else empty, and those that its type does not know."""
    if options is None or kind == _WINDOWS:
        return "", ()
    try:
        found = decode(_as_table(options, dialect), shapes.get(kind, shapes[""]), {}, dialect)
    except WrongTypeError as error:
        return str(error), ()
    return "", tuple(".".join(path) for path in found.unknown) if kind in shapes else ()


def _as_table(values: Mapping[str, Any], dialect: Dialect) -> Table:
    table = Table()
    for name, value in values.items():
        if isinstance(value, dict):
            table[name] = _as_table(value, dialect)
        else:
            table[name] = Leaf(_coerced(value) if dialect == "v1" else value, (name,), ConfigPlace())
    return table


def _coerced(value: Any) -> Any:
    """go-toml 1.9.5 builds a tree of the options first, in which dates and times without a zone are texts."""
    if isinstance(value, datetime.date | datetime.time) and getattr(value, "tzinfo", None) is None:
        return value.isoformat()
    return value


_OLD_TABLES = {"default": "default_runtime", "untrusted": "untrusted_workload_runtime"}


def _table_of(name: str, decoded: Decoded) -> KeyPath:
    path = ("containerd", "runtimes", name)
    old = ("containerd", _OLD_TABLES.get(name, ""))
    return path if path in decoded.tables or old not in decoded.tables else old


def _places(path: KeyPath, decoded: Decoded) -> Iterator[tuple[str, ConfigPlace]]:
    table = decoded.tables.get(path)
    if table is not None:
        yield "", table.place
    renamed = {"runtime_type": "type", "runtime_path": "path", "sandbox_mode": "sandboxer"}
    for where, leaf in decoded.leaves.items():
        if where[: len(path)] == path and len(where) > len(path):
            rest = [part for part in where[len(path) :] if part != "options"]
            yield renamed.get(rest[0], ".".join(rest)) if rest else "options", leaf.place
