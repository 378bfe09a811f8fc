"""The drift of one release as a plan: its deployed manifest against what is live. Pure: no I/O, no clock."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from helmguard.compare.compare_resource import compare_resource
from helmguard.compare.context import CompareContext
from helmguard.compare.latent_owners import latent_changes
from helmguard.config.gate import DEFAULT_GATE, Gate
from helmguard.manifest.objects import ManifestObject, read_objects
from helmguard.model.apply_options import ApplyOptions
from helmguard.model.discovery import Discovery
from helmguard.model.field_change import FieldChange
from helmguard.model.field_path import FieldPath
from helmguard.model.helm_version import HelmVersion
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import LiveState, Present
from helmguard.model.plan import Plan, ResourceChange, Unknown, ValuesReport
from helmguard.model.prediction import ResourcePrediction
from helmguard.model.release import History, Revision
from helmguard.model.resource_key import ResourceKey
from helmguard.model.surroundings import Surroundings
from helmguard.planner.configured import configured, without_ignored
from helmguard.planner.drift_base import base_revision, is_uninstalled
from helmguard.planner.drift_left_over import left_over_objects
from helmguard.planner.drift_prediction import predict_drift
from helmguard.planner.failed_revisions import failed_objects, left_fields, orphans
from helmguard.planner.fingerprint import fingerprint
from helmguard.planner.inputs import NewRevision, PlanInputs
from helmguard.planner.known_secrets import known_secrets
from helmguard.planner.make_plan import (
    compare_context,
    engine_of,
    judged,
    release_summary,
    unknown_things,
)
from helmguard.planner.rollback_inputs import stored_chart
from helmguard.planner.scopes import namespaced_lookup

_WAITS = "only once the conflict is settled"


def drift_inputs(
    *,
    history: History,
    base: Revision,
    helm: HelmVersion,
    live: Mapping[ResourceKey, LiveState],
    options: ApplyOptions,
    discovery: Discovery | None,
    crds: tuple[JSONObject, ...] = (),
    gate: Gate = DEFAULT_GATE,
    unknown: tuple[Unknown, ...] = (),
) -> PlanInputs:
    """An upgrade whose new revision is the one already deployed, without hooks."""
    return PlanInputs(
        operation="upgrade",
        release=history.name,
        namespace=history.namespace,
        helm=helm,
        options=replace(options, no_hooks=True),
        history=history,
        new=NewRevision(
            manifest=base.manifest,
            rendered_by="stored revision",
            why="drift compares the stored manifest with the cluster: nothing is rendered",
        ),
        new_chart=stored_chart(base),
        values=ValuesReport("stored", "drift proposes no change"),
        live=live,
        crds=crds,
        discovery=discovery,
        same_chart=True,
        gate=gate,
        unknown=unknown,
    )


def make_drift_plan(inputs: PlanInputs, base: Revision) -> Plan:
    """Predict an upgrade that proposes no change, and say what it would meet.

    Raises:
        ManifestError: a document of a stored manifest is no object.
    """
    objects = [] if is_uninstalled(base) else read_manifest(base, inputs)
    predicted = predict_drift(inputs, base, objects)
    context, engine = compare_context(inputs), engine_of(inputs)
    wanted = {item.key for item in objects}
    resources = tuple(
        _compared(
            prediction,
            predicted.forced.get(prediction.key),
            context,
            server_side=engine.apply_method == "ssa",
        )
        for prediction in predicted.resources
        if prediction.key in wanted
    )
    around = _around(inputs, base, predicted.resources, context)
    resources = without_ignored(_with_left_fields(resources, around), inputs.gate)
    left_over, not_told = left_over_objects(
        inputs, {} if is_uninstalled(base) else {item.key for item in objects}
    )
    summary = replace(
        release_summary(inputs),
        from_revision=base.version,
        from_status=base.label_status or base.status,
        chart=stored_chart(base),
        to_revision=None,
    )
    bodies = [item.body for item in objects]
    secrets = known_secrets(inputs, bodies, base)
    plan = Plan(
        operation="upgrade",
        release=summary,
        engine=engine,
        values=inputs.values,
        resources=resources,
        failure=predicted.failure,
        unknown=(*unknown_things(inputs, resources), *not_told),
        notes=(*_other_base(inputs.history, base), *predicted.notes),
        fingerprint=fingerprint(inputs, bodies, bodies, secrets),
        left_over=left_over,
        around=around,
        known_secrets=secrets,
    )
    return configured(replace(judged(plan, inputs), operation="drift"), inputs.gate)


def _other_base(history: History, base: Revision) -> Iterator[str]:
    current = base_revision(history)
    if current is not None and current.version != base.version:
        yield (
            f"compared with revision {base.version}, not with revision {current.version}, which the next "
            "upgrade starts from: read every next upgrade below as one to the manifest of "
            f"revision {base.version}"
        )


def read_manifest(revision: Revision, inputs: PlanInputs) -> list[ManifestObject]:
    """The objects of a stored manifest."""
    return read_objects(revision.manifest, inputs.namespace, namespaced_lookup(inputs))


def _compared(
    prediction: ResourcePrediction,
    forced: ResourcePrediction | None,
    context: CompareContext,
    *,
    server_side: bool,
) -> ResourceChange:
    resource = compare_resource(prediction, context)
    if forced is not None:
        resource = _with_the_rest(resource, compare_resource(forced, replace(context, force_conflicts=True)))
    if server_side and isinstance(prediction.live, Present) and prediction.new is not None:
        return replace(resource, latent=tuple(latent_changes(prediction, context)))
    return resource


def _with_the_rest(refused: ResourceChange, forced: ResourceChange) -> ResourceChange:
    """An object that Helm refuses stays as it is; what else differs on it would be set back or kept."""
    told = {change.path for change in refused.changes if change.cause == "conflict"}
    reverted = [
        replace(change, note=f"{change.note}, {_WAITS}" if change.note else _WAITS)
        for change in forced.changes
        if change.cause == "drift reverted" and not _is_part_of(change.path, told)
    ]
    return replace(refused, changes=(*refused.changes, *reverted), drift=forced.drift)


def _is_part_of(path: FieldPath, wholes: Collection[FieldPath]) -> bool:
    return any(path[:length] in wholes for length in range(1, len(path) + 1))


def _around(
    inputs: PlanInputs, base: Revision, predictions: Sequence[ResourcePrediction], context: CompareContext
) -> Surroundings:
    """What the rules want to know that is not about a change."""
    failed = failed_objects(inputs, base)
    return Surroundings(
        options=inputs.options,
        helm_major=inputs.helm.major,
        orphans=tuple(orphans(failed, predictions, inputs.live, inputs.release, inputs.namespace)),
        left_fields=tuple(left_fields(failed, predictions, (), context.type_of)),
    )


def _with_left_fields(resources: Iterable[ResourceChange], around: Surroundings) -> Iterator[ResourceChange]:
    """Fields that a failed revision brought and that stay are Helm's own, and yet no manifest says them."""
    left: dict[ResourceKey, list[FieldChange]] = {}
    for field in around.left_fields:
        note = f"left by revision {field.revision}, which failed"
        change = FieldChange(field.path, field.value, field.value, "drift kept", note=note)
        left.setdefault(field.key, []).append(change)
    for resource in resources:
        more = left.get(resource.prediction.key, ())
        yield replace(resource, drift=(*resource.drift, *more)) if more else resource
