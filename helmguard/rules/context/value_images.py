"""Values that name container images, by their keys and neighbours."""

from __future__ import annotations

import re

from helmguard.model.field_path import FieldPath
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.values.value_tree import find

_BESIDE_VERSION = frozenset(["repository", "image", "registry", "imageName"])
_REFERENCE = re.compile(r"(?P<name>[^\s@]+?)(?::(?P<tag>[\w][\w.-]{0,127}))?(?P<digest>@sha256:[0-9a-f]+)?")
_NAMES = ("repository", "registry", "imagename", "imageregistry")


def image_part(path: FieldPath, value: JSONValue, values: JSONObject) -> str:
    """``tag``, ``digest``, ``name`` (registry, repository) or ``reference`` (all in one); else empty.

    ``values`` are the effective ones: a ``version`` is an image's only beside a ``repository`` or the like.
    """
    if not path or not isinstance(path[-1], str) or not isinstance(value, str):
        return ""
    key = path[-1].lower()
    if key.endswith("tag") and not key.endswith("stag"):
        return "tag"
    if key.endswith("digest") or key in ("sha", "imagesha"):
        return "digest"
    if key in _NAMES:
        return "name"
    if key.endswith("image"):
        return "reference" if re.search(r"[:/]", value) else "name"
    if key == "version":
        beside = find(values, path[:-1])  # type: ignore[arg-type]
        return "tag" if isinstance(beside, dict) and not _BESIDE_VERSION.isdisjoint(beside) else ""
    return ""


def version_in(path: FieldPath, value: JSONValue, values: JSONObject) -> str:
    """The tag that the value names, empty for none."""
    part = image_part(path, value, values)
    if part == "tag":
        return str(value)
    if part == "reference":
        return split_image(str(value))[1]
    return ""


def split_image(reference: str) -> tuple[str, str, str]:
    """Name with registry, tag and digest of an image reference; what is not there is empty."""
    match = _REFERENCE.fullmatch(reference.strip())
    if match is None:
        return reference, "", ""
    return match["name"], match["tag"] or "", (match["digest"] or "").removeprefix("@")


def full_name(name: str) -> str:
    """The name with its registry, as runtimes read it: ``docker.io/library/nginx`` for ``nginx``."""
    host, slash, rest = name.partition("/")
    is_host = bool(slash) and ("." in host or ":" in host or host == "localhost")
    if host == "docker.io" and "/" not in rest:
        return f"docker.io/library/{rest}"
    if is_host:
        return name
    return f"docker.io/{name}" if slash else f"docker.io/library/{name}"


def same_version(tag: str, version: str) -> bool:
    """Whether a tag names a version, with or without its ``v``."""
    return bool(tag) and tag.removeprefix("v") == version.removeprefix("v")
