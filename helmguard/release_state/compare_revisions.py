"""Two stored revisions of a release, compared as a plan from the one to the other. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from helmguard.compare.attribution import attribute
from helmguard.compare.compare_resource import compare_resource
from helmguard.compare.context import CompareContext
from helmguard.compare.equal_trees import same_tree
from helmguard.errors import ReleaseError
from helmguard.manifest.hooks import Hook, hooks_of
from helmguard.manifest.objects import ManifestObject
from helmguard.model.action import Action
from helmguard.model.discovery import Discovery
from helmguard.model.field_change import Cause, FieldChange
from helmguard.model.helm_version import HelmVersion
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import Absent, Present
from helmguard.model.plan import Engine, Plan, ReleaseSummary, ResourceChange, Unknown, ValuesReport
from helmguard.model.prediction import ResourcePrediction
from helmguard.model.release import History, Revision
from helmguard.model.resource_key import ResourceKey
from helmguard.model.value_change import Provenance, ValueChange
from helmguard.planner.rollback_inputs import stored_chart
from helmguard.predict.schema.custom_types import custom_kinds
from helmguard.predict.scopes import is_namespaced
from helmguard.release_state.history_secrets import HistorySecrets
from helmguard.release_state.revision_changes import ReadRevision, read_revision, told_values
from helmguard.values.reuse import ConfigHistory, first_revision

_OF_MANIFESTS: frozenset[Cause] = frozenset(["chart", "values", "default", "lost override"])


def compare_revisions(
    before: Revision,
    after: Revision,
    *,
    namespace: str,
    discovery: Discovery | None,
    helm: HelmVersion,
    crds: tuple[JSONObject, ...] = (),
    configs: ConfigHistory = (),
) -> Plan:
    """What ``after`` says otherwise than ``before``, whichever is the older; operation ``comparison``.

    Each object and each hook of the two is a ``ResourceChange`` whose live state is what ``before`` says, and
    whose predicted one what ``after`` says; those that are the same on both sides are ``unchanged``. A hook's
    has ``hook_events``. The cause of a field is a value that changed with it, else the chart. Where a
    manifest cannot be read, no object is compared, and ``unknown`` says why. Nothing is judged. ``configs``
    tell which revision first set a value; without them it is the one that is compared.
    """
    custom = custom_kinds(crds)

    def look_up(api_version: str, kind: str) -> bool | None:
        return is_namespaced(api_version, kind, discovery, custom)

    sides = read_revision(before, namespace, look_up), read_revision(after, namespace, look_up)
    values = tuple(_since(change, configs) for change in told_values(before, after, helm))
    context = CompareContext(
        value_changes=values,
        same_chart=_is_same_chart(before, after),
        custom_types={key: kind.root for key, kind in custom.items()},
    )
    unread = list(dict.fromkeys(side.unread for side in sides if side.unread))
    return Plan(
        operation="comparison",
        release=_summary(before, after, namespace),
        engine=Engine(
            helm=str(helm),
            apply_method=after.effective_apply_method,
            why="",
            render="stored revision",
            render_why="two stored revisions are compared: nothing is rendered",
            kubernetes=discovery.kubernetes_version if discovery else "",
        ),
        values=ValuesReport(
            mode="stored",
            mode_why="",
            changes=values,
            previous_config=before.config,
            config=after.config,
        ),
        resources=() if unread else tuple(_resources(*sides, context)),
        unknown=tuple(Unknown("objects and hooks", why) for why in unread),
        fail_on="none",
        known_secrets=_secrets(sides),
    )


def configs_of(history: History) -> ConfigHistory:
    """The stored configs of all revisions that can be read."""
    return tuple((revision.version, revision.config) for revision in history.revisions)


def _since(change: ValueChange, configs: ConfigHistory) -> ValueChange:
    """The change, with the revisions that first set its two sides."""
    return replace(
        change,
        provenance_before=_first_set(change.provenance_before, change, configs),
        provenance_after=_first_set(change.provenance_after, change, configs),
    )


def _first_set(found: Provenance | None, change: ValueChange, configs: ConfigHistory) -> Provenance | None:
    if found is None or found.kind != "previous revision":
        return found
    until = [(version, config) for version, config in configs if version <= found.revision]
    if not until or until[-1][0] != found.revision:
        return found
    return replace(found, revision=first_revision(until[-1][1], until, change.path))  # type: ignore[arg-type]


def named_revision(history: History, version: int) -> Revision:
    """The revision with this number.

    Raises:
        ReleaseError: it is not stored, or its record cannot be read.
    """
    found = history.get(version)
    if found is not None:
        return found
    stored = ", ".join(str(revision.version) for revision in history.revisions)
    remedy = f"Revisions that can be read: {stored}." if stored else "None of its revisions can be read."
    for record in history.damaged:
        if record.version == version:
            raise ReleaseError(
                f"revision {version} of {history.name!r} cannot be read: {record.why}", remedy=remedy
            )
    raise ReleaseError(f"release {history.name!r} has no revision {version}", remedy=remedy)


def _summary(before: Revision, after: Revision, namespace: str) -> ReleaseSummary:
    return ReleaseSummary(
        name=after.name,
        namespace=namespace,
        from_revision=before.version,
        last_revision=None,
        to_revision=after.version,
        status=after.status,
        chart=stored_chart(before),
        new_chart=stored_chart(after),
        changed=after.last_deployed,
        from_status=before.status,
    )


def _is_same_chart(before: Revision, after: Revision) -> bool:
    """By name and version, and by the parent chart's templates as the two records hold them."""
    if (before.chart_name, before.chart_version) != (after.chart_name, after.chart_version):
        return False
    return bool(before.chart.get("templates") == after.chart.get("templates"))


def _secrets(sides: Iterable[ReadRevision]) -> frozenset[str]:
    secrets = HistorySecrets()
    for side in sides:
        secrets.add(side)
    return secrets.known()


def _resources(
    before: ReadRevision, after: ReadRevision, context: CompareContext
) -> Iterator[ResourceChange]:
    """In the order of the later manifest, then what only the earlier one has; hooks after the objects."""
    yield from _compared(before.objects, after.objects, context)
    events = {**_events(before), **_events(after)}
    for resource in _compared(before.hooks, after.hooks, context):
        yield replace(resource, hook_events=events.get(resource.prediction.key, ("hook",)))


def _events(side: ReadRevision) -> dict[ResourceKey, tuple[str, ...]]:
    found: dict[ResourceKey, Hook] = {}
    for hook in hooks_of(side.revision.hooks):
        found.setdefault(hook.object.key, hook)
    return {key: hook.events for key, hook in found.items() if hook.events}


def _compared(
    before: Mapping[ResourceKey, ManifestObject],
    after: Mapping[ResourceKey, ManifestObject],
    context: CompareContext,
) -> Iterator[ResourceChange]:
    for key in dict.fromkeys([*after, *before]):
        yield _resource(key, before.get(key), after.get(key), context)


def _resource(
    key: ResourceKey, before: ManifestObject | None, after: ManifestObject | None, context: CompareContext
) -> ResourceChange:
    item = after or before
    assert item is not None
    old, new = before.body if before else None, after.body if after else None
    action: Action = "create" if old is None else "delete" if new is None else "update"
    if old is not None and new is not None and same_tree(old, new):
        action, new = "unchanged", old
    prediction = ResourcePrediction(
        key=key,
        api_version=item.api_version,
        action=action,
        previous=old,
        new=new,
        live=Present(old) if old is not None else Absent(),
        predicted=new,
        source=item.source,
    )
    if action == "unchanged":
        return ResourceChange(prediction)
    found = compare_resource(prediction, context)
    changes = tuple(_told_by_manifests(key, change, context) for change in found.changes)
    if action == "update" and not changes:
        # Two ways to write the same.
        return ResourceChange(replace(prediction, action="unchanged"))
    return replace(found, changes=changes)


def _told_by_manifests(key: ResourceKey, change: FieldChange, context: CompareContext) -> FieldChange:
    """No cluster stands between the two: no server, no field manager and no mark of Helm's is a cause."""
    if change.cause in _OF_MANIFESTS and not change.manager:
        return change
    found = attribute(key, change.path, change.before, change.after, context)
    return replace(
        change, cause=found.cause, value_path=found.value_path, note=found.note, manager="", since=""
    )
