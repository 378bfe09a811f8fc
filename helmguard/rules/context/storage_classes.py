"""Claims that come, the classes that would give them volumes, and which class is the default."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import Unreadable
from helmguard.model.plan import ResourceChange
from helmguard.rules.context.manifest_maps import items, mapping
from helmguard.rules.context.pod_templates import after_of, before_of
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.facts import Facts

_DEFAULT = "storageclass.kubernetes.io/is-default-class"
_OLD_DEFAULT = "storageclass.beta.kubernetes.io/is-default-class"


class NewClaim(Record, frozen=True):
    """A PersistentVolumeClaim, or a StatefulSet's template of one, that this operation creates."""

    ref: Annotated[str, "`PersistentVolumeClaim/data`, `StatefulSet/db`"]
    namespace: Annotated[str, "its namespace"] = ""
    claim: Annotated[str, "the claim's name, or its template's"] = ""
    class_name: Annotated[str | None, "the class, null where the claim does not say, empty for none"] = None
    volume: Annotated[str, "the volume it is bound to by name, empty for none"] = ""
    exists: Annotated[bool | Unknown, "the class is there, or for none said: a default one"] = UNKNOWN
    classes: Annotated[tuple[str, ...] | Unknown, "the classes that are there"] = UNKNOWN
    prepared: Annotated[
        int | Unknown, "volumes of that class that are there without one: made by hand, or of this release"
    ] = UNKNOWN


class DefaultClass(Record, frozen=True):
    """A StorageClass of the release that becomes the default one, or stops to be it."""

    ref: Annotated[str, "`StorageClass/fast`"]
    name: Annotated[str, "its name"] = ""
    before: Annotated[bool, "it is the default now"] = False
    after: Annotated[bool, "it is the default after Helm"] = False
    others: Annotated[tuple[str, ...] | Unknown, "other default classes that are there"] = UNKNOWN


def _is_new(resource: ResourceChange) -> bool:
    if isinstance(resource.prediction.live, Unreadable):
        return resource.prediction.previous is None
    return resource.action in ("create", "recreate")


def new_claims(facts: Facts) -> Iterator[NewClaim]:
    """Claims that come, with the class that they need."""
    classes = _classes(facts)
    for resource in facts.resources:
        key = resource.prediction.key
        if not _is_new(resource):
            continue
        body = after_of(resource)
        if (key.group, key.kind) == ("", "PersistentVolumeClaim"):
            specs = [(key.name, mapping(body, "spec"))]
        elif (key.group, key.kind) == ("apps", "StatefulSet"):
            templates = items(body, "spec", "volumeClaimTemplates")
            specs = [(str(mapping(one, "metadata").get("name")), mapping(one, "spec")) for one in templates]
        else:
            continue
        for name, spec in specs:
            given = _class_of(spec)
            yield NewClaim(
                ref=str(key),
                namespace=key.namespace or "",
                claim=name,
                class_name=given,
                volume=str(spec.get("volumeName") or ""),
                exists=_exists(given, classes),
                classes=tuple(sorted(classes)) if isinstance(classes, dict) else UNKNOWN,
                prepared=_prepared(given, facts),
            )


def default_classes(facts: Facts) -> Iterator[DefaultClass]:
    """StorageClasses of the release whose mark as the default changes."""
    for resource in facts.resources:
        key = resource.prediction.key
        if (key.group, key.kind) != ("storage.k8s.io", "StorageClass") or resource.action == "hook":
            continue
        before, after = is_default(before_of(resource)), is_default(after_of(resource))
        if (before or after) and resource.action != "unchanged":
            live = facts.cluster.lists.get("storageClasses")
            others = (
                UNKNOWN
                if live is None
                else tuple(
                    str(mapping(body, "metadata").get("name"))
                    for body in live
                    if is_default(body) and mapping(body, "metadata").get("name") != key.name
                )
            )
            yield DefaultClass(str(key), key.name, before, after, others)


def is_default(body: JSONObject | None) -> bool:
    """Whether the class is marked as the default one."""
    annotations = mapping(body, "metadata", "annotations")
    return "true" in (annotations.get(_DEFAULT), annotations.get(_OLD_DEFAULT))


def _class_of(spec: JSONObject) -> str | None:
    value = spec.get("storageClassName")
    return None if value is None else str(value)


def _classes(facts: Facts) -> dict[str, bool] | Unknown:
    """Classes live and in the new manifest, and whether each is a default one."""
    live = facts.cluster.lists.get("storageClasses")
    if live is None:
        return UNKNOWN
    found = {str(mapping(body, "metadata").get("name")): is_default(body) for body in live}
    for resource in facts.resources:
        if resource.prediction.key.kind == "StorageClass":
            body = after_of(resource)
            if body is None:
                found.pop(resource.prediction.key.name, None)
            else:
                found[resource.prediction.key.name] = is_default(body)
    return found


def _exists(given: str | None, classes: dict[str, bool] | Unknown) -> bool | Unknown:
    if given == "":
        return True
    if isinstance(classes, Unknown):
        return UNKNOWN
    return any(classes.values()) if given is None else given in classes


def _prepared(given: str | None, facts: Facts) -> int | Unknown:
    own = [
        after_of(resource)
        for resource in facts.resources
        if resource.prediction.key.kind == "PersistentVolume"
    ]
    live = facts.cluster.lists.get("persistentVolumes")
    found = len([body for body in own if body and _is_of_class(body, given)])
    if live is None:
        return found or UNKNOWN
    free = [body for body in live if mapping(body, "status").get("phase") == "Available"]
    return found + len([body for body in free if _is_of_class(body, given)])


def _is_of_class(volume: JSONObject, given: str | None) -> bool:
    return bool(mapping(volume, "spec").get("storageClassName", "") == (given or ""))
