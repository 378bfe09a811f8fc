"""Sub-charts that come, go or change their version, as rules see them."""

from __future__ import annotations

from typing import Annotated

from helmguard.model.plan import ResourceChange
from helmguard.model.value_facts import Subchart as Listed
from helmguard.rules.context.record import Record
from helmguard.rules.context.value_changes import ValueChanged, changed_values
from helmguard.rules.facts import Facts
from helmguard.values.pin_word import pin_word


class Subchart(Record, frozen=True):
    """A dependency of the chart, before and after."""

    name: Annotated[str, "the key of its values: its alias, or else its name"]
    enabled_before: Annotated[bool, "its objects are in the release now"] = False
    enabled_after: Annotated[bool, "its objects are in the release after"] = False
    listed: Annotated[bool, "the new Chart.yaml lists it"] = True
    before: Annotated[str, "its version now, as locked or as Chart.yaml asks for it; empty where unknown"] = (
        ""
    )
    after: Annotated[str, "its version after, empty where unknown"] = ""
    condition: Annotated[str, "the values that switch it: `nfd.enabled`, empty for none"] = ""
    switch: Annotated[str, "the condition that changes, empty where none does"] = ""
    cause: Annotated[str, "why that condition changes: a cause of `values.changes`, else `chart`"] = "chart"
    requested: Annotated[bool, "this very command sets the condition"] = False
    file: Annotated[str, "the values file or the flag that sets it, empty for neither"] = ""
    line: Annotated[int, "its line in that file, 0 where it is not known"] = 0
    added: Annotated[tuple[str, ...], "its objects that are created"] = ()
    removed: Annotated[tuple[str, ...], "its objects that are deleted, or leave the release"] = ()
    keep: Annotated[str, "the flag that keeps the condition as it is: `--set nfd.enabled=true`"] = ""


class Subcharts(Record, frozen=True):
    """Dependencies of the chart that are not as before."""

    toggled: Annotated[tuple[Subchart, ...], "in the release before or after, not both"] = ()
    versions: Annotated[tuple[Subchart, ...], "in the release before and after, in another version"] = ()


def subcharts_of(facts: Facts) -> Subcharts:
    """Sub-charts that come, go or change."""
    listed = facts.values.facts.subcharts
    toggled = [one for one in listed if one.enabled_before != one.enabled_after]
    moved = [one for one in listed if one.enabled_before and one.enabled_after and _differs(one)]
    if not toggled and not moved:
        return Subcharts()
    changes = changed_values(facts) if toggled else ()
    return Subcharts(
        toggled=tuple(_toggled(one, changes, facts) for one in toggled),
        versions=tuple(_plain(one) for one in moved),
    )


def _differs(subchart: Listed) -> bool:
    return bool(subchart.before and subchart.after) and subchart.before != subchart.after


def _plain(subchart: Listed) -> Subchart:
    return Subchart(
        name=subchart.name,
        enabled_before=subchart.enabled_before,
        enabled_after=subchart.enabled_after,
        listed=subchart.listed,
        before=subchart.before,
        after=subchart.after,
        condition=subchart.condition,
    )


def _toggled(subchart: Listed, changes: tuple[ValueChanged, ...], facts: Facts) -> Subchart:
    change = next((one for one in changes if one.subchart == subchart.name), None)
    mine = [
        resource for resource in facts.resources if f"/charts/{subchart.name}/" in resource.prediction.source
    ]
    return Subchart(
        name=subchart.name,
        enabled_before=subchart.enabled_before,
        enabled_after=subchart.enabled_after,
        listed=subchart.listed,
        before=subchart.before,
        after=subchart.after,
        condition=subchart.condition,
        switch=change.path if change is not None else "",
        cause=change.cause if change is not None else "chart",
        requested=change is not None and change.requested,
        file=change.file if change is not None else "",
        line=change.line if change is not None else 0,
        added=tuple(_named(mine, ("create", "recreate", "adopt"))),
        removed=tuple(_named(mine, ("delete", "keep"))),
        keep=_keep(subchart),
    )


def _named(resources: list[ResourceChange], actions: tuple[str, ...]) -> list[str]:
    return [str(resource.prediction.key) for resource in resources if resource.action in actions]


def _keep(subchart: Listed) -> str:
    first = subchart.condition.split(",")[0].strip()
    return pin_word(tuple(first.split(".")), subchart.enabled_before) if first else ""
