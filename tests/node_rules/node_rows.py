"""What a row of the tables of small nodes holds."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from helmguard.model.node_facts import KubeletFacts, PathFacts

OLD, NEW, LATER = "1.7.29", "2.1.4", "2.3.0"
PROGRAM = PathFacts("file", executable=True, form="elf")
BINARY = "/usr/bin/nvidia-container-runtime"


class Row(msgspec.Struct, frozen=True):
    """``says``: rule -> severity, of what fires under ctrd-… and the two rules about nodes."""

    name: str
    files: Mapping[str, str]
    says: Mapping[str, str]
    versions: tuple[str, ...] = (OLD, NEW, LATER)
    paths: Mapping[str, PathFacts] = {}
    kubelet: KubeletFacts = KubeletFacts()
    place: tuple[str, int] | None = None
    words: tuple[str, ...] = ()
