"""The CDI specs of a node as its containerd reads them, now and under a planned version."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from helmguard.cdi.library import NEWEST, CdiLibrary, cdi_library
from helmguard.cdi.resolve import CdiDevices, resolve_devices
from helmguard.containerd.version import ContainerdVersion, read_version
from helmguard.model.containerd_settings import Effective
from helmguard.model.judged_node import JudgedNode
from helmguard.model.node_facts import CDI_FOLDERS

_ALWAYS_ON = ContainerdVersion(2, 4)
"""From here on there is no ``enable_cdi`` any more (containerd v2.4.0, internal/cri/config/config.go)."""


class CdiReading(msgspec.Struct, frozen=True):
    """``version`` is containerd's, empty where it is not known.

    ``on``: whether containerd itself reads the specs; None where that is not known. Where it does not, the
    newest library stands for whoever else does (NVIDIA's runtime in its CDI mode).
    """

    node: JudgedNode
    effective: Effective | None
    version: str
    planned: bool
    on: bool | None
    library: CdiLibrary
    devices: CdiDevices

    @property
    def reader(self) -> str:
        """Who reads the specs, in words."""
        if self.on:
            return f"containerd {self.version}"
        return f"the CDI library ({self.library.highest})"


def cdi_readings(node: JudgedNode) -> Iterator[CdiReading]:
    """One for the installed containerd, or for one that is not known, and one for the planned version."""
    if node.installed is not None or node.planned is None:
        yield _reading(node, node.installed, planned=False)
    if node.planned is not None:
        yield _reading(node, node.planned, planned=True)


def now(node: JudgedNode) -> CdiReading:
    """The installed containerd's."""
    return _reading(node, node.installed, planned=False)


def cdi_on(effective: Effective) -> bool | None:
    """Whether a containerd injects CDI devices: since 1.7 where ``enable_cdi`` is true, since 2.4 always."""
    version = read_version(effective.containerd)
    if version is None or cdi_library(version) is None:
        return False
    if version >= _ALWAYS_ON:
        return True
    return None if effective.unread else effective.enable_cdi


def _reading(node: JudgedNode, effective: Effective | None, *, planned: bool) -> CdiReading:
    on = cdi_on(effective) if effective is not None else None
    version = read_version(effective.containerd) if effective is not None else None
    library = (cdi_library(version) if version is not None and on else None) or NEWEST
    # Of a daemon that refuses its files nothing is decoded: the folders are then the default ones.
    decoded = effective is not None and effective.daemon == "starts"
    folders = effective.cdi_spec_dirs if effective is not None and decoded else CDI_FOLDERS
    return CdiReading(
        node=node,
        effective=effective,
        version=version.text if version is not None else "",
        planned=planned,
        on=on,
        library=library,
        devices=resolve_devices(node.facts.files, folders or CDI_FOLDERS, node.facts.cdi_folders, library),
    )
