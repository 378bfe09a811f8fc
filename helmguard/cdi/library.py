"""Which versions of the CDI specification a containerd reads: those of the library that it links."""

from __future__ import annotations

import msgspec

from helmguard.containerd.version import ContainerdVersion

SPEC_VERSIONS = ("0.1.0", "0.2.0", "0.3.0", "0.4.0", "0.5.0", "0.6.0", "0.7.0", "0.8.0", "1.0.0", "1.1.0")
"""All versions of the specification. Source: container-device-interface specs-go v1.1.0 version.go."""


class CdiLibrary(msgspec.Struct, frozen=True):
    """One behaviour of the library: releases with the same ``highest`` version read specs alike."""

    highest: str

    @property
    def spec_versions(self) -> tuple[str, ...]:
        """What ``cdiVersion`` may say."""
        return SPEC_VERSIONS[: SPEC_VERSIONS.index(self.highest) + 1]

    def knows(self, version: str) -> bool:
        """Whether what that version of the specification brought is known."""
        return SPEC_VERSIONS.index(version) <= SPEC_VERSIONS.index(self.highest)


NEWEST = CdiLibrary(SPEC_VERSIONS[-1])
LIBRARIES = tuple(CdiLibrary(version) for version in SPEC_VERSIONS[4:])

# The go.mod of the releases; the library's own version behind it.
_SINCE: tuple[tuple[ContainerdVersion, str], ...] = (
    (ContainerdVersion(1, 7, 0), "0.5.0"),  # v0.5.4
    (ContainerdVersion(1, 7, 12), "0.6.0"),  # v0.6.1, v0.6.2 from 1.7.13
    (ContainerdVersion(1, 7, 16), "0.7.0"),  # v0.7.2
    (ContainerdVersion(1, 7, 27), "0.8.0"),  # v0.8.1
    (ContainerdVersion(2, 0, 0), "0.8.0"),  # v0.8.0, v0.8.1 from 2.0.3
    (ContainerdVersion(2, 0, 5), "1.0.0"),  # v1.0.0
    (ContainerdVersion(2, 1, 0), "1.0.0"),  # v1.0.1
    (ContainerdVersion(2, 2, 1), "1.1.0"),  # v1.1.0, v1.1.1 from 2.4.0
)


def cdi_library(containerd: ContainerdVersion) -> CdiLibrary | None:
    """The library in that containerd; None before 1.7, which knows no CDI."""
    found = None
    for since, highest in _SINCE:
        if not containerd < since:
            found = CdiLibrary(highest)
    return found
