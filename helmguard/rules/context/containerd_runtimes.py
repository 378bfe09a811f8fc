"""Runtimes of the CRI plugin that are not what they should be: types, options, the default one."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import Annotated, Any

from helmguard.model.containerd_settings import ConfigPlace, Ignored, RuntimeSettings
from helmguard.rules.context.containerd_readings import Reading, path_parts, place_text
from helmguard.rules.context.record import Record

REMOVED_TYPES = ("io.containerd.runtime.v1.linux", "io.containerd.runc.v1")
"""Runtime types that containerd 2.0 does away with (containerd RELEASES.md, Deprecated features)."""
REMOVED_OPTIONS = (
    "systemd_cgroup",
    "default_runtime",
    "untrusted_workload_runtime",
    "runtime_engine",
    "runtime_root",
    "disable_cgroup",
    "CriuPath",
)
"""Settings that containerd 2.0 does away with (containerd RELEASES.md, Deprecated config properties)."""
_RUNC = ("io.containerd.runc.v2", "io.containerd.runc.v1")


class RemovedType(Record, frozen=True):
    """A runtime of a type that this containerd does not have any more."""

    node: Annotated[str, "the node's name"]
    file: Annotated[str, "where its type is set"] = ""
    line: Annotated[int, "the line"] = 0
    runtime: Annotated[str, "its name"] = ""
    type: Annotated[str, "its type: `io.containerd.runc.v1`"] = ""
    default: Annotated[bool, "it is the default runtime"] = False
    version: Annotated[str, "containerd's version"] = ""
    planned: Annotated[bool, "under the planned version alone"] = False


class RemovedOption(Record, frozen=True):
    """A setting that this containerd does not have any more, and that is not empty."""

    node: Annotated[str, "the node's name"]
    file: Annotated[str, "where it is set"] = ""
    line: Annotated[int, "the line"] = 0
    option: Annotated[str, "its name: `systemd_cgroup`"] = ""
    value: Annotated[str, "its value, as text"] = ""
    places: Annotated[tuple[str, ...], "every place where it is set"] = ()
    version: Annotated[str, "containerd's version"] = ""
    planned: Annotated[bool, "under the planned version alone"] = False


class WrongOption(Record, frozen=True):
    """An option that its runtime does not know, or of the wrong kind; containerd starts all the same."""

    node: Annotated[str, "the node's name"]
    file: Annotated[str, "where it is set"] = ""
    line: Annotated[int, "the line"] = 0
    runtime: Annotated[str, "the runtime's name"] = ""
    option: Annotated[str, "the option's name, empty where it is not known which"] = ""
    error: Annotated[
        str, "why the options do not fit: every pod of the runtime fails; empty for unknown ones"
    ] = ""
    meant: Annotated[str, "an option that it may be meant for"] = ""
    version: Annotated[str, "containerd's version"] = ""
    planned: Annotated[bool, "under the planned version alone"] = False


class NvidiaDefault(Record, frozen=True):
    """A node whose default runtime is one of NVIDIA's."""

    node: Annotated[str, "the node's name"]
    file: Annotated[str, "where it is set"] = ""
    line: Annotated[int, "the line"] = 0
    name: Annotated[str, "the default runtime"] = ""
    drop_in: Annotated[bool, "a drop-in sets it"] = False
    version: Annotated[str, "containerd's version"] = ""
    planned: Annotated[bool, "under the planned version alone"] = False


def removed_types(reading: Reading) -> Iterator[RemovedType]:
    """Only under 2.x: 1.x still has them."""
    effective = reading.effective
    if reading.is_first or effective.cri in ("", "disabled"):
        return
    for name, runtime in sorted(effective.runtimes.items()):
        if runtime.type in REMOVED_TYPES:
            place = _place(runtime, "type")
            yield RemovedType(
                node=reading.facts.name,
                file=place.file,
                line=place.line,
                runtime=name,
                type=runtime.type,
                default=name == effective.default_runtime_name,
                version=effective.containerd,
                planned=reading.planned,
            )


def removed_options(reading: Reading) -> Iterator[RemovedOption]:
    """Only under 2.x, and not those that a dump of old defaults leaves empty."""
    effective = reading.effective
    if reading.is_first or effective.cri in ("", "disabled"):
        return
    found: dict[tuple[str, str], list[tuple[ConfigPlace, Any]]] = {}
    for one in effective.ignored:
        option = _removed(one)
        if option and one.value:
            found.setdefault((one.place.file, option), []).append((one.place, one.value))
    for _, runtime in sorted(effective.runtimes.items()):
        if "CriuPath" in runtime.unknown_options and runtime.options.get("CriuPath"):
            place = _place(runtime, "CriuPath")
            found.setdefault((place.file, "CriuPath"), []).append((place, runtime.options["CriuPath"]))
    for (file, option), places in found.items():
        is_table = option in ("default_runtime", "untrusted_workload_runtime")
        value = places[0][1]
        yield RemovedOption(
            node=reading.facts.name,
            file=file,
            line=places[0][0].line,
            option=option,
            value="" if is_table else "true" if value is True else str(value),
            places=tuple(dict.fromkeys(place_text(place) for place, _ in places)),
            version=effective.containerd,
            planned=reading.planned,
        )


def wrong_options(reading: Reading) -> Iterator[WrongOption]:
    """Options with empty values change nothing and are not told."""
    effective = reading.effective
    if effective.cri in ("", "disabled"):
        return
    known = _known_options(reading)
    for _, runtime in sorted(effective.runtimes.items()):
        if runtime.options_error:
            option = next((one for one in ("SystemdCgroup", "BinaryName") if one in runtime.options), "")
            option = next((one for one in runtime.options if f"{one} " in runtime.options_error), option)
            yield _wrong(reading, runtime, option, error=runtime.options_error)
        for option in runtime.unknown_options:
            top = option.partition(".")[0]
            if option not in REMOVED_OPTIONS and runtime.options.get(top):
                meant = difflib.get_close_matches(option.lower(), [one.lower() for one in known], 1, 0.7)
                wanted = next((one for one in known if meant and one.lower() == meant[0]), "")
                yield _wrong(reading, runtime, option, meant=wanted)


def nvidia_defaults(reading: Reading) -> Iterator[NvidiaDefault]:
    """At most one; where the CRI plugin does not run nothing is a default."""
    effective = reading.effective
    name = effective.default_runtime_name
    if effective.cri != "ok" or not name.lower().startswith("nvidia"):
        return
    place = effective.places.get("default_runtime_name", ConfigPlace())
    yield NvidiaDefault(
        node=reading.facts.name,
        file=place.file,
        line=place.line,
        name=name,
        drop_in=place.file != reading.main,
        version=effective.containerd,
        planned=reading.planned,
    )


def is_runc(runtime: RuntimeSettings) -> bool:
    """Whether its options are those of runc."""
    return runtime.type in _RUNC


def _wrong(
    reading: Reading, runtime: RuntimeSettings, option: str, *, error: str = "", meant: str = ""
) -> WrongOption:
    place = _place(runtime, option)
    return WrongOption(
        node=reading.facts.name,
        file=place.file,
        line=place.line,
        runtime=runtime.name,
        option=option,
        error=error,
        meant=meant,
        version=reading.effective.containerd,
        planned=reading.planned,
    )


def _place(runtime: RuntimeSettings, name: str) -> ConfigPlace:
    return runtime.places.get(name, runtime.places.get("", ConfigPlace()))


def _removed(one: Ignored) -> str:
    """The option that a setting is, or is part of, where containerd does not know it."""
    if one.why != "unknown":
        return ""
    return next((part for part in path_parts(one.path)[2:] if part in REMOVED_OPTIONS), "")


def _known_options(reading: Reading) -> list[str]:
    from helmguard.containerd.schema import schema_of

    shapes: Any = schema_of(reading.effective.generation).options
    return sorted(shapes.get(_RUNC[0], {}).get("fields", {}))
