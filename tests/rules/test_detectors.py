"""Each detector fires on what it is for, and is quiet otherwise."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from facts_of import facts, release, resource
from of_rule import of_rule

from helmguard.model.field_change import MISSING, FieldChange
from helmguard.model.value_change import Provenance, ValueChange, ValueWarning, ValueWarningKind
from helmguard.rules.judge import DETECTORS, judge
from helmguard.rules.release_state import release_state
from helmguard.rules.value_warnings import value_warnings

LOST = "values-lost-override"


@pytest.mark.parametrize("detector", DETECTORS, ids=lambda detector: detector.__name__)
@pytest.mark.parametrize("operation", ["upgrade", "install", "rollback"])
def test_nothing_wrong_nothing_found(detector: Any, operation: str) -> None:
    assert list(detector(facts(resource(), operation=operation))) == []


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


RULES: dict[ValueWarningKind, str] = {
    "new default ignored": "reuse-values-missing-key",
    "stale default": "chart-default-stale",
    "list replaced": "values-list-replaced",
    "type changed": "values-type-change",
    "unknown key": "values-unknown-key",
    "table conflict": "values-table-conflict",
}


@pytest.mark.parametrize("kind", get_args(ValueWarningKind))
def test_warnings_about_values(kind: ValueWarningKind) -> None:
    provenance = Provenance("values file", "prod.yaml", line=7)
    warning = ValueWarning(kind, ("a", "b"), "what it means", 1, 2, provenance=provenance)
    found = list(value_warnings(facts(warnings=(warning,))))
    if kind not in RULES:
        assert found == []
        return
    (finding,) = found
    assert finding.rule == RULES[kind]
    assert finding.severity == ("danger" if kind == "table conflict" else "warning")
    assert (finding.where.name, finding.where.file, finding.where.line) == ("a.b", "prod.yaml", 7)
    assert (finding.before, finding.after, finding.consequence) == (1, 2, "what it means")


@pytest.mark.parametrize(
    ("after", "fires"), [({}, False), ("", False), (None, False), (0, True), (False, True)]
)
def test_an_empty_default_that_does_not_arrive_is_no_finding(after: Any, fires: bool) -> None:
    warning = ValueWarning("new default ignored", ("a",), "is new in the chart", None, after)
    assert bool(list(value_warnings(facts(warnings=(warning,))))) is fires


def test_a_value_from_a_flag_has_no_file() -> None:
    warning = ValueWarning("unknown key", ("a",), "no such key", provenance=Provenance("--set", "a=1"))
    (finding,) = value_warnings(facts(warnings=(warning,)))
    assert (finding.where.file, finding.where.line) == ("", 0)


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
    found = list(release_state(facts(release=release(**state), operation=operation)))
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
