"""ConfigMaps and Secrets that a kustomization makes of files and literals.

The hash that kustomize adds to their names is left out: it rewrites the names of those who refer to them.
"""

from __future__ import annotations

import base64
import posixpath
from collections.abc import Iterator, Sequence

from helmguard.gitops.documents import Document, dicts_at, text_at
from helmguard.gitops.kustomize.patch_error import PatchError
from helmguard.gitops.kustomize.patches import ReadText
from helmguard.gitops.kustomize.resource import Resource, new_resource
from helmguard.model.json_value import JSONObject

_KINDS = {"configMapGenerator": "ConfigMap", "secretGenerator": "Secret"}


def generate(
    resources: Sequence[Resource], body: JSONObject, source: str, read: ReadText
) -> Iterator[Resource]:
    """``resources``, and those that the kustomization of the file ``source`` generates.

    Raises:
        PatchError: a file is missing, or there is nothing to merge with.
    """
    known = list(resources)
    for field, kind in _KINDS.items():
        for entry in dicts_at(body, field):
            _add(known, _generated(kind, entry, body, source, read), text_at(entry, "behavior"))
    yield from known


def _add(known: list[Resource], made: Document, behavior: str) -> None:
    if behavior not in ("merge", "replace"):
        known.append(new_resource(made))
        return
    for index, resource in enumerate(known):
        same_namespace = not made.namespace or made.namespace in resource.namespaces
        if resource.document.kind == made.kind and made.name in resource.names and same_namespace:
            known[index] = _joined(resource, made, merges=behavior == "merge")
            return
    raise PatchError(f"{made.kind} {made.name} is to {behavior} one that is not there")


def _joined(resource: Resource, made: Document, *, merges: bool) -> Resource:
    before = resource.document
    body = dict(made.body)
    body["metadata"] = {**before.metadata, **made.metadata, "name": before.name}
    files = made.data_files
    if merges:
        for field in ("data", "stringData", "binaryData"):
            if field in before.body or field in made.body:
                body[field] = {**(before.body.get(field) or {}), **(made.body.get(field) or {})}
        files = (*(entry for entry in before.data_files if entry[0] not in dict(files)), *files)
    document = before.altered_to(body)
    return Resource(document.of_files(files), resource.first_name, resource.first_namespace)


def _generated(kind: str, entry: JSONObject, body: JSONObject, source: str, read: ReadText) -> Document:
    texts, files = _data(entry, read)
    metadata: JSONObject = {"name": text_at(entry, "name")}
    if text_at(entry, "namespace"):
        metadata["namespace"] = text_at(entry, "namespace")
    for field in ("labels", "annotations"):
        common = body.get("generatorOptions")
        options = entry.get("options")
        found = {
            key: value
            for holder in (common, options)
            if isinstance(holder, dict) and isinstance(holder.get(field), dict)
            for key, value in holder[field].items()
        }
        if found:
            metadata[field] = found
    data: dict[str, str] = {}
    for key, content in texts.items():
        data[key] = base64.b64encode(content.encode()).decode() if kind == "Secret" else content
    made: JSONObject = {"apiVersion": "v1", "kind": kind, "metadata": metadata, "data": data}
    return Document(made, source, altered=True, data_files=tuple(files.items()))


def _data(entry: JSONObject, read: ReadText) -> tuple[dict[str, str], dict[str, str]]:
    """Content by key, and the file of each key that is a whole file."""
    texts: dict[str, str] = {}
    files: dict[str, str] = {}
    for word in (*_words(entry, "envs"), *([text_at(entry, "env")] if text_at(entry, "env") else [])):
        for line in read(word)[0].splitlines():
            if line.strip() and not line.lstrip().startswith("#"):
                key, _, value = line.strip().partition("=")
                texts[key] = value
    for word in _words(entry, "files"):
        key, separator, path = word.partition("=")
        path = path if separator else key
        key = key if separator else posixpath.basename(path)
        texts[key], files[key] = read(path)
    for word in _words(entry, "literals"):
        key, _, value = word.partition("=")
        texts[key] = _unquoted(value)
        files.pop(key, None)
    return texts, files


def _words(entry: JSONObject, field: str) -> list[str]:
    found = entry.get(field)
    return [str(item) for item in found] if isinstance(found, list) else []


def _unquoted(value: str) -> str:
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    return value[1:-1] if quoted else value
