"""Runtimes of containerd that put NVIDIA's devices into containers, and whether their programs are there."""

from __future__ import annotations

import posixpath

import msgspec

from helmguard.model.containerd_settings import Effective, RuntimeSettings
from helmguard.model.node_facts import NodeFacts, PathFacts


class NvidiaRuntime(msgspec.Struct, frozen=True):
    """``works``: its program is there and can be run; None where that is not known. ``why`` not, in words."""

    name: str
    binary: str
    works: bool | None
    why: str = ""


def nvidia_runtimes(facts: NodeFacts, effective: Effective) -> tuple[NvidiaRuntime, ...]:
    """Those whose program is one of NVIDIA's: a runtime that is only called nvidia runs plain runc."""
    return tuple(
        _judged(facts, effective.runtimes[name])
        for name in sorted(effective.runtimes)
        if "nvidia" in posixpath.basename(effective.runtimes[name].binary_name or "")
    )


def working_runtime(facts: NodeFacts, effective: Effective) -> NvidiaRuntime | None:
    """One that can be used: of several, one whose program is known to be there."""
    if effective.cri != "ok":
        return None
    found = [runtime for runtime in nvidia_runtimes(facts, effective) if runtime.works is not False]
    return min(found, key=lambda runtime: not runtime.works, default=None)


def _judged(facts: NodeFacts, runtime: RuntimeSettings) -> NvidiaRuntime:
    binary = runtime.binary_name or ""
    if runtime.options_error:
        return NvidiaRuntime(runtime.name, binary, False, runtime.options_error)
    candidates = (
        [binary]
        if "/" in binary
        else [posixpath.join(folder, binary) for folder in facts.containerd.search_path]
    )
    looked = [(path, facts.paths.get(path, PathFacts("unknown"))) for path in candidates]
    there = [(path, found) for path, found in looked if found.kind not in ("absent", "unknown")]
    if not there:
        known = all(found.kind == "absent" for _, found in looked)
        return NvidiaRuntime(
            runtime.name, binary, False if known else None, f"{binary} is not there" if known else ""
        )
    path, found = there[0]
    if found.kind == "file" and not found.executable:
        return NvidiaRuntime(runtime.name, binary, False, f"{path} is not executable")
    for called in found.calls:
        if facts.paths.get(called, PathFacts("unknown")).kind == "absent":
            return NvidiaRuntime(runtime.name, binary, False, f"{path} calls {called}, which is not there")
    return NvidiaRuntime(runtime.name, binary, True)
