"""Edits that may make a runtime known to containerd, the smallest and safest first: each is only tried."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from helmguard.containerd.imports import imports_of
from helmguard.containerd.schema import CRI, CRI_RUNTIME
from helmguard.containerd.suggest_text import (
    NewTable,
    text_with_import,
    text_with_plugin_name,
    text_with_tables,
    text_with_version,
    text_without_items,
)
from helmguard.containerd.suggest_trial import PLUGINS, Overlay, Trial, places_of, plugins_with, runc_table
from helmguard.containerd.suggest_verdict import CRI_NAMES
from helmguard.containerd.suggest_wanted import Wanted
from helmguard.containerd.toml_text import toml_document, toml_tables
from helmguard.model.containerd_settings import Effective
from helmguard.model.json_value import JSONObject

_NAMES_OF = {1: "cri", 2: CRI, 3: CRI_RUNTIME, 4: CRI_RUNTIME}


class Attempt(msgspec.Struct, frozen=True):
    """Texts in place of the node's, and why each is so, by path."""

    overlay: Overlay
    whys: dict[str, str] = {}

    def then(self, path: str, text: str | None, why: str) -> Attempt:
        """One more file."""
        return Attempt({**self.overlay, path: text}, {**self.whys, path: why})


class Attempts:
    """All that may be tried for one node."""

    def __init__(
        self, trial: Trial, wanted: Wanted, before: Effective, kept: Effective, *, generated: bool
    ) -> None:
        """``generated``: the main file is written anew from a template, to which one can append."""
        self._trial, self._wanted, self._before, self._kept = trial, wanted, before, kept
        self._generated = generated
        self._first = before.generation == "1"

    def all(self, start: Attempt) -> Iterator[Attempt]:
        """``start`` first, as it is."""
        defining = self._trial.defining(self._wanted.runtime, start.overlay)
        yield start
        yield from self._imported(start, defining)
        yield from self._translated(start, defining)
        if not self._first:
            yield from self._drop_ins(start)
        yield from self._inserted(start)
        drop_ins = self._trial.own_drop_ins(self._wanted.runtime)
        if drop_ins:
            cleared = start
            for path in drop_ins:
                cleared = cleared.then(path, None, self._why_removed())
            yield from self._inserted(cleared)
            if not self._first:
                yield from self._drop_ins(cleared)

    def _why_removed(self) -> str:
        if self._first:
            return "containerd 1.x takes a drop-in's CRI settings in place of all of the main file's"
        return "its settings take the place of others"

    def _imported(self, start: Attempt, defining: list[str]) -> Iterator[Attempt]:
        """A file that is right, and that nothing imports."""
        loaded = {file.path for file in self._trial.effective(start.overlay).loaded}
        for path in defining:
            if path not in loaded and path != self._trial.main:
                folder = path.rpartition("/")[0]
                for pattern in (f"{folder}/*.toml", path):
                    yield from self._with_import(
                        start, pattern, f"imports {pattern}, so that the file is read"
                    )

    def _with_import(self, start: Attempt, pattern: str, why: str) -> Iterator[Attempt]:
        text = self._main_text(start.overlay)
        if text is None:
            for version in (3, 2) if not self._first else (2,):
                document = {"version": version, "imports": [pattern]}
                why_new = (
                    f"{why}; without a config.toml containerd reads no drop-ins, and runs by its defaults"
                )
                yield start.then(self._trial.main, toml_document(document), why_new)
        elif pattern not in imports_of(text):
            new = text_with_import(text, pattern)
            if new is not None:
                yield start.then(self._trial.main, new, why)

    def _main_text(self, overlay: Overlay) -> str | None:
        return self._trial.text(self._trial.main, overlay)

    def _translated(self, start: Attempt, defining: list[str]) -> Iterator[Attempt]:
        """The same file under the names, and with the version, that this containerd takes there."""
        for path in defining:
            text = self._trial.text(path, start.overlay) or ""
            for before in plugins_with(places_of(text), self._wanted.runtime):
                for version, after in self._forms_of(path, start.overlay, before):
                    for below in (("containerd", "runtimes", self._wanted.runtime), ()):
                        new = self._translation(text, version, before, after, below)
                        if new is not None and new != text:
                            yield start.then(path, new, self._why_translated(version, before, after))

    def _forms_of(self, path: str, overlay: Overlay, name: str) -> Iterator[tuple[int | None, str]]:
        """The main file's version is changed only where it is not that of the names in it."""
        if path != self._trial.main:
            yield from self._forms(overlay)
            return
        root = self._root_version(overlay)
        if name == CRI and root != 2:
            yield 2, name
        if name == CRI_RUNTIME and (root or 1) < 3 and not self._first:
            yield 3, name
        yield from ((None, after) for version, after in self._forms(overlay) if version == root)

    def _translation(
        self, text: str, version: int | None, before: str, after: str, below: tuple[str, ...]
    ) -> str | None:
        new: str | None = text
        if after != before:
            new = text_with_plugin_name(text, before, after, below)
        return text_with_version(new, version) if new is not None and version is not None else new

    def _why_translated(self, version: int | None, before: str, after: str) -> str:
        said = f"version {version}" if version is not None else "this version"
        containerd = f"containerd {self._before.containerd}"
        if before and before != after:
            return f"in a configuration of {said} {containerd} reads {after}, not {before}"
        return f"{containerd} needs one version, and its names, in all files: {said}"

    def _forms(self, overlay: Overlay) -> list[tuple[int | None, str]]:
        """Version and plugin's name for a drop-in, those of the main file first."""
        root = self._root_version(overlay)
        if self._first:
            versions: list[int | None] = [root, 2, None] if (root or 1) > 1 else [None, 2]
        else:
            versions = [root, 3, 2, None, 4] if root is not None and root > 1 else [3, 2, None]
        found: list[tuple[int | None, str]] = []
        for version in versions:
            own = _NAMES_OF.get(version or root or (1 if self._first else 3), CRI_RUNTIME)
            found += [(version, name) for name in (own, *reversed(PLUGINS))]
        return list(dict.fromkeys(found))

    def _root_version(self, overlay: Overlay) -> int | None:
        effective = self._trial.effective(overlay)
        for file in effective.loaded:
            if file.path == self._trial.main:
                return file.version
        return None

    def _drop_ins(self, start: Attempt) -> Iterator[Attempt]:
        why = f"the runtime {self._wanted.runtime} in a file of its own"
        for name in (self._wanted.runtime, f"{self._wanted.runtime}-runtime"):
            for path, pattern in self._trial.drop_in_places(_file_name(name), start.overlay):
                if self._is_there(path, start.overlay):
                    continue
                starts = (
                    [start]
                    if not pattern
                    else list(self._with_import(start, pattern, f"imports {pattern}, so that it is read"))
                )
                for begun in starts:
                    yield from (
                        begun.then(path, self._drop_in(version, plugin), why)
                        for version, plugin in self._forms(begun.overlay)
                    )

    def _is_there(self, path: str, overlay: Overlay) -> bool:
        facts = self._trial.facts
        if overlay.get(path) is not None:
            return True
        return path in facts.files or (path in facts.paths and facts.paths[path].kind != "absent")

    def _drop_in(self, version: int | None, plugin: str) -> str:
        document: JSONObject = {"version": version} if version is not None else {}
        document["plugins"] = {
            plugin: {"containerd": {"runtimes": {self._wanted.runtime: self._wanted.table()}}}
        }
        return toml_document(document)

    def _inserted(self, start: Attempt) -> Iterator[Attempt]:
        """Into the last file that has CRI settings, else into the main one."""
        effective = self._trial.effective(start.overlay)
        places = [file.path for file in reversed(effective.loaded) if self._has_cri(file.path, start.overlay)]
        for path in dict.fromkeys([*places, self._trial.main]):
            yield from self._inserted_into(start, path)

    def _has_cri(self, path: str, overlay: Overlay) -> bool:
        places = places_of(self._trial.text(path, overlay) or "")
        return any(("plugins", name) in places for name in PLUGINS)

    def _inserted_into(self, start: Attempt, path: str) -> Iterator[Attempt]:
        text = self._trial.text(path, start.overlay)
        why = f"the runtime {self._wanted.runtime}"
        if text is None:
            if path == self._trial.main and not self._is_there(path, start.overlay):
                yield start.then(
                    path, self._whole_file(), f"{why}; without a config.toml containerd runs by its defaults"
                )
            return
        for name in self._names_in(text, start.overlay):
            for versioned in self._versioned(text, name):
                new = self._with_runtime(versioned, name, at_end=self._generated and path == self._trial.main)
                if new is not None:
                    yield start.then(path, new, why)

    def _names_in(self, text: str, overlay: Overlay) -> list[str]:
        """The plugin's names to try in a file: that of its version, those that are in it, the others."""
        version = self._trial.effective(overlay).merged_version
        places = places_of(text)
        there = [name for name in PLUGINS if ("plugins", name) in places]
        # A file of 1.x that has neither version nor CRI settings need not stay one of version 1.
        unsaid = (1 if there else 2) if self._first else 3
        own = _NAMES_OF.get(version if version is not None and version > 1 else unsaid, CRI_RUNTIME)
        return list(dict.fromkeys([own, *there, *reversed(PLUGINS)]))

    def _versioned(self, text: str, name: str) -> Iterator[str]:
        """A file of containerd 1.x without version may be given one, where newer names are to be used."""
        new = text_with_version(text, 2)
        if self._first and name == CRI and ("version",) not in places_of(text) and new is not None:
            yield new
        yield text

    def _with_runtime(self, text: str, plugin: str, *, at_end: bool) -> str | None:
        places = places_of(text)
        runtimes = ("plugins", plugin, "containerd", "runtimes")
        tables = [NewTable((*runtimes, self._wanted.runtime), self._wanted.table())]
        if self._first and (*runtimes, "runc") not in places and runtimes not in places:
            runc = runc_table(self._wanted, self._before, self._kept)
            tables.insert(0, NewTable((*runtimes, "runc"), runc))
        if not at_end:
            return text_with_tables(text, *tables)
        blocks = ["\n".join(toml_tables(table.path, table.values)) for table in tables]
        return text.rstrip("\n") + "\n\n" + "\n\n".join(blocks) + "\n"

    def _whole_file(self) -> str:
        version, plugin = (2, CRI) if self._first else (3, CRI_RUNTIME)
        runtimes: JSONObject = {}
        if self._first:
            runtimes["runc"] = runc_table(self._wanted, self._before, self._kept)
        runtimes[self._wanted.runtime] = self._wanted.table()
        return toml_document(
            {"version": version, "plugins": {plugin: {"containerd": {"runtimes": runtimes}}}}
        )


def with_cri(trial: Trial, before: Effective) -> Attempt:
    """The start of all attempts: the node's files, with the CRI plugin enabled where a file disables it."""
    attempt = Attempt({})
    if before.cri == "ok":
        return attempt
    for path, text in trial.texts({}).items():
        places = places_of(text)
        if ("disabled_plugins",) in places:
            new = text_without_items(text, ("disabled_plugins",), CRI_NAMES)
            if new is not None and new != text:
                attempt = attempt.then(path, new, "the CRI plugin is disabled; no other file can undo that")
    return attempt


def _file_name(name: str) -> str:
    """A runtime's name for a file's: slashes and such are not in it."""
    return "".join(one if one.isalnum() or one in "-_." else "-" for one in name)
