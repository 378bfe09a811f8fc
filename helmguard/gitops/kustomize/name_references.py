"""Names that kustomize gave: the hash of what it generated, and where other objects refer to a name.

Where custom resources refer to names kustomize only knows from ``configurations`` with ``nameReference``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from helmguard.gitops.documents import dicts_at, text_at
from helmguard.gitops.kustomize.name_hash import name_hash
from helmguard.gitops.kustomize.resource import Resource
from helmguard.model.json_value import JSONObject, JSONValue


def hashed(resources: Iterable[Resource]) -> list[Resource]:
    """The resources with the hash in the names of those that were generated with one."""
    return [
        resource.with_metadata("name", f"{resource.document.name}-{name_hash(resource.document.body)}")
        if resource.takes_hash
        else resource
        for resource in resources
    ]


def with_references(resources: Sequence[Resource], configurations: Sequence[JSONObject]) -> list[Resource]:
    """The resources with the names that they refer to as they are now."""
    renamed = [it for it in resources if it.first_name != it.document.name]
    rules = [rule for body in configurations for rule in dicts_at(body, "nameReference")]
    if not renamed or not rules:
        return list(resources)
    return [_with_references(resource, renamed, rules) for resource in resources]


def _with_references(
    resource: Resource, renamed: Sequence[Resource], rules: Sequence[JSONObject]
) -> Resource:
    body = resource.document.body
    for rule in rules:
        names = {
            it.first_name: it.document.name
            for it in renamed
            if it.document.kind == text_at(rule, "kind")
            and text_at(rule, "group") in ("", it.document.group)
            and it.document.namespace == resource.document.namespace
        }
        for field in dicts_at(rule, "fieldSpecs"):
            if names and text_at(field, "kind") in ("", resource.document.kind):
                changed = _changed(body, text_at(field, "path").strip("/").split("/"), names)
                body = changed if isinstance(changed, dict) else body
    return resource if body is resource.document.body else resource.with_body(body)


def _changed(value: JSONValue, steps: list[str], names: dict[str, str]) -> JSONValue:
    """The value with the name at the path replaced; the same object where it is none of these."""
    if isinstance(value, list):
        items = [_changed(item, steps, names) for item in value]
        return value if all(new is old for new, old in zip(items, value, strict=True)) else items
    if not steps:
        return names.get(value, value) if isinstance(value, str) else value
    step = steps[0].removesuffix("[]")
    if not isinstance(value, dict) or step not in value:
        return value
    changed = _changed(value[step], steps[1:], names)
    return value if changed is value[step] else {**value, step: changed}
