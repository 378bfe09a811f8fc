"""Failures that are foretold, as the rules see them and as the packs tell them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from facts_of import facts, resource

from helmguard.model.field_change import FieldChange
from helmguard.model.finding import Finding
from helmguard.model.prediction import Failure
from helmguard.model.resource_key import ResourceKey
from helmguard.rules.context.failure_classes import GENERAL, TOLD_BY_LISTS, rule_for
from helmguard.rules.context.failures import Conflict, conflicts_in, failures_of
from helmguard.rules.facts import Facts
from helmguard.rules.judge import judge
from helmguard.rules.packs import builtin_packs, rules_folder

KEY = ResourceKey("apps", "Deployment", "shop", "web")
OTHER = ResourceKey("", "ConfigMap", "shop", "settings")

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
    ("cannot use server-side apply and force replace together", "flags-exclude-each-other"),
    ("conflict occurred while applying object shop/web apps/v1", "drift-conflict-ssa"),
    ('Apply failed with 1 conflict: conflict with "kubectl"', "drift-conflict-ssa"),
    ("spec.selector: Invalid value: {}: field is immutable", "immutable-field"),
    ("updates to statefulset spec for fields other than ... are forbidden", "immutable-field"),
    ('spec.clusterIPs[0]: Invalid value: ["None"]: may not change once set', "immutable-field"),
    (".spec.replica: field not declared in schema", "unknown-manifest-field"),
    ('strict decoding error: unknown field "spec.replica"', "unknown-manifest-field"),
    ("duplicate entries for key [name=a]", "duplicate-list-key"),
    ('spec.a: Invalid value: "null": spec.a in body must be of type object: "null"', "null-in-manifest"),
    ("template: web/templates/a.yaml:3:5: nil pointer evaluating interface {}.a", "render-failed"),
    ("execution error at (web/templates/a.yaml:3:5): a name is needed", "render-failed"),
    ('web/templates/a.yaml:3:5\\n  executing "web/templates/a.yaml" at <.x>', "render-failed"),
    ("spec.template: Invalid value", "upgrade-fails"),
    ("the server is on fire", "upgrade-fails"),
]


@pytest.mark.parametrize(("message", "rule"), FAILURES)
def test_which_rule_a_message_of_helm_belongs_to(message: str, rule: str) -> None:
    assert rule_for(message) == rule
    told = GENERAL if rule in TOLD_BY_LISTS else rule
    (failure,) = failures_of(facts(failure=Failure(message, "before"))).foretold
    assert (failure.rule, failure.text) == (told, message)
    (finding,) = judge(facts(failure=Failure(message, "before"))).findings
    assert (finding.rule, finding.severity) == (told, "blocker")
    assert message in finding.consequence


def test_every_rule_that_a_message_may_belong_to_is_there() -> None:
    known = {rule.id for pack in builtin_packs() for rule in pack.rules}
    assert {rule for _, rule in FAILURES} | {GENERAL, "hook-collides"} <= known


NOT_OF_THE_CHANGE = (
    "illegal base64 data",
    "name is neither a standard finalizer name",
    "the object has been modified",
    "spec.ports[0].name: Required value",
    "type: Required value: must not be empty for specified object fields",
)
"""Refusals that a new object would meet, too: they say nothing about what it was before."""


def test_what_the_server_says_about_a_field_that_cannot_change_is_told_as_such() -> None:
    table = json.loads((rules_folder() / "data" / "immutable-fields.json").read_text())
    refused = [row for row in table["rows"] if row["result"] == "refused"]
    assert len(refused) > 100
    wrong = {
        (row["kind"], row["field"], row["message"])
        for row in refused
        if rule_for(row["message"], live=True) != "immutable-field"
        and not any(text in row["message"] for text in NOT_OF_THE_CHANGE)
    }
    assert wrong == set()


def test_a_text_that_could_be_about_a_new_object_is_about_a_change_where_it_is_live() -> None:
    text = "spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range."
    assert (rule_for(text), rule_for(text, live=True)) == ("upgrade-fails", "immutable-field")


def one(found: Facts) -> Finding:
    (finding,) = judge(found).findings
    return finding


def test_a_failure_of_an_object_is_told_once_at_the_object() -> None:
    failing = resource(error="spec.selector: field is immutable", action="fail")
    finding = one(facts(failing, failure=Failure("... field is immutable", "apply", KEY, (OTHER,))))
    assert (finding.where.on, finding.where.name) == ("object", "Deployment/web")
    assert finding.effects == ("already changed by then, and not undone: ConfigMap/settings",)
    elsewhere = facts(failing, failure=Failure("hook failed", "hook", OTHER))
    assert sorted(each.where.name for each in judge(elsewhere).findings) == [
        "ConfigMap/settings",
        "Deployment/web",
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
    assert (finding.where.on, finding.where.name) == ("release", "web")
    assert (finding.where.file, finding.where.line) == (file, line)


def test_what_is_known_about_the_rendering_is_the_remedy() -> None:
    failure = Failure("web/templates/a.yaml:3:5 nil pointer evaluating", "before")
    assert one(facts(failure=failure, failure_remedy="Do this.")).remedy == ("Do this.",)
    failure = Failure("invalid ownership metadata", "before")
    assert "--take-ownership" in one(facts(failure=failure)).remedy[0]
    assert one(facts(failure=failure)).effects == ("nothing will have been changed by then",)


def test_what_a_failure_leaves_behind_is_said_where_helm_stops() -> None:
    first = resource(error="the first", action="fail")
    second = resource(error="the second", action="fail", name="api")
    found = failures_of(facts(first, second, failure=Failure("the first", "apply", KEY, (OTHER,))))
    assert [(each.text, each.stops, bool(each.effects)) for each in found.foretold] == [
        ("the first", True, True),
        ("the second", False, False),
    ]
    assert (found.ref, found.stage, found.text) == ("Deployment/web", "apply", "the first")


@pytest.mark.parametrize(
    ("text", "conflicts"),
    [
        (
            'Apply failed with 1 conflict: conflict with "other-controller": .spec.replicas',
            (Conflict("other-controller", "Apply", "", (".spec.replicas",)),),
        ),
        (
            'Apply failed with 1 conflict: conflict with "kubectl" with subresource "scale" using apps/v1: '
            ".spec.replicas",
            (Conflict("kubectl", "Update", "scale", (".spec.replicas",)),),
        ),
        (
            'Apply failed with 3 conflicts: conflicts with "a" using apps/v1:\n- .spec.replicas\n'
            '- .spec.template.spec.containers[name="web: x"].image\nconflicts with "b" using v1 at '
            "2026-11-30T10:00:00Z:\n- .data.c",
            (
                Conflict(
                    "a",
                    "Update",
                    "",
                    (".spec.replicas", '.spec.template.spec.containers[name="web: x"].image'),
                ),
                Conflict("b", "Update", "", (".data.c",)),
            ),
        ),
        ("the server is on fire", ()),
    ],
)
def test_who_owns_what_is_read_from_the_servers_words(text: str, conflicts: tuple[Conflict, ...]) -> None:
    assert conflicts_in(text) == conflicts


def test_the_recorded_conflicts_are_read() -> None:
    shared = Path(__file__).parents[4] / "shared" / "traces"
    if not shared.is_dir():
        pytest.skip(f"no recorded traces at {shared}")
    texts = [path.read_text() for path in sorted(shared.glob("*/error.txt"))]
    told = [text for text in texts if "Apply failed with 1 conflict" in text]
    assert told
    assert all(conflicts_in(text) and conflicts_in(text)[0].fields for text in told)
