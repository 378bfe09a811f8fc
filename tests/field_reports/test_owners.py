"""Objects that stay behind, change hands, or are named twice."""

from __future__ import annotations

from field_case import FieldCase, actions, findings, resource
from gadgets import Gadgets
from templates import claim, config_map


def test_c18_p22_keep_policy_counts_on_the_live_object(case: FieldCase) -> None:
    """The claim leaves the chart: kept where the live object says so, whatever the manifest said."""
    keep = "{helm.sh/resource-policy: keep}"
    case.install(
        case.chart(
            config_map("conf", a="1") + claim("kept", keep) + claim("unmarked", keep) + claim("marked")
        )
    )
    annotation = "helm.sh/resource-policy"
    for name, value in (("unmarked", None), ("marked", "keep")):
        case.edit("PersistentVolumeClaim", name, {"metadata": {"annotations": {annotation: value}}})
    plan = case.upgrade_as_planned(case.chart(config_map("conf", a="1"), version="2.0.0"))
    assert actions(plan) == {
        "ConfigMap/conf": "unchanged",
        "PersistentVolumeClaim/kept": "keep",
        "PersistentVolumeClaim/unmarked": "delete",
        "PersistentVolumeClaim/marked": "keep",
    }
    orphans = {finding["where"]["name"].split()[0] for finding in findings(plan, "keep-orphans")}
    assert orphans == {"PersistentVolumeClaim/kept", "PersistentVolumeClaim/marked"}
    (lost,) = findings(plan, "keep-not-live")
    assert lost["where"]["name"].startswith("PersistentVolumeClaim/unmarked")
    assert plan["exitCode"] == 3


def test_p18_one_object_twice_in_a_chart(case: FieldCase) -> None:
    """The second document wins; the plan says that there are two."""
    case.install(case.chart(config_map("conf", a="1")))
    twice = config_map("conf", a="first") + config_map("conf", a="second", b="2")
    plan = case.upgrade_as_planned(case.chart(twice, version="2.0.0"))
    assert case.live("ConfigMap", "conf")["data"]["a"] == "second"  # type: ignore[index]
    (finding,) = findings(plan, "duplicate-object")
    assert finding["where"]["name"].startswith("ConfigMap/conf")


def test_p27_c16_claim_that_another_release_has_taken_over(case: FieldCase) -> None:
    """The first release deletes it all the same, whoever owns it now."""
    case.install(case.chart(config_map("conf", a="1") + claim("data")))
    other = case.of_release("other")
    adopted = other.chart(claim("data"))
    words = ["--take-ownership", *(["--force-conflicts"] if case.is_helm_4 else [])]
    plan = other.install_as_planned(adopted, *words)
    assert actions(plan) == {"PersistentVolumeClaim/data": "adopt"}
    plan = case.upgrade_as_planned(case.chart(config_map("conf", a="1"), version="2.0.0"))
    assert actions(plan)["PersistentVolumeClaim/data"] == "delete"
    owner = resource(plan, "PersistentVolumeClaim/data")["before"]["metadata"]["annotations"]
    assert owner["meta.helm.sh/release-name"] == "other"
    (finding,) = findings(plan, "drift-deleted-upstream")
    assert finding["where"]["name"].startswith("PersistentVolumeClaim/data")
    assert "other" in finding["consequence"] + finding["title"]
    assert plan["exitCode"] == 3


def test_c19_kept_custom_resource_under_the_next_install(case: FieldCase, gadgets: Gadgets) -> None:
    """Client-side, the next install claims it and leaves it as it is; server-side it is applied."""
    gadget = gadgets.gadget("g", size="{{ .Values.size }}").replace(
        "{name: g}", "{name: g, annotations: {helm.sh/resource-policy: keep}}"
    )
    files = {"crds/gadget.yaml": gadgets.definition(size="integer")}
    case.install(case.chart(gadget, "size: 1\n", files=files))
    case.helm.run("uninstall", "rel")
    plan = case.install_as_planned(case.chart(gadget, "size: 2\n", "2.0.0", files))
    assert actions(plan)["Gadget/g"] == "adopt"
    assert resource(plan, "Gadget/g")["after"]["spec"]["size"] == (2 if case.is_helm_4 else 1)
    assert len(findings(plan, "drift-not-corrected-cr")) == (0 if case.is_helm_4 else 1)


def test_c15_namespace_that_leaves_the_chart(case: FieldCase) -> None:
    """All that is in it goes with it."""
    name = f"{case.namespace}-more"
    old = config_map("conf", a="1") + f"---\napiVersion: v1\nkind: Namespace\nmetadata: {{name: {name}}}\n"
    case.install(case.chart(old))
    plan = case.upgrade_as_planned(case.chart(config_map("conf", a="1"), version="2.0.0"))
    assert actions(plan)[f"Namespace/{name}"] == "delete"
