"""Kustomize's image transformer: other names, tags and digests for the images of containers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from helmguard.gitops.documents import text_at
from helmguard.model.json_value import JSONObject, JSONValue

_CONTAINERS = ("containers", "initContainers")


def with_images(body: JSONObject, images: Sequence[JSONObject]) -> JSONObject:
    """``body`` with the images of its containers changed, wherever in it they stand; itself where none is.

    Source: kubernetes-sigs/kustomize api/filters/imagetag.
    """
    if body.get("kind") == "CustomResourceDefinition":
        return body
    for image in images:
        changed = _changed(body, image)
        body = changed if isinstance(changed, dict) else body
    return body


def _changed(value: JSONValue, image: JSONObject) -> JSONValue:
    """The value with the image changed; the same object where nothing in it is."""
    if isinstance(value, list):
        items = [_changed(item, image) for item in value]
        return value if all(new is old for new, old in zip(items, value, strict=True)) else items
    if not isinstance(value, dict):
        return value
    fields = {key: _changed(item, image) for key, item in value.items()}
    for key in _CONTAINERS:
        if isinstance(fields.get(key), list):
            fields[key] = _containers(fields[key], image)
    return value if all(fields[key] is value[key] for key in value) else fields


def _containers(containers: list[JSONValue], image: JSONObject) -> list[JSONValue]:
    changed = [_container(container, image) for container in containers]
    same = all(new is old for new, old in zip(changed, containers, strict=True))
    return containers if same else changed


def _container(container: JSONValue, image: JSONObject) -> JSONValue:
    current = container.get("image") if isinstance(container, dict) else None
    new = new_image(current, image) if isinstance(current, str) else None
    return container if new is None or new == current else {**container, "image": new}


def new_image(current: str, image: JSONObject) -> str | None:
    """The image after one entry of ``images``, None where the entry is for another."""
    wanted = re.escape(text_at(image, "name"))
    if not re.fullmatch(rf"{wanted}(:[a-zA-Z0-9_.{{}}-]*)?(@sha256:[a-zA-Z0-9_.{{}}-]*)?", current):
        return None
    name, tag, digest = _split(current)
    new_tag, new_digest = text_at(image, "newTag"), text_at(image, "digest")
    name = text_at(image, "newName") or name
    if new_tag or new_digest:
        tag, digest = new_tag, new_digest
    suffix = text_at(image, "tagSuffix")
    tag = tag + suffix if suffix and not digest else tag
    return name + (f":{tag}" if tag else "") + (f"@{digest}" if digest else "")


def _split(image: str) -> tuple[str, str, str]:
    rest, _, digest = image.partition("@")
    slash = rest.rfind("/")
    colon = rest.find(":", slash + 1)
    return (rest, "", digest) if colon < 0 else (rest[:colon], rest[colon + 1 :], digest)
