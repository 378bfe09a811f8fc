"""CDI specs that are refused, that name the same devices, or whose hooks may not be there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

from helmguard.cdi.library import LIBRARIES
from helmguard.cdi.resolve import SpecFile
from helmguard.cdi.spec import CdiHook, CdiSpec, RefusedSpec
from helmguard.model.node_facts import NodeFacts, PathFacts
from helmguard.rules.context.cdi_readings import CdiReading
from helmguard.rules.context.record import UNKNOWN, Record, Unknown


class InvalidSpec(Record, frozen=True):
    """A file of a spec folder that is not used, or that could not be read on the node."""

    node: Annotated[str, "the node's name"]
    file: Annotated[str, "its path on the node"]
    line: Annotated[int, "where the problem is, 0 where that is not known"] = 0
    kind: Annotated[str, "`vendor/class` as it says, empty where that cannot be told"] = ""
    cdi_version: Annotated[str, "its `cdiVersion`"] = ""
    problem: Annotated[str | Unknown, "what is wrong first; unknown where the file was not read"] = UNKNOWN
    others: Annotated[tuple[str, ...], "what else is wrong, `line 7: …`"] = ()
    crash: Annotated[bool, "containerd dies of it instead of refusing it"] = False
    reader: Annotated[str, "who refuses it: `containerd 1.7.29`"] = ""
    version: Annotated[str, "containerd's version, empty where it is not known"] = ""
    planned: Annotated[bool, "under the planned version alone"] = False
    lacks: Annotated[tuple[str, ...], "what could not be read"] = ()


class DuplicateDevices(Record, frozen=True):
    """Devices of one kind that two spec files of a node have."""

    node: Annotated[str, "the node's name"]
    kind: Annotated[str, "`nvidia.com/gpu`"]
    file: Annotated[str, "the file that loses, or the first of the two"]
    other: Annotated[str, "the other file"]
    line: Annotated[int, "where the first of the devices stands in `file`"] = 0
    devices: Annotated[tuple[str, ...], "their names without the kind"] = ()
    conflict: Annotated[bool, "both are in one folder: nobody can have these devices"] = False
    version: Annotated[str, "containerd's version, empty where it is not known"] = ""
    planned: Annotated[bool, "under the planned version alone"] = False


class HookProgram(Record, frozen=True):
    """A program that a spec runs for each container with one of its devices."""

    node: Annotated[str, "the node's name"]
    file: Annotated[str, "the spec's path"]
    path: Annotated[str, "the program's path"]
    line: Annotated[int, "where the spec names it first"] = 0
    kind: Annotated[str, "the spec's `vendor/class`"] = ""
    hooks: Annotated[tuple[str, ...], "when it runs: `createContainer`"] = ()
    there: Annotated[bool | Unknown, "it is on the node"] = UNKNOWN
    executable: Annotated[bool | Unknown, "it can be run"] = UNKNOWN
    used: Annotated[bool, "some device comes from this spec"] = True
    lacks: Annotated[tuple[str, ...], "what was not looked at"] = ()


def invalid_specs(readings: Iterable[CdiReading]) -> Iterator[InvalidSpec]:
    """One for each file and containerd version; what holds for both versions is there once."""
    told: set[tuple[str, str]] = set()
    for reading in readings:
        for file in reading.devices.files:
            key = (reading.node.facts.name, file.path)
            if isinstance(file.spec, CdiSpec) or key in told:
                continue
            if file.spec is None or reading.on is not None or _refused_by_all(reading.node.facts, file.path):
                told.add(key)
                yield _invalid(reading, file, file.spec)


def _refused_by_all(facts: NodeFacts, path: str) -> bool:
    """Whether it is wrong for every containerd: that of the node is not known."""
    from helmguard.cdi.read_spec import read_spec

    text = facts.files[path].text or ""
    return all(isinstance(read_spec(text, library), RefusedSpec) for library in LIBRARIES)


def _invalid(reading: CdiReading, file: SpecFile, spec: RefusedSpec | None) -> InvalidSpec:
    node = reading.node.facts.name
    if spec is None:
        return InvalidSpec(node, file.path, lacks=(f"{file.path} ({file.why or 'not read'})",))
    first, *others = spec.problems
    return InvalidSpec(
        node=node,
        file=file.path,
        line=first.line,
        kind=spec.kind,
        cdi_version=spec.version,
        problem=first.text,
        others=tuple(f"line {one.line}: {one.text}" if one.line else one.text for one in others),
        crash=spec.crash and reading.on is True,
        reader=reading.reader,
        version=reading.version,
        planned=reading.planned,
    )


def duplicate_devices(readings: Iterable[CdiReading]) -> Iterator[DuplicateDevices]:
    """One for each kind and pair of files; what holds for both versions is there once."""
    told: set[tuple[str, str, str, str, bool]] = set()
    for reading in readings:
        node = reading.node.facts.name
        for overlap in reading.devices.overlaps:
            key = (node, overlap.kind, overlap.loser, overlap.other, not overlap.winner)
            if key in told:
                continue
            told.add(key)
            yield DuplicateDevices(
                node=node,
                kind=overlap.kind,
                file=overlap.loser,
                other=overlap.other,
                line=overlap.line,
                devices=overlap.devices,
                conflict=not overlap.winner,
                version=reading.version,
                planned=reading.planned,
            )


def hook_programs(readings: Iterable[CdiReading]) -> Iterator[HookProgram]:
    """One for each spec and program, as the installed containerd reads them."""
    for reading in readings:
        if reading.planned and reading.node.installed is not None:
            continue
        for file in reading.devices.files:
            if isinstance(file.spec, CdiSpec):
                yield from _programs(reading, file, file.spec)


def _programs(reading: CdiReading, file: SpecFile, spec: CdiSpec) -> Iterator[HookProgram]:
    hooks: dict[str, list[CdiHook]] = {}
    for edits in spec.all_edits:
        for hook in edits.hooks:
            hooks.setdefault(hook.path, []).append(hook)
    facts = reading.node.facts
    for path, named in hooks.items():
        found = facts.paths.get(path, PathFacts("unknown"))
        looked = found.kind != "unknown"
        yield HookProgram(
            node=facts.name,
            file=file.path,
            path=path,
            line=named[0].line,
            kind=spec.kind,
            hooks=tuple(dict.fromkeys(hook.name for hook in named)),
            there=found.kind != "absent" if looked else UNKNOWN,
            executable=found.kind == "file" and found.executable if looked else UNKNOWN,
            used=file.path in reading.devices.used,
            lacks=() if looked else (f"{path} on node {facts.name}",),
        )
