"""How Helm is asked to act on the objects."""

from __future__ import annotations

from typing import Literal

import msgspec

Operation = Literal["upgrade", "install", "rollback"]
ServerSide = Literal["auto", "true", "false"]


class ApplyOptions(msgspec.Struct, frozen=True):
    """The flags of ``helm upgrade``, ``install`` and ``rollback`` that change what happens to objects.

    ``force`` is Helm 3's ``--force`` and Helm 4's ``--force-replace``; ``server_side`` exists in Helm 4 only.
    ``history_max`` is None where the flag was not given (helm keeps 10 revisions then, or as many as
    ``HELM_MAX_HISTORY`` says), 0 for no limit. ``wait`` is True for ``--wait`` of any kind.
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
    wait: bool = False
    history_max: int | None = None
