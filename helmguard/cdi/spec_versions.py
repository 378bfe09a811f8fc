"""The lowest version of the CDI specification that has all that a spec uses.

Source: container-device-interface specs-go v1.1.0 version.go (the same in v0.8.1 pkg/cdi/version.go).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from helmguard.cdi.names import split_kind
from helmguard.model.json_value import JSONObject

LOWEST = "0.3.0"
"""What a spec needs that uses nothing new."""


class NullItem(Exception):
    """A list of which an item is ``null`` where the library follows it; the message is the list's name."""


class Needed(msgspec.Struct, frozen=True):
    """``feature`` is what needs the version, in words, empty for nothing in particular."""

    version: str
    feature: str = ""


def needed_version(spec: JSONObject) -> Needed:
    """The version that a decoded spec needs, and for what.

    Raises:
        NullItem: the library panics while it looks.
    """
    found = Needed(LOWEST)
    for version, feature_of in _FEATURES:
        feature = feature_of(spec)
        if feature:
            found = Needed(version, feature)
    return found


def _edits(spec: JSONObject) -> Iterator[JSONObject]:
    yield from (device["containerEdits"] for device in spec["devices"] or ())
    yield spec["containerEdits"]


def _edits_of_the_last(spec: JSONObject) -> Iterator[JSONObject]:
    """What two of the checks look at.

    They keep the address of the loop's variable, and the module's go.mod says Go 1.19 (1.20 in v0.8.1), where
    that is one variable for all rounds: of the devices, only the last one's edits are seen.
    """
    yield from (device["containerEdits"] for device in (spec["devices"] or ())[-1:])
    yield spec["containerEdits"]


def _v040(spec: JSONObject) -> str:
    for edits in _edits_of_the_last(spec):
        for mount in edits["mounts"] or ():
            if mount is None:
                raise NullItem("mounts")
            if mount["type"]:
                return "a mount's type"
    return ""


def _v050(spec: JSONObject) -> str:
    for device in spec["devices"] or ():
        if device["name"][:1].isascii() and device["name"][:1].isdecimal():
            return "a device name that begins with a digit"
    for edits in _edits_of_the_last(spec):
        for node in edits["deviceNodes"] or ():
            if node is None:
                raise NullItem("deviceNodes")
            if node["hostPath"]:
                return "a device node's hostPath"
    return ""


def _v060(spec: JSONObject) -> str:
    if spec["annotations"] or any(device["annotations"] for device in spec["devices"] or ()):
        return "annotations"
    vendor, class_name = split_kind(spec["kind"])
    return "a class with a dot" if vendor and "." in class_name else ""


def _v070(spec: JSONObject) -> str:
    for edits in _edits(spec):
        if edits["intelRdt"] is not None:
            return "intelRdt"
        if edits["additionalGids"]:
            return "additionalGids"
    return ""


def _v110(spec: JSONObject) -> str:
    for edits in _edits(spec):
        rdt = edits["intelRdt"]
        if rdt is not None and (rdt["schemata"] is not None or rdt["enableMonitoring"]):
            return "intelRdt's schemata or enableMonitoring"
        if edits["netDevices"]:
            return "netDevices"
    return ""


_FEATURES: tuple[tuple[str, Callable[[JSONObject], str]], ...] = (
    ("0.4.0", _v040),
    ("0.5.0", _v050),
    ("0.6.0", _v060),
    ("0.7.0", _v070),
    ("1.1.0", _v110),
)
"""By version, from the lowest; 0.8.0 and 1.0.0 brought no new fields."""
