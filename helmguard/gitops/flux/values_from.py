"""The values of a HelmRelease: ``valuesFrom`` in its order, then ``values``."""

from __future__ import annotations

from typing import Any

from helmguard.gitops.documents import Document, Documents, dicts_at, text_at, value_at
from helmguard.gitops.flux.objects import Objects
from helmguard.gitops.flux.secret_data import data_of
from helmguard.manifest import yaml
from helmguard.model.declared_release import ValuesLayer
from helmguard.model.json_value import JSONObject
from helmguard.model.unshown import Unshown

_VERBATIM = str.maketrans({mark: f"\\{mark}" for mark in "\\,[]{}"})


class ReleaseValues(Unshown, frozen=True):
    """The layers in Flux's order, and the files beside them that they rest on."""

    layers: tuple[ValuesLayer, ...] = ()
    reads: frozenset[str] = frozenset()


def values_of(release: Document, objects: Objects, documents: Documents) -> ReleaseValues:
    """The layers of a HelmRelease.

    An entry with ``targetPath`` sets one value, as ``--set`` does. Flux merges ``values`` over all entries at
    the end, but sets in place: where an entry's path leads through maps that only ``values`` has, the
    entry stays on top (fluxcd/pkg chartutil/values.go, `ChartValuesFromReferences`).
    """
    layers: list[ValuesLayer] = []
    on_top: list[ValuesLayer] = []
    reads: set[str] = set()
    given = release.spec.get("values")
    values = given if isinstance(given, dict) else {}
    order = _Order(values)
    for reference in dicts_at(release.spec, "valuesFrom"):
        layer = _referenced(release, reference, objects, documents, reads)
        if layer is None:
            continue
        target = text_at(reference, "targetPath")
        if layer.kind.startswith("set") and order.set_stays_on_top(target):
            on_top.append(layer)
        else:
            layers.append(layer)
            order.merge(layer)
    if values:
        layers.append(_inline(release, documents))
    return ReleaseValues(tuple(layers + on_top), frozenset(reads))


def _inline(release: Document, documents: Documents) -> ValuesLayer:
    """``spec.values``; from the file's own text where nothing has changed them."""
    path = ("spec", "values")
    if not _is_as_written(release, documents, *path):
        return ValuesLayer(
            "data",
            release.file,
            text=b"" if release.rendered_by else release.text,
            lines_before=release.lines_before,
            inside=path,
            data=release.spec["values"],
            line=release.place(*path).line,
        )
    return ValuesLayer(
        "yaml", release.file, text=release.text, lines_before=release.lines_before, inside=path
    )


def _is_as_written(document: Document, documents: Documents, *path: str) -> bool:
    """Whether what is at the path is what the document's file says there."""
    if not document.altered:
        return True
    written = (it for it in documents.of_file(document.file) if it.lines_before == document.lines_before)
    return any(value_at(it.body, *path) == value_at(document.body, *path) for it in written if it.text)


def _referenced(
    release: Document, reference: JSONObject, objects: Objects, documents: Documents, reads: set[str]
) -> ValuesLayer | None:
    """The layer of one entry of ``valuesFrom``; None where it is optional and surely not there."""
    kind, name = text_at(reference, "kind"), text_at(reference, "name")
    key = text_at(reference, "valuesKey") or "values.yaml"
    label = f"{kind} {release.namespace or 'default'}/{name}"
    found = objects.find(kind, release.namespace, name)
    if found is None:
        return ValuesLayer("unknown", release.file, why=f"{label} is not in the repository")
    reads |= {found.file} | {file for taken, file in found.data_files if taken == key}
    data, why = data_of(found)
    if not why and key not in data:
        if reference.get("optional") is True:
            return None
        why = f"has no key {key}"
    if why:
        return ValuesLayer("unknown", found.file, why=f"{label} {why}")
    target = text_at(reference, "targetPath")
    if target:
        kind_of_set, word = _set_word(target, data[key], verbatim=reference.get("literal") is True)
        return ValuesLayer(kind_of_set, found.file, word=word, line=found.place("data", key).line)
    return _whole(found, key, data[key], documents)


def _whole(found: Document, key: str, text: str, documents: Documents) -> ValuesLayer:
    """A key's text as values: of the file it was taken from, or of the object's own file."""
    file = dict(found.data_files).get(key, "")
    if file and documents.tree.read(file).decode("utf-8", errors="replace") == text:
        return ValuesLayer("yaml", file, text=text.encode())
    field = "stringData" if isinstance(found.body.get("stringData"), dict) else "data"
    line = found.place(field, key).line if found.text else 0
    if _is_as_written(found, documents, field, key):
        return ValuesLayer("yaml", found.file, text=text.encode(), lines_before=line)
    try:
        data = yaml.load(text)
    except yaml.YAMLError as error:
        return ValuesLayer("unknown", found.file, why=f"{key} is not YAML: {error.message}")
    return ValuesLayer("data", found.file, data=data if isinstance(data, dict) else {}, line=line)


def _set_word(target: str, text: str, *, verbatim: bool) -> tuple[Any, str]:
    """The word for ``--set``; a quoted text is a string, as is one that is taken verbatim."""
    if verbatim:
        return "set-string", f"{target}={text.translate(_VERBATIM)}"
    for mark in "'\"":
        if text.startswith(mark) and text.endswith(mark):
            trimmed = text.strip("'\"")
            return "set-string", f"{target}={trimmed}"
    return "set", f"{target}={text}"


class _Order:
    """Follows Flux's merging as far as it decides whether an entry's path is set in ``values`` itself.

    Flux lays ``values`` over what it has before each set, and Go shares the maps that only ``values`` has:
    setting a path inside one of those changes ``values`` too, and so outlives the last merge.
    """

    def __init__(self, values: JSONObject) -> None:
        self._values = values
        self._result: JSONObject = {}

    def merge(self, layer: ValuesLayer) -> None:
        """Lay a layer of whole values over the result."""
        if layer.kind == "data":
            self._result = _merged(self._result, layer.data or {})
        elif layer.kind == "yaml":
            try:
                loaded = yaml.load(layer.text)
            except yaml.YAMLError:
                return
            self._result = _merged(self._result, loaded if isinstance(loaded, dict) else {})

    def set_stays_on_top(self, target: str) -> bool:
        """Whether setting this path changes ``values`` itself."""
        self._result = _merged(self._result, self._values)
        shared = {id(item) for item in _maps(self._values)}
        holder: Any = self._result
        steps = target.replace("[", ".[").split(".")
        for step in steps[:-1]:
            inner = holder.get(step) if isinstance(holder, dict) else None
            if not isinstance(inner, dict):
                break
            holder = inner
        return id(holder) in shared


def _merged(below: JSONObject, above: JSONObject) -> JSONObject:
    """As Go merges: maps that only one of them has are shared, not copied."""
    merged = dict(below)
    for key, value in above.items():
        before = merged.get(key)
        merged[key] = (
            _merged(before, value) if isinstance(value, dict) and isinstance(before, dict) else value
        )
    return merged


def _maps(value: Any) -> list[JSONObject]:
    found: list[JSONObject] = []
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, dict):
            found.append(item)
            pending += item.values()
    return found
