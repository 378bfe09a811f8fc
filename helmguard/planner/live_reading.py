"""Which live objects a plan needs, and reading them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from helmguard.cluster.connection import Connection
from helmguard.cluster.custom_resources import crd_names, read_crds
from helmguard.cluster.live_objects import read_live
from helmguard.manifest.hooks import hooks_of
from helmguard.manifest.objects import ManifestObject, read_objects
from helmguard.model.discovery import Discovery
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import LiveState, Present, Unreadable
from helmguard.model.plan import Unknown
from helmguard.model.resource_key import ResourceKey

Wanted = dict[ResourceKey, str]
"""Key and the apiVersion to read it in."""


@dataclass(frozen=True, slots=True)
class LiveObjects:
    """``api_versions`` says in which version each state was read; ``crds`` are live definitions."""

    states: Mapping[ResourceKey, LiveState]
    api_versions: Mapping[ResourceKey, str]
    crds: tuple[JSONObject, ...] = ()
    unknown: tuple[Unknown, ...] = ()


def wanted_objects(
    manifest: str, hooks: Iterable[JSONObject], namespace: str, discovery: Discovery
) -> Wanted:
    """The objects of a manifest and the hooks, whose left-overs a hook may collide with."""
    objects = read_objects(manifest, namespace, discovery.is_namespaced)
    wanted = {item.key: item.api_version for item in objects if item.name}
    for hook in hooks_of(hooks):
        key, api_version = _hook_key(hook.object, namespace, discovery)
        wanted.setdefault(key, api_version)
    return wanted


def wanted_definitions(definitions: Iterable[JSONObject]) -> Wanted:
    """The definitions that an install creates from the chart's ``crds/`` folder."""
    wanted: Wanted = {}
    for body in definitions:
        api_version, name = str(body.get("apiVersion")), str((body.get("metadata") or {}).get("name") or "")
        if name:
            wanted[ResourceKey.of(api_version, str(body.get("kind")), None, name)] = api_version
    return wanted


def read_live_objects(connection: Connection, discovery: Discovery, wanted: Wanted) -> LiveObjects:
    """The live state of each, and the definitions of the custom resources among them."""
    states = read_live(connection, discovery, wanted.items())
    names = crd_names(discovery, {(api_version, key.kind) for key, api_version in wanted.items()})
    definitions = read_crds(connection, discovery, names)
    unknown = [
        Unknown(f"CustomResourceDefinition/{name}", f"could not be read: {state.why}")
        for name, state in definitions.items()
        if isinstance(state, Unreadable)
    ]
    return LiveObjects(
        states,
        dict(wanted),
        tuple(state.body for state in definitions.values() if isinstance(state, Present)),
        tuple(unknown),
    )


def merge_live(first: LiveObjects, second: LiveObjects) -> LiveObjects:
    """Both readings as one; the second wins."""
    crds = {str((crd.get("metadata") or {}).get("name")): crd for crd in (*first.crds, *second.crds)}
    return LiveObjects(
        {**first.states, **second.states},
        {**first.api_versions, **second.api_versions},
        tuple(crds.values()),
        tuple(dict.fromkeys((*first.unknown, *second.unknown))),
    )


def _hook_key(item: ManifestObject, namespace: str, discovery: Discovery) -> tuple[ResourceKey, str]:
    namespaced = discovery.is_namespaced(item.api_version, item.kind)
    place = None if namespaced is False else (item.namespace or namespace)
    return ResourceKey.of(item.api_version, item.kind, place, item.name), item.api_version
