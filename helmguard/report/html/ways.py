"""The ways of a change: from a value or the chart over objects to what happens then, and on which nodes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from helmguard.compare.weight import is_counted, restarts_pods
from helmguard.model.field_path import format_path
from helmguard.model.finding import SEVERITIES, Finding
from helmguard.model.plan import Plan, ResourceChange
from helmguard.report.html.reached_nodes import operator_nodes, pod_nodes
from helmguard.report.plan_counts import is_noise, objects_of
from helmguard.report.plural import plural
from helmguard.report.provenance_text import provenance_text

Column = Literal["source", "object", "action", "node"]
COLUMNS: tuple[Column, ...] = ("source", "object", "action", "node")

_MOST_OBJECTS = 10
_MOST_FIELDS = 2
_MOST_ACTIONS = 4
_NODES_NAMED = 6
_ON_NODES = "; on the nodes "
_GRAVE = ("blocker", "danger")


class Stop(msgspec.Struct, frozen=True):
    """One stop of a way. ``title`` and ``texts`` are not masked; ``style`` is a severity, ``bad``, ``dim`` or
    empty. ``is_chart``: the chart itself, not a value."""

    column: Column
    title: str
    texts: tuple[str, ...] = ()
    style: str = ""
    is_chart: bool = False


class Ways(msgspec.Struct, frozen=True):
    """Stops, the steps between them by their places in the list, and how many objects were left out."""

    stops: tuple[Stop, ...] = ()
    steps: tuple[tuple[int, int], ...] = ()
    left_out: int = 0

    @property
    def tells_something(self) -> bool:
        """Whether more is to be seen than a chart that changes objects, or what a finding says anyhow."""
        columns = {stop.column for stop in self.stops}
        traced = any(stop.column == "source" and not stop.is_chart for stop in self.stops)
        return traced or "node" in columns or {"source", "action"} <= columns


def ways_of(plan: Plan) -> Ways:
    """The objects that change, those with the gravest findings first, and the way to and from each."""
    changed = [item for item in objects_of(plan) if item.action not in _IDLE and not is_noise(item)]
    changed.sort(key=lambda item: _gravity(item, plan))
    drawing = _Drawing()
    for item in changed[:_MOST_OBJECTS]:
        _draw(item, plan, drawing)
    return Ways(tuple(drawing.stops), tuple(drawing.steps), max(0, len(changed) - _MOST_OBJECTS))


_IDLE = ("unchanged", "keep", "hook")


class _Drawing:
    """Stops and steps, each once."""

    def __init__(self) -> None:
        self.stops: list[Stop] = []
        self.steps: list[tuple[int, int]] = []

    def stop(self, stop: Stop) -> int:
        if stop not in self.stops:
            self.stops.append(stop)
        return self.stops.index(stop)

    def step(self, start: int, end: int) -> None:
        if (start, end) not in self.steps:
            self.steps.append((start, end))


def _draw(item: ResourceChange, plan: Plan, drawing: _Drawing) -> None:
    end = drawing.stop(_object(item, plan))
    for source in _sources(item, plan):
        drawing.step(drawing.stop(source), end)
    for action, nodes in _actions(item, plan):
        start = drawing.stop(action)
        drawing.step(end, start)
        for node in nodes:
            drawing.step(start, drawing.stop(node))


def _gravity(item: ResourceChange, plan: Plan) -> int:
    """0 for an object that a blocker is about; those without a finding last, new ones behind them."""
    grades = [SEVERITIES.index(finding.severity) for finding in _findings_on(item, plan)]
    plain = len(SEVERITIES) + (item.action in ("create", "recreate"))
    return min(grades, default=plain)


def _findings_on(item: ResourceChange, plan: Plan) -> list[Finding]:
    name = str(item.prediction.key)
    return [
        finding
        for finding in plan.findings
        if finding.result == "fires" and finding.where.on == "object" and finding.where.name == name
    ]


def _object(item: ResourceChange, plan: Plan) -> Stop:
    fields = [format_path(change.path) for change in item.changes if is_counted(change)]
    texts = fields[:_MOST_FIELDS] if item.action == "update" else [_WORDS.get(item.action, item.action)]
    if item.action == "update" and len(fields) > _MOST_FIELDS:
        texts.append(f"and {plural(len(fields) - _MOST_FIELDS, 'more field')}")
    grave = [finding.severity for finding in _findings_on(item, plan) if finding.severity in _GRAVE]
    style = "bad" if item.prediction.error else min(grave, key=SEVERITIES.index, default="")
    return Stop("object", str(item.prediction.key), tuple(texts), style)


_WORDS = {
    "create": "is created",
    "recreate": "is created again",
    "delete": "is deleted",
    "replace": "is deleted and made anew",
    "adopt": "is taken into the release",
    "fail": "is where Helm fails",
    "unknown": "not known",
}


def _sources(item: ResourceChange, plan: Plan) -> Iterator[Stop]:
    """The values that the object's changes were traced to; else the chart, or who changed it live."""
    changes = [change for change in item.changes if is_counted(change)]
    traced = list(dict.fromkeys(change.value_path for change in changes if change.value_path))
    traced = traced or list(_values_that_reach(item, plan))
    yield from (_value(path, plan) for path in traced)
    untraced = [change for change in changes if not change.value_path]
    edited = dict.fromkeys(change.manager for change in untraced if change.cause.startswith("drift"))
    yield from (Stop("source", "changed live", (f"by {name}",) if name else (), "warning") for name in edited)
    if not traced and (not changes or any(change.cause == "chart" for change in untraced)):
        yield _chart(plan)


def _values_that_reach(item: ResourceChange, plan: Plan) -> Iterator[str]:
    """Values whose findings name the object: those that switch it on or off."""
    name = str(item.prediction.key)
    for finding in plan.findings:
        reached = {effect.split(" ", 1)[0] for effect in finding.effects}
        if finding.result == "fires" and finding.where.on == "value" and name in reached:
            yield finding.where.name


def _value(path: str, plan: Plan) -> Stop:
    for change in plan.values.changes:
        if format_path(change.path) == path:
            style = "bad" if change.cause == "lost override" else ""
            source = provenance_text(change.provenance_after) if change.cause == "values" else ""
            texts = (_CAUSES.get(change.cause, change.cause), source)
            return Stop("source", path, tuple(text for text in texts if text), style)
    return Stop("source", path)


_CAUSES = {
    "lost override": "your override is lost",
    "values": "your value",
    "default": "a default of the chart",
    "chart": "the chart's structure",
}


def _chart(plan: Plan) -> Stop:
    old, new = plan.release.chart, plan.release.new_chart
    if old is None or (old.name, old.version) == (new.name, new.version):
        return Stop("source", f"chart {new.name}", (new.version,) if new.version else (), is_chart=True)
    return Stop("source", f"chart {new.name}", (f"{old.version} → {new.version}",), is_chart=True)


def _actions(item: ResourceChange, plan: Plan) -> Iterator[tuple[Stop, list[Stop]]]:
    """What follows the write, and where."""
    found = list(_effects(item, plan))
    if item.prediction.error and not any(action.style == "blocker" for action, _ in found):
        found.insert(0, (Stop("action", "Helm fails here", (), "bad"), []))
    if restarts_pods(item):
        running = pod_nodes(item, plan)
        nodes = [Stop("node", running, ("where its pods run now",))] if running else []
        found.append((Stop("action", "its pods restart", _replicas(item)), nodes))
    yield from found[:_MOST_ACTIONS]


def _effects(item: ResourceChange, plan: Plan) -> Iterator[tuple[Stop, list[Stop]]]:
    """Of each finding on the object what it leads to, gravest first; one without effects by its title."""
    acted = operator_nodes(item, plan)
    for finding in sorted(_findings_on(item, plan), key=lambda each: SEVERITIES.index(each.severity)):
        grave = finding.severity if finding.severity in _GRAVE else ""
        told = [effect for effect in finding.effects if " -> " not in effect]
        nodes = [effect for effect in told if effect.startswith("node ")]
        acts = [effect for effect in told if _ON_NODES in effect]
        if grave:
            yield Stop("action", finding.title, (), grave), [_node(text) for text in nodes[:_NODES_NAMED]]
        for effect in acts:
            field, _, text = effect.partition(": ")
            does, _, there = text.partition(_ON_NODES)
            yield Stop("action", does, (field,)), [Stop("node", acted, (there,))]


def _node(effect: str) -> Stop:
    name, _, text = effect.partition(":")
    if not text:
        name, _, text = effect.partition(" has ")
        text = f"has {text}" if text else ""
    return Stop("node", name.strip(), (text.strip(),) if text else ())


def _replicas(item: ResourceChange) -> tuple[str, ...]:
    spec = (item.prediction.predicted or {}).get("spec")
    count = spec.get("replicas") if isinstance(spec, dict) else None
    return (plural(count, "replica"),) if isinstance(count, int) else ()
