"""The releases that the helmfiles of a tree declare."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Any

from helmguard.gitops.argo.globs import is_glob, value_files
from helmguard.gitops.documents import Documents, text_at
from helmguard.gitops.helmfile.merge import merged_values
from helmguard.gitops.helmfile.not_read import NotReadError
from helmguard.gitops.helmfile.release import declared_release, release_identity, switched
from helmguard.gitops.helmfile.release_text import ReleaseText
from helmguard.gitops.helmfile.selectors import selects
from helmguard.gitops.helmfile.shape import list_at
from helmguard.gitops.helmfile.state import (
    DEFAULT,
    HelmfileState,
    WrittenRelease,
    environment_names,
    load_state,
)
from helmguard.gitops.tree import joined
from helmguard.model.declared_release import DeclaredRelease, FoundReleases
from helmguard.model.json_value import JSONObject
from helmguard.model.plan import Unknown

_SUFFIXES = (".yaml", ".yml", ".yaml.gotmpl", ".yml.gotmpl")
_TOP = re.compile(rb"^(?:releases|helmfiles):", re.MULTILINE)
_OTHER = re.compile(rb"^(?:kind|apiVersion):", re.MULTILINE)
_RELEASE = re.compile(rb"[\s{,\"']name[\"']?:")
_CHART = re.compile(rb"[\s{,\"'](?:chart|directory|inherit|<<)[\"']?:")
_PATHS = re.compile(rb"^helmfiles:[ \t]*(?:#.*)?\n(?:[ \t#].*\n|[ \t]*\n|-.*\n)*?[ \t]*-", re.MULTILINE)
_RUN = "see --run-helmfile"
_OWN = ".helmguard.yaml"
"""It has a list of releases, too."""
_DEPTH = 10


def read_helmfile(documents: Documents) -> FoundReleases:
    """Each release once for every environment that its helmfile names.

    Files are found by what is in them, since nothing but a habit says what they are called. Those that
    another one takes in (``helmfiles``, ``bases``) are read as parts of it.
    """
    reader = _Reader(documents)
    files = list(helmfiles(documents))
    for file in (*_outermost(reader, files), *files):
        if file not in reader.seen:
            reader.read(file)
    unknown = tuple(dict.fromkeys(reader.unknown))
    return FoundReleases(tuple(reader.releases.values()), unknown, frozenset(reader.uninstalled))


def helmfile_roots(documents: Documents) -> list[tuple[str, list[str]]]:
    """The helmfiles that no other one takes in, each with its environments: what somebody would run."""
    files = _outermost(_Reader(documents), list(helmfiles(documents)))
    return [(file, _environments(documents, file)) for file in files]


def _outermost(reader: _Reader, files: list[str]) -> list[str]:
    inner = {path for file in files for path in reader.taken_in(file)}
    return [file for file in files if file not in inner]


def _environments(documents: Documents, file: str) -> list[str]:
    try:
        return environment_names(documents, file) or [DEFAULT]
    except NotReadError:
        return [DEFAULT]


def helmfiles(documents: Documents) -> Iterator[str]:
    """The files of the tree that seem to be helmfiles."""
    charts = {
        posixpath.join(posixpath.dirname(path), "templates")
        for path in documents.own_paths()
        if posixpath.basename(path) == "Chart.yaml"
    }
    for path in documents.own_paths():
        if not path.endswith(_SUFFIXES) or posixpath.basename(path) == _OWN or _is_below(path, charts):
            continue
        data = documents.tree.read(path)
        is_named = posixpath.basename(path).startswith("helmfile.")
        if _TOP.search(data) and not _OTHER.search(data) and (is_named or _seems_to_be(data)):
            yield path


def _seems_to_be(data: bytes) -> bool:
    return bool(_RELEASE.search(data) and _CHART.search(data)) or _PATHS.search(data) is not None


def _is_below(path: str, folders: set[str]) -> bool:
    steps = path.split("/")
    return any("/".join(steps[:length]) in folders for length in range(1, len(steps)))


class _Reader:
    def __init__(self, documents: Documents) -> None:
        self.documents = documents
        self.releases: dict[str, DeclaredRelease] = {}
        self.unknown: list[Unknown] = []
        self.uninstalled: set[str] = set()
        self.seen: set[str] = set()
        self._visits: set[tuple[str, str, str, tuple[str, ...]]] = set()
        self._known: dict[tuple[str, str], HelmfileState | NotReadError] = {}

    def _state(self, file: str, name: str, passed: JSONObject) -> HelmfileState:
        """The helmfile for an environment; looked at twice, read once."""
        if passed:
            return load_state(self.documents, file, name, passed)
        if (file, name) not in self._known:
            try:
                self._known[file, name] = load_state(self.documents, file, name)
            except NotReadError as error:
                self._known[file, name] = error
        known = self._known[file, name]
        if isinstance(known, NotReadError):
            raise known
        return known

    def taken_in(self, file: str) -> Iterator[str]:
        """The files that a helmfile names as parts of it, in any environment."""
        for name in _environments(self.documents, file):
            try:
                state = self._state(file, name, {})
            except NotReadError:
                continue
            yield from state.reads
            for _, paths in _inner(self.documents, state):
                yield from paths

    def read(self, file: str) -> None:
        """A helmfile that nothing takes in, in all of its environments."""
        self.seen.add(file)
        try:
            names = environment_names(self.documents, file) or [DEFAULT]
        except NotReadError as error:
            self._not_read(f"{file} helmfile", error)
            return
        for name in names:
            self._environment(file, name, {}, (), 0)

    def _environment(
        self, file: str, name: str, passed: JSONObject, selectors: tuple[str, ...], depth: int
    ) -> None:
        self.seen.add(file)
        visit = (file, name, str(passed), selectors)
        if visit in self._visits:
            return
        self._visits.add(visit)
        what = f"{file} helmfile" if name == DEFAULT else f"{file} helmfile ({name})"
        try:
            state = self._state(file, name, passed)
        except NotReadError as error:
            self._not_read(what, error)
            return
        self.seen |= state.reads
        for written in state.releases:
            self._release(state, written, selectors)
        if depth < _DEPTH:
            self._inner(state, passed, selectors, depth + 1)

    def _release(self, state: HelmfileState, written: WrittenRelease, selectors: tuple[str, ...]) -> None:
        what = f"{written.document.file} helmfile release {written.name}"
        if state.environment != DEFAULT:
            what += f" ({state.environment})"
        try:
            release = ReleaseText(written, state)
            switch = switched(release)
            if not selects(selectors, release) or not switch.on:
                return
        except NotReadError as error:
            self._not_read(what, error)
            return
        identity = release_identity(release)
        if not switch.installed:
            self.uninstalled.add(identity)
            return
        self.releases[identity] = declared_release(self.documents, release, identity)

    def _inner(
        self, state: HelmfileState, passed: JSONObject, selectors: tuple[str, ...], depth: int
    ) -> None:
        for entry, paths in _inner(self.documents, state):
            if not paths:
                why = f"it takes in {text_at(entry, 'path')}, which is not in the repository"
                self.unknown.append(Unknown(f"{state.file} helmfile", why))
            given = merged_values(passed, _maps(list_at(entry, "values")))
            if any(isinstance(value, str) for value in list_at(entry, "values")):
                self.unknown.append(
                    Unknown(
                        f"{state.file} helmfile", f"the values files that it gives to {paths} are not read"
                    )
                )
            own = tuple(str(selector) for selector in list_at(entry, "selectors"))
            chosen = own or (selectors if entry.get("selectorsInherited") is True else ())
            for path in paths:
                if self._has_environment(path, state.environment, bool(given)):
                    self._environment(path, state.environment, given, chosen, depth)

    def _has_environment(self, file: str, name: str, given: bool) -> bool:
        """helmfile passes over one that lacks the environment (pkg/app/app.go, ``UndefinedEnvError``)."""
        try:
            names = environment_names(self.documents, file)
        except NotReadError:
            return True
        self.seen.add(file)
        return name == DEFAULT or name in names or (not names and given)

    def _not_read(self, what: str, error: NotReadError) -> None:
        self.unknown.append(Unknown(what, f"{error}; {_RUN}"))


def _inner(documents: Documents, state: HelmfileState) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """The entries of ``helmfiles``, each with the files of the tree that it means."""
    for written in list_at(state.body, "helmfiles"):
        entry = written if isinstance(written, dict) else {"path": str(written)}
        path = text_at(entry, "path")
        at = None if "://" in path or "::" in path else joined(state.folder, path)
        if at is None:
            yield entry, []
        elif is_glob(at):
            yield entry, value_files(at, documents.paths)
        elif at in documents.tree.entries:
            yield entry, [at]
        else:
            yield entry, [file for file in documents.paths.inside(at) if file.endswith(_SUFFIXES)]


def _maps(entries: list[Any]) -> JSONObject:
    values: JSONObject = {}
    for entry in entries:
        if isinstance(entry, dict):
            values = merged_values(values, entry)
    return values
