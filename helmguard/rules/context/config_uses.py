"""ConfigMaps and Secrets whose content changes, and running pods that will not notice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Annotated, Literal, TypeAlias

import msgspec

from helmguard.model.json_value import JSONObject
from helmguard.model.plan import ResourceChange
from helmguard.rules.context.manifest_maps import items, mapping
from helmguard.rules.context.pod_templates import (
    RESTARTING,
    after_of,
    before_of,
    is_workload,
    is_written,
    template_of,
)
from helmguard.rules.context.record import Record
from helmguard.rules.context.workloads import restarts_pods, template_changes
from helmguard.rules.facts import Facts

How: TypeAlias = Literal["env", "subPath", "volume"]


class ConfigUse(Record, frozen=True):
    """A workload that uses changed content and whose pods go on running."""

    ref: Annotated[str, "the ConfigMap or Secret: `ConfigMap/web`"]
    kind: Annotated[str, "`ConfigMap` or `Secret`"] = "ConfigMap"
    namespace: Annotated[str, "its namespace, which is the workload's"] = ""
    name: Annotated[str, "its name"] = ""
    keys: Annotated[tuple[str, ...], "changed entries that the workload uses"] = ()
    unstable: Annotated[bool, "the content differs at each rendering"] = False
    user: Annotated[str, "the workload: `Deployment/web`"] = ""
    user_kind: Annotated[str, "its kind"] = "Deployment"
    user_name: Annotated[str, "its name"] = ""
    pods: Annotated[int, "pods it asks for after Helm"] = 1
    how: Annotated[How, "`env` and `subPath` are read when a pod starts, a `volume` follows by itself"] = (
        "env"
    )
    reloader: Annotated[bool, "an annotation asks a reloader to restart the pods"] = False


_Name: TypeAlias = tuple[str, str | None, str]
_RELOADERS = ("reloader.stakater.com/", "configmap.reloader.stakater.com/", "secret.reloader.stakater.com/")
_OTHER_RELOADERS = frozenset(["wave.pusher.com/update-on-config-change"])


def config_uses(facts: Facts) -> Iterator[ConfigUse]:
    """Each workload that uses content that changes, once for each ConfigMap or Secret; the gravest use."""
    changed = _changed_content(facts)
    if not changed:
        return
    for resource in facts.resources:
        key = resource.prediction.key
        if not is_workload(key) or key.kind not in RESTARTING or resource.action in ("delete", "hook"):
            continue
        before, after = before_of(resource), after_of(resource)
        if before is None or restarts_pods(resource, template_changes(resource), before, after):
            continue
        for name, uses in _uses(template_of(after, key), key.namespace).items():
            content = changed.get(name)
            if content is not None:
                yield from _use(name, uses, content, resource, after)


class _Content(msgspec.Struct, frozen=True):
    entries: frozenset[str]
    unstable: bool


def _changed_content(facts: Facts) -> dict[_Name, _Content]:
    found = {}
    for resource in facts.resources:
        key = resource.prediction.key
        if key.kind not in ("ConfigMap", "Secret") or not is_written(resource):
            continue
        changes = [
            one for one in resource.changes if one.path[0] in ("data", "binaryData") and len(one.path) > 1
        ]
        entries = frozenset(str(change.path[1]) for change in changes)
        unstable = all(change.cause == "unstable" for change in changes)
        if entries:
            found[key.kind, key.namespace, key.name] = _Content(entries, unstable)
    return found


def _use(
    name: _Name,
    uses: list[tuple[How, str]],
    content: _Content,
    resource: ResourceChange,
    after: JSONObject | None,
) -> Iterator[ConfigUse]:
    key = resource.prediction.key
    for how in _GRAVEST:
        entries = {entry for used, entry in uses if used == how}
        hit = content.entries if "" in entries else content.entries & entries
        if hit:
            replicas = mapping(after, "spec").get("replicas", 1)
            yield ConfigUse(
                ref=f"{name[0]}/{name[2]}",
                kind=name[0],
                namespace=name[1] or "",
                name=name[2],
                keys=tuple(sorted(hit)),
                unstable=content.unstable,
                user=str(key),
                user_kind=key.kind,
                user_name=key.name,
                pods=replicas if isinstance(replicas, int) else 1,
                how=how,
                reloader=_has_reloader(after, template_of(after, key)),
            )
            return


_GRAVEST: tuple[How, ...] = ("env", "subPath", "volume")


def _uses(template: JSONObject | None, namespace: str | None) -> Mapping[_Name, list[tuple[How, str]]]:
    """How a pod template uses each ConfigMap and Secret; an empty entry stands for all of them."""
    found: dict[_Name, list[tuple[How, str]]] = defaultdict(list)
    spec = mapping(template, "spec")
    containers = [*items(spec, "initContainers"), *items(spec, "containers")]
    for container in containers:
        for source in items(container, "envFrom"):
            for field, kind in (("configMapRef", "ConfigMap"), ("secretRef", "Secret")):
                name = mapping(source, field).get("name")
                if name:
                    found[kind, namespace, str(name)].append(("env", ""))
        for variable in items(container, "env"):
            for field, kind in (("configMapKeyRef", "ConfigMap"), ("secretKeyRef", "Secret")):
                reference = mapping(variable, "valueFrom", field)
                if reference.get("name"):
                    found[kind, namespace, str(reference["name"])].append(("env", str(reference.get("key"))))
    mounts = [mount for container in containers for mount in items(container, "volumeMounts")]
    for volume in items(spec, "volumes"):
        parts = {str(mount["subPath"]) for mount in _mounts(mounts, volume) if mount.get("subPath")}
        whole = any(not mount.get("subPath") for mount in _mounts(mounts, volume))
        for kind, name, given in _sources(volume):
            uses = found[kind, namespace, name]
            if whole:
                uses += [("volume", entry) for entry in _entries(given)]
            for part in parts:
                uses.append(("subPath", _entry_at(given, part)))
    return found


def _mounts(mounts: list[JSONObject], volume: JSONObject) -> list[JSONObject]:
    return [mount for mount in mounts if mount.get("name") == volume.get("name")]


def _sources(volume: JSONObject) -> Iterator[tuple[str, str, list[JSONObject]]]:
    """The ConfigMaps and Secrets of a volume, each with the entries that it picks (none: all)."""
    for source in (volume, *items(volume, "projected", "sources")):
        for field, kind, called in _VOLUME_FIELDS:
            name = mapping(source, field).get(called) or mapping(source, field).get("name")
            if name:
                yield kind, str(name), items(source, field, "items")


_VOLUME_FIELDS = (("configMap", "ConfigMap", "name"), ("secret", "Secret", "secretName"))


def _entries(given: list[JSONObject]) -> list[str]:
    return [str(item.get("key")) for item in given] or [""]


def _entry_at(given: list[JSONObject], path: str) -> str:
    """The entry that a subPath mounts: found by its path among the picked ones, else of that name."""
    picked = next((str(item.get("key")) for item in given if item.get("path") == path), None)
    return picked or path.partition("/")[0]


def _has_reloader(body: JSONObject | None, template: JSONObject | None) -> bool:
    names = [*mapping(body, "metadata", "annotations"), *mapping(template, "metadata", "annotations")]
    return any(name.startswith(_RELOADERS) or name in _OTHER_RELOADERS for name in names)
