"""Each detector fires on what it is for, and is quiet otherwise."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from facts_of import facts, release, resource
from of_rule import of_rule

from helmguard.model.field_change import MISSING, FieldChange
from helmguard.model.finding import Finding
from helmguard.model.prediction import Failure
from helmguard.model.resource_key import ResourceKey
from helmguard.model.value_change import Provenance, ValueChange, ValueWarning, ValueWarningKind
from helmguard.rules.facts import Facts
from helmguard.rules.foretold_failure import foretold_failures, rule_for
from helmguard.rules.judge import DETECTORS, judge
from helmguard.rules.release_state import release_state
from helmguard.rules.value_warnings import value_warnings

KEY = ResourceKey("apps", "Deployment", "shop", "web")
OTHER = ResourceKey("", "ConfigMap", "shop", "settings")
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


FAILURES = [
    ("another operation (install/upgrade/rollback) is in progress", "release-pending"),
    ('"web" has no deployed releases', "no-deployed-revision"),
    ('no revision for release "web"', "no-deployed-revision"),
    ("Unable to continue with update: ... invalid ownership metadata; ...", "adoption-conflict"),
    (
        'unable to build kubernetes objects from current release manifest: no matches for kind "A"',
        "stored-manifest-api-removed",
    ),
    ('resource mapping not found: no matches for kind "A" in version "v1"', "api-removed"),
    ("chart requires kubeVersion: >=2 which is incompatible", "kube-version"),
    ("values don't meet the specifications of the schema(s)", "values-schema-violation"),
    ("... forceConflicts enabled when serverSideApply disabled", "flags-exclude-each-other"),
    ("conflict occurred while applying object shop/web apps/v1", "drift-conflict-ssa"),
    ('Apply failed with 1 conflict: conflict with "kubectl"', "drift-conflict-ssa"),
    ("spec.selector: Invalid value: {}: field is immutable", "immutable-field"),
    ("updates to statefulset spec for fields other than ... are forbidden", "immutable-field"),
    (".spec.replica: field not declared in schema", "unknown-manifest-field"),
    ("duplicate entries for key [name=a]", "duplicate-list-key"),
    ("template: web/templates/a.yaml:3:5: nil pointer evaluating interface {}.a", "render-failed"),
    ("execution error at (web/templates/a.yaml:3:5): a name is needed", "render-failed"),
    ('web/templates/a.yaml:3:5\\n  executing "web/templates/a.yaml" at <.x>', "render-failed"),
    ("the server is on fire", "upgrade-fails"),
]


@pytest.mark.parametrize(("message", "rule"), FAILURES, ids=[rule for _, rule in FAILURES])
def test_which_rule_a_message_of_helm_belongs_to(message: str, rule: str) -> None:
    assert rule_for(message) == rule
    (finding,) = foretold_failures(facts(failure=Failure(message, "before")))
    assert (finding.rule, finding.severity, finding.consequence) == (rule, "blocker", message)


def one(found: Facts) -> Finding:
    (finding,) = foretold_failures(found)
    return finding


def test_a_failure_of_an_object_is_told_once_at_the_object() -> None:
    failing = resource(error="spec.selector: field is immutable", action="fail")
    finding = one(facts(failing, failure=Failure("... field is immutable", "apply", KEY, (OTHER,))))
    assert (finding.where.on, finding.where.name) == ("object", "Deployment/web")
    assert finding.effects == ("already changed by then, and not undone: ConfigMap/settings",)
    elsewhere = facts(failing, failure=Failure("hook failed", "hook", OTHER))
    assert [each.where.name for each in foretold_failures(elsewhere)] == [
        "Deployment/web",
        "ConfigMap/settings",
    ]


def test_a_conflict_shows_whose_value_it_is_about() -> None:
    change = FieldChange(("spec", "replicas"), 7, 7, "conflict", previous=3, new=3, manager="kubectl")
    finding = one(facts(resource(change, error="Apply failed with 1 conflict", action="fail")))
    assert (finding.before, finding.after) == (7, 3)
    assert "--force-conflicts" in finding.remedy[0]


@pytest.mark.parametrize(
    ("message", "file", "line"),
    [
        ("template: web/templates/a.yaml:14:23: executing", "web/templates/a.yaml", 14),
        ("parse error at (web/templates/a.yaml:3): function", "web/templates/a.yaml", 3),
        ("execution error at (web/charts/db/templates/b.yaml:7:4): no", "web/charts/db/templates/b.yaml", 7),
        ('web/templates/a.yaml:14:23\n  executing "a"', "web/templates/a.yaml", 14),
        ("release web failed: 3 errors", "", 0),
        ('Get "https://10.0.0.1:443": refused', "", 0),
    ],
)
def test_the_template_and_line_of_a_rendering_that_fails(message: str, file: str, line: int) -> None:
    finding = one(facts(failure=Failure(message, "before")))
    assert (finding.where.file, finding.where.line) == (file, line)


def test_the_remedy_of_the_rendering_comes_first() -> None:
    failure = Failure("invalid ownership metadata", "before")
    assert one(facts(failure=failure, failure_remedy="Do this.")).remedy == ("Do this.",)
    assert "--take-ownership" in one(facts(failure=failure)).remedy[0]
    assert one(facts(failure=failure)).effects == ("nothing will have been changed by then",)


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
