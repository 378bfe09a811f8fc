"""A rule that asks about the cluster: one answer online and from a bundle, unknown where it may not ask."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from controlplane.chart_folder import write_chart
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from controlplane.permissions import grant
from helmguard_program import Helmguard
from which_helm import with_helm_3, with_helm_4

RULE = """\
id: settings-of-services
summary: Settings change beside services
title: changes beside services
severity: danger
category: test
over: objects.changed
match: {kind: ConfigMap}
needs: [cluster.services]
when: size(cluster.services) > 0
where: {object: "${it.ref}"}
effects: cluster.services.map(service, "Service/" + service.metadata.name)
consequence: They may not notice.
evidence: [made for a test]
"""
EXAMPLES = "cases: [{name: none, context: {}, expect: []}]\n"
RECORDS = {"apiGroups": [""], "resources": ["secrets", "configmaps"], "verbs": ["get", "list"]}


@pytest.fixture
def program(helm: Helm, control_plane: ControlPlane, namespace: str, tmp_path: Path) -> Helmguard:
    """helmguard beside an installed release `rel`, in a namespace with the Service `web`."""
    service = {"metadata": {"name": "web"}, "spec": {"ports": [{"port": 80}]}}
    control_plane.create(f"/api/v1/namespaces/{namespace}/services", service)
    helm.run("install", "rel", chart(tmp_path, 1))
    pack = helm.home / "rules" / "test-pack"
    pack.mkdir(parents=True)
    (pack / "pack.yaml").write_text("name: test-pack\nversion: 1.0.0\ntitle: for a test\ncontext: 1\n")
    (pack / "settings-of-services.yaml").write_text(RULE)
    (pack / "settings-of-services.test.yaml").write_text(EXAMPLES)
    return Helmguard(helm.home, helm.binary, helm.kubeconfig, helm.namespace)


def chart(folder: Path, number: int) -> Path:
    document = f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: settings}}\ndata: {{a: '{number}'}}\n"
    return write_chart(
        folder / f"chart-{number}", {"templates/all.yaml": document}, name="c", version=f"{number}.0.0"
    )


def answer(plan: dict[str, Any]) -> tuple[str, list[str], list[str]]:
    """The rule's result, its effects, and what it lacks."""
    (found,) = (one for one in plan["findings"] if one["rule"] == "settings-of-services")
    return found["result"], found["effects"], found["missing"]


def unknown(plan: dict[str, Any]) -> dict[str, str]:
    return {entry["what"]: entry["why"] for entry in plan["unknown"]}


@with_helm_4
def test_the_answer_is_the_same_from_a_bundle(program: Helmguard, tmp_path: Path) -> None:
    new = chart(tmp_path, 2)
    online = program.plan("rel", new, "--rules", "rules")
    assert answer(online) == ("fires", ["Service/web"], [])
    program.run("bundle", "rel", new, "-o", "bundle").expect(0)
    assert answer(program.plan("--bundle", "bundle", "--rules", "rules")) == answer(online)

    (program.home / "bundle" / "facts" / "services.json").write_text("[]")
    quiet = program.plan("--bundle", "bundle", "--rules", "rules")
    assert not [one for one in quiet["findings"] if one["rule"] == "settings-of-services"]


@with_helm_3
def test_what_may_not_be_read_is_unknown_both_ways(
    program: Helmguard, control_plane: ControlPlane, namespace: str, tmp_path: Path
) -> None:
    limited = replace(program, kubeconfig=grant(control_plane, namespace, [RECORDS]).kubeconfig)
    new = chart(tmp_path, 2)
    online = limited.plan("rel", new, "--rules", "rules")
    assert answer(online)[0] == "unknown"
    assert answer(online)[2] == ["cluster.services"]
    assert 'cannot list resource "services"' in unknown(online)["cluster.services"]
    assert "cluster.nodes" not in unknown(online)
    limited.run("bundle", "rel", new, "-o", "bundle").expect(0)
    offline = limited.plan("--bundle", "bundle", "--rules", "rules")
    assert (answer(offline), unknown(offline)) == (answer(online), unknown(online))


@with_helm_4
def test_a_bundle_without_facts_knows_none(program: Helmguard, tmp_path: Path) -> None:
    program.run("bundle", "rel", chart(tmp_path, 2), "-o", "bundle", "--without-facts").expect(0)
    offline = program.plan("--bundle", "bundle", "--rules", "rules")
    assert answer(offline)[0] == "unknown"
    assert answer(offline)[2] == ["cluster.services"]


@with_helm_4
def test_facts_of_other_namespaces_are_no_answer(
    program: Helmguard, other_namespace: str, tmp_path: Path
) -> None:
    """The bundle is planned with a rendering that has an object where nothing was read."""
    program.run("bundle", "rel", chart(tmp_path, 2), "-o", "bundle").expect(0)
    about = program.home / "bundle" / "facts" / "about.json"
    document = json.loads(about.read_text())
    about.write_text(json.dumps({**document, "namespaces": [other_namespace]}))
    offline = program.plan("--bundle", "bundle", "--rules", "rules")
    assert answer(offline)[0] == "unknown"
    assert "was read for other namespaces" in unknown(offline)["cluster.services"]
    shutil.rmtree(program.home / "bundle")
