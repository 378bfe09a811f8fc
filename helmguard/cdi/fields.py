"""The fields of a CDI spec, and since when the library knows them.

Source: container-device-interface specs-go v0.5.4 to v1.1.0, config.go.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec


class Text(msgspec.Struct, frozen=True):
    """A Go string: numbers and booleans become text."""


class Flag(msgspec.Struct, frozen=True):
    """A Go bool."""


class Whole(msgspec.Struct, frozen=True):
    """A Go integer from ``low`` to ``high``."""

    low: int
    high: int


class Texts(msgspec.Struct, frozen=True):
    """A map of texts."""


class ListOf(msgspec.Struct, frozen=True):
    """A list; ``null`` is an empty one."""

    item: Shape


class Table(msgspec.Struct, frozen=True):
    """A Go struct; ``pointer``: ``null`` gives no struct at all, else an empty one."""

    fields: tuple[Field, ...]
    pointer: bool = False


Shape: TypeAlias = Text | Flag | Whole | Texts | ListOf | Table


class Field(msgspec.Struct, frozen=True):
    """``since`` and ``until`` are versions of the specification: the first and the last that knows it."""

    name: str
    shape: Shape
    since: str = "0.1.0"
    until: str = "1.1.0"


_TEXT, _LINES = Text(), ListOf(Text())
_UINT32, _INT64 = Whole(0, 2**32 - 1), Whole(-(2**63), 2**63 - 1)

_DEVICE_NODE = Table(
    (
        Field("path", _TEXT),
        Field("hostPath", _TEXT),
        Field("type", _TEXT),
        Field("major", _INT64),
        Field("minor", _INT64),
        Field("fileMode", _UINT32),
        Field("permissions", _TEXT),
        Field("uid", _UINT32),
        Field("gid", _UINT32),
    ),
    pointer=True,
)
_MOUNT = Table(
    (
        Field("hostPath", _TEXT),
        Field("containerPath", _TEXT),
        Field("options", _LINES),
        Field("type", _TEXT),
    ),
    pointer=True,
)
_HOOK = Table(
    (
        Field("hookName", _TEXT),
        Field("path", _TEXT),
        Field("args", _LINES),
        Field("env", _LINES),
        Field("timeout", _INT64),
    ),
    pointer=True,
)
_INTEL_RDT = Table(
    (
        Field("closID", _TEXT),
        Field("l3CacheSchema", _TEXT),
        Field("memBwSchema", _TEXT),
        Field("enableCMT", Flag(), until="1.0.0"),
        Field("enableMBM", Flag(), until="1.0.0"),
        Field("schemata", _LINES, since="1.1.0"),
        Field("enableMonitoring", Flag(), since="1.1.0"),
    ),
    pointer=True,
)
_NET_DEVICE = Table((Field("hostInterfaceName", _TEXT), Field("name", _TEXT)), pointer=True)
_EDITS = Table(
    (
        Field("env", _LINES),
        Field("deviceNodes", ListOf(_DEVICE_NODE)),
        Field("netDevices", ListOf(_NET_DEVICE), since="1.1.0"),
        Field("hooks", ListOf(_HOOK)),
        Field("mounts", ListOf(_MOUNT)),
        Field("intelRdt", _INTEL_RDT, since="0.7.0"),
        Field("additionalGids", ListOf(_UINT32), since="0.7.0"),
    )
)
_DEVICE = Table(
    (Field("name", _TEXT), Field("annotations", Texts(), since="0.6.0"), Field("containerEdits", _EDITS))
)
SPEC = Table(
    (
        Field("cdiVersion", _TEXT),
        Field("kind", _TEXT),
        Field("annotations", Texts(), since="0.6.0"),
        Field("devices", ListOf(_DEVICE)),
        Field("containerEdits", _EDITS),
    )
)
