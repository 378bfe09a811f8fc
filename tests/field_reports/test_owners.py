"""Objects that stay behind, change hands, or are named twice."""

from __future__ import annotations

from field_case import FieldCase, actions, resource
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


def test_p18_one_object_twice_in_a_chart(case: FieldCase) -> None:
    """The second document wins; the plan says that there are two."""
    case.install(case.chart(config_map("conf", a="1")))
    twice = config_map("conf", a="first") + config_map("conf", a="second", b="2")
    plan = case.upgrade_as_planned(case.chart(twice, version="2.0.0"))
    assert case.live("ConfigMap", "conf")["data"]["a"] == "second"  # type: ignore[index]
    assert any("more than once" in note for note in plan["notes"])


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


def test_c19_kept_custom_resource_under_the_next_install(case: FieldCase) -> None:
    keep = "{helm.sh/resource-policy: keep}"
    case.install(case.chart(config_map("conf", keep, a="1")))
    case.helm.run("uninstall", "rel")
    plan = case.install_as_planned(case.chart(config_map("conf", keep, a="2"), version="2.0.0"))
    assert actions(plan) == {"ConfigMap/conf": "adopt"}
