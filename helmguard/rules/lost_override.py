"""``values-lost-override``: a value the user once set, which this command loses."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.field_change import MISSING
from helmguard.model.field_path import format_path
from helmguard.model.finding import Finding, Place, Severity
from helmguard.model.value_change import ValueChange
from helmguard.rules.facts import Facts

RULE = "values-lost-override"
_VERBS = {"delete": "is deleted", "keep": "leaves the release"}
_SWITCHES = ("enabled", "create", "install")


def lost_overrides(facts: Facts) -> Iterator[Finding]:
    """One finding for each override whose loss changes the effective value."""
    for change in facts.values.changes:
        if change.cause == "lost override":
            yield _finding(change, facts)


def _finding(change: ValueChange, facts: Facts) -> Finding:
    name = format_path(change.path)
    since = change.provenance_before.revision if change.provenance_before else 0
    set_in = f"You set it in revision {since}" if since else "You set it in an earlier revision"
    takes_over = "nothing takes its place" if change.after is MISSING else "the chart's default takes over"
    return Finding(
        rule=RULE,
        severity=_severity(change),
        title="your override is lost",
        where=Place("value", name),
        before=None if change.before is MISSING else change.before,
        after=None if change.after is MISSING else change.after,
        effects=_reached(name, facts),
        consequence=f"{set_in}; nothing in this command repeats it, so {takes_over}.",
        remedy=(facts.keep_command,) if facts.keep_command else (),
        evidence=("helm/helm#8085", "helm/helm#3655"),
    )


def _severity(change: ValueChange) -> Severity:
    """A boolean switch that flips turns whole components on or off: a blocker."""
    last = change.path[-1] if change.path else ""
    flips = isinstance(change.before, bool) and isinstance(change.after, bool)
    return "blocker" if flips and last in _SWITCHES else "danger"


def _reached(value_name: str, facts: Facts) -> tuple[str, ...]:
    """The fields, and the objects that come or go, where this value is known to be the one behind them."""
    alone = sum(change.cause == "lost override" for change in facts.values.changes) == 1
    reached = []
    for resource in facts.resources:
        key = resource.prediction.key
        if resource.cause == "lost override":
            verb = _VERBS.get(resource.action, "is created")
            reached += [f"{key} {verb}"] if alone else []
            continue
        for field in resource.changes:
            traced = field.value_path == value_name or (alone and not field.value_path)
            if field.cause == "lost override" and traced:
                reached.append(f"{key} {format_path(field.path)}")
    return tuple(reached)
