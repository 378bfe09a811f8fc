"""containerd's version as programs and packages write it."""

from __future__ import annotations

import re

import msgspec

from helmguard.model.containerd_settings import Generation

_VERSION = re.compile(r"(?:^|[^0-9.])v?(\d+)\.(\d+)(?:\.(\d+))?")


class ContainerdVersion(msgspec.Struct, frozen=True, order=True):
    """``text`` is ``major.minor.patch``; the patch number is 0 where none was given."""

    major: int
    minor: int
    patch: int = 0

    @property
    def text(self) -> str:
        """``2.1.4``."""
        return f"{self.major}.{self.minor}.{self.patch}"

    @property
    def generation(self) -> Generation:
        """Which of the three ways to read its files it has (measured; docs/node-checks.md)."""
        if self.major < 2:
            return "1"
        return "2.0" if (self.major, self.minor) < (2, 3) else "2.3"

    @property
    def highest_config(self) -> int:
        """The highest ``version`` that a file may have."""
        return {"1": 2, "2.0": 3, "2.3": 4}[self.generation]


def read_version(text: str) -> ContainerdVersion | None:
    """``v2.1.4``, ``1.7.27-0ubuntu1``, ``1.6.20~ds1``, ``2.1``, ``containerd://1.7.29``; else None."""
    found = _VERSION.search(text)
    if found is None:
        return None
    return ContainerdVersion(int(found[1]), int(found[2]), int(found[3] or 0))
