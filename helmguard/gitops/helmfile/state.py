"""What a helmfile says for one environment, its bases and parts laid over each other."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Any

import msgspec

from helmguard.gitops.argo.origin import Origin
from helmguard.gitops.documents import Document, Documents, text_at
from helmguard.gitops.helmfile.environment import environment_values
from helmguard.gitops.helmfile.merge import merged_values, overlaid
from helmguard.gitops.helmfile.not_read import NotReadError
from helmguard.gitops.helmfile.shape import list_at, map_at
from helmguard.gitops.helmfile.templates import is_template, rendered, template_data
from helmguard.gitops.helmfile.written import block, document, keys_of_block, parts
from helmguard.gitops.tree import joined
from helmguard.gitops.values_files import why_unreadable_values
from helmguard.model.json_value import JSONObject
from helmguard.model.unshown import Unshown

DEFAULT = "default"
_FIRST = ("bases", "environments", "values")
"""What helmfile has to know before it works out the rest of a part."""


class WrittenRelease(Unshown, frozen=True):
    """A release with the place where it stands: ``releases[index]`` of a document."""

    body: JSONObject
    document: Document
    index: int

    @property
    def name(self) -> str:
        """As it is written, for people; its place in the list where it has none."""
        return text_at(self.body, "name") or str(self.index)

    @property
    def origin(self) -> Origin:
        """Lines of what the release says."""
        return Origin(self.document, ("releases", self.index))


class HelmfileState(msgspec.Struct):
    """What is known of a helmfile so far.

    ``body`` is everything but the releases; ``values`` are the environment's, ``unknown_values`` why they
    are not all that helmfile would have. ``reads`` are the files beside the helmfile itself.
    ``is_built``: helmfile has made it, there are no templates left.
    """

    file: str
    environment: str
    text: str
    body: JSONObject
    releases: list[WrittenRelease]
    values: JSONObject
    unknown_values: list[str]
    reads: set[str]
    is_built: bool = False

    def __repr__(self) -> str:
        return f"{type(self).__name__}(...)"

    @property
    def why_incomplete(self) -> str:
        """In brackets, why values may be missing; empty where none are."""
        return f" ({self.unknown_values[0]})" if self.unknown_values else ""

    @property
    def folder(self) -> str:
        """What its paths are relative to."""
        return posixpath.dirname(self.file)

    def data(self, release: dict[str, Any] | None = None) -> dict[str, Any]:
        """What its templates see."""
        data = template_data(self.environment, self.values, release)
        return {**data, "Namespace": str(self.body.get("namespace") or "")}


def load_state(
    documents: Documents, file: str, environment: str = DEFAULT, passed: JSONObject | None = None
) -> HelmfileState:
    """A helmfile for an environment. ``passed`` are the values that a helmfile above it gives.

    Raises:
        NotReadError: it cannot be read without helmfile.
    """
    written = _text(documents, file)
    state = HelmfileState(file, environment, written, {}, [], passed or {}, [], set())
    for text, lines_before in parts(written):
        _take_part(documents, state, text, lines_before, passed or {})
    return state


def environment_names(documents: Documents, file: str, *, follow: bool = True) -> list[str]:
    """The environments that a helmfile and its bases name, in their order."""
    names: list[str] = []
    for text, _ in parts(_text(documents, file)):
        if follow:
            for base in _bases(documents, file, block(text, "bases")):
                names += environment_names(documents, base, follow=False)
        names += keys_of_block(block(text, "environments"))
    return list(dict.fromkeys(names))


def _text(documents: Documents, file: str) -> str:
    data = documents.tree.read(file)
    why = why_unreadable_values(data)
    if why:
        raise NotReadError(f"{file} {why}")
    return data.decode("utf-8", errors="replace").replace("\r\n", "\n")


def _take_part(
    documents: Documents, state: HelmfileState, text: str, lines_before: int, passed: JSONObject
) -> None:
    text_now = text
    if is_template(text):
        try:
            _take_first(documents, state, text, lines_before, passed)
            text_now = _worked_out(state, text)
        except NotReadError as error:
            raise NotReadError(f"{error}{state.why_incomplete}") from None
    part = document(text_now, text, state.file, lines_before)
    _lay(documents, state, part, passed)


def _take_first(
    documents: Documents, state: HelmfileState, text: str, lines_before: int, passed: JSONObject
) -> None:
    """The values of the environment, which the part's own templates may need."""
    first = "\n".join(block(text, name) for name in _FIRST)
    known = list(state.unknown_values)
    trial = HelmfileState(state.file, state.environment, "", dict(state.body), [], state.values, known, set())
    part = document(rendered(first, trial.data()), text, state.file, lines_before)
    _lay(documents, trial, part, passed)
    state.values, state.unknown_values = trial.values, trial.unknown_values


def _worked_out(state: HelmfileState, text: str) -> str:
    """The part's text; as it is where only its releases hold templates, which helmfile 1 works out later."""
    try:
        return rendered(text, state.data())
    except NotReadError:
        if state.file.endswith(".gotmpl"):
            raise
        try:
            plain = document(text, text, state.file, 0).body
        except NotReadError:
            plain = {}
        others = {key: value for key, value in plain.items() if key not in ("releases", "templates")}
        if not plain or is_template(str(others)):
            raise
        return text


def _lay(documents: Documents, state: HelmfileState, part: Document, passed: JSONObject) -> None:
    """A part over those before it: its bases and the part itself are one, and only they add to lists."""
    body: JSONObject = {}
    releases: list[WrittenRelease] = []
    for base in _bases(documents, state.file, part.body.get("bases")):
        state.reads.add(base)
        for text, lines_before in parts(_text(documents, base)):
            taken = document(rendered(text, state.data()), text, base, lines_before)
            body = overlaid(body, _but_releases(taken), append=True)
            releases += _releases(taken)
            _evaluate(documents, state, _over(state.body, body), passed)
    body = overlaid(body, _but_releases(part), append=True)
    state.body = _over(state.body, body)
    state.releases = [*releases, *_releases(part)] or state.releases
    if body.get("environments") or body.get("values"):
        _evaluate(documents, state, state.body, passed)


def _over(below: JSONObject, above: JSONObject) -> JSONObject:
    """Parts replace what is below them, but the values of environments add up."""
    key = "environments"
    environments = overlaid(map_at(below, key), map_at(above, key), append=True)
    return {**overlaid(below, above, append=False), key: environments}


def _but_releases(part: Document) -> JSONObject:
    return {key: value for key, value in part.body.items() if key not in ("releases", "bases")}


def _releases(part: Document) -> list[WrittenRelease]:
    return [
        WrittenRelease(release, part, index)
        for index, release in enumerate(list_at(part.body, "releases"))
        if isinstance(release, dict)
    ]


def _evaluate(documents: Documents, state: HelmfileState, body: JSONObject, passed: JSONObject) -> None:
    values, unknown, reads = environment_values(documents, state.folder, body, state.environment)
    state.values, state.unknown_values = merged_values(values, passed), unknown
    state.reads |= reads


def _bases(documents: Documents, file: str, written: Any) -> Iterator[str]:
    """The files that a helmfile is laid over. ``written`` is the list, or its lines."""
    if isinstance(written, str):
        if is_template(written):
            raise NotReadError("its bases are templates")
        written = document(written, written, file, 0).body.get("bases")
    for base in written if isinstance(written, list) else []:
        path = joined(posixpath.dirname(file), str(base)) if "://" not in str(base) else None
        if path is None:
            raise NotReadError(f"its base {base} is outside of the repository")
        if path not in documents.tree.entries:
            raise NotReadError(f"its base {path} is not in the repository")
        yield path
