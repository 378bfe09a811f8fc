"""Which live objects a plan needs, and reading them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from helmguard.cluster.connection import Connection
from helmguard.cluster.custom_resources import crd_names, read_crds
from helmguard.cluster.live_objects import read_live
from helmguard.errors import ManifestError
from helmguard.manifest.hooks import hooks_of
from helmguard.manifest.objects import read_objects
from helmguard.model.discovery import Discovery
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import LiveState, Present, Unreadable
from helmguard.model.plan import Unknown
from helmguard.model.release import Revision
from helmguard.model.resource_key import ResourceKey
from helmguard.predict.namespaces import namespace_key
from helmguard.predict.schema.custom_types import custom_kinds
from helmguard.predict.scopes import hook_key, is_namespaced

Wanted = dict[ResourceKey, str]
"""Key and the apiVersion to read it in."""


class LiveObjects(msgspec.Struct, frozen=True):
    """``api_versions`` says in which version each state was read; ``crds`` are live definitions."""

    states: Mapping[ResourceKey, LiveState]
    api_versions: Mapping[ResourceKey, str]
    crds: tuple[JSONObject, ...] = ()
    unknown: tuple[Unknown, ...] = ()


def wanted_objects(
    manifest: str,
    hooks: Iterable[JSONObject],
    namespace: str,
    discovery: Discovery,
    chart_crds: Iterable[JSONObject] = (),
) -> Wanted:
    """The objects of a manifest, the hooks, whose left-overs a hook may collide with, and their namespaces.

    ``chart_crds`` tell of kinds that are not served yet whether they live in a namespace.
    """
    custom = custom_kinds(chart_crds)

    def look_up(api_version: str, kind: str) -> bool | None:
        return is_namespaced(api_version, kind, discovery, custom)

    objects = read_objects(manifest, namespace, look_up)
    wanted = {item.key: item.api_version for item in objects if item.name}
    for hook in hooks_of(hooks):
        wanted.setdefault(hook_key(hook, namespace, discovery, custom), hook.object.api_version)
    for place in dict.fromkeys([namespace, *(key.namespace for key in wanted if key.namespace)]):
        wanted.setdefault(namespace_key(place), "v1")
    return wanted


def wanted_of_revisions(revisions: Iterable[Revision], namespace: str, discovery: Discovery) -> Wanted:
    """The objects that these revisions name; none where a manifest cannot be read."""
    wanted: Wanted = {}
    for revision in revisions:
        try:
            wanted |= wanted_objects(revision.manifest, (), namespace, discovery)
        except ManifestError:
            continue
    return wanted


def wanted_definitions(definitions: Iterable[JSONObject]) -> Wanted:
    """The definitions of the chart's ``crds/``, which an install creates and an upgrade leaves alone."""
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
