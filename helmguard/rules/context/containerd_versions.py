"""Files whose version, or the names of whose tables, make containerd pass over settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Literal

from helmguard.model.containerd_settings import ConfigPlace, Ignored, LoadedFile
from helmguard.rules.context.containerd_readings import (
    Reading,
    lost_runtimes,
    lost_settings,
    lost_texts,
    plugin_of,
    runtime_of,
)
from helmguard.rules.context.record import Record

_NATURAL = {
    "cri": 1,
    "io.containerd.grpc.v1.cri": 2,
    "io.containerd.cri.v1.runtime": 3,
    "io.containerd.cri.v1.images": 3,
}
"""The version of a file in which a plugin's table has this name (containerd PLUGINS.md)."""
_OF_IMAGES = ("sandbox_image", "registry", "registry_config_path", "registry_mirrors")
_RIGHT = {1: "cri", 2: "io.containerd.grpc.v1.cri", 3: "io.containerd.cri.v1.runtime"}
_RUNTIME, _IMAGES = "io.containerd.cri.v1.runtime", "io.containerd.cri.v1.images"
_Sort = Literal["outdated", "misnamed", "hides", "mixed"]
_RULES: Mapping[_Sort, str] = {
    "outdated": "ctrd-version-missing-or-1",
    "misnamed": "ctrd-wrong-plugin-id",
    "hides": "ctrd-wrong-plugin-id",
    "mixed": "ctrd-mixed-versions",
}


class OutdatedFile(Record, frozen=True):
    """A file with settings of the CRI plugin that says no `version`, or 1."""

    node: Annotated[str, "the node's name"]
    file: Annotated[str, "its path"] = ""
    line: Annotated[int, "where the first setting stands that has no effect, else the first CRI table"] = 0
    said: Annotated[int, "the `version` that it says, 0 for none"] = 0
    fix: Annotated[
        Literal["header", "rename", "rewrite"],
        "what makes it right: `version = 2`; that, and other names of tables, too; the main file's version",
    ] = "header"
    main_version: Annotated[int, "the main file's version, 0 for none"] = 0
    lost: Annotated[tuple[str, ...], "its settings that have no effect"] = ()
    runtimes: Annotated[tuple[str, ...], "runtimes that are not there for it"] = ()
    later: Annotated[str, "a file that is read later and says 2 or more, so that nothing is lost"] = ""
    first_generation: Annotated[bool, "containerd is 1.x"] = False
    version: Annotated[str, "containerd's version"] = ""
    planned: Annotated[bool, "under the planned version alone"] = False


class WrongPluginId(Record, frozen=True):
    """A plugin's table whose name does not belong into a file of its version."""

    node: Annotated[str, "the node's name"]
    file: Annotated[str, "the file it stands in"] = ""
    line: Annotated[int, "where it begins to matter"] = 0
    plugin: Annotated[str, "the table's name: `io.containerd.grpc.v1.cri`"] = ""
    right: Annotated[
        str, "the name in a file of this version, empty where the table is of no known plugin"
    ] = ""
    said: Annotated[int, "the version that counts for the file, 0 for none"] = 0
    fix: Annotated[
        Literal["rename", "header", "correct"],
        "what makes it right: the `right` name; the `version` of the tables, too; a name of a plugin that is",
    ] = "rename"
    hides: Annotated[
        bool, "it works, and takes the place of tables with the right name; else it is ignored"
    ] = False
    lost: Annotated[tuple[str, ...], "the settings that have no effect"] = ()
    runtimes: Annotated[tuple[str, ...], "runtimes that are not there for it"] = ()
    version: Annotated[str, "containerd's version"] = ""
    planned: Annotated[bool, "under the planned version alone"] = False


class MixedVersions(Record, frozen=True):
    """A main file and a drop-in of different versions."""

    node: Annotated[str, "the node's name"]
    file: Annotated[str, "the first drop-in of another version"] = ""
    line: Annotated[int, "where it says its version"] = 0
    main: Annotated[str, "the main file"] = ""
    main_version: Annotated[int, "its version"] = 0
    drop_in_version: Annotated[int, "the drop-in's version"] = 0
    lost: Annotated[tuple[str, ...], "the settings that have no effect for it"] = ()
    lost_runtimes: Annotated[tuple[str, ...], "runtimes among them"] = ()
    hits_runtimes: Annotated[bool, "runtimes, or settings of runtimes, are among them"] = False
    refuses: Annotated[bool, "containerd refuses to start for it (rule ctrd-version-unsupported)"] = False
    cri_fails: Annotated[bool, "the CRI plugin does not load for it"] = False
    version: Annotated[str, "containerd's version"] = ""
    planned: Annotated[bool, "under the planned version alone"] = False


def outdated_files(reading: Reading) -> Iterator[OutdatedFile]:
    """Those that containerd takes for version 1, and others whose settings only a later file saves."""
    effective = reading.effective
    if effective.daemon == "refuses":
        return
    ignored = [one for one, sort in _sorted(reading) if sort == "outdated"]
    loaded = effective.loaded
    for number, file in enumerate(loaded):
        if file.version not in (None, 0, 1):
            continue
        own = [one for one in ignored if one.place.file == file.path]
        names = _cri_lines(reading, file.path)
        counts_as_first = (effective.merged_version or 1) < 2 if reading.is_first else not file.imported_by
        if not own and not (counts_as_first or file.version == 1 or not file.imported_by):
            continue
        if not own and not any(_NATURAL.get(name, 3) < 3 for name in names):
            continue
        rest = loaded[number + 1 :]
        later = next((one.path for one in rest if (one.version or 0) > 1), "") if not own else ""
        yield OutdatedFile(
            node=reading.facts.name,
            file=file.path,
            line=own[0].place.line if own else min(names.values(), default=0),
            said=file.version or 0,
            fix=_fix(file, loaded[0].version or 0, names),
            main_version=loaded[0].version or 0,
            lost=lost_texts(effective, own),
            runtimes=lost_runtimes(effective, own),
            later=later,
            first_generation=reading.is_first,
            version=effective.containerd,
            planned=reading.planned,
        )


def _fix(file: LoadedFile, main: int, names: Iterable[str]) -> Literal["header", "rename", "rewrite"]:
    if file.imported_by and main > 2:
        return "rewrite"
    return "rename" if "cri" in names else "header"


def same_file(one: OutdatedFile) -> tuple[object, ...]:
    """Where settings are lost already, that the file is deprecated is no news."""
    mild = (one.node, one.file, False)
    return ((one.node, one.file, True), mild) if one.lost else (mild,)


def wrong_plugin_ids(reading: Reading) -> Iterator[WrongPluginId]:
    """One for each table."""
    effective, said = reading.effective, reading.said
    groups: dict[tuple[bool, str, str], list[Ignored]] = {}
    for one, sort in _sorted(reading):
        if sort == "misnamed":
            groups.setdefault((False, one.place.file, plugin_of(one)), []).append(one)
        elif sort == "hides" and one.by is not None:
            groups.setdefault((True, one.by.file, _RIGHT[3]), []).append(one)
    for (hides, file, plugin), lost in groups.items():
        counts = said.get(file) or effective.merged_version or 0
        natural = _NATURAL.get(plugin, 0)
        place = lost[0].by if hides and lost[0].by is not None else lost[0].place
        right = _RIGHT.get(min(counts, 3), "") if natural else ""
        if right == _RUNTIME and all(one.setting in _OF_IMAGES for one in lost):
            right = _IMAGES
        yield WrongPluginId(
            node=reading.facts.name,
            file=file,
            line=place.line,
            plugin=plugin,
            right=right,
            said=counts,
            fix="correct" if not natural else "header" if natural == 2 and counts >= 3 else "rename",
            hides=hides,
            lost=lost_texts(effective, lost),
            runtimes=lost_runtimes(effective, lost),
            version=effective.containerd,
            planned=reading.planned,
        )


def mixed_versions(reading: Reading) -> Iterator[MixedVersions]:
    """At most one: the main file against the first drop-in that says another version."""
    effective = reading.effective
    loaded = effective.loaded
    if not loaded or (effective.daemon == "refuses" and "higher than root" not in effective.daemon_error):
        return
    main = loaded[0]
    refuses = effective.daemon == "refuses"
    other = next((one for one in loaded[1:] if one.version and one.version != main.version), None)
    other_version = other.version if other is not None else None
    file, place = (other.path if other is not None else ""), ConfigPlace()
    if refuses:
        place = effective.daemon_error_at
        file, other_version = place.file, _said_in(reading, place.file)
    if not file or not main.version or not other_version:
        return
    lost = [one for one, sort in _sorted(reading) if sort == "mixed"]
    yield MixedVersions(
        node=reading.facts.name,
        file=file,
        line=place.line or _line(reading, file, ("version",)),
        main=main.path,
        main_version=main.version,
        drop_in_version=other_version,
        lost=lost_texts(effective, lost),
        lost_runtimes=lost_runtimes(effective, lost),
        hits_runtimes=any(runtime_of(one.setting) for one in lost),
        refuses=refuses,
        cri_fails=bool(lost) and effective.cri == "fails",
        version=effective.containerd,
        planned=reading.planned,
    )


def _sorted(reading: Reading) -> Iterator[tuple[Ignored, _Sort]]:
    """Lost settings by the rule that tells of them."""
    effective = reading.effective
    if effective.cri == "disabled":
        return
    for one in lost_settings(reading, "unknown"):
        if plugin_of(one) not in _NATURAL or _is_of_other_plugin(one):
            yield one, "misnamed"
    for one in lost_settings(reading, "generation", "unmigrated", "hidden"):
        yield one, _sort(reading, one)


def _is_of_other_plugin(one: Ignored) -> bool:
    """Settings of images under the plugin of runtimes, and the other way round."""
    return bool(one.setting) and _NATURAL.get(plugin_of(one)) == 3


def telling_rule(reading: Reading, settings: Iterable[str]) -> str:
    """The rule that tells why one of these settings has no effect, empty for none."""
    wanted = frozenset(settings)
    for one, sort in _sorted(reading):
        if one.setting in wanted:
            return _RULES[sort]
    return ""


def _sort(reading: Reading, one: Ignored) -> _Sort:
    said, merged = reading.said, reading.effective.merged_version or 1
    own = said.get(one.place.file) or 0
    natural = _NATURAL.get(plugin_of(one), 0)
    if one.why == "unmigrated":
        return "outdated"
    if one.why == "hidden":
        winner = said.get(one.by.file) if one.by is not None else None
        return "mixed" if (winner or merged) >= 3 else "hides"
    if natural == 0:
        return "misnamed"
    if reading.is_first and natural == 2 and merged < 2 and own < 2:
        return "outdated"
    return "mixed" if own == natural or (own > 3 and natural == 3) else "misnamed"


def _cri_lines(reading: Reading, path: str) -> dict[str, int]:
    """The CRI plugins' tables in a file, and where they begin."""
    from helmguard.containerd.toml_places import toml_places

    file = reading.facts.files.get(path)
    found = toml_places(file.text) if file is not None and file.text is not None else {}
    return {key[1]: place.line for key, place in found.items() if _is_table(key)}


def _is_table(key: Iterable[str]) -> bool:
    key = tuple(key)
    return len(key) == 2 and key[0] == "plugins" and key[1] in _NATURAL


def _line(reading: Reading, path: str, key: tuple[str, ...]) -> int:
    from helmguard.containerd.toml_places import toml_places

    file = reading.facts.files.get(path)
    if file is None or file.text is None:
        return 0
    place = toml_places(file.text).get(key)
    return place.line if place is not None else 0


def _said_in(reading: Reading, path: str) -> int | None:
    """The version that a file says which containerd did not get to merge."""
    import tomllib

    file = reading.facts.files.get(path)
    try:
        said = tomllib.loads(file.text).get("version") if file is not None and file.text is not None else None
    except (tomllib.TOMLDecodeError, RecursionError):
        return None
    return said if isinstance(said, int) and not isinstance(said, bool) else None
