"""From all that was read to the plan. Pure: no I/O, no clock."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from helmguard.compare.compare_resource import compare_resource
from helmguard.compare.context import CompareContext
from helmguard.compare.not_reached import not_reached
from helmguard.manifest.hooks import Hook, hooks_for, hooks_of
from helmguard.manifest.objects import ManifestObject, duplicates, read_objects
from helmguard.model.field_path import format_path
from helmguard.model.live_state import Unreadable
from helmguard.model.plan import (
    ChartRef,
    Engine,
    HookRun,
    Plan,
    ReleaseSummary,
    ResourceChange,
    Unknown,
)
from helmguard.model.prediction import Prediction
from helmguard.model.release import Revision
from helmguard.model.value_change import ValueCause
from helmguard.planner.configured import configured, without_ignored
from helmguard.planner.fingerprint import fingerprint
from helmguard.planner.inputs import PlanInputs
from helmguard.planner.known_secrets import known_secrets
from helmguard.planner.node_side import node_side_of, strange_facts
from helmguard.planner.record_size import record_refusal
from helmguard.planner.scopes import namespaced_lookup
from helmguard.planner.surroundings import surroundings_of
from helmguard.predict.apply_method import decide_apply_method
from helmguard.predict.inputs import OperationInputs
from helmguard.predict.operation import predict_operation
from helmguard.predict.schema.custom_types import custom_kinds
from helmguard.rules.context.root import Context
from helmguard.rules.facts import Facts
from helmguard.rules.judge import judge


def make_plan(inputs: PlanInputs, prediction: Prediction | None = None) -> Plan:
    """Predict (where that is not done yet), compare, judge, and apply the user's configuration."""
    return configured(judged(assembled(inputs, prediction), inputs), inputs.gate)


def assembled(inputs: PlanInputs, prediction: Prediction | None = None) -> Plan:
    """The plan without findings."""
    operation = operation_inputs(inputs)
    prediction = prediction or predict_operation(operation)
    context = replace(compare_context(inputs), not_reached=not_reached(prediction))
    compared = (compare_resource(resource, context) for resource in prediction.resources)
    resources = without_ignored(compared, inputs.gate)
    previous = [item.body for item in operation.previous]
    target = [item.body for item in operation.target]
    revision = previous_revision(inputs)
    secrets = known_secrets(inputs, (*previous, *target), revision, prediction.resources)
    return Plan(
        operation=inputs.operation,
        release=release_summary(inputs),
        engine=engine_of(inputs),
        values=inputs.values,
        resources=resources,
        hooks=tuple(_hook_runs(inputs)),
        failure=prediction.failure,
        unknown=unknown_things(inputs, resources),
        unstable=tuple(
            f"{key} {format_path(path)}"
            for key, paths in inputs.new.unstable.items()
            for path in sorted(paths, key=str)
        ),
        notes=(*prediction.notes, *inputs.new.warnings, *_duplicate_notes(inputs)),
        keep_command=inputs.keep_command,
        fingerprint=fingerprint(inputs, previous, target, secrets),
        dry_run=inputs.dry_run,
        around=surroundings_of(inputs, operation, prediction, revision, context),
        known_secrets=secrets,
    )


def judged(plan: Plan, inputs: PlanInputs) -> Plan:
    """The plan with what the rules say about it, given the facts that the inputs hold."""
    facts = facts_of(plan, inputs)
    context = Context(facts)
    verdict = judge(facts, inputs.gate.packs, context)
    return replace(
        plan,
        findings=verdict.findings,
        suppressed=verdict.suppressed,
        unknown=(*plan.unknown, *strange_facts(facts.node_side, inputs)),
        context=context,
    )


def operation_inputs(inputs: PlanInputs) -> OperationInputs:
    """The part of the inputs that a prediction starts from."""
    return OperationInputs(
        operation=inputs.operation,
        helm=inputs.helm,
        options=inputs.options,
        release=inputs.release,
        namespace=inputs.namespace,
        history=inputs.history,
        previous=previous_objects(inputs),
        target=target_objects(inputs),
        hooks=hooks_of(inputs.new.hooks),
        live=inputs.live,
        crds=inputs.crds,
        chart_crds=inputs.chart_crds,
        chart_crd_files=tuple(definition.file for definition in inputs.definitions),
        discovery=inputs.discovery,
        rollback_revision=inputs.rollback_to,
        rendering_error=inputs.new.error,
        record_refusal=record_refusal(inputs),
        asks_server=bool(inputs.answers),
        answers=inputs.answers,
    )


def compare_context(inputs: PlanInputs) -> CompareContext:
    """What the comparison of every object shares."""
    return CompareContext(
        value_changes=inputs.values.changes,
        same_chart=inputs.same_chart,
        counterfactuals={cause: _by_key(inputs, cause) for cause in inputs.new.counterfactuals},
        target={item.key: item.body for item in target_objects(inputs)} if inputs.new.counterfactuals else {},
        unstable=inputs.new.unstable,
        force_conflicts=inputs.options.force_conflicts,
        custom_types={
            key: kind.root for key, kind in custom_kinds([*inputs.chart_crds, *inputs.crds]).items()
        },
    )


def previous_revision(inputs: PlanInputs) -> Revision | None:
    """The revision whose manifest Helm compares with; None for an install."""
    if inputs.operation == "install":
        return None
    if inputs.operation == "rollback":
        return inputs.history.last()
    return inputs.history.current_for_upgrade()


def previous_objects(inputs: PlanInputs) -> list[ManifestObject]:
    """The objects of the previous manifest."""
    previous = previous_revision(inputs)
    if previous is None:
        return []
    return read_objects(previous.manifest, inputs.namespace, namespaced_lookup(inputs))


def target_objects(inputs: PlanInputs) -> list[ManifestObject]:
    """The objects of the new manifest."""
    return read_objects(inputs.new.manifest, inputs.namespace, namespaced_lookup(inputs))


def _by_key(inputs: PlanInputs, cause: ValueCause) -> dict:  # type: ignore[type-arg]
    manifest = inputs.new.counterfactuals[cause]
    objects = read_objects(manifest, inputs.namespace, namespaced_lookup(inputs))
    return {item.key: item.body for item in objects}


def facts_of(plan: Plan, inputs: PlanInputs) -> Facts:
    """What the detectors may look at."""
    return Facts(
        operation=plan.operation,
        release=plan.release,
        engine=plan.engine,
        values=plan.values,
        resources=plan.resources,
        hooks=plan.hooks,
        failure=plan.failure,
        failure_remedy=inputs.new.error_remedy,
        keep_command=plan.keep_command,
        around=plan.around,
        cluster=inputs.cluster,
        discovery=inputs.discovery,
        unstable=plan.unstable,
        now=inputs.now,
        node_side=node_side_of(plan, inputs),
    )


def release_summary(inputs: PlanInputs) -> ReleaseSummary:
    """The release before the operation and after it."""
    previous, last = previous_revision(inputs), inputs.history.last()
    return ReleaseSummary(
        name=inputs.release,
        namespace=inputs.namespace,
        from_revision=previous.version if previous else None,
        last_revision=last.version if last else None,
        to_revision=(last.version if last else 0) + 1,
        status=last.status if last else "",
        chart=_stored_chart(previous) if previous else None,
        new_chart=inputs.new_chart,
        damaged=tuple(f"{record.storage_name}: {record.why}" for record in inputs.history.damaged),
        changed=last.last_deployed if last else "",
    )


def _stored_chart(revision: Revision) -> ChartRef:
    return ChartRef(revision.chart_name, revision.chart_version, revision.app_version)


def engine_of(inputs: PlanInputs) -> Engine:
    """Which Helm acts, and how."""
    decision = decide_apply_method(
        inputs.operation, inputs.helm, inputs.options.server_side, inputs.history, inputs.rollback_to
    )
    return Engine(
        helm=str(inputs.helm),
        apply_method=decision.method,
        why=decision.why,
        render=inputs.new.rendered_by,
        render_why=inputs.new.why,
        kubernetes=inputs.discovery.kubernetes_version if inputs.discovery else inputs.kubernetes,
    )


def _hook_runs(inputs: PlanInputs) -> Iterable[HookRun]:
    if inputs.options.no_hooks:
        return
    hooks = hooks_of(inputs.new.hooks)
    is_namespaced = namespaced_lookup(inputs)
    for event in (f"pre-{inputs.operation}", f"post-{inputs.operation}"):
        for order, hook in enumerate(hooks_for(event, hooks), start=1):
            namespaced = is_namespaced(hook.object.api_version, hook.object.kind)
            yield _hook_run(hook, event, order, inputs.namespace, namespaced)


def _hook_run(hook: Hook, event: str, order: int, namespace: str, namespaced: bool | None) -> HookRun:
    return HookRun(
        event=event,
        api_version=hook.object.api_version,
        kind=hook.object.kind,
        namespace=None if namespaced is False else (hook.object.namespace or namespace),
        name=hook.object.name,
        weight=hook.weight,
        delete_policies=hook.delete_policies,
        order=order,
        source=hook.path,
    )


def unknown_things(inputs: PlanInputs, resources: Iterable[ResourceChange]) -> tuple[Unknown, ...]:
    """What could not be read, and what could not be predicted."""
    found = list(inputs.unknown)
    for resource in resources:
        prediction = resource.prediction
        if isinstance(prediction.live, Unreadable):
            found.append(Unknown(str(prediction.key), f"live state could not be read: {prediction.live.why}"))
        elif prediction.unknown:
            found.append(Unknown(str(prediction.key), prediction.unknown))
    return tuple(dict.fromkeys(found))


def _duplicate_notes(inputs: PlanInputs) -> list[str]:
    return [
        f"the new manifest holds {key} more than once; see its prediction for what becomes of it"
        for key in duplicates(target_objects(inputs))
    ]
