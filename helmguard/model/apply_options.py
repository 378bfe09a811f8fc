"""How Helm is asked to act on the objects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Operation = Literal["upgrade", "install", "rollback"]
ServerSide = Literal["auto", "true", "false"]


@dataclass(frozen=True, slots=True)
class ApplyOptions:
    """The flags of ``helm upgrade``, ``install`` and ``rollback`` that change what happens to objects.

    ``force`` is Helm 3's ``--force`` and Helm 4's ``--force-replace``; ``server_side`` exists in Helm 4 only.
    """

    force: bool = False
    force_conflicts: bool = False
    server_side: ServerSide = "auto"
    take_ownership: bool = False
    no_hooks: bool = False
    skip_crds: bool = False
    atomic: bool = False
    cleanup_on_fail: bool = False
    create_namespace: bool = False
