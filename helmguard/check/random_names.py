"""Objects whose names a chart makes anew at each rendering: nothing can be compared with them. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from helmguard.helm.rendered import Rendered
from helmguard.manifest import yaml
from helmguard.manifest.rendered import source_documents
from helmguard.model.json_value import JSONObject, JSONValue


class StableParts(msgspec.Struct, frozen=True):
    """A rendering without such objects; ``random`` are their kinds and templates (``Pod in a/b.yaml``)."""

    rendered: Rendered
    random: tuple[str, ...] = ()


def without_random_names(first: Rendered, second: Rendered | None) -> StableParts:
    """``second`` is a rendering of the same input, None where the templates use no random function."""
    if second is None or (first.manifest == second.manifest and first.hooks == second.hooks):
        return StableParts(first)
    known = Counter(_names([*source_documents(second.manifest), *_texts(second.hooks)]))
    random: list[str] = []
    kept: list[str] = []
    for text in source_documents(first.manifest):
        name = object_name(text)
        if not known[name]:
            random.append(_described(text, name))
            continue
        kept.append(text)
    hooks: list[JSONObject] = []
    for hook in first.hooks:
        text = str(hook.get("manifest") or "")
        if not known[object_name(text)]:
            random.append(_described(text, object_name(text), str(hook.get("path") or "")))
            continue
        hooks.append(hook)
    if not random:
        return StableParts(first)
    return StableParts(replace(first, manifest="".join(kept), hooks=tuple(hooks)), tuple(random))


Name = tuple[str, str, str]


def _names(texts: Iterable[str]) -> Iterable[Name]:
    return (object_name(text) for text in texts)


def _texts(hooks: Iterable[JSONObject]) -> Iterable[str]:
    return (str(hook.get("manifest") or "") for hook in hooks)


def object_name(text: str) -> Name:
    """Kind, namespace and name; empty where the text is no object."""
    try:
        body: JSONValue = yaml.load(text)
    except yaml.YAMLError:
        return ("", "", "")
    if not isinstance(body, dict):
        return ("", "", "")
    metadata = body.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    return (str(body.get("kind")), str(metadata.get("namespace") or ""), str(metadata.get("name") or ""))


def _described(text: str, name: Name, path: str = "") -> str:
    source = path or text.partition("# Source: ")[2].partition("\n")[0]
    return f"{name[0]} in {source}"
