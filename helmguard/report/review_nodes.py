"""A plan as a tree to walk through: sections in the reader's order, what they hold, and what those hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from helmguard.compare.object_drift import ObjectDrift, drift_of
from helmguard.compare.weight import is_counted
from helmguard.model.field_change import FieldChange
from helmguard.model.field_path import format_path
from helmguard.model.finding import SEVERITIES, Finding, Severity
from helmguard.model.plan import HookRun, Plan, ResourceChange, Unknown
from helmguard.model.resource_key import ResourceKey
from helmguard.report.counts_text import object_counts, value_counts
from helmguard.report.drift import drift_above
from helmguard.report.failure import covers_failure
from helmguard.report.plan_counts import is_noise, objects_of
from helmguard.report.plural import plural
from helmguard.report.remark import NEEDS_EYES
from helmguard.report.review_items import (
    Counted,
    DriftedObject,
    FieldKind,
    FindingDetails,
    ReviewedField,
    ReviewedHook,
    ReviewNode,
    Section,
    SectionName,
    SeverityGroup,
)
from helmguard.report.styles import Style
from helmguard.report.unknown import unknown_items
from helmguard.report.values import dropped_overrides, ranked_changes, shortened, unsaid_warnings

_OPEN_FIELDS = 40
"""With more fields than these, objects are folded at first, but for those that need eyes."""


def review_nodes(plan: Plan, *, show_noise: bool = False) -> tuple[ReviewNode, ...]:
    """The sections. One that has nothing to say stays as a heading: the question was asked."""
    nodes = [*_failure(plan), *_findings(plan), *_values(plan, show_noise)]
    if plan.operation == "drift":
        nodes += [_adrift(plan)]
    else:
        nodes += [_objects(plan, show_noise), *_hooks(plan), *_kept_drift(plan)]
    return (*nodes, *_unknown(plan), *_unchanged(plan, show_noise))


def _section(
    name: SectionName,
    title: str,
    counts: Sequence[tuple[str, Style]],
    children: Sequence[ReviewNode],
    *,
    is_open: bool = True,
) -> ReviewNode:
    return ReviewNode(name, Section(name, title, tuple(counts)), tuple(children), is_open=is_open)


def _failure(plan: Plan) -> Iterator[ReviewNode]:
    if plan.failure is None or any(covers_failure(finding, plan) for finding in plan.findings):
        return
    child = ReviewNode("failure/it", plan.failure)
    yield _section("failure", "Will fail", [("Helm will fail", "bad")], [child])


def _findings(plan: Plan) -> Iterator[ReviewNode]:
    fired = [finding for finding in plan.findings if finding.result == "fires"]
    if plan.operation == "comparison" and not fired:
        return
    groups: list[ReviewNode] = []
    seen: Counter[str] = Counter()
    counts: list[tuple[str, Style]] = []
    for severity in (*SEVERITIES, None):
        found = [finding for finding in fired if SeverityGroup(severity, 0).holds(finding)]
        if found:
            nodes = tuple(_finding(finding, seen) for finding in found)
            name = severity or "waived"
            group = SeverityGroup(severity, len(found))
            groups.append(
                ReviewNode(f"findings/{name}", group, nodes, is_open=severity not in ("info", None))
            )
            counts.append((_counted_severity(severity, len(found)), severity or "dim"))
    yield _section("findings", "Findings", counts or [("none", "dim")], groups)


def _counted_severity(severity: Severity | None, count: int) -> str:
    if severity is None:
        return f"{count} waived"
    return f"{count} info" if severity == "info" else plural(count, severity)


def _finding(finding: Finding, seen: Counter[str]) -> ReviewNode:
    """Two findings of one rule and place are told apart by their number."""
    place = f"{finding.rule}/{finding.where.name}/{finding.where.field}/{finding.key}"
    seen[place] += 1
    key = f"finding/{place}/{seen[place]}"
    told = (finding.consequence, finding.effects, finding.remedy, finding.missing, finding.config_note)
    if not any(told) and finding.waived is None and finding.overridden is None:
        return ReviewNode(key, finding)
    details = ReviewNode(f"{key}/details", FindingDetails(finding))
    return ReviewNode(key, finding, (details,), is_open=False)


def _values(plan: Plan, show_noise: bool) -> Iterator[ReviewNode]:
    if plan.operation == "drift":
        return
    shown, hidden = shortened(ranked_changes(plan), show_noise)
    nodes = [
        ReviewNode(f"value/{format_path(change.path)}", change, is_change=True, is_open=False)
        for change in shown
    ]
    if hidden:
        nodes.append(_counted("values/hidden", f"{hidden} more changed chart defaults"))
    unsaid = unsaid_warnings(plan)
    told = [warning for warning in unsaid if show_noise or not warning.is_idle]
    if show_noise:
        told += dropped_overrides(plan)
    nodes += [
        ReviewNode(f"warning/{index}/{warning.kind}/{format_path(warning.path)}", warning)
        for index, warning in enumerate(told)
    ]
    idle = len(unsaid) - sum(not warning.is_idle for warning in unsaid)
    if idle and not show_noise:
        nodes.append(_counted("values/idle", f"{plural(idle, 'new default')} of an empty value not taken"))
    yield _section("values", "Values", value_counts(plan), nodes)


def _counted(key: str, text: str) -> ReviewNode:
    return ReviewNode(key, Counted(f"{text} (. shows them)"))


def _objects(plan: Plan, show_noise: bool) -> ReviewNode:
    shown = [resource for resource in objects_of(plan) if _is_shown(resource, show_noise)]
    many = sum(len(resource.changes) for resource in shown) > _OPEN_FIELDS
    nodes = [_object(resource, show_noise, many=many) for resource in shown]
    return _section("objects", "Objects", object_counts(plan), nodes)


def _is_shown(resource: ResourceChange, show_noise: bool) -> bool:
    if resource.action == "unchanged":
        return any(is_counted(change) for change in resource.changes)
    return show_noise or not is_noise(resource)


def _object(resource: ResourceChange, show_noise: bool, *, many: bool) -> ReviewNode:
    key = object_key(resource.prediction.key)
    counted = [change for change in resource.changes if show_noise or is_counted(change)]
    counted.sort(key=lambda change: change.cause not in NEEDS_EYES)
    fields = [_field(key, resource, change, "change") for change in counted]
    hidden = len(resource.changes) - len(counted)
    if hidden:
        fields.append(_counted(f"{key}/hidden", f"{plural(hidden, 'field')} of no weight"))
    if show_noise:
        fields += [_field(key, resource, item.change, "ignored") for item in resource.ignored]
    eyes = any(change.cause in NEEDS_EYES for change in resource.changes)
    is_whole = resource.action in ("create", "recreate", "delete", "keep")
    if is_whole:
        # The object is the change: n does not go through all that is new about it.
        fields = [replace(field, is_change=False) for field in fields]
    is_open = not is_whole and (eyes or not many)
    return ReviewNode(key, resource, tuple(fields), is_change=is_whole or not counted, is_open=is_open)


def _field(key: str, resource: ResourceChange, change: FieldChange, kind: FieldKind) -> ReviewNode:
    is_change = kind != "ignored" and is_counted(change)
    return ReviewNode(
        f"{key}/{kind}/{format_path(change.path)}",
        ReviewedField(resource, change, kind),
        is_change=is_change,
    )


def object_key(key: ResourceKey) -> str:
    """The node key of an object."""
    return f"object/{key.group}/{key.kind}/{key.namespace or ''}/{key.name}"


def _hooks(plan: Plan) -> Iterator[ReviewNode]:
    """The hooks that run; of a comparison, those that differ."""
    standing = {
        (item.prediction.key.kind, item.prediction.key.name): item
        for item in plan.resources
        if item.hook_events
    }
    nodes = [
        ReviewNode(
            f"hook/{run.event}/{run.order}/{run.kind}/{run.name}",
            ReviewedHook(run, standing.get((run.kind, run.name))),
        )
        for run in sorted(plan.hooks, key=lambda run: _event_order(run, plan))
    ]
    if plan.operation == "comparison":
        differing = [item for item in standing.values() if item.action not in ("unchanged", "hook")]
        nodes += [_hook_object(item) for item in differing]
        counts: list[tuple[str, Style]] = [(f"{len(differing)} differ", "")] if differing else []
    else:
        events = list(dict.fromkeys(run.event for run in plan.hooks))
        counts = [(f"{event}: {sum(run.event == event for run in plan.hooks)}", "") for event in events]
    is_open = len(nodes) <= _OPEN_FIELDS // 4
    yield _section("hooks", "Hooks", counts or [("none", "dim")], nodes, is_open=is_open)


def _hook_object(resource: ResourceChange) -> ReviewNode:
    node = _object(resource, False, many=False)
    return ReviewNode(f"hook {node.key}", resource, node.children, node.is_change, node.is_open)


def _event_order(run: HookRun, plan: Plan) -> tuple[int, int]:
    events = list(dict.fromkeys(hook.event for hook in plan.hooks))
    return events.index(run.event), run.order


def _kept_drift(plan: Plan) -> Iterator[ReviewNode]:
    """Of a plan: what somebody changed live and Helm leaves."""
    if plan.operation == "comparison":
        return
    nodes = []
    for resource in plan.resources:
        if resource.drift:
            key = f"drift {object_key(resource.prediction.key)}"
            fields = tuple(_field(key, resource, change, "drift") for change in resource.drift)
            nodes.append(ReviewNode(key, resource, fields))
    kept = sum(len(resource.drift) for resource in plan.resources)
    counts: list[tuple[str, Style]] = [(f"{plural(kept, 'live change')} kept", "warning")] if kept else []
    above = drift_above(plan)
    if above:
        counts.append((above, "warning"))
    yield _section("drift", "Drift", counts or [("none", "dim")], nodes)


def _adrift(plan: Plan) -> ReviewNode:
    """Of a drift plan: all that is not as the release says."""
    found = _found_adrift(plan)
    nodes = [_drifted(item) for item in found]
    nodes += [ReviewNode(f"left {object_key(left.key)}", left, is_change=True) for left in plan.left_over]
    counts: list[tuple[str, Style]] = []
    if found:
        counts.append((f"{plural(len(found), 'object')} not as the release says", "warning"))
    if plan.left_over:
        counts.append((f"{plural(len(plan.left_over), 'object')} in no deployed revision", "warning"))
    return _section("drift", "Drift", counts or [("none", "good")], nodes)


def _found_adrift(plan: Plan) -> list[ObjectDrift]:
    if plan.operation != "drift":
        return []
    return [item for item in drift_of(plan) if item.is_adrift or item.will_fail]


def _drifted(item: ObjectDrift) -> ReviewNode:
    key = object_key(item.resource.prediction.key)
    changes = (*item.conflicts, *item.reverted)
    fields = [_field(key, item.resource, change, "change") for change in (*changes, *item.marks)]
    fields += [_field(key, item.resource, change, "drift") for change in item.kept]
    fields += [_field(key, item.resource, change, "latent") for change in item.latent]
    return ReviewNode(key, DriftedObject(item), tuple(fields), is_change=not fields)


def _unknown(plan: Plan) -> Iterator[ReviewNode]:
    nodes = [
        ReviewNode(f"unknown/{what}/{index}", Unknown(what, why))
        for index, (what, why) in enumerate(unknown_items(plan))
    ]
    nodes += [
        ReviewNode(f"unknown/random/{name}", Unknown(name, "rendered differently each time"))
        for name in plan.unstable
    ]
    if plan.operation == "comparison" and not nodes:
        return
    counts: list[tuple[str, Style]] = [(str(len(nodes)), "warning")] if nodes else [("nothing", "dim")]
    yield _section("unknown", "Unknown", counts, nodes)


def _unchanged(plan: Plan, show_noise: bool) -> Iterator[ReviewNode]:
    """The objects that are not shown, as numbers, and by name where one asks."""
    adrift = {item.resource.prediction.key for item in _found_adrift(plan)}
    hidden = [
        resource
        for resource in objects_of(plan)
        if resource.prediction.key not in adrift
        and (plan.operation == "drift" or not _is_shown(resource, show_noise))
    ]
    if not hidden:
        return
    nodes = [ReviewNode(f"unchanged {object_key(resource.prediction.key)}", resource) for resource in hidden]
    noise = sum(is_noise(resource) for resource in hidden)
    counts: list[tuple[str, Style]] = [(plural(len(hidden) - noise, "object"), "dim")]
    if noise:
        counts.append((f"{noise} that only change in version labels and the like (. shows them)", "dim"))
    yield _section("unchanged", "Unchanged", counts, nodes, is_open=False)
