"""CustomResourceDefinitions that the operation deletes, changes, or should change and does not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated

from helmguard.compare.definitions import definition_differences
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import Present, Unreadable
from helmguard.model.resource_key import ResourceKey
from helmguard.predict.api_server.custom_resources import validation_errors
from helmguard.predict.schema.custom_types import custom_kinds
from helmguard.rules.context.conversions import Conversion, conversions
from helmguard.rules.context.definition_changes import (
    CRD_KIND,
    defined_kind,
    definition_changes,
    rewritten_definitions,
)
from helmguard.rules.context.manifest_maps import mapping
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.facts import Facts
from helmguard.rules.failure_effects import effects_at
from helmguard.rules.kubectl import kubectl_target


class DeletedDefinition(Record, frozen=True):
    """A definition that Helm deletes, and with it every object of its kind."""

    ref: Annotated[str, "its name on the page"]
    name: Annotated[str, "`widgets.example.com`"] = ""
    kind: Annotated[str, "the kind that it defines"] = ""
    target: Annotated[str, "how kubectl is told of it"] = ""
    live: Annotated[bool | Unknown, "true; absent where the live definition could not be read"] = True
    in_crds: Annotated[bool, "the new chart has it in crds/, which an upgrade does not apply"] = False
    instances: Annotated[int | Unknown, "how many objects of the kind are live"] = UNKNOWN
    namespaces: Annotated[tuple[str, ...] | Unknown, "the namespaces that hold some"] = UNKNOWN
    names: Annotated[tuple[str, ...] | Unknown, "their names, `shop/blue`"] = UNKNOWN
    lacks: Annotated[tuple[str, ...], "facts for want of which the others are not known"] = ()


class StaleDefinition(Record, frozen=True):
    """A definition of the chart's crds/ folders that is not what is live. Those that agree are left out."""

    ref: Annotated[str, "its name on the page"]
    name: Annotated[str, "`widgets.example.com`"] = ""
    kind: Annotated[str, "the kind that it defines"] = ""
    file: Annotated[str, "its file in the chart"] = ""
    status: Annotated[
        str | Unknown, "`missing` (there is none in the cluster) or `differs`; unknown where it was not read"
    ] = "differs"
    added: Annotated[tuple[str, ...], "what the chart's has and the live one lacks: `v1 spec.size`"] = ()
    changed: Annotated[tuple[str, ...], "settings and constraints that differ"] = ()
    removed: Annotated[tuple[str, ...], "what only the live one has"] = ()
    release: Annotated[str, "the Helm release whose marks the live one bears, empty for none"] = ""
    applied_by: Annotated[str, "what of this very operation applies it, empty for nothing"] = ""
    command: Annotated[str, "the command that brings the chart's definitions in"] = ""
    lacks: Annotated[tuple[str, ...], "facts for want of which the status is not known"] = ()


class VersionDropped(Record, frozen=True):
    """A version of a live definition that the new one has no more, or serves no more."""

    ref: Annotated[str, "the definition's name on the page"]
    name: Annotated[str, "`widgets.example.com`"] = ""
    kind: Annotated[str, "the kind that it defines"] = ""
    version: Annotated[str, "`v1beta1`"] = ""
    removed: Annotated[bool, "it is gone, not just served no more"] = False
    stored: Annotated[
        bool | Unknown, "status.storedVersions has it; absent where the live definition was not read"
    ] = False
    users: Annotated[tuple[str, ...], "objects of this release's manifests that name it"] = ()
    writers: Annotated[
        tuple[str, ...] | Unknown, "who wrote live objects through it: `shop/blue by controller`"
    ] = UNKNOWN
    error: Annotated[str, "what Helm will fail with on the definition, empty for nothing"] = ""
    effects: Annotated[tuple[str, ...], "what the failure leaves behind"] = ()
    lacks: Annotated[tuple[str, ...], "facts for want of which the others are not known"] = ()


class SchemaTightened(Record, frozen=True):
    """A live definition whose new schema has other constraints, or fewer fields."""

    ref: Annotated[str, "the definition's name on the page"]
    name: Annotated[str, "`widgets.example.com`"] = ""
    kind: Annotated[str, "the kind that it defines"] = ""
    changed: Annotated[tuple[str, ...], "constraints that differ: `v1 spec (required)`"] = ()
    invalid: Annotated[
        tuple[str, ...] | Unknown,
        "live objects that are valid now and not by the new schema, with the first error each; expressions "
        "(x-kubernetes-validations) are not evaluated",
    ] = UNKNOWN
    lacks: Annotated[tuple[str, ...], "facts for want of which the others are not known"] = ()


class Definitions(Record, frozen=True):
    """Definitions of custom kinds."""

    apply_command: Annotated[str, "the command that brings the definitions in the chart's crds/ in"] = ""
    deleted: Annotated[tuple[DeletedDefinition, ...], "those that Helm deletes"] = ()
    stale: Annotated[tuple[StaleDefinition, ...], "those in the chart's crds/ that are not what is live"] = ()
    dropped_versions: Annotated[tuple[VersionDropped, ...], "versions that go"] = ()
    tightened: Annotated[tuple[SchemaTightened, ...], "those whose constraints change"] = ()
    conversions: Annotated[tuple[Conversion, ...], "those whose conversion becomes a webhook"] = ()


def definitions_of(facts: Facts) -> Definitions:
    """What becomes of definitions."""
    return Definitions(
        apply_command=apply_command(facts),
        deleted=tuple(_deleted(facts)),
        stale=tuple(_stale(facts)),
        dropped_versions=tuple(dropped_versions(facts)),
        tightened=tuple(_tightened(facts)),
        conversions=tuple(conversions(facts)),
    )


def apply_command(facts: Facts, force: bool = False) -> str:
    """The command that brings the chart's definitions in; a folder's sub-charts are covered too."""
    chart = facts.release.new_chart
    version = ""
    reference = chart.reference or chart.name
    if not reference.startswith((".", "/")) and not reference.endswith(".tgz") and chart.version:
        version = f" --version {chart.version}"
    take = " --force-conflicts" if force else ""
    return f"helm show crds {reference}{version} | kubectl apply --server-side{take} -f -"


def _deleted(facts: Facts) -> Iterator[DeletedDefinition]:
    for resource in definition_changes(facts):
        prediction = resource.prediction
        unread = isinstance(prediction.live, Unreadable) and prediction.new is None
        if resource.action != "delete" and not unread:
            continue
        name = prediction.key.name
        body = prediction.live.body if isinstance(prediction.live, Present) else prediction.previous or {}
        items = facts.cluster.custom_resources.get(name)
        count = facts.cluster.custom_resource_counts.get(name, len(items) if items is not None else None)
        places = [_place(item) for item in items or ()]
        yield DeletedDefinition(
            ref=str(prediction.key),
            name=name,
            kind=defined_kind(body),
            target=kubectl_target(prediction.key),
            live=UNKNOWN if unread else True,
            in_crds=any(state.name == name for state in facts.around.definitions),
            instances=UNKNOWN if count is None else count,
            namespaces=UNKNOWN
            if items is None
            else tuple(dict.fromkeys(place for place, _ in places if place)),
            names=UNKNOWN if items is None else tuple("/".join(filter(None, place)) for place in places),
            lacks=_lacks(name) if items is None else (),
        )


def _stale(facts: Facts) -> Iterator[StaleDefinition]:
    for state in facts.around.definitions:
        if state.status == "same":
            continue
        known = state.status != "unknown"
        others = [manager for manager in state.managers if manager != "kubectl"]
        yield StaleDefinition(
            ref=f"{CRD_KIND}/{state.name}",
            name=state.name,
            kind=state.kind,
            file=state.source,
            status=state.status if known else UNKNOWN,
            added=state.differences.added,
            changed=state.differences.changed,
            removed=state.differences.removed,
            release=state.release,
            applied_by=state.applied_by,
            command=apply_command(facts, force=bool(others)),
            lacks=() if known else ("live",),
        )


def dropped_versions(facts: Facts, key: ResourceKey | None = None) -> Iterator[VersionDropped]:
    """Versions that go or are served no more, of all definitions or of one."""
    for prediction, live, new in rewritten_definitions(facts):
        if key not in (None, prediction.key):
            continue
        before, after = _versions(live), _versions(new)
        stored = [str(one) for one in mapping(live, "status").get("storedVersions") or ()]
        for version, body in before.items():
            removed = version not in after
            served = not removed and after[version].get("served", True) is not False
            if served or (not removed and body.get("served", True) is False):
                continue
            items = facts.cluster.custom_resources.get(prediction.key.name)
            api_version = f"{mapping(live, 'spec').get('group')}/{version}"
            yield VersionDropped(
                ref=str(prediction.key),
                name=prediction.key.name,
                kind=defined_kind(live),
                version=version,
                removed=removed,
                stored=UNKNOWN if isinstance(prediction.live, Unreadable) else version in stored,
                users=tuple(_users(facts, api_version, defined_kind(live))),
                writers=UNKNOWN if items is None else tuple(_writers(items, api_version)),
                error=prediction.error,
                effects=effects_at(prediction.key, facts) if prediction.error else (),
                lacks=_lacks(prediction.key.name) if items is None else (),
            )


def _users(facts: Facts, api_version: str, kind: str) -> Iterator[str]:
    for resource in facts.resources:
        prediction = resource.prediction
        if prediction.key.kind != kind:
            continue
        bodies = (prediction.previous, prediction.new)
        if any(body is not None and body.get("apiVersion") == api_version for body in bodies):
            yield str(prediction.key)


def _writers(items: tuple[JSONObject, ...], api_version: str) -> Iterator[str]:
    for item in items:
        for entry in mapping(item, "metadata").get("managedFields") or ():
            if entry.get("apiVersion") == api_version:
                yield f"{'/'.join(filter(None, _place(item)))} by {entry.get('manager')}"


def _tightened(facts: Facts) -> Iterator[SchemaTightened]:
    for prediction, live, new in rewritten_definitions(facts):
        differences = definition_differences(new, live)
        changed = tuple(text for text in differences.changed if text.endswith(")"))
        if not changed:
            continue
        found = list(_invalid(facts, prediction.key.name, live, new))
        read = prediction.key.name in facts.cluster.custom_resources
        yield SchemaTightened(
            ref=str(prediction.key),
            name=prediction.key.name,
            kind=defined_kind(new),
            changed=changed,
            invalid=tuple(found) if read or found else UNKNOWN,
            lacks=() if read or found else _lacks(prediction.key.name),
        )


def _invalid(facts: Facts, name: str, live: JSONObject, new: JSONObject) -> Iterator[str]:
    """Objects that the release leaves as they are, or that are not its own."""
    old_kinds, new_kinds = custom_kinds([live]), custom_kinds([new])
    kind = defined_kind(new)
    mine: dict[tuple[str, str], JSONObject] = {}
    for resource in facts.resources:
        prediction = resource.prediction
        if prediction.key.kind == kind and isinstance(prediction.live, Present) and prediction.predicted:
            mine[_place(prediction.live.body)] = prediction.predicted
    bodies = {_place(item): item for item in facts.cluster.custom_resources.get(name, ())}
    for place, body in {**bodies, **mine}.items():
        api_version = str(body.get("apiVersion"))
        old, then = old_kinds.get((api_version, kind)), new_kinds.get((api_version, kind))
        if old is None or then is None or validation_errors(body, old.root):
            continue
        errors = validation_errors(body, then.root)
        if errors:
            yield f"{'/'.join(filter(None, place))}: {errors[0]}"


def _versions(definition: JSONObject) -> Mapping[str, JSONObject]:
    return {
        str(version.get("name")): version
        for version in mapping(definition, "spec").get("versions") or ()
        if isinstance(version, dict)
    }


def _lacks(name: str) -> tuple[str, ...]:
    """The fact that holds the live objects of a definition."""
    return (f"cluster.customResources.{name}",)


def _place(item: JSONObject) -> tuple[str, str]:
    metadata = mapping(item, "metadata")
    return str(metadata.get("namespace") or ""), str(metadata.get("name") or "")
