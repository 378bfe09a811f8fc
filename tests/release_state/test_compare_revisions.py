"""Two stored revisions as a plan, and the page of it, without a cluster."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from state_samples import config_map

from helmguard.errors import ReleaseError
from helmguard.masking.masker import Masker
from helmguard.model.helm_version import HelmVersion
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import Absent, Present
from helmguard.model.plan import Plan, ResourceChange
from helmguard.model.release import DamagedRecord, History, Revision
from helmguard.model.value_change import Provenance
from helmguard.release_state.compare_revisions import compare_revisions, configs_of, named_revision
from helmguard.report.comparison_page import comparison_markdown, render_comparison
from helmguard.report.exit_code import exit_code
from helmguard.report.page import Page
from helmguard.report.plan_json import plan_to_dict

SECRET = """---
apiVersion: v1
kind: Secret
metadata: {{name: login, labels: {{app.kubernetes.io/managed-by: {by}}}}}
stringData: {{password: {password}}}
"""


def hook(name: str, **data: str) -> JSONObject:
    manifest = config_map(name, **data)
    return {"name": name, "kind": "ConfigMap", "manifest": manifest, "events": ["pre-upgrade"], "weight": 0}


def revision(version: int, manifest: str, config: JSONObject | None = None, **other: Any) -> Revision:
    chart = {
        "metadata": {"name": "web", "version": other.pop("chart", "1.0.0")},
        "values": {"mode": "safe", "size": 1, **other.pop("defaults", {})},
        "templates": [],
    }
    status = "superseded" if version == 1 else "deployed"
    return Revision("rel", "ns", version, status, status, chart, config, manifest, **other)


BEFORE = revision(
    1,
    config_map("conf", mode="fast", size="1") + config_map("same", a="1") + config_map("gone", a="1"),
    {"mode": "fast"},
    hooks=(hook("migrate", mode="fast"), hook("check", a="1")),
)
AFTER = revision(
    2,
    config_map("new", a="1") + config_map("same", a="1") + config_map("conf", mode="safe", size="2"),
    {"size": 2},
    hooks=(hook("migrate", mode="safe"), hook("check", a="1")),
)


def compared(before: Revision, after: Revision) -> Plan:
    return compare_revisions(before, after, namespace="ns", discovery=None, helm=HelmVersion(3, 22, 0))


def actions(plan: Plan) -> dict[str, str]:
    return {resource.prediction.key.name: resource.action for resource in plan.resources}


def of(plan: Plan, name: str) -> ResourceChange:
    return next(resource for resource in plan.resources if resource.prediction.key.name == name)


def causes(resource: ResourceChange) -> dict[str, tuple[str, str]]:
    return {".".join(map(str, change.path)): (change.cause, change.value_path) for change in resource.changes}


def page(plan: Plan, **how: Any) -> str:
    return render_comparison(plan, Page(**how), Masker.for_plan(plan))


def test_forward() -> None:
    plan = compared(BEFORE, AFTER)
    assert plan.operation == "comparison"
    assert (plan.release.from_revision, plan.release.to_revision) == (1, 2)
    assert (plan.release.from_status, plan.release.status) == ("superseded", "deployed")
    assert [(change.path, change.cause) for change in plan.values.changes] == [
        (("mode",), "lost override"),
        (("size",), "values"),
    ]
    assert list(actions(plan).items()) == [
        *(("new", "create"), ("same", "unchanged"), ("conf", "update"), ("gone", "delete")),
        *(("migrate", "update"), ("check", "unchanged")),
    ]
    assert causes(of(plan, "conf")) == {
        "data.mode": ("lost override", "mode"),
        "data.size": ("values", "size"),
    }
    assert of(plan, "migrate").hook_events == ("pre-upgrade",)
    assert causes(of(plan, "migrate")) == {"data.mode": ("lost override", "mode")}
    assert not any(of(plan, name).hook_events for name in ("new", "same", "conf", "gone"))
    assert exit_code(plan) == 2
    assert (plan.fail_on, plan.findings) == ("none", ())


def test_a_value_is_told_with_the_revision_that_first_set_it() -> None:
    """A reuse of values stores them again: that they are in a revision does not say that it set them."""
    third = revision(3, "", {"size": 2, "mode": "fast"})
    revisions = (BEFORE, AFTER, third)
    plan = compare_revisions(
        BEFORE,
        third,
        namespace="ns",
        discovery=None,
        helm=HelmVersion(3, 22, 0),
        configs=configs_of(History("rel", "ns", revisions)),
    )
    (size,) = plan.values.changes
    assert size.path == ("size",)
    assert size.provenance_after == Provenance("previous revision", revision=2)
    (alone,) = compared(BEFORE, third).values.changes
    assert alone.provenance_after == Provenance("previous revision", revision=3)


def test_each_object_holds_both_documents() -> None:
    plan = compared(BEFORE, AFTER)
    changed, new, gone = (of(plan, name).prediction for name in ("conf", "new", "gone"))
    assert changed.previous is not None
    assert changed.new is not None
    assert (changed.live, changed.predicted) == (Present(changed.previous), changed.new)
    assert (new.previous, new.live, new.predicted) == (None, Absent(), new.new)
    assert isinstance(gone.live, Present)
    assert (gone.new, gone.predicted) == (None, None)


def test_backward_nothing_is_lost() -> None:
    plan = compared(AFTER, BEFORE)
    assert {change.cause for change in plan.values.changes} == {"values"}
    assert causes(of(plan, "conf")) == {"data.mode": ("values", "mode"), "data.size": ("values", "size")}
    assert (actions(plan)["new"], actions(plan)["gone"]) == ("delete", "create")


def test_what_a_rollback_takes_back_is_not_lost() -> None:
    plan = compared(BEFORE, replace(AFTER, description="Rollback to 7"))
    assert {change.cause for change in plan.values.changes} == {"values"}


@pytest.mark.parametrize("one", [BEFORE, AFTER])
def test_a_revision_beside_itself(one: Revision) -> None:
    plan = compared(one, one)
    assert set(actions(plan).values()) == {"unchanged"}
    assert (plan.values.changes, plan.has_changes, exit_code(plan)) == ((), False, 0)
    assert "No difference. Exit 0." in page(plan)


@pytest.mark.parametrize(
    ("after", "verdict"),
    [
        (
            revision(2, BEFORE.manifest, {"mode": "fast"}, hooks=BEFORE.hooks, chart="1.0.1"),
            "The chart's version",
        ),
        (revision(2, BEFORE.manifest, {"mode": "fast", "size": 2}, hooks=BEFORE.hooks), "1 value differs."),
        (revision(2, BEFORE.manifest, {"mode": "fast"}, hooks=BEFORE.hooks[:1]), "1 hook differs."),
        (revision(2, config_map("conf"), {"mode": "fast"}, hooks=BEFORE.hooks), "3 objects differ."),
    ],
)
def test_one_difference_is_one(after: Revision, verdict: str) -> None:
    plan = compared(BEFORE, after)
    assert exit_code(plan) == 2
    last = page(plan).splitlines()[-1]
    assert last.startswith(verdict)
    assert last.endswith("Exit 2.")


def test_another_chart_is_a_cause() -> None:
    after = revision(2, config_map("conf", mode="odd", size="9"), {"mode": "fast"}, chart="2.0.0")
    changed = of(compared(BEFORE, after), "conf")
    assert causes(changed) == {"data.mode": ("chart", ""), "data.size": ("chart", "")}


def test_a_changed_default_is_a_cause() -> None:
    after = replace(
        revision(
            2, BEFORE.manifest.replace("size: '1'", "size: '5'"), {"mode": "fast"}, defaults={"size": 5}
        ),
        hooks=BEFORE.hooks,
    )
    plan = compared(BEFORE, after)
    assert [(change.path, change.cause) for change in plan.values.changes] == [(("size",), "default")]
    assert causes(of(plan, "conf")) == {"data.size": ("default", "size")}


def test_no_cause_is_of_a_cluster() -> None:
    """Marks that Helm sets on live objects, and field managers, can stand in a manifest too."""
    fields = "managedFields: [{manager: kubectl, operation: Update, fieldsV1: {'f:data': {'f:a': {}}}}]"
    odd = config_map("odd", a="1").replace("{name: odd}", f"{{name: odd, {fields}}}")
    changed = config_map("odd", a="2").replace("{name: odd}", f"{{name: odd, {fields}}}")
    plan = compared(
        revision(1, SECRET.format(by="Helm", password="one") + odd),
        revision(2, SECRET.format(by="Tiller", password="one") + changed),
    )
    assert set(causes(of(plan, "login")).values()) == {("chart", "")}
    (change,) = of(plan, "odd").changes
    assert (change.cause, change.manager, change.since) == ("chart", "", "")
    assert all(resource.drift == () for resource in plan.resources)


def test_two_ways_to_write_the_same() -> None:
    after = BEFORE.manifest.replace("data: {a: '1'}", "data: {a: '1', b: null}")
    plan = compared(BEFORE, replace(BEFORE, version=2, manifest=after))
    assert set(actions(plan).values()) == {"unchanged"}
    assert exit_code(plan) == 0


@pytest.mark.parametrize("broken", ["before", "after"])
def test_a_manifest_that_cannot_be_read(broken: str) -> None:
    bad = revision(3, "a: [", {"mode": "fast"})
    plan = compared(bad, AFTER) if broken == "before" else compared(BEFORE, bad)
    assert plan.resources == ()
    assert "revision 3" in plan.unknown[0].why
    assert exit_code(plan) == 2
    text = page(plan)
    assert "Objects and hooks could not be compared" in text
    assert "unchanged" not in text


def test_secrets_are_known_on_both_sides() -> None:
    before = revision(
        1, SECRET.format(by="Helm", password="hunter2-old"), {"db": {"password": "hunter3-old"}}
    )
    after = revision(2, SECRET.format(by="Helm", password="hunter2-new") + config_map("x", a="hunter3-old"))
    plan = compared(before, after)
    assert plan.known_secrets is not None
    assert {"hunter2-old", "hunter2-new", "hunter3-old"} <= plan.known_secrets
    outputs = [
        page(plan),
        page(plan, context=3),
        comparison_markdown(plan, Masker.for_plan(plan)),
        str(plan_to_dict(plan)),
        repr(plan),
    ]
    assert not [text for text in outputs if "hunter" in text]
    assert "(secret, changed)" in outputs[0]


def test_the_page() -> None:
    text = page(compared(BEFORE, AFTER), width=120)
    assert (
        "rel · namespace ns · revision 1 (superseded) → 2 (deployed), as stored · chart web 1.0.0 (same)"
        in text
    )
    assert "Objects  1 added · 1 changed · 1 removed · 1 unchanged" in text
    assert '! data.mode  "fast" → "safe"  lost override' in text
    assert "Hooks    1 changed · 1 unchanged" in text
    assert "~ ConfigMap/migrate  changed · pre-upgrade" in text
    assert text.endswith("2 values, 3 objects and 1 hook differ. Exit 2.\n")
    narrow = page(compared(BEFORE, AFTER), width=50, unicode=False)
    assert narrow.isascii()
    assert max(map(len, narrow.splitlines())) <= 50
    quiet = render_comparison(compared(BEFORE, AFTER), Page(), Masker(), quiet=True)
    assert quiet == "2 values, 3 objects and 1 hook differ. Exit 2.\n"


def test_a_revision_that_is_not_there() -> None:
    damaged = DamagedRecord("sh.helm.release.v1.rel.v3", 3, "cut off")
    history = History("rel", "ns", (BEFORE, AFTER), (damaged,))
    assert named_revision(history, 2) is AFTER
    with pytest.raises(ReleaseError, match="revision 3 of 'rel' cannot be read: cut off"):
        named_revision(history, 3)
    with pytest.raises(ReleaseError, match="has no revision 4") as caught:
        named_revision(history, 4)
    assert caught.value.remedy == "Revisions that can be read: 1, 2."
