"""A copy of a node's files to try edits on."""

from __future__ import annotations

import posixpath
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from typing import TypeAlias

import msgspec

from helmguard.containerd.effective import effective_config
from helmguard.containerd.imports import absolute, has_glob, imports_of
from helmguard.containerd.schema import CRI, CRI_RUNTIME
from helmguard.containerd.suggest_text import NewTable, text_with_tables, text_with_value
from helmguard.containerd.suggest_wanted import Wanted
from helmguard.containerd.toml_places import KeyPath, TomlPlace, toml_places
from helmguard.model.containerd_settings import ConfigPlace, Effective
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.node_facts import DROP_IN_FOLDERS, NodeFacts, NodeFile

Overlay: TypeAlias = Mapping[str, str | None]
"""Texts by path in place of a node's own; None for a file that is taken away."""

PLUGINS = ("cri", CRI, CRI_RUNTIME)
"""The names under which runtimes are set, by generation."""

_MOST_STEPS = 12


class Trial:
    """A node under one version of containerd."""

    def __init__(self, facts: NodeFacts, version: str) -> None:
        self.facts, self.version = facts, version
        self._known: dict[frozenset[tuple[str, str | None]], Effective] = {}

    @property
    def main(self) -> str:
        """The path of the main file."""
        return self.facts.containerd.config_path

    def text(self, path: str, overlay: Overlay) -> str | None:
        """A file's text with the edits; None where there is none, or it was not read."""
        if path in overlay:
            return overlay[path]
        found = self.facts.files.get(path)
        return found.text if found is not None else None

    def effective(self, overlay: Overlay) -> Effective:
        """What containerd would make of the files."""
        key = frozenset(overlay.items())
        if key not in self._known:
            self._known[key] = self._effective(overlay)
        return self._known[key]

    def _effective(self, overlay: Overlay) -> Effective:
        files = {path: file for path, file in self.facts.files.items() if path not in overlay}
        files |= {path: NodeFile(text) for path, text in overlay.items() if text is not None}
        paths = {path: found for path, found in self.facts.paths.items() if path not in overlay}
        return effective_config(files, paths, self.version, self.main)

    def texts(self, overlay: Overlay) -> dict[str, str]:
        """All files of containerd that were read: the main one, drop-ins, imports."""
        found = {path: file.text for path, file in self.facts.files.items() if file.text is not None}
        found |= {path: text for path, text in overlay.items() if text is not None}
        gone = {path for path, text in overlay.items() if text is None}
        return {path: text for path, text in found.items() if path not in gone and self._is_config(path)}

    def _is_config(self, path: str) -> bool:
        folders = {*DROP_IN_FOLDERS, posixpath.dirname(self.main)}
        folder = posixpath.dirname(path)
        return path == self.main or path.endswith(".toml") or folder in folders

    def defining(self, runtime: str, overlay: Overlay) -> list[str]:
        """The files that have a table for a runtime, under any generation's name; the main file last."""
        texts = self.texts(overlay).items()
        found = [path for path, text in texts if any(plugins_with(places_of(text), runtime))]
        return sorted(found, key=lambda path: (path == self.main, path))

    def own_drop_ins(self, runtime: str) -> list[str]:
        """The drop-ins that hold nothing but this runtime: what may be taken away for it."""
        found = [path for path in self.defining(runtime, {}) if path != self.main]
        return [path for path in found if _holds_only(self.text(path, {}) or "", runtime)]

    def written(self, runtime: str) -> JSONObject:
        """The options that some file has for a runtime, in effect or not."""
        found: JSONObject = {}
        for path in reversed(self.defining(runtime, {})):
            text = self.text(path, {}) or ""
            for name in PLUGINS:
                table = _table_at(text, ("plugins", name, "containerd", "runtimes", runtime, "options"))
                found |= table
        return found

    def drop_in_places(self, name: str, overlay: Overlay) -> list[tuple[str, str]]:
        """Where a new drop-in may be put, the best first: its path, and the import to add ("" for none)."""
        found: list[tuple[str, str]] = []
        for file, text in self.texts(overlay).items():
            for pattern in imports_of(text):
                path = absolute(pattern, file)
                folder, last = posixpath.split(path)
                if has_glob(last) and not has_glob(folder) and last in ("*", "*.toml", "*.conf"):
                    suffix = "conf" if last == "*.conf" else "toml"
                    found.append((f"{folder}/99-{name}.{suffix}", ""))
        folder = f"{posixpath.dirname(self.main)}/conf.d"
        path = f"{folder}/99-{name}.toml"
        found += [(path, f"{folder}/*.toml"), (path, path)]
        return found


def _holds_only(text: str, runtime: str) -> bool:
    document = _table_at(text, ())
    plugins = document.get("plugins", {})
    if not document.keys() <= {"version", "plugins"} or not plugins.keys() <= {*PLUGINS}:
        return False
    for plugin in plugins.values():
        containerd = plugin.get("containerd", {})
        if not plugin.keys() <= {"containerd", "enable_cdi"} or not isinstance(containerd, dict):
            return False
        if not containerd.keys() <= {"runtimes", "default_runtime_name"}:
            return False
        runtimes = containerd.get("runtimes", {})
        if not isinstance(runtimes, dict) or runtimes.keys() - {runtime}:
            return False
    return True


def _table_at(text: str, path: KeyPath) -> JSONObject:
    try:
        found = tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}
    for name in path:
        found = found.get(name, {}) if isinstance(found, dict) else {}
    return found if isinstance(found, dict) else {}


@lru_cache(maxsize=128)
def places_of(text: str) -> Mapping[KeyPath, TomlPlace]:
    """Where each key of a file stands; a byte order mark is none of its text."""
    return toml_places(text.removeprefix("\ufeff"))


def plugins_with(places: Mapping[KeyPath, object], runtime: str) -> list[str]:
    """The plugins' names under which a file has a table for the runtime."""
    return [name for name in PLUGINS if ("plugins", name, "containerd", "runtimes", runtime) in places]


def setting_path(name: str, plugin: str) -> KeyPath:
    """The path of a setting in a file that names the plugin so."""
    base: KeyPath = ("plugins", plugin)
    if name.startswith("runtimes."):
        runtime, _, field = name.removeprefix("runtimes.").rpartition(".")
        own = (*base, "containerd", "runtimes", runtime)
        return (*own, "runtime_type") if field == "type" else (*own, "options", field)
    return (*base, "containerd", name) if name == "default_runtime_name" else (*base, name)


class Mended(msgspec.Struct, frozen=True):
    """Edits with more of them, and the settings that were changed for it, by file."""

    overlay: Overlay
    settings: Mapping[str, tuple[str, ...]]


def mended(trial: Trial, overlay: Overlay, wanted: Wanted, kept: Effective) -> Mended:
    """Edits until everything that is wanted holds, or nothing more can be done.

    A value is changed where it stands; one that stands nowhere goes into the file with the runtime's table.
    """
    mending = _Mending(trial, wanted, kept, dict(overlay))
    for _ in range(_MOST_STEPS):
        if not mending.step():
            break
    return Mended(mending.overlay, {path: tuple(names) for path, names in mending.settings.items()})


class _Mending:
    def __init__(self, trial: Trial, wanted: Wanted, kept: Effective, overlay: dict[str, str | None]) -> None:
        self._trial, self._wanted, self._kept = trial, wanted, kept
        self.overlay = overlay
        self.settings: dict[str, list[str]] = {}

    def step(self) -> bool:
        """One more setting; False where there is none that helps."""
        effective = self._trial.effective(self.overlay)
        found = effective.runtimes.get(self._wanted.runtime)
        if found is None:
            return False
        home = found.places.get("", ConfigPlace())
        for name, value in self._wanted.unmet(effective):
            place = _place(effective, name)
            if value is not None and place.file and self._change(place, name, value):
                return True
            if home.file and self._add(home, name, value, effective):
                return True
        return False

    def _change(self, place: ConfigPlace, name: str, value: JSONValue) -> bool:
        text = self._trial.text(place.file, self.overlay) or ""
        path = _path_at(text, place.line, name)
        return bool(path) and self._put(place.file, text_with_value(text, path, value), name)

    def _add(self, home: ConfigPlace, name: str, value: JSONValue, effective: Effective) -> bool:
        text = self._trial.text(home.file, self.overlay) or ""
        plugin = _plugin_at(text, home.line, self._wanted.runtime)
        if not plugin:
            return False
        if value is not None:
            return self._put(home.file, text_with_value(text, setting_path(name, plugin), value), name)
        path = ("plugins", plugin, "containerd", "runtimes", "runc")
        table = NewTable(path, runc_table(self._wanted, effective, self._kept))
        return self._put(home.file, text_with_tables(text, table), name)

    def _put(self, path: str, text: str | None, name: str) -> bool:
        if text is None or text == self.overlay.get(path, self._trial.text(path, {})):
            return False
        self.overlay[path] = text
        self.settings.setdefault(path, []).append(name)
        return True


def _plugin_at(text: str, line: int, runtime: str) -> str:
    """The name of the plugin whose table for the runtime begins on this line, else the newest."""
    places = places_of(text)
    names = plugins_with(places, runtime)
    here = [one for one in names if places["plugins", one, "containerd", "runtimes", runtime].line == line]
    return (here or names or [""])[-1]


def _place(effective: Effective, name: str) -> ConfigPlace:
    if not name.startswith("runtimes."):
        return effective.places.get(name, ConfigPlace())
    runtime, _, field = name.removeprefix("runtimes.").rpartition(".")
    found = effective.runtimes.get(runtime)
    return found.places.get(field, ConfigPlace()) if found is not None else ConfigPlace()


def _path_at(text: str, line: int, name: str) -> KeyPath:
    """The key on this line that a setting's name stands for."""
    last = {"type": "runtime_type"}.get(name.rpartition(".")[2], name.rpartition(".")[2]).lower()
    for path, place in places_of(text).items():
        if place.line == line and place.start < place.end and path[-1].lower() == last:
            return path
    return ()


def runc_table(wanted: Wanted, before: Effective, kept: Effective) -> JSONObject:
    """runc's table as it holds now: containerd 1.x forgets its own as soon as a file names any runtime."""
    runc = before.runtimes.get("runc") or kept.runtimes.get("runc")
    options: JSONObject = {}
    if runc is not None and runc.binary_name:
        options["BinaryName"] = runc.binary_name
    systemd = wanted.kubelet
    if systemd is None and runc is not None:
        systemd = runc.systemd_cgroup
    if systemd is None and wanted.needs_runc:
        systemd = wanted.systemd
    if systemd is not None:
        options["SystemdCgroup"] = systemd
    if runc is not None:
        options |= dict(runc.options)
    kind = runc.type if runc is not None and runc.type else "io.containerd.runc.v2"
    return {"runtime_type": kind, **({"options": options} if options else {})}
