"""Drop-ins that take the place of other settings, and drop-ins that are not read."""

from __future__ import annotations

import posixpath
import tomllib
from collections.abc import Iterator
from typing import Annotated

from helmguard.model.containerd_settings import ConfigPlace, Ignored
from helmguard.rules.context.containerd_readings import (
    Reading,
    lost_runtimes,
    lost_settings,
    lost_texts,
    place_text,
    runtime_of,
)
from helmguard.rules.context.record import Record


class ReplacedTable(Record, frozen=True):
    """containerd 1.x: a drop-in whose CRI table takes the place of the whole table of another file."""

    node: Annotated[str, "the node's name"]
    file: Annotated[str, "the drop-in"] = ""
    line: Annotated[int, "where its table begins"] = 0
    main: Annotated[str, "the file whose table is gone"] = ""
    lost: Annotated[tuple[str, ...], "what that table says and nothing says any more"] = ()
    lost_runtimes: Annotated[tuple[str, ...], "runtimes among them"] = ()
    cri_fails: Annotated[bool, "the CRI plugin does not load for it"] = False
    default_runtime: Annotated[str, "the default runtime"] = ""
    version: Annotated[str, "containerd's version"] = ""
    planned: Annotated[bool, "under the planned version alone"] = False


class ShadowedEdits(Record, frozen=True):
    """containerd 1.x: a drop-in that is a copy of the CRI table, and older than edits of the original."""

    node: Annotated[str, "the node's name"]
    file: Annotated[str, "the file that was edited"] = ""
    line: Annotated[int, "the first setting that does not hold"] = 0
    drop_in: Annotated[str, "the drop-in that overrides it"] = ""
    edits: Annotated[tuple[str, ...], "each setting: what the file says, and what holds"] = ()
    version: Annotated[str, "containerd's version"] = ""
    planned: Annotated[bool, "under the planned version alone"] = False


class UnimportedFolder(Record, frozen=True):
    """A folder of drop-ins with settings in them that no import names."""

    node: Annotated[str, "the node's name"]
    file: Annotated[str, "the first of the drop-ins"] = ""
    line: Annotated[int, "always 0"] = 0
    folder: Annotated[str, "the folder"] = ""
    files: Annotated[tuple[str, ...], "all of them"] = ()
    main: Annotated[str, "containerd's main configuration file"] = ""
    main_there: Annotated[bool, "the main file is there"] = False
    imports: Annotated[tuple[str, ...], "what it imports"] = ()
    imports_line: Annotated[int, "where, 0 for nowhere"] = 0
    other_folder: Annotated[str, "the folder of drop-ins that is imported instead, empty for none"] = ""
    settings: Annotated[tuple[str, ...], "runtimes and other settings that the files have"] = ()
    version: Annotated[str, "containerd's version"] = ""
    planned: Annotated[bool, "always false: all versions read the same files"] = False


def replaced_tables(reading: Reading) -> Iterator[ReplacedTable]:
    """One for each drop-in that something is lost to."""
    effective = reading.effective
    for drop_in, lost in _by_drop_in(reading, "replaced").items():
        values = [one for one in lost_settings(reading, "overridden") if _by(one).file == drop_in]
        yield ReplacedTable(
            node=reading.facts.name,
            file=drop_in,
            line=min(_by(one).line for one in lost),
            main=lost[0].place.file,
            lost=lost_texts(effective, [*lost, *values]),
            lost_runtimes=lost_runtimes(effective, lost),
            cri_fails=effective.cri == "fails",
            default_runtime=effective.default_runtime_name,
            version=effective.containerd,
            planned=reading.planned,
        )


def shadowed_edits(reading: Reading) -> Iterator[ShadowedEdits]:
    """Not what a drop-in replaces: that is told already, and gravely."""
    if _by_drop_in(reading, "replaced"):
        return
    for drop_in, found in _by_drop_in(reading, "overridden").items():
        edits = [one for one in found if not _is_meant(one) and one.place.file == reading.main]
        if not edits:
            continue
        yield ShadowedEdits(
            node=reading.facts.name,
            file=edits[0].place.file,
            line=edits[0].place.line,
            drop_in=drop_in,
            edits=tuple(
                f"{lost_texts(reading.effective, [one])[0]}: {place_text(_by(one))} holds" for one in edits
            ),
            version=reading.effective.containerd,
            planned=reading.planned,
        )


def unimported_folders(reading: Reading) -> Iterator[UnimportedFolder]:
    """Folders by their path; drop-ins without a setting do not count."""
    facts, effective = reading.facts, reading.effective
    if effective.daemon == "refuses" or effective.unread:
        return
    folders: dict[str, list[str]] = {}
    for one in effective.ignored:
        if one.why == "not-imported":
            folders.setdefault(posixpath.dirname(one.place.file), []).append(one.place.file)
    main = facts.files.get(reading.main)
    text = (main.text or "") if main is not None else ""
    imports, line = _imports(text)
    read = [
        posixpath.dirname(name if name.startswith("/") else _beside(reading.main, name)) for name in imports
    ]
    for folder, paths in sorted(folders.items()):
        settings = {path: _settings(facts.files[path].text or "") for path in paths}
        files = tuple(path for path in paths if settings[path])
        if not files:
            continue
        others = (
            one for one in read if one != folder and posixpath.dirname(one) == posixpath.dirname(folder)
        )
        yield UnimportedFolder(
            node=facts.name,
            file=files[0],
            folder=folder,
            files=files,
            main=reading.main,
            main_there=main is not None,
            imports=imports,
            imports_line=line,
            other_folder=next(others, ""),
            settings=tuple(dict.fromkeys(name for path in files for name in settings[path])),
            version=effective.containerd,
        )


def _by_drop_in(reading: Reading, why: str) -> dict[str, list[Ignored]]:
    if not reading.is_first or reading.effective.cri in ("", "disabled"):
        return {}
    found: dict[str, list[Ignored]] = {}
    for one in lost_settings(reading, why):
        if _by(one).file:
            found.setdefault(_by(one).file, []).append(one)
    return found


def _by(one: Ignored) -> ConfigPlace:
    return one.by or ConfigPlace()


def _is_meant(one: Ignored) -> bool:
    """What the NVIDIA toolkit changes in its copy (nvidia-container-toolkit pkg/config/engine/containerd)."""
    return one.setting in ("default_runtime_name", "enable_cdi") or runtime_of(one.setting).startswith(
        "nvidia"
    )


def _beside(main: str, name: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(main), name))


def _imports(text: str) -> tuple[tuple[str, ...], int]:
    from helmguard.containerd.imports import imports_of
    from helmguard.containerd.toml_places import toml_places

    place = toml_places(text).get(("imports",))
    return imports_of(text), place.line if place is not None else 0


def _settings(text: str) -> tuple[str, ...]:
    """What a file would set: its runtimes, else its plugins and other tables; nothing where it is empty."""
    try:
        found = tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError):
        return ("no TOML",)
    plugins = found.get("plugins")
    names: list[str] = []
    for name, plugin in plugins.items() if isinstance(plugins, dict) else ():
        holder = plugin.get("containerd") if isinstance(plugin, dict) else None
        runtimes = holder.get("runtimes") if isinstance(holder, dict) else None
        names += [f"runtime {one}" for one in runtimes] if isinstance(runtimes, dict) else []
        if plugin and not isinstance(runtimes, dict):
            names.append(name)
    rest = [name for name, value in found.items() if name not in ("version", "imports", "plugins") and value]
    return tuple(names + rest)
