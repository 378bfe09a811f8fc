"""Client-side or server-side: how Helm decides it for an operation."""

from __future__ import annotations

import msgspec

from helmguard.model.apply_options import Operation, ServerSide
from helmguard.model.helm_version import HelmVersion
from helmguard.model.release import ApplyMethod, History


class ApplyMethodDecision(msgspec.Struct, frozen=True):
    """``migrates``: field ownership of earlier client-side writes is handed to server-side apply first."""

    method: ApplyMethod
    why: str
    migrates: bool = False


def decide_apply_method(
    operation: Operation,
    helm: HelmVersion,
    server_side: ServerSide,
    history: History,
    rollback_revision: int | None = None,
) -> ApplyMethodDecision:
    """What ``--server-side`` and the release's history make of it.

    Source: helm/helm@v4.3.1 pkg/action/{install,upgrade,rollback}.go.
    """
    if helm.major < 4:
        return ApplyMethodDecision("csa", f"Helm {helm.major} patches client-side")
    if operation == "install":
        if server_side == "false":
            return ApplyMethodDecision("csa", "--server-side=false was given")
        return ApplyMethodDecision("ssa", "Helm 4 installs by server-side apply", migrates=True)
    reference, named = _reference(operation, history, rollback_revision)
    method = _method(server_side, reference)
    why = _why(server_side, reference, named)
    if method == "csa":
        return ApplyMethodDecision("csa", why)
    if operation == "rollback":
        return ApplyMethodDecision("ssa", why, migrates=True)
    current = history.current_for_upgrade()
    return ApplyMethodDecision(
        "ssa", why, migrates=current is None or current.effective_apply_method == "csa"
    )


def _reference(operation: Operation, history: History, rollback_revision: int | None) -> tuple[str, str]:
    """The recorded method that ``auto`` follows, and the name of the revision that records it."""
    last = history.last()
    if operation == "rollback":
        number = rollback_revision or (last.version - 1 if last else 0)
        target = history.get(number)
        return (target.apply_method if target else ""), f"the target revision {number}"
    return (last.apply_method if last else ""), f"the last revision {last.version if last else 0}"


def _method(server_side: ServerSide, recorded: str) -> ApplyMethod:
    if server_side == "auto":
        return "ssa" if recorded == "ssa" else "csa"
    return "ssa" if server_side == "true" else "csa"


def _why(server_side: ServerSide, recorded: str, named: str) -> str:
    if server_side != "auto":
        return f"--server-side={server_side} was given"
    if recorded == "ssa":
        return f"{named} was applied server-side"
    if recorded == "csa":
        return f"{named} was applied client-side"
    return f"{named} records no apply method (written by Helm 3), which counts as client-side"
