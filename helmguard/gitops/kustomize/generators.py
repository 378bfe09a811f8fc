"""ConfigMaps and Secrets that a kustomization makes of files and literals."""

from __future__ import annotations

import base64
import posixpath
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from helmguard.gitops.documents import Document, dicts_at, text_at, value_at
from helmguard.gitops.kustomize.patch_error import PatchError
from helmguard.gitops.kustomize.patches import ReadText
from helmguard.gitops.kustomize.resource import Resource, new_resource
from helmguard.model.json_value import JSONObject

_LINE = 70
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
            made = new_resource(
                _generated(kind, entry, body, source, read), takes_hash=_takes_hash(entry, body)
            )
            _add(known, made, text_at(entry, "behavior"))
    yield from known


def _takes_hash(entry: JSONObject, body: JSONObject) -> bool:
    holders = (entry.get("options"), body.get("generatorOptions"))
    return not any(value_at(holder, "disableNameSuffixHash") is True for holder in holders)


def _add(known: list[Resource], new: Resource, behavior: str) -> None:
    if behavior not in ("merge", "replace"):
        known.append(new)
        return
    made = new.document
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
    return replace(resource, document=document.of_files(files))


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
    made: JSONObject = {"apiVersion": "v1", "kind": kind, "metadata": metadata}
    for key, content in texts.items():
        field = "binaryData" if kind == "ConfigMap" and _is_binary(content) else "data"
        text = _base64(content) if kind == "Secret" or field == "binaryData" else content
        made.setdefault(field, {})[key] = text
    if kind == "Secret":
        made["type"] = text_at(entry, "type") or "Opaque"
    return Document(made, source, altered=True, data_files=tuple(files.items()))


def _data(entry: JSONObject, read: ReadText) -> tuple[dict[str, str], dict[str, str]]:
    """Content by key, and the file of each key that is a whole file."""
    texts: dict[str, str] = {}
    files: dict[str, str] = {}
    for word in (*_words(entry, "envs"), *([text_at(entry, "env")] if text_at(entry, "env") else [])):
        for line in read(word)[0].removeprefix("\ufeff").split("\n"):
            if line.strip() and not line.lstrip().startswith("#"):
                key, _, value = line.lstrip().partition("=")
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


def _base64(content: str) -> str:
    """In lines of 70 characters where it is longer than one, as kustomize writes and hashes it."""
    text = base64.b64encode(content.encode(errors="surrogateescape")).decode()
    if len(text) < _LINE:
        return text
    return "".join(f"{text[start : start + _LINE]}\n" for start in range(0, len(text), _LINE))


def _is_binary(content: str) -> bool:
    """Whether a file is no UTF-8; its bytes then are halves of surrogate pairs."""
    return any("\ud800" <= character <= "\udfff" for character in content)
