"""Live objects that are not as the release says: what Helm sets back, what it leaves, and who wrote it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any

from msgspec.structs import replace

from helmguard.compare.bookkeeping import is_controllers, is_ownership_mark
from helmguard.compare.causes import ALSO_LIVE
from helmguard.compare.declared import undelivered
from helmguard.compare.field_owners import FieldOwner
from helmguard.model.field_change import MISSING, FieldChange, or_null
from helmguard.model.field_path import FieldPath, format_path
from helmguard.model.json_value import JSONValue
from helmguard.model.live_state import Absent, Present
from helmguard.model.plan import ResourceChange
from helmguard.predict.ownership import wrong_marks
from helmguard.predict.schema.builtin_types import in_compiled_scheme
from helmguard.rules.context.foreign_managers import ForeignManager, foreign_managers
from helmguard.rules.context.ownership import is_new_and_live, is_refused
from helmguard.rules.context.pod_templates import nothing_read
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.context.scalers import Scalers
from helmguard.rules.facts import Facts
from helmguard.rules.kubectl import kubectl, kubectl_target


class DriftedField(Record, frozen=True):
    """A field that somebody changed live."""

    ref: Annotated[str, "the object: `ConfigMap/web`"]
    kind: Annotated[str, "its kind"] = "ConfigMap"
    group: Annotated[str, "its API group"] = ""
    namespace: Annotated[str | None, "its namespace, null for cluster-scoped kinds"] = None
    name: Annotated[str, "its name"] = ""
    target: Annotated[str, "how kubectl is told of it: `-n shop configmap/web`"] = ""
    path: Annotated[str, "the field: `data.color`"] = ""
    live: Annotated[JSONValue, "its value now, null for none; nothing of a Secret"] = None
    after: Annotated[JSONValue, "its value after Helm, null for none; nothing of a Secret"] = None
    declared: Annotated[bool, "the new manifest says something about it"] = True
    also_changed: Annotated[bool, "the manifests differ there, too: Helm would have changed it anyway"] = (
        False
    )
    manager: Annotated[
        str, "the field manager that wrote it: `kubectl-edit`, empty where nobody is known"
    ] = ""
    controller: Annotated[bool, "that is a controller, by its name"] = False
    since: Annotated[str, "when it last wrote to the object, as the API gives it"] = ""
    by_helm: Annotated[bool, "an earlier run of Helm left it, not somebody else"] = False
    scaler: Annotated[str | Unknown, "for `spec.replicas`: the autoscaler that sets it, empty for none"] = ""
    lacks: Annotated[tuple[str, ...], "the fact without which `scaler` is not known"] = ()


class NotCorrected(Record, frozen=True):
    """A custom resource that is not as the manifest says, and that Helm sends no patch for."""

    ref: Annotated[str, "the object: `ClusterPolicy/cluster-policy`"]
    fields: Annotated[tuple[DriftedField, ...], "fields that stay otherwise than the manifest says"] = ()
    adopted: Annotated[bool, "it is new to the release: there is no old manifest to compare with"] = False
    unmarked: Annotated[bool, "it lacks Helm's own marks, and does not get them"] = False
    patch: Annotated[str, "the command that sets the fields, empty where a list is among them"] = ""
    target: Annotated[str, "how kubectl is told of it: `-n shop widget.example.com/web`"] = ""


class MissingObject(Record, frozen=True):
    """An object of the current manifest that is not in the cluster, and that Helm creates again."""

    ref: Annotated[str, "`PersistentVolumeClaim/data`"]
    kind: Annotated[str, "its kind"] = "ConfigMap"
    namespace: Annotated[str | None, "its namespace, null for cluster-scoped kinds"] = None
    holds_data: Annotated[bool, "a Secret with entries, or a PersistentVolumeClaim"] = False
    comes_and_goes: Annotated[bool, "a Pod or a Job: both end, and may be cleaned up by the cluster"] = False
    never_made: Annotated[bool, "the revision that brought it failed: it may never have been there"] = False


class Mutated(Record, frozen=True):
    """An object that the API server would store otherwise than Helm sends it."""

    ref: Annotated[str, "`Deployment/web`"]
    paths: Annotated[tuple[str, ...], "the fields in which it differs"] = ()


class Drifts(Record, frozen=True):
    """What is not as the release says."""

    reverted: Annotated[
        tuple[DriftedField, ...] | Unknown,
        "fields that Helm overwrites; absent where no live object was read",
    ] = ()
    kept: Annotated[tuple[DriftedField, ...], "fields that Helm leaves, those of `notCorrected` apart"] = ()
    not_corrected: Annotated[
        tuple[NotCorrected, ...] | Unknown,
        "custom resources that Helm leaves as they are; absent where no live object was read",
    ] = ()
    missing: Annotated[
        tuple[MissingObject, ...] | Unknown,
        "objects that are gone and come again; absent where no live object was read",
    ] = ()
    managers: Annotated[tuple[ForeignManager, ...], "who beside Helm owns fields of the new manifest"] = ()
    first_server_side: Annotated[
        bool, "the release was applied client-side until now, and is applied server-side this time"
    ] = False
    mutated: Annotated[tuple[Mutated, ...], "objects that the API server's dry run gives back otherwise"] = ()


def drifts_of(facts: Facts) -> Drifts:
    """What is not as the release says, as far as the live objects were read."""
    if nothing_read(facts):
        return _unread(facts)
    scalers: Scalers | None = None
    reverted, kept, not_corrected = [], [], []
    for resource in facts.resources:
        if resource.action in ("hook", "delete", "keep") or not isinstance(resource.prediction.live, Present):
            continue
        for change in resource.changes:
            if _is_reverted(change):
                scalers = scalers or Scalers(facts)
                field = _field(resource, change, scalers)
                reverted.append(replace(field, by_helm=True) if _left_by_failure(field, facts) else field)
        uncorrected = _not_corrected(resource, facts)
        if uncorrected is not None:
            not_corrected.append(uncorrected)
        told = {field.path for field in uncorrected.fields} if uncorrected is not None else set()
        kept += [
            _field(resource, change)
            for change in resource.drift
            if format_path(change.path) not in told and not is_controllers(change.path)
        ]
    return Drifts(
        reverted=tuple(reverted),
        kept=tuple(kept),
        not_corrected=tuple(not_corrected),
        missing=tuple(_missing(facts)),
        managers=tuple(foreign_managers(facts)),
        first_server_side=_is_first_server_side(facts),
        mutated=tuple(_mutated(facts)),
    )


def _unread(facts: Facts) -> Drifts:
    """Helm 4 refuses what it would overwrite otherwise, which drift-conflict-ssa tells."""
    overwrites = facts.engine.apply_method != "ssa" or facts.around.options.force_conflicts
    custom = any(
        not in_compiled_scheme(one.prediction.api_version, one.prediction.key.kind)
        for one in facts.resources
        if one.prediction.previous is not None and one.prediction.new is not None
    )
    return Drifts(
        reverted=UNKNOWN if overwrites else (),
        not_corrected=UNKNOWN if custom and facts.engine.apply_method == "csa" else (),
        missing=UNKNOWN,
        first_server_side=_is_first_server_side(facts),
    )


def _is_reverted(change: FieldChange) -> bool:
    """Also a field that the manifest changes, if somebody changed it live in the meantime.

    An explicit null declares nothing, and what Helm's own write made the server fill in is no drift.
    """
    if is_ownership_mark(change.path) or change.bookkeeping or change.before == change.after:
        return False
    if change.new is None or (change.new is MISSING and change.note == _BY_HELM):
        return False
    if change.cause in ("drift reverted", "conflict"):
        return True
    return change.note == ALSO_LIVE and bool(change.manager)


def _left_by_failure(field: DriftedField, facts: Facts) -> bool:
    """Whether a failed revision may have taken the field away: nobody owns what is not there."""
    return (
        field.live is None
        and not field.manager
        and facts.release.last_revision != facts.release.from_revision
    )


def _field(resource: ResourceChange, change: FieldChange, scalers: Scalers | None = None) -> DriftedField:
    key = resource.prediction.key
    secret = (key.group, key.kind) == ("", "Secret") and change.path[0] in ("data", "stringData")
    scaler: str | Unknown = ""
    if scalers is not None and change.path == ("spec", "replicas"):
        found = scalers.of(key)
        scaler = found if isinstance(found, Unknown) else (found.ref if found is not None else "")
    manager = change.manager
    return DriftedField(
        ref=str(key),
        kind=key.kind,
        group=key.group,
        namespace=key.namespace,
        name=key.name,
        target=kubectl_target(key),
        path=format_path(change.path),
        live=None if secret else or_null(change.before),
        after=None if secret else or_null(change.after),
        declared=change.new is not MISSING,
        also_changed=change.cause not in ("drift reverted", "conflict", "drift kept"),
        manager=manager,
        controller=FieldOwner(manager.partition(" (")[0], "", "", "").is_controller,
        since=change.since,
        by_helm=change.note == _BY_HELM,
        scaler=scaler,
        lacks=("cluster.horizontalPodAutoscalers",) if scaler is UNKNOWN else (),
    )


_BY_HELM = "left by an earlier run of Helm"


def _not_corrected(resource: ResourceChange, facts: Facts) -> NotCorrected | None:
    """Client-side, a custom resource is patched by old manifest against new, whatever is live."""
    prediction = resource.prediction
    key = prediction.key
    if facts.engine.apply_method != "csa" or facts.around.options.force or resource.action == "unknown":
        return None
    if in_compiled_scheme(prediction.api_version, key.kind) or not isinstance(prediction.live, Present):
        return None
    if prediction.previous is None:
        return _adopted(resource, facts)
    dropped = {path for one in facts.around.dropped_fields if one.key == key for path in one.paths}
    fields = tuple(
        _field(resource, change)
        for change in resource.drift
        if change.new is not MISSING and format_path(change.path) not in dropped
    )
    if not fields:
        return None
    patch = _patch(resource, [change for change in resource.drift if change.new is not MISSING])
    return NotCorrected(str(key), fields, patch=patch, target=kubectl_target(key))


def _adopted(resource: ResourceChange, facts: Facts) -> NotCorrected | None:
    """An adopted custom resource has no old manifest: Helm sends nothing.

    Only ``install --take-ownership`` compares with the live object (helm/helm@v3.22.0 pkg/kube/client.go).
    """
    prediction = resource.prediction
    key = prediction.key
    if facts.operation not in ("upgrade", "install") or not is_new_and_live(prediction):
        return None
    if facts.operation == "install" and facts.around.options.take_ownership:
        return None
    if is_refused(prediction, facts) or not isinstance(prediction.live, Present):
        return None
    live = prediction.live.body
    wanted = {name: value for name, value in (prediction.new or {}).items() if name != "metadata"}
    fields = tuple(
        DriftedField(
            ref=str(key),
            kind=key.kind,
            group=key.group,
            namespace=key.namespace,
            name=key.name,
            target=kubectl_target(key),
            path=format_path(field.path),
            live=or_null(field.after),
            after=or_null(field.after),
        )
        for field in undelivered(wanted, live)
    )
    marks = wrong_marks(live, facts.release.name, facts.release.namespace)
    if not fields and not marks:
        return None
    return NotCorrected(str(key), fields, adopted=True, unmarked=bool(marks), target=kubectl_target(key))


def _patch(resource: ResourceChange, changes: list[FieldChange]) -> str:
    """A merge patch that sets the fields to what the manifest says."""
    patch: dict[str, Any] = {}
    for change in changes:
        if not _set(patch, change.path, change.new):
            return ""
    text = json.dumps(patch, separators=(",", ":"), ensure_ascii=False)
    return "" if "'" in text else kubectl("patch", resource.prediction.key, f"--type=merge -p '{text}'")


def _set(patch: dict[str, Any], path: FieldPath, value: JSONValue) -> bool:
    here = patch
    for step in path[:-1]:
        if not isinstance(step, str):
            return False
        here = here.setdefault(step, {})
    if not isinstance(path[-1], str):
        return False
    here[path[-1]] = value
    return True


def _missing(facts: Facts) -> Iterator[MissingObject]:
    for resource in facts.resources:
        prediction = resource.prediction
        key, body = prediction.key, prediction.new
        if resource.action not in ("create", "recreate") or body is None or prediction.previous is None:
            continue
        if not isinstance(prediction.live, Absent):
            continue
        secret = key.kind == "Secret" and bool(body.get("data") or body.get("stringData"))
        yield MissingObject(
            ref=str(key),
            kind=key.kind,
            namespace=key.namespace,
            holds_data=secret or key.kind == "PersistentVolumeClaim",
            comes_and_goes=key.kind in ("Pod", "Job"),
            never_made=facts.release.status not in ("", "deployed", "superseded"),
        )


def _is_first_server_side(facts: Facts) -> bool:
    if facts.engine.apply_method != "ssa" or facts.operation == "install":
        return False
    current = [past for past in facts.around.history if past.version == facts.release.from_revision]
    return any(past.apply_method != "ssa" for past in current)


def _mutated(facts: Facts) -> Iterator[Mutated]:
    for resource in facts.resources:
        if resource.local_differs:
            paths = tuple(format_path(one.path) for one in resource.local_differs)
            yield Mutated(str(resource.prediction.key), paths)
