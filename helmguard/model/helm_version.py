"""Helm's version, read leniently: a Helm built by ``go install`` calls itself ``v3.22``."""

from __future__ import annotations

import re

import msgspec

_VERSION = re.compile(r"v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:[-+].*)?$")


class HelmVersion(msgspec.Struct, frozen=True, order=True):
    """Major, minor and patch number; a missing one counts as 0."""

    major: int
    minor: int = 0
    patch: int = 0

    @classmethod
    def parse(cls, text: str) -> HelmVersion:
        """Read ``v4.3.1``, ``3.22``, ``v3.22.0+g123``.

        Raises:
            ValueError: the text holds no version.
        """
        match = _VERSION.match(text.strip())
        if match is None:
            raise ValueError(f"not a Helm version: {text!r}")
        major, minor, patch = (int(part or 0) for part in match.groups())
        return cls(major, minor, patch)

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"
