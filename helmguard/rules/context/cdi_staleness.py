"""CDI specs that name a driver which the node no longer has, or paths that are not there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

from helmguard.cdi.driver_versions import needed_paths, versioned_paths
from helmguard.cdi.resolve import SpecFile
from helmguard.cdi.spec import CdiSpec
from helmguard.model.node_facts import NodeFacts, PathFacts
from helmguard.rules.context.cdi_readings import CdiReading
from helmguard.rules.context.driver_version import library_versions, running_version
from helmguard.rules.context.record import UNKNOWN, Record, Unknown

_TOOLKIT_FOLDER = "/usr/local/nvidia/"
"""Where the GPU Operator's toolkit puts itself: its specs have hooks from there and are in ``/var/run``."""
_DYNAMIC = ("/var/run/", "/run/")


class BoundSpec(Record, frozen=True):
    """A spec that is bound to a version of NVIDIA's driver, or that names paths which are not on the node."""

    node: Annotated[str, "the node's name"]
    file: Annotated[str, "the spec's path"]
    kind: Annotated[str, "its `vendor/class`"] = ""
    line: Annotated[int, "where the first path stands that does not fit"] = 0
    versions: Annotated[tuple[str, ...], "the driver's versions in its paths and arguments"] = ()
    running: Annotated[
        str | Unknown, "the loaded kernel module's version, or the libraries' where none is loaded"
    ] = UNKNOWN
    outdated: Annotated[bool | Unknown, "it names another version than the one that runs"] = UNKNOWN
    named: Annotated[tuple[str, ...], "what it names of other versions: paths, links, arguments"] = ()
    absent: Annotated[tuple[str, ...], "paths that it needs and that are not on the node"] = ()
    both_installed: Annotated[bool, "the node has the libraries of both versions, and all that it names"] = (
        False
    )
    used: Annotated[bool, "some device comes from this spec"] = True
    of_operator: Annotated[bool, "the GPU Operator's toolkit wrote it"] = False
    lacks: Annotated[tuple[str, ...], "what was not looked at"] = ()


def bound_specs(readings: Iterable[CdiReading]) -> Iterator[BoundSpec]:
    """Specs as the installed containerd reads them; one without versions and with all its paths is none."""
    for reading in readings:
        if reading.planned and reading.node.installed is not None:
            continue
        for file in reading.devices.files:
            if isinstance(file.spec, CdiSpec):
                found = _bound(reading, file, file.spec)
                if found.versions or found.absent:
                    yield found


def _bound(reading: CdiReading, file: SpecFile, spec: CdiSpec) -> BoundSpec:
    facts = reading.node.facts
    paths = versioned_paths(spec)
    versions = tuple(dict.fromkeys(path.version for path in paths))
    running = running_version(facts.driver)
    others = [path for path in paths if running is not None and path.version != running]
    absent = [path for path in needed_paths(spec) if _kind(facts, path.path) == "absent"]
    lines = [*(path.line for path in others), *(path.line for path in absent)]
    hooks = [hook.path for edits in spec.all_edits for hook in edits.hooks]
    return BoundSpec(
        node=facts.name,
        file=file.path,
        kind=spec.kind,
        line=min((line for line in lines if line), default=spec.line),
        versions=versions,
        running=running if running is not None else UNKNOWN,
        outdated=bool(others) if running is not None or not versions else UNKNOWN,
        named=tuple(dict.fromkeys(path.text for path in others)),
        absent=tuple(path.path for path in absent),
        both_installed=_has_both(facts, versions, running),
        used=file.path in reading.devices.used,
        of_operator=_is_of_operator(file.path, hooks),
        lacks=() if running is not None else (f"the driver's version on node {facts.name}",),
    )


def _is_of_operator(path: str, hooks: Iterable[str]) -> bool:
    return path.startswith(_DYNAMIC) and any(hook.startswith(_TOOLKIT_FOLDER) for hook in hooks)


def _has_both(facts: NodeFacts, versions: tuple[str, ...], running: str | None) -> bool:
    installed = {*library_versions(facts.driver)}
    return running in installed and installed.issuperset(versions)


def _kind(facts: NodeFacts, path: str) -> str:
    return facts.paths.get(path, PathFacts("unknown")).kind
