"""docs/cluster-facts.md names every fact, and rights that are enough to read them all."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from controlplane.client import JSON, ControlPlane

from helmguard.cluster.access_review import may
from helmguard.cluster.cluster_facts import read_facts
from helmguard.cluster.connect import connect
from helmguard.cluster.connection import Connection
from helmguard.cluster.kube_options import KubeOptions
from helmguard.manifest import yaml
from helmguard.model.cluster_facts import CUSTOM_RESOURCES, FACT_KINDS, NAMESPACE_CONTENTS, WantedFacts
from helmguard.model.discovery import Discovery

PAGE = (Path(__file__).parents[2] / "docs" / "cluster-facts.md").read_text(encoding="utf-8")
ROLE: JSON = yaml.load(PAGE.partition("```yaml\n")[2].partition("```")[0])
_RBAC = "/apis/rbac.authorization.k8s.io/v1"


@pytest.fixture
def planner(control_plane: ControlPlane, namespace: str) -> Iterator[Connection]:
    """A service account with the documented rights and no others."""
    core = f"/api/v1/namespaces/{namespace}/serviceaccounts"
    control_plane.create(core, {"metadata": {"name": "planner"}})
    token = control_plane.create(f"{core}/planner/token", {"spec": {}})["status"]["token"]
    role = {**ROLE, "metadata": {"name": namespace}}
    control_plane.create(f"{_RBAC}/clusterroles", role)
    binding = {
        "metadata": {"name": namespace},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": namespace},
        "subjects": [{"kind": "ServiceAccount", "name": "planner", "namespace": namespace}],
    }
    control_plane.create(f"{_RBAC}/clusterrolebindings", binding)
    options = KubeOptions(
        kube_apiserver=control_plane.server, kube_ca_file=str(control_plane.ca), kube_token=token
    )
    found = connect(options, {"HOME": "/nonexistent"})
    deadline = time.monotonic() + 10
    while not may(found, "list", "", "nodes") and time.monotonic() < deadline:
        """The authorizer learns of the binding from a watch."""
    yield found
    control_plane.remove(f"{_RBAC}/clusterrolebindings/{namespace}")
    control_plane.remove(f"{_RBAC}/clusterroles/{namespace}")


def test_every_fact_has_its_row(discovery: Discovery) -> None:
    rows = set(re.findall(r"^\| `(\w+)` \| (.+?) \| `(\w+)` \| (.+?) \|$", PAGE, re.MULTILINE))
    expected = set()
    for fact in FACT_KINDS:
        kind = discovery.find(fact.api_version, fact.kind)
        assert kind is not None
        what = f"{fact.kind}, *metadata only*" if fact.metadata_only else fact.kind
        expected.add((fact.name, what, kind.plural, f"`{kind.group}`" if kind.group else "core"))
    assert rows == expected
    assert all(f"| `{name}` |" in PAGE for name in (CUSTOM_RESOURCES, NAMESPACE_CONTENTS))


def test_the_documented_rights_are_enough_and_none_is_idle(
    planner: Connection, discovery: Discovery, namespace: str
) -> None:
    names = tuple(fact.name for fact in FACT_KINDS)
    facts = read_facts(planner, discovery, WantedFacts(names, (namespace,)))
    assert facts.unread == {}
    assert set(facts.lists) == set(names)
    granted = {(rule["apiGroups"][0], plural) for rule in ROLE["rules"] for plural in rule["resources"]}
    kinds = [discovery.find(fact.api_version, fact.kind) for fact in FACT_KINDS]
    assert granted == {(kind.group, kind.plural) for kind in kinds if kind is not None}
    assert all(rule["verbs"] == ["list"] for rule in ROLE["rules"])
