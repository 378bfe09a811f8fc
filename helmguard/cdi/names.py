"""Names of CDI devices: ``vendor/class=name``, and the annotations that ask for them.

Source: container-device-interface pkg/parser/parser.go and pkg/cdi/annotations.go, v0.5.4 to v1.1.0.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from helmguard.values.go_format import quote

ANNOTATION_PREFIX = "cdi.k8s.io/"

_NAME = re.compile(r"[A-Za-z](?:[A-Za-z0-9_.-]*[A-Za-z0-9])")
_UNDOTTED = re.compile(r"[A-Za-z](?:[A-Za-z0-9_-]*[A-Za-z0-9])")
_DEVICE = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_.:-]*[A-Za-z0-9])?")
_LETTER = re.compile(r"[A-Za-z]")


class Qualified(msgspec.Struct, frozen=True):
    """``nvidia.com/gpu=0``: vendor ``nvidia.com``, class ``gpu``, name ``0``."""

    vendor: str
    class_name: str
    name: str

    @property
    def text(self) -> str:
        """As requests write it."""
        return f"{self.vendor}/{self.class_name}={self.name}"


def split_kind(kind: str) -> tuple[str, str]:
    """Vendor and class; no vendor, and the whole as the class, where it is no ``vendor/class``."""
    vendor, slash, class_name = kind.partition("/")
    return (vendor, class_name) if slash and vendor and class_name else ("", kind)


def crashes(name: str) -> bool:
    """Whether a vendor or class lets the library panic: one letter alone (``name[1:0]`` of parser.go)."""
    return len(name) == 1 and _LETTER.match(name) is not None


def vendor_problem(vendor: str) -> str:
    """What is wrong with a vendor, empty for nothing."""
    return _name_problem("vendor", vendor, _NAME, "letters, digits, '_', '-' and '.'")


def class_problem(class_name: str, *, dots: bool = True) -> str:
    """What is wrong with a class; ``dots``: the library knows CDI 0.6.0, which allows them."""
    if dots:
        return _name_problem("class", class_name, _NAME, "letters, digits, '_', '-' and '.'")
    return _name_problem("class", class_name, _UNDOTTED, "letters, digits, '_' and '-'")


def _name_problem(what: str, name: str, pattern: re.Pattern[str], allowed: str) -> str:
    if not name:
        return f"the {what} is empty"
    if pattern.fullmatch(name):
        return ""
    return f"the {what} {quote(name)} is not {allowed}, from a letter to a letter or digit"


def device_problem(name: str) -> str:
    """What is wrong with the name of a device."""
    if not name:
        return "the name of a device is empty"
    if _DEVICE.fullmatch(name):
        return ""
    allowed = "letters, digits, '_', '-', '.' and ':'"
    return f"the device name {quote(name)} is not {allowed}, from a letter or digit to another"


def read_qualified(device: str) -> Qualified | None:
    """A device as requests name it; None where it is no ``vendor/class=name``."""
    kind, equals, name = device.partition("=")
    if not equals or device.startswith("/"):
        return None
    vendor, class_name = split_kind(kind)
    if vendor_problem(vendor) or class_problem(class_name) or device_problem(name):
        return None
    return Qualified(vendor, class_name, name)


def asked_devices(annotations: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """By annotation key, the devices that annotations ask for, as they are written."""
    return {
        key: tuple(str(value).split(","))
        for key, value in annotations.items()
        if key.startswith(ANNOTATION_PREFIX)
    }
