"""The Kubernetes documents of a tree that declare releases or what they rest on."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from helmguard.gitops.tree import Paths, Tree
from helmguard.manifest import yaml
from helmguard.manifest.pointers import why_not_content
from helmguard.model.declared_release import FileLine
from helmguard.model.json_value import JSONObject
from helmguard.model.plan import Unknown
from helmguard.model.unshown import Unshown

_SUFFIXES = (".yaml", ".yml", ".json")
_SEPARATOR = re.compile(rb"^---(?:[ \t].*)?\r?$", re.MULTILINE)
_GO_PLACE = re.compile(r"^yaml: (?:line \d+: )?")
_KIND = re.compile(rb"^[ \t]*\"?kind\"?:[ \t]*[\"']?([A-Za-z]+)", re.MULTILINE)
_TEMPLATE = re.compile(rb"\{\{")


DECLARING_KINDS = frozenset(["HelmRelease", "Application", "ApplicationSet", "Kustomization"])
"""Kinds that declare releases, or bring what does."""


class Document(Unshown, frozen=True):
    """One YAML document: ``text`` begins after ``lines_before`` lines of ``file``.

    ``altered``: ``body`` is no longer what ``text`` says (patched, substituted). ``rendered_by`` names the
    release whose templates made it, empty for a file of the tree; ``file`` is then the template.
    ``context`` is what stands above it, for identities: the Flux Kustomization or parent release.
    ``data_files``: the files that a kustomization took whole into its ``data``, by key.
    """

    body: JSONObject
    file: str
    text: bytes = b""
    lines_before: int = 0
    altered: bool = False
    rendered_by: str = ""
    context: tuple[str, ...] = ()
    data_files: tuple[tuple[str, str], ...] = ()

    @property
    def kind(self) -> str:
        """The object's kind, empty where it has none."""
        return str(self.body.get("kind") or "")

    @property
    def api_version(self) -> str:
        """The object's apiVersion."""
        return str(self.body.get("apiVersion") or "")

    @property
    def group(self) -> str:
        """The API group, empty for the core group."""
        return self.api_version.rpartition("/")[0]

    @property
    def metadata(self) -> JSONObject:
        """The object's metadata, empty where it has none."""
        metadata = self.body.get("metadata")
        return metadata if isinstance(metadata, dict) else {}

    @property
    def name(self) -> str:
        """``metadata.name``, empty where it has none."""
        return str(self.metadata.get("name") or "")

    @property
    def namespace(self) -> str:
        """``metadata.namespace``, empty where it has none."""
        return str(self.metadata.get("namespace") or "")

    @property
    def spec(self) -> JSONObject:
        """The object's spec, empty where it has none."""
        spec = self.body.get("spec")
        return spec if isinstance(spec, dict) else {}

    def place(self, *path: str | int) -> FileLine:
        """Where a field stands; the document's first line where that is not known."""
        line = 0
        if self.text and not self.rendered_by:
            positions = yaml.load_with_positions(self.text)[1]
            known = (
                positions[path[:length]] for length in range(len(path), -1, -1) if path[:length] in positions
            )
            line = next(known, (1, 1))[0] + self.lines_before
        return FileLine(self.file, line)

    def altered_to(self, body: JSONObject) -> Document:
        """The document with another body."""
        return replace(self, body=body, altered=True)

    def of_files(self, data_files: tuple[tuple[str, str], ...]) -> Document:
        """The document with other `data_files`."""
        return replace(self, data_files=data_files)


class DocumentCache:
    """Documents by content: the two sides share most files. ``documents`` None: not readable, ``why``."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], tuple[list[Document], str]] = {}

    def read(self, tree: Tree, path: str) -> tuple[list[Document], str]:
        """The documents of a file, and why reading stopped, empty where it did not."""
        key = (tree.entries[path], path)
        if key not in self._known:
            found: list[Document] = []
            data = tree.read(path)
            why = why_not_content(data).removeprefix("is ")
            try:
                found.extend(() if why else read_documents(data, path))
            except yaml.YAMLError as error:
                where = f"line {error.line}: " if error.line else ""
                why = f"not YAML: {where}{_GO_PLACE.sub('', error.message)}"
            self._known[key] = found, why
        return self._known[key]


def read_documents(data: bytes, file: str) -> Iterator[Document]:
    """The documents of a file that are maps.

    Raises:
        YAMLError: one of them cannot be read; ``line`` counts from the file's first.
    """
    for text, lines_before in _split(data):
        if not text.strip():
            continue
        try:
            body = yaml.load(text)
        except yaml.YAMLError as error:
            if error.line:
                error.line += lines_before
            raise
        if isinstance(body, dict):
            yield Document(body, file, text, lines_before)


def _split(data: bytes) -> Iterator[tuple[bytes, int]]:
    start, lines = 0, 0
    for match in _SEPARATOR.finditer(data):
        yield data[start : match.start()], lines
        lines = data.count(b"\n", 0, match.end()) + 1
        start = min(match.end() + 1, len(data))
    yield data[start:], lines


class Documents:
    """The documents of one side, by kind. ``rendered`` are those that charts of the tree make."""

    def __init__(self, tree: Tree, cache: DocumentCache | None = None) -> None:
        self.tree = tree
        self.paths = Paths(tree)
        self.cache = cache or DocumentCache()
        self.rendered: tuple[Document, ...] = ()
        self._files: Mapping[str, frozenset[str]] | None = None
        self._templates: frozenset[str] | None = None

    def made_by(self, rendered: Sequence[Document]) -> Documents:
        """The same tree, with these documents in the place of those that declare releases.

        What they refer to (sources, ConfigMaps) is found in the tree and among them.
        """
        made = Documents.__new__(Documents)
        made.tree, made.paths, made.cache = self.tree, self.paths, self.cache
        made.rendered = tuple(rendered)
        made._files, made._templates = self._kinds(), self._templates
        return made

    def own_paths(self) -> Iterator[str]:
        """Every path but those through links: to look for what is declared, which would be found twice."""
        linked = self.tree.linked
        return (path for path in self.tree.entries if path not in linked)

    def of_file(self, path: str) -> list[Document]:
        """The documents of one file, none where it cannot be read (see `why_unreadable`)."""
        return self.cache.read(self.tree, path)[0] if path in self.tree.entries else []

    def why_unreadable(self, path: str) -> str:
        """Why a file of the tree could not be read to its end, empty where it could."""
        return self.cache.read(self.tree, path)[1] if path in self.tree.entries else ""

    def is_template(self, path: str) -> bool:
        """Whether it is among the templates of a chart of the tree, so that it is no YAML by itself."""
        if self._templates is None:
            self._templates = _template_folders(self.tree.entries)
        return _is_template(path, self._templates)

    def of_kinds(self, *kinds: str) -> Iterator[Document]:
        """Every document of these kinds: of the tree's files, chart templates left out, then the rendered."""
        for path in self.files_of(*kinds):
            declared = self.of_file(path)
            if self.rendered:
                declared = [document for document in declared if document.kind not in DECLARING_KINDS]
            yield from (document for document in declared if document.kind in kinds)
        yield from (document for document in self.rendered if document.kind in kinds)

    def files_of(self, *kinds: str) -> Iterator[str]:
        """The files that seem to hold documents of these kinds."""
        return (path for path, found in self._kinds().items() if found.intersection(kinds))

    def unreadable(self, *kinds: str) -> Iterator[Unknown]:
        """The files that seem to hold such documents and cannot be read."""
        for path in self.files_of(*kinds):
            why = self.why_unreadable(path)
            if why:
                yield Unknown(path, why)

    def _kinds(self) -> Mapping[str, frozenset[str]]:
        if self._files is None:
            self._files = {
                path: _kinds_of_file(self.tree.read(path))
                for path in self.own_paths()
                if path.endswith(_SUFFIXES) and not self.is_template(path)
            }
        return self._files


def _kinds_of_file(data: bytes) -> frozenset[str]:
    """A file whose content is elsewhere may declare anything."""
    return DECLARING_KINDS if why_not_content(data) else kinds_in(data)


def kinds_in(data: bytes) -> frozenset[str]:
    """The kinds that a text seems to hold; a look, no reading."""
    return frozenset(kind.decode() for kind in _KIND.findall(data))


def is_templated(data: bytes) -> bool:
    """Whether a text has Go template actions, so that it is no YAML yet."""
    return _TEMPLATE.search(data) is not None


def _template_folders(paths: Iterable[str]) -> frozenset[str]:
    """The ``templates`` and ``charts`` folders of the tree's charts."""
    charts = [posixpath.dirname(path) for path in paths if posixpath.basename(path) == "Chart.yaml"]
    return frozenset(posixpath.join(chart, "templates") for chart in charts)


def _is_template(path: str, folders: frozenset[str]) -> bool:
    parts = path.split("/")
    return any("/".join(parts[:length]) in folders for length in range(1, len(parts)))


def text_at(body: Any, *path: str | int) -> str:
    """The text (or number as text) at a path, empty where there is none."""
    found = value_at(body, *path)
    return str(found) if isinstance(found, str | int | float) and not isinstance(found, bool) else ""


def value_at(body: Any, *path: str | int) -> Any:
    """What is at a path, None where there is nothing."""
    for step in path:
        if isinstance(body, dict):
            body = body.get(step)
        elif isinstance(body, list) and isinstance(step, int) and step < len(body):
            body = body[step]
        else:
            return None
    return body


def dicts_at(body: Any, *path: str | int) -> list[JSONObject]:
    """The maps of a list at a path."""
    found = value_at(body, *path)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []
