"""The chart's ``crds/`` folder: installed once, never upgraded; what the live definition does not know."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from around_release import AroundRelease, action, config_map, findings, rules
from controlplane.definitions import wait_until_served

from helmguard.manifest import yaml
from helmguard.manifest.documents import split_kubectl

CHARTS = Path(__file__).parent / "charts"


@pytest.fixture
def group(release: AroundRelease) -> Iterator[str]:
    """An API group of the test's own; its definitions are deleted afterwards."""
    name = f"{release.namespace}.around.test"
    yield name
    for plural in ("gadgets", "gizmos"):
        release.cluster.remove(release.path("CustomResourceDefinition", f"{plural}.{name}"))


def chart_of(release: AroundRelease, version: int, group: str) -> Path:
    """The chart in its version, of the test's group."""
    place = release.folder / f"gadget-{version}"
    shutil.copytree(CHARTS / f"gadget-{version}", place)
    for file in place.rglob("*.yaml"):
        file.write_text(file.read_text().replace("GROUP", group))
    return place


def gadget(release: AroundRelease, group: str) -> dict[str, Any]:
    """The live custom resource."""
    return release.cluster.get(f"/apis/{group}/v1/namespaces/{release.namespace}/gadgets/one")


def apply_definitions(release: AroundRelease, chart: Path) -> None:
    """What the remedy says, without kubectl."""
    for text in split_kubectl((chart / "crds" / "gadgets.yaml").read_text()):
        body = yaml.load(text)
        path = release.path("CustomResourceDefinition", body["metadata"]["name"])
        release.cluster.apply(path, body, field_manager="kubectl", force=True)


def test_an_upgrade_leaves_the_definition_and_loses_fields(release: AroundRelease, group: str) -> None:
    old, new = chart_of(release, 1, group), chart_of(release, 2, group)
    assert release.upgrade(old) == ""
    same = release.plan(old)
    assert [entry["state"] for entry in same["definitions"]] == ["same"]
    assert same["findings"] == []
    plan = release.plan(new)
    (entry,) = plan["definitions"]
    assert (entry["name"], entry["source"]) == (f"gadgets.{group}", "gadget/crds/gadgets.yaml")
    assert (entry["state"], entry["appliedBy"]) == ("differs", "")
    assert entry["added"] == ["v1 spec.parts", "v1 spec.size", "v2"]
    assert entry["changed"] == ["v1 spec.colour (enum)"]
    assert (entry["removed"], entry["more"], entry["managers"]) == ([], 0, ["helm"])
    (stale,) = findings(plan, "crd-not-upgraded").values()
    assert stale["severity"] == "danger"
    assert "will NOT be applied by helm upgrade" in stale["title"]
    assert stale["remedy"] == [f"helm show crds {new} | kubectl apply --server-side --force-conflicts -f -"]
    (pruned,) = findings(plan, "cr-field-pruned").values()
    assert pruned["effects"][:2] == ["Gadget/one spec.size", "Gadget/one spec.parts"]
    before = release.live("CustomResourceDefinition", f"gadgets.{group}")
    if release.is_client_side:
        assert (pruned["severity"], plan["failure"]) == ("danger", None)
        assert release.upgrade(new) == ""
        assert gadget(release, group)["spec"] == {"colour": "red"}
    else:
        assert pruned["severity"] == "blocker"
        said = release.upgrade(new)
        assert ": field not declared in schema" in said
        # The server names the first such field that it comes to, in Go's random order of a map.
        assert first_field_left_out(plan["failure"]["message"]) == first_field_left_out(said)
        assert release.statuses() == {1: "deployed", 2: "failed"}
        assert plan["failure"]["afterwards"]["status"] == "failed"
        assert plan["failure"]["afterwards"]["deployedRevision"] == 1
    after = release.live("CustomResourceDefinition", f"gadgets.{group}")
    assert before is not None
    assert after is not None
    assert after["metadata"]["resourceVersion"] == before["metadata"]["resourceVersion"]


def first_field_left_out(message: str) -> str:
    return re.sub(r"\.spec\.(size|parts): field", "FIELD: field", message)


def test_the_remedy_makes_all_of_it_quiet(release: AroundRelease, group: str) -> None:
    old, new = chart_of(release, 1, group), chart_of(release, 2, group)
    release.upgrade(old)
    apply_definitions(release, new)
    plan = release.plan(new)
    assert [entry["state"] for entry in plan["definitions"]] == ["same"]
    assert rules(plan) <= {"chart-major-jump"}
    assert release.upgrade(new) == ""
    assert gadget(release, group)["spec"]["size"] == 3
    back = release.plan(old)
    assert back["definitions"][0]["removed"] == ["v1 spec.parts", "v1 spec.size", "v2"]
    assert findings(back, "crd-not-upgraded")  # its enum is another


def test_texts_alone_are_no_difference(release: AroundRelease, group: str) -> None:
    chart = chart_of(release, 1, group)
    release.upgrade(chart)
    file = chart / "crds" / "gadgets.yaml"
    file.write_text(file.read_text().replace("its colour", "what it looks like"))
    plan = release.plan(chart)
    assert (plan["definitions"][0]["state"], plan["definitions"][0]["textsDiffer"]) == ("same", True)
    assert plan["findings"] == []


def test_a_definition_that_is_not_there(release: AroundRelease, group: str) -> None:
    chart = chart_of(release, 1, group)
    release.upgrade(chart)
    crd = (chart / "crds" / "gadgets.yaml").read_text()
    (chart / "crds" / "gizmos.yaml").write_text(crd.replace("gadgets", "gizmos").replace("Gadget", "Gizmo"))
    plan = release.plan(chart)
    assert {entry["name"]: entry["state"] for entry in plan["definitions"]} == {
        f"gadgets.{group}": "same",
        f"gizmos.{group}": "missing",
    }
    assert set(findings(plan, "crd-not-upgraded")) == {f"CustomResourceDefinition/gizmos.{group}"}
    assert plan["failure"] is None
    gizmo = (chart / "templates" / "gadget.yaml").read_text().replace("Gadget", "Gizmo")
    (chart / "templates" / "gizmo.yaml").write_text(gizmo)
    plan = release.plan(chart)
    (missing,) = findings(plan, "cr-kind-missing").values()
    assert missing["where"]["name"] == "Gizmo/one"
    assert not findings(plan, "crd-not-upgraded")  # one cause, one finding
    assert missing["remedy"] == [f"helm show crds {chart} | kubectl apply --server-side -f -"]
    assert plan["failure"]["message"] == release.upgrade(chart)


def test_a_hook_that_seems_to_apply_them_is_trusted(release: AroundRelease, group: str) -> None:
    old, new = chart_of(release, 1, group), chart_of(release, 2, group)
    release.upgrade(old)
    hook = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "upgrade-crds", "annotations": {"helm.sh/hook": "pre-upgrade"}},
        "spec": {
            "template": {
                "spec": {
                    "restartPolicy": "Never",
                    "containers": [{"name": "apply", "image": "tool", "args": ["apply", "crds"]}],
                }
            }
        },
    }
    (new / "templates" / "hook.yaml").write_text(yaml.dump(hook))
    plan = release.plan(new)
    assert plan["definitions"][0]["state"] == "differs"
    assert plan["definitions"][0]["appliedBy"] == "Job/upgrade-crds"
    assert not rules(plan) & {"crd-not-upgraded", "cr-field-pruned"}
    skipped = release.plan(new, "--no-hooks")
    assert {"crd-not-upgraded", "cr-field-pruned", "no-hooks-flag"} <= rules(skipped)


def test_an_install_over_a_definition_that_exists(release: AroundRelease, group: str) -> None:
    old, new = chart_of(release, 1, group), chart_of(release, 2, group)
    release.upgrade(old)
    fresh = release.named("fresh")
    (new / "templates" / "gadget.yaml").write_text(
        (new / "templates" / "gadget.yaml").read_text().replace("name: one", "name: two")
    )
    plan = fresh.plan(new, "--install")
    if release.is_client_side:
        (stale,) = findings(plan, "crd-not-upgraded").values()
        assert "the install skips it" in stale["consequence"]
        assert set(findings(plan, "cr-field-pruned")) == {"Gadget/two"}
    else:
        assert plan["definitions"][0]["appliedBy"] == "the install"
        assert not rules(plan) & {"crd-not-upgraded", "cr-field-pruned"}
    assert (plan["failure"] or {}).get("message", "") == fresh.upgrade(new)
    live = release.live("CustomResourceDefinition", f"gadgets.{group}")
    assert live is not None
    assert len(live["spec"]["versions"]) == (1 if release.is_client_side else 2)


def test_a_custom_resource_goes_with_its_definition(release: AroundRelease, group: str) -> None:
    """Both leave the manifest, and Helm deletes the definition first."""
    versions = "[{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]"
    names = "{kind: Gadget, plural: gadgets}"
    definition = (
        "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
        f"metadata: {{name: gadgets.{group}}}\n"
        f"spec: {{group: {group}, scope: Namespaced, names: {names}, versions: {versions}}}\n"
    )
    gadget = f"---\napiVersion: {group}/v1\nkind: Gadget\nmetadata: {{name: one}}\n"
    assert release.upgrade(release.chart(definition)) == ""
    wait_until_served(release.cluster, f"gadgets.{group}")
    assert release.upgrade(release.chart(definition + gadget, "1.1.0")) == ""
    without = release.chart(config_map("own"), "1.2.0")
    plan = release.plan(without)
    assert action(plan, "Gadget/one") == action(plan, f"CustomResourceDefinition/gadgets.{group}") == "delete"
    assert release.upgrade(without) == ""
