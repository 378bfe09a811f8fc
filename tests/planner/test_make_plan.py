"""From inputs to plan, without a cluster."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from plan_inputs import config_map, inputs, key, live, revision

from helmguard.model.apply_options import ApplyOptions
from helmguard.model.helm_version import HelmVersion
from helmguard.model.live_state import Absent, Unreadable
from helmguard.model.plan import Plan, Unknown
from helmguard.model.release import DamagedRecord, History
from helmguard.planner.inputs import NewRevision, PlanInputs
from helmguard.planner.make_plan import make_plan
from helmguard.report.exit_code import exit_code

OLD = config_map(a="1")
NEW = config_map(a="2")
HOOK = {
    "name": "check",
    "kind": "ConfigMap",
    "path": "web/templates/check.yaml",
    "manifest": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: check\n",
    "events": ["pre-upgrade"],
    "weight": 3,
    "delete_policies": ["hook-succeeded"],
}


def actions(plan: Plan) -> dict[str, str]:
    return {str(resource.prediction.key): resource.action for resource in plan.resources}


def upgrade(manifest: str = NEW, /, **more: object) -> PlanInputs:
    return inputs(manifest, [revision(1, OLD)], {key(): live(a="1")}, **more)


@pytest.mark.parametrize(
    ("made", "wanted", "code"),
    [
        (upgrade(OLD), {"ConfigMap/settings": "unchanged"}, 0),
        (upgrade(), {"ConfigMap/settings": "update"}, 2),
        (upgrade(config_map("more", a="1")), {"ConfigMap/settings": "delete", "ConfigMap/more": "create"}, 2),
        (inputs(OLD, [revision(1, OLD)], {key(): Absent()}), {"ConfigMap/settings": "recreate"}, 2),
        (inputs(NEW, operation="install"), {"ConfigMap/settings": "create"}, 2),
    ],
    ids=["unchanged", "update", "replace all", "recreate", "install"],
)
def test_actions_and_exit_code(made: PlanInputs, wanted: dict[str, str], code: int) -> None:
    states = {key("more"): Absent(), key(): Absent()} | dict(made.live)
    plan = make_plan(replace(made, live=states))
    assert actions(plan) == wanted
    assert exit_code(plan) == code


def test_the_same_inputs_give_the_same_plan() -> None:
    assert make_plan(upgrade()) == make_plan(upgrade())


def test_release_and_engine() -> None:
    plan = make_plan(upgrade())
    release = plan.release
    assert (release.from_revision, release.last_revision, release.to_revision) == (1, 1, 2)
    assert release.chart is not None
    assert (release.chart.name, release.new_chart.reference) == ("web", "./web")
    assert (plan.engine.helm, plan.engine.apply_method, plan.engine.render) == ("3.22.0", "csa", "given")
    helm4 = make_plan(upgrade(helm=HelmVersion(4, 3, 1), options=ApplyOptions(server_side="true")))
    assert helm4.engine.apply_method == "ssa"


def test_a_failed_last_revision_counts_and_is_not_the_base() -> None:
    history = [revision(1, OLD), revision(2, NEW, "failed")]
    plan = make_plan(inputs(NEW, history, {key(): live(a="1")}))
    release = plan.release
    assert (release.from_revision, release.last_revision, release.to_revision) == (1, 2, 3)
    assert [finding.rule for finding in plan.findings] == ["last-failed-partial"]


def test_a_rollback_starts_from_the_last_revision() -> None:
    history = [revision(1, OLD, "superseded"), revision(2, NEW)]
    made = inputs(OLD, history, {key(): live(a="2")}, operation="rollback", rollback_to=1)
    plan = make_plan(made)
    assert (plan.release.from_revision, plan.release.to_revision) == (2, 3)
    assert actions(plan) == {"ConfigMap/settings": "update"}


def test_hooks_run_in_order_and_not_at_all_when_switched_off() -> None:
    second = {**HOOK, "name": "before", "manifest": HOOK["manifest"].replace("check", "before"), "weight": -1}  # type: ignore[attr-defined]
    new = NewRevision(manifest=OLD, hooks=(HOOK, second))
    states = {key(): live(a="1"), key("check"): Absent(), key("before"): Absent()}
    made = inputs(OLD, [revision(1, OLD)], states, new=new)
    plan = make_plan(made)
    assert [(hook.name, hook.weight, hook.order) for hook in plan.hooks] == [
        ("before", -1, 1),
        ("check", 3, 2),
    ]
    assert plan.hooks[1].delete_policies == ("hook-succeeded",)
    assert plan.hooks[0].namespace == "shop"
    assert exit_code(plan) == 2
    without = make_plan(replace(made, options=ApplyOptions(no_hooks=True)))
    assert without.hooks == ()
    assert exit_code(without) == 0


def test_what_could_not_be_read_is_unknown_once() -> None:
    twice = (Unknown("discovery", "metrics did not answer"),) * 2
    made = inputs(OLD, [revision(1, OLD)], {key(): Unreadable("forbidden")}, unknown=twice)
    plan = make_plan(made)
    assert [entry.what for entry in plan.unknown] == ["discovery", "ConfigMap/settings"]
    assert "forbidden" in plan.unknown[1].why
    assert exit_code(plan) == 2


def test_a_rendering_that_fails_changes_nothing() -> None:
    new = NewRevision(
        error="template: web/templates/a.yaml:3:5: nil pointer evaluating", error_remedy="Set x."
    )
    plan = make_plan(upgrade(new=new))
    assert plan.failure is not None
    assert (plan.failure.stage, plan.failure.applied_before) == ("before", ())
    finding = plan.findings[0]
    assert (finding.rule, finding.severity, finding.remedy) == ("render-failed", "blocker", ("Set x.",))
    assert (finding.where.file, finding.where.line) == ("web/templates/a.yaml", 3)
    assert exit_code(plan) == 3


def test_damaged_records_are_part_of_the_release() -> None:
    history = History("web", "shop", (revision(2, OLD),), (DamagedRecord("record.v1", 1, "no gzip"),))
    plan = make_plan(inputs(OLD, (), {key(): live(a="1")}, history=history))
    assert plan.release.damaged == ("record.v1: no gzip",)
    assert [finding.rule for finding in plan.findings] == ["record-unreadable"]


def test_duplicate_documents_and_warnings_are_noted() -> None:
    new = NewRevision(manifest=OLD + NEW, warnings=("chart web is deprecated",))
    plan = make_plan(upgrade(new=new))
    assert "chart web is deprecated" in plan.notes
    assert any("ConfigMap/settings more than once" in note for note in plan.notes)


def test_unstable_fields_are_named_and_not_counted() -> None:
    new = NewRevision(manifest=NEW, unstable={key(): frozenset([("data", "a")])})
    plan = make_plan(upgrade(new=new))
    assert plan.unstable == ("ConfigMap/settings data.a",)
    changed = next(change for change in plan.resources[0].changes if change.path == ("data", "a"))
    assert changed.cause == "unstable"


def test_the_fingerprint_follows_every_input() -> None:
    made = upgrade()
    base = make_plan(made).fingerprint
    assert base["resourceVersions"] == {"core/ConfigMap/shop/settings": "7"}
    assert (base["lastRevision"], base["currentRevision"], base["helm"]) == (1, 1, "3.22.0")
    moved = live(a="1")
    moved.body["metadata"]["resourceVersion"] = "8"
    others = [
        replace(made, live={key(): moved}),
        replace(made, helm=HelmVersion(3, 21, 0)),
        replace(made, config={"a": 1}),
        replace(made, new_chart=replace(made.new_chart, digest="sha256:1")),
        replace(made, new=NewRevision(manifest=OLD)),
        replace(made, new=NewRevision(manifest=NEW, hooks=(HOOK,))),
        replace(made, history=History("web", "shop", (revision(1, OLD, "failed"),))),
        replace(made, history=History("web", "shop", (revision(1, NEW),))),
    ]
    for other in others:
        assert make_plan(other).fingerprint != base
    ran = {**HOOK, "last_run": {"phase": "Succeeded"}}
    hooked = [replace(made, new=NewRevision(manifest=NEW, hooks=(hook,))) for hook in (HOOK, ran)]
    assert make_plan(hooked[0]).fingerprint == make_plan(hooked[1]).fingerprint
