"""Rules fire on what they are for, and are quiet otherwise."""

from __future__ import annotations

from typing import Any

import pytest
from facts_of import facts, release, resource
from of_rule import of_rule

from helmguard.model.field_change import MISSING, FieldChange
from helmguard.model.value_change import Provenance, ValueChange, ValueWarning
from helmguard.rules.judge import judge

LOST = "values-lost-override"
STATE_RULES = ("record-unreadable", "last-failed-partial", "rollback-to-failed")


@pytest.mark.parametrize("operation", ["upgrade", "install", "rollback"])
def test_nothing_wrong_nothing_found(operation: str) -> None:
    grave = ("blocker", "danger", "warning")
    assert [
        one for one in judge(facts(resource(), operation=operation)).findings if one.severity in grave
    ] == []


def lost(path: tuple[str | int, ...], before: Any, after: Any, revision: int = 1) -> ValueChange:
    provenance = Provenance("previous revision", revision=revision) if revision else None
    return ValueChange(path, before, after, "lost override", provenance)


@pytest.mark.parametrize(
    ("change", "severity"),
    [
        (lost(("driver", "enabled"), False, True), "blocker"),
        (lost(("driver", "enabled"), True, False), "blocker"),
        (lost(("rbac", "create"), False, True), "blocker"),
        (lost(("driver", "enabled"), False, "true"), "danger"),
        (lost(("driver", "enabled"), False, MISSING), "danger"),
        (lost(("debug",), True, False), "danger"),
        (lost(("replicas",), 3, 1), "danger"),
        (lost((), {}, {"a": 1}), "danger"),
    ],
)
def test_how_grave_a_lost_override_is(change: ValueChange, severity: str) -> None:
    (finding,) = of_rule(facts(changes=(change,)), LOST)
    assert (finding.rule, finding.severity) == ("values-lost-override", severity)


@pytest.mark.parametrize("cause", ["values", "default", "chart"])
def test_changes_that_lose_nothing(cause: Any) -> None:
    change = ValueChange(("driver", "enabled"), False, True, cause)
    assert of_rule(facts(changes=(change,)), LOST) == []


def test_a_lost_override_says_what_it_reaches_and_how_to_keep_it() -> None:
    traced = FieldChange(("spec", "replicas"), 3, 1, "lost override", value_path="replicas")
    others = (
        FieldChange(("spec", "paused"), 0, 1, "values", value_path="replicas"),
        FieldChange(("spec", "strategy"), 0, 1, "lost override", value_path="strategy"),
    )
    found = facts(
        resource(traced, *others),
        changes=(lost(("replicas",), 3, 1, revision=4), lost(("strategy",), 0, 1)),
        keep_command="helm upgrade web ./web --reuse-values",
    )
    finding = next(one for one in of_rule(found, LOST) if one.where.name == "replicas")
    assert (finding.where.on, finding.where.name) == ("value", "replicas")
    assert (finding.before, finding.after) == (3, 1)
    assert finding.effects == ("Deployment/web spec.replicas",)
    assert finding.remedy == ("helm upgrade web ./web --reuse-values",)
    assert "revision 4" in finding.consequence


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lost(("a",), 1, 2, revision=0), ["an earlier revision", "the chart's default takes over"]),
        (lost(("a",), 1, MISSING), ["revision 1", "nothing takes its place"]),
    ],
)
def test_what_takes_over(change: ValueChange, words: list[str]) -> None:
    (finding,) = of_rule(facts(changes=(change,)), LOST)
    assert all(word in finding.consequence for word in words)
    assert finding.remedy == ()
    assert finding.after is None or finding.after == 2


@pytest.mark.parametrize(
    ("state", "operation", "rules"),
    [
        ({"damaged": ("record.v1: no gzip",)}, "upgrade", ["record-unreadable"]),
        ({"damaged": ("a", "b")}, "rollback", ["record-unreadable", "record-unreadable"]),
        ({"last_revision": 2, "status": "failed"}, "upgrade", ["last-failed-partial"]),
        ({"last_revision": 2, "status": "failed"}, "rollback", []),
        ({"last_revision": 2, "status": "pending-upgrade"}, "upgrade", []),
        ({"status": "failed"}, "upgrade", []),
        ({"from_revision": None, "last_revision": None, "status": ""}, "install", []),
    ],
)
def test_the_state_of_the_release(state: dict[str, Any], operation: str, rules: list[str]) -> None:
    told = judge(facts(release=release(**state), operation=operation)).findings
    found = [finding for finding in told if finding.rule in STATE_RULES]
    assert [finding.rule for finding in found] == rules
    assert {finding.severity for finding in found} <= {"warning"}
    assert all(
        text in finding.consequence for text, finding in zip(state.get("damaged", ()), found, strict=False)
    )


def test_findings_come_gravest_first_in_a_stable_order() -> None:
    found = facts(
        changes=(lost(("b",), 1, 2), lost(("driver", "enabled"), False, True), lost(("a",), 1, 2)),
        warnings=(ValueWarning("unknown key", ("x",), "no such key"),),
        release=release(damaged=("record.v1: no gzip",)),
    )
    assert [(each.severity, each.rule, each.where.name) for each in judge(found).findings] == [
        ("blocker", "values-lost-override", "driver.enabled"),
        ("danger", "values-lost-override", "a"),
        ("danger", "values-lost-override", "b"),
        ("warning", "record-unreadable", "web"),
        ("warning", "values-unknown-key", "x"),
    ]
