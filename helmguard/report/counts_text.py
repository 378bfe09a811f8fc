"""What a plan amounts to, in words."""

from __future__ import annotations

from collections import Counter

from helmguard.model.action import Action
from helmguard.model.live_state import Absent
from helmguard.model.plan import Plan, ResourceChange
from helmguard.report.plan_counts import actions_of, is_noise, noise_kind, objects_of
from helmguard.report.plural import plural
from helmguard.report.styles import Style

_COUNTED: tuple[tuple[Action, str, Style], ...] = (
    ("create", "to create", "create"),
    ("recreate", "to recreate (deleted live)", "create"),
    ("adopt", "to adopt", "update"),
    ("update", "to update", "update"),
    ("replace", "to replace", "replace"),
    ("delete", "to delete", "delete"),
    ("keep", "left behind", "dim"),
    ("fail", "will fail", "bad"),
    ("unknown", "not known", "warning"),
)
_COMPARED: dict[Action, str] = {"create": "added", "update": "changed", "delete": "removed"}
"""Of two stored revisions: nothing will happen to the objects."""

_NOISE = (
    ("ignored", "with ignored changes only"),
    ("bookkeeping", "with version labels only"),
    ("unstable", "with random values only"),
    ("normalised", "changed only in the server's own fields"),
)


_WHOSE = {"rollback": "changed by the rollback", "comparison": "set or unset"}


def object_counts(plan: Plan) -> list[tuple[str, Style]]:
    """``1 to update``, ``18 unchanged``, ``9 hooks run``; updates that are noise are counted apart."""
    actions = actions_of(plan)
    noise = Counter(noise_kind(resource) for resource in objects_of(plan) if is_noise(resource))
    actions["update"] -= noise.total()
    told = _COMPARED if plan.operation == "comparison" else {}
    counts = [
        (f"{actions[action]} {told.get(action, words)}", style)
        for action, words, style in _COUNTED
        if actions[action] > 0
    ]
    counts += [(f"{noise[kind]} {words}", "dim") for kind, words in _NOISE if noise[kind]]
    absent = sum(map(_is_not_created, plan.resources))
    if absent:
        counts.append((f"{absent} not created", "bad"))
    if actions["unchanged"] > absent or not counts:
        counts.append((f"{actions['unchanged'] - absent} unchanged", "dim"))
    if plan.hooks:
        counts.append((f"{plural(len(plan.hooks), 'hook')} {'runs' if len(plan.hooks) == 1 else 'run'}", ""))
    return counts


def noise_words(resource: ResourceChange) -> str:
    """Why an object that is updated is only counted: ``with version labels only``."""
    return dict(_NOISE)[noise_kind(resource)]


def _is_not_created(resource: ResourceChange) -> bool:
    """One that Helm fails before it comes to it: nothing is there that could stay unchanged."""
    prediction = resource.prediction
    return (
        resource.action == "unchanged" and prediction.new is not None and isinstance(prediction.live, Absent)
    )


def value_counts(plan: Plan) -> list[tuple[str, Style]]:
    """``1 override lost``, ``1 set by you``, ``3 overrides dropped without effect ...``."""
    causes = Counter(change.cause for change in plan.values.changes)
    dropped = sum(1 for warning in plan.values.warnings if warning.kind == "override dropped without effect")
    counts: list[tuple[str, Style]] = []
    if causes["lost override"]:
        counts.append((f"{plural(causes['lost override'], 'override')} lost", "bad"))
    if causes["values"]:
        counts.append((f"{causes['values']} {_WHOSE.get(plan.operation, 'set by you')}", ""))
    if causes["default"]:
        counts.append((f"{causes['default']} changed by the chart's defaults", ""))
    if causes["chart"]:
        counts.append((f"{causes['chart']} changed by the chart's structure", ""))
    if dropped:
        text = f"{plural(dropped, 'override')} dropped without effect (equal to the default)"
        counts.append((text, "dim"))
    return counts or [("no change", "dim")]
