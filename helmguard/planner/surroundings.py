"""Gathers what a plan tells around the objects. Pure: all of it is in the inputs and the prediction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from helmguard.compare.context import CompareContext
from helmguard.compare.equal_trees import same_tree
from helmguard.compare.lost_items import lost_items
from helmguard.compare.not_reached import not_reached
from helmguard.compare.undeclared import refused_nulls, undeclared_fields
from helmguard.manifest.hooks import Hook, hooks_of
from helmguard.manifest.objects import ManifestObject
from helmguard.model.live_state import Unreadable
from helmguard.model.prediction import Prediction
from helmguard.model.release import Revision
from helmguard.model.resource_key import ResourceKey
from helmguard.model.surroundings import (
    DroppedFields,
    Duplicate,
    HookObject,
    LostItems,
    NullFields,
    PastRevision,
    Surroundings,
)
from helmguard.planner.aftermath import aftermath
from helmguard.planner.assumed_failures import assumed_failures
from helmguard.planner.definition_states import definition_states
from helmguard.planner.failed_revisions import failed_objects, left_fields, orphans
from helmguard.planner.inputs import PlanInputs
from helmguard.planner.scopes import is_unserved
from helmguard.predict.definitions import Kinds, known_kinds, live_definitions
from helmguard.predict.hook_effects import hooks_that_bring_definitions
from helmguard.predict.inputs import OperationInputs
from helmguard.predict.schema.builtin_types import BuiltinType, builtin_type
from helmguard.predict.schema.custom_types import custom_kinds
from helmguard.predict.scopes import hook_key


def surroundings_of(
    inputs: PlanInputs,
    operation: OperationInputs,
    prediction: Prediction,
    base: Revision | None,
    context: CompareContext,
) -> Surroundings:
    """``base`` is the revision Helm compares with, None for an install."""
    kinds = known_kinds(operation)
    hooks = hooks_of(inputs.new.hooks)
    failed = failed_objects(inputs, base)
    return Surroundings(
        options=inputs.options,
        helm_major=inputs.helm.major,
        definitions=definition_states(
            inputs, hooks_that_bring_definitions(operation), prediction.apply_method
        ),
        orphans=tuple(orphans(failed, prediction.resources, inputs.live, inputs.release, inputs.namespace)),
        left_fields=tuple(left_fields(failed, prediction.resources, context.not_reached, context.type_of)),
        duplicates=tuple(_duplicates(operation.target)),
        dropped_fields=tuple(_dropped_fields(operation.target, kinds)),
        lost_items=tuple(_lost_items(prediction)),
        hooks=tuple(_hook_objects(hooks, inputs, kinds)),
        previous_hooks=tuple(_hook_objects(hooks_of(base.hooks) if base else [], inputs, kinds)),
        history=tuple(_past(revision) for revision in inputs.history.revisions),
        rollback_to=inputs.rollback_to,
        record=inputs.record,
        aftermath=aftermath(inputs, prediction, hooks),
        live_kinds=frozenset(_live_kinds(operation)),
        nulls=tuple(_nulls(operation.target, kinds)),
        assumed_failures=assumed_failures(operation, base),
        unserved=frozenset(item.key for item in operation.previous if is_unserved(item, inputs)),
    )


def _duplicates(target: Sequence[ManifestObject]) -> Iterator[Duplicate]:
    groups: dict[ResourceKey, list[ManifestObject]] = {}
    for item in target:
        if item.name:
            groups.setdefault(item.key, []).append(item)
    for key, items in groups.items():
        if len(items) > 1:
            first = items[0].body
            identical = all(same_tree(first, item.body) for item in items[1:])
            yield Duplicate(key, tuple(item.source for item in items), identical)


def _dropped_fields(target: Iterable[ManifestObject], kinds: Kinds) -> Iterator[DroppedFields]:
    for item in target:
        builtin = builtin_type(item.api_version, item.kind)
        custom = kinds.get((item.api_version, item.kind)) if builtin is None else None
        type_ = builtin or (custom.root if custom else None)
        paths = tuple(undeclared_fields(item.body, type_)) if type_ is not None else ()
        if paths:
            yield DroppedFields(item.key, item.api_version, paths, custom is not None)


def _live_kinds(operation: OperationInputs) -> Iterator[tuple[str, str]]:
    definitions = [*operation.crds, *live_definitions(operation.live)]
    return (place for place, kind in custom_kinds(definitions).items() if kind.served)


def _nulls(target: Iterable[ManifestObject], kinds: Kinds) -> Iterator[NullFields]:
    """Only custom kinds refuse a null: built-in ones take it for absent."""
    for item in target:
        custom = kinds.get((item.api_version, item.kind))
        paths = tuple(refused_nulls(item.body, custom.root)) if custom is not None else ()
        if paths:
            yield NullFields(item.key, item.api_version, paths)


def _lost_items(prediction: Prediction) -> Iterator[LostItems]:
    unreached = not_reached(prediction)
    for resource in prediction.resources:
        if resource.key in unreached or resource.error or resource.unknown:
            continue
        if resource.engine != "strategic merge":
            continue
        if resource.new is None or resource.predicted is None:
            continue
        if resource.new.get("apiVersion") != resource.predicted.get("apiVersion"):
            continue
        type_ = builtin_type(resource.api_version, resource.key.kind)
        if isinstance(type_, BuiltinType):
            yield from lost_items(resource.key, resource.new, resource.predicted, type_)


def _hook_objects(hooks: Iterable[Hook], inputs: PlanInputs, kinds: Kinds) -> Iterator[HookObject]:
    unread = Unreadable("was not read")
    for hook in hooks:
        key = hook_key(hook, inputs.namespace, inputs.discovery, kinds)
        yield HookObject(
            key=key,
            api_version=hook.object.api_version,
            events=hook.events,
            delete_policies=hook.delete_policies,
            body=hook.object.body,
            live=inputs.live.get(key, unread),
        )


def _past(revision: Revision) -> PastRevision:
    return PastRevision(
        version=revision.version,
        status=revision.status,
        updated=revision.last_deployed,
        description=revision.description,
        chart=f"{revision.chart_name}-{revision.chart_version}",
        apply_method=revision.apply_method,
        jobs=tuple(_jobs(revision)),
    )


def _jobs(revision: Revision) -> Iterator[str]:
    for hook in hooks_of(revision.hooks):
        events = [event for event in hook.events if event in _WRITING_EVENTS]
        if events and hook.object.kind in ("Job", "Pod"):
            yield f"{events[0]} {hook.object.kind}/{hook.object.name}"


_WRITING_EVENTS = ("pre-install", "post-install", "pre-upgrade", "post-upgrade")
