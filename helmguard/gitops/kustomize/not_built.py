"""What a kustomization asks for that `build` does not do, where Helm's input may rest on it."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.gitops.documents import Documents, dicts_at, text_at
from helmguard.gitops.tree import joined
from helmguard.manifest import yaml
from helmguard.model.json_value import JSONObject
from helmguard.model.plan import Unknown

_HARMLESS = frozenset(
    {
        "AnnotationsTransformer",
        "HelmChartInflationGenerator",
        "ImageTagTransformer",
        "LabelTransformer",
        "ReplicaCountTransformer",
    }
)
_CONCERNING = frozenset({"", "HelmRelease", "ConfigMap", "Secret", "Kustomization", "Application"})


def not_built(documents: Documents, body: JSONObject, folder: str, name: str) -> Iterator[Unknown]:
    """What `build` leaves undone; transformers that no Helm input rests on are no loss."""
    for field in ("transformers", "generators"):
        items = body.get(field)
        listed = items if isinstance(items, list) else []
        kinds = {kind for item in listed for kind in _kinds(documents, folder, item)}
        for kind in sorted(kinds - _HARMLESS):
            yield Unknown(name, f"what its {field[:-1]} {kind} does is not worked out")
    targets = [target for entry in dicts_at(body, "replacements") for target in dicts_at(entry, "targets")]
    if any(_concerns(text_at(target, "select", "kind")) for target in targets):
        yield Unknown(name, "what its replacements do is not worked out")
    if any("path" in entry for entry in dicts_at(body, "replacements")):
        yield Unknown(name, "what the replacements in its files do is not worked out")


def _concerns(kind: str) -> bool:
    return kind in _CONCERNING or kind.endswith("Repository")


def _kinds(documents: Documents, folder: str, item: object) -> Iterator[str]:
    if isinstance(item, str) and ("\n" in item or item.lstrip().startswith("{")):
        try:
            body = yaml.load(item)
        except yaml.YAMLError:
            body = None
        yield text_at(body, "kind") or "of a text that cannot be read"
        return
    path = joined(folder, str(item))
    found = documents.of_file(path) if path is not None else []
    yield from (document.kind for document in found)
    if not found:
        yield f"of {item}"
