"""Programs of runtimes that are not where the configuration says.

How a name is found: containerd hands BinaryName to Go's ``exec.LookPath`` (containerd/go-runc, command.go):
a name with a slash is a path, any other is looked up in the daemon's PATH.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec

from helmguard.model.containerd_settings import ConfigPlace, RuntimeSettings
from helmguard.model.node_facts import NodeFacts, PathFacts
from helmguard.rules.context.containerd_readings import Reading
from helmguard.rules.context.containerd_runtimes import is_runc
from helmguard.rules.context.record import UNKNOWN, Record, Unknown

_UNKNOWN = PathFacts("unknown")
Problem = Literal["", "absent", "not-executable", "relative", "folder", "wrapped-absent"]


class RuntimeBinary(Record, frozen=True):
    """Runtimes whose programs are in one folder, and have one problem; or a program that is not known."""

    node: Annotated[str, "the node's name"]
    file: Annotated[str, "where BinaryName of the first is set, empty for a default"] = ""
    line: Annotated[int, "the line"] = 0
    missing: Annotated[bool | Unknown, "pods of these runtimes cannot start for it"] = UNKNOWN
    problem: Annotated[
        Problem,
        "`absent`, `not-executable`, `relative` (a path that is not absolute), `folder`, `wrapped-absent` "
        "(a wrapper whose program is absent); empty for none",
    ] = ""
    runtimes: Annotated[tuple[str, ...], "the runtimes"] = ()
    binaries: Annotated[tuple[str, ...], "their programs as the configuration names them"] = ()
    calls: Annotated[str, "what the wrapper calls"] = ""
    default: Annotated[bool, "the default runtime is among them"] = False
    search_path: Annotated[str, "where a bare name is looked up: `/usr/sbin:/usr/bin`"] = ""
    version: Annotated[str, "containerd's version"] = ""
    planned: Annotated[bool, "under the planned version alone"] = False
    lacks: Annotated[tuple[str, ...], "the paths that were not looked at"] = ()


class _Judged(msgspec.Struct, frozen=True):
    runtime: RuntimeSettings
    binary: str
    problem: Problem = ""
    known: bool = True
    calls: str = ""


def runtime_binaries(reading: Reading) -> Iterator[RuntimeBinary]:
    """Those with a problem, and those that nobody looked at."""
    effective = reading.effective
    if effective.cri in ("", "disabled"):
        return
    groups: dict[tuple[str, Problem, bool], list[_Judged]] = {}
    for _, runtime in sorted(effective.runtimes.items()):
        found = _judged(reading.facts, runtime) if is_runc(runtime) and not runtime.options_error else None
        if found is not None and (found.problem or not found.known):
            key = (posixpath.dirname(found.binary), found.problem, found.known)
            groups.setdefault(key, []).append(found)
    for (_, problem, known), judged in groups.items():
        binaries = tuple(dict.fromkeys(one.binary for one in judged))
        place = judged[0].runtime.places.get("BinaryName", ConfigPlace())
        names = tuple(one.runtime.name for one in judged)
        yield RuntimeBinary(
            node=reading.facts.name,
            file=place.file,
            line=place.line,
            missing=bool(problem) if known else UNKNOWN,
            problem=problem,
            runtimes=names,
            binaries=binaries,
            calls=judged[0].calls,
            default=effective.default_runtime_name in names,
            search_path=":".join(reading.facts.containerd.search_path) if "/" not in binaries[0] else "",
            version=effective.containerd,
            planned=reading.planned,
            lacks=() if known else binaries,
        )


def _judged(facts: NodeFacts, runtime: RuntimeSettings) -> _Judged | None:
    """None where nothing is to be told: runc itself, where nobody looked for it."""
    named = runtime.binary_name or ""
    binary = named or "runc"
    if "/" in binary and not binary.startswith("/"):
        return _Judged(runtime, binary, "relative")
    folders = facts.containerd.search_path
    paths = [binary] if "/" in binary else [posixpath.join(folder, binary) for folder in folders]
    looked = [(path, facts.paths.get(path, _UNKNOWN)) for path in paths]
    for path, found in looked:
        # As a shell does, a search goes on behind what cannot be run; a path is what it is.
        if found.kind in ("absent", "unknown") or (len(paths) > 1 and not _runs(found)):
            continue
        return _there(facts, runtime, path, found)
    if any(found.kind == "unknown" for _, found in looked):
        return _Judged(runtime, binary, known=False) if named else None
    if any(found.kind != "absent" for _, found in looked):
        return _Judged(runtime, binary, "not-executable")
    return _Judged(runtime, binary, "absent")


def _there(facts: NodeFacts, runtime: RuntimeSettings, path: str, found: PathFacts) -> _Judged:
    if found.kind == "folder":
        return _Judged(runtime, path, "folder")
    if not _runs(found):
        return _Judged(runtime, path, "not-executable")
    for called in found.calls:
        other = facts.paths.get(called, _UNKNOWN)
        if other.kind == "absent":
            return _Judged(runtime, path, "wrapped-absent", calls=called)
        if other.kind == "file" and not other.executable:
            return _Judged(runtime, path, "not-executable", calls=called)
    return _Judged(runtime, path)


def _runs(found: PathFacts) -> bool:
    return found.kind == "file" and found.executable
