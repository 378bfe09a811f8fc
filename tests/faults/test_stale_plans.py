"""A saved plan is executed as long as all that it rests on is the same in what matters; else nothing is done.

All tests here but the last ones share one saved plan, and put back what they change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from cluster_truth import sizes
from controlplane.client import ControlPlane
from controlplane.definitions import wait_until_not_served, wait_until_served
from controlplane.helm import Helm
from controlplane.namespaces import fresh_namespace
from fault_charts import settings_chart
from helmguard_program import Helmguard
from obstacles import refused_by_policy
from release_records import set_status
from which_helm import with_helm_4

JSON = dict[str, Any]

_RULE = """\
id: large-size
summary: A size is to be large
title: is to be large
severity: {severity}
category: rollout
over: objects.changed
match: {{kind: [ConfigMap]}}
when: at(it.after, "data.size", "") == "large"
where: {{object: "${{it.ref}}", field: data.size}}
before: at(it.live, "data.size", null)
after: at(it.after, "data.size", null)
consequence: It takes more room.
remedy:
- kubectl -n ${{release.namespace}} get ${{it.ref}}
evidence:
- the size of the room
"""
_EXAMPLES = """\
cases:
- name: larger
  context:
    objects:
      changed:
      - {ref: ConfigMap/a, kind: ConfigMap, live: {data: {size: small}}, after: {data: {size: large}}}
  expect:
  - {name: ConfigMap/a, field: data.size}
- name: smaller
  context:
    objects:
      changed:
      - {ref: ConfigMap/a, kind: ConfigMap, live: {data: {size: large}}, after: {data: {size: small}}}
  expect: []
"""


class Planned:
    """An upgrade of ``web`` to ``large``, planned with Helm 3 and saved."""

    def __init__(self, cluster: ControlPlane, helm: Helm, folder: Path) -> None:
        self.cluster = cluster
        self.namespace = helm.namespace
        self.helmguard = Helmguard(helm.home, helm.binary, helm.kubeconfig, helm.namespace)
        self.chart = settings_chart(folder / "chart")
        self.rules = folder / "rules"
        self._file = folder / "web.hgplan"
        pack = self.rules / "mine"
        pack.mkdir(parents=True)
        (pack / "pack.yaml").write_text("name: mine\nversion: 0.1.0\ntitle: Rules of our own\ncontext: 1\n")
        (pack / "large-size.test.yaml").write_text(_EXAMPLES)
        self.write_rule("warning")
        helm.run("install", "web", self.chart)
        words = ["web", self.chart, "--set", "size=large", "--rules", self.rules, "--out", self._file]
        self.helmguard.run("plan", *words).expect(2)

    def write_rule(self, severity: str) -> None:
        """The project's own rule."""
        (self.rules / "mine" / "large-size.yaml").write_text(_RULE.format(severity=severity))

    def apply(self, code: int, *more: str | Path) -> JSON:
        """What came of executing it."""
        words = [self._file, "--rules", self.rules, "--yes", "-o", "json", *more]
        return self.helmguard.run("apply", *words).expect(code).json

    def settings(self, name: str = "") -> str:
        """The path of the ConfigMaps, or of one of them."""
        return f"/api/v1/namespaces/{self.namespace}/configmaps" + (f"/{name}" if name else "")

    def is_stale(self, *more: str | Path) -> list[JSON]:
        """In what, after it was found that nothing was done."""
        before = sizes(self.cluster, self.namespace)
        document = self.apply(3, *more)
        assert (document["outcome"], document["execution"]) == ("stale", None)
        assert sizes(self.cluster, self.namespace) == before
        stale: list[JSON] = document["stale"]
        return stale


@pytest.fixture(scope="module")
def planned(
    control_plane: ControlPlane, helm3: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Planned]:
    """The one that most tests share."""
    folder = tmp_path_factory.mktemp("planned")
    with fresh_namespace(control_plane) as namespace:
        yield Planned(control_plane, Helm(helm3, folder, control_plane.kubeconfig, namespace), folder)


@contextmanager
def another_value(planned: Planned) -> Iterator[None]:
    planned.cluster.patch(planned.settings("a"), {"data": {"size": "tiny"}})
    yield
    planned.cluster.patch(planned.settings("a"), {"data": {"size": "small"}})


@contextmanager
def an_object_less(planned: Planned) -> Iterator[None]:
    body = planned.cluster.get(planned.settings("b"))
    planned.cluster.delete(planned.settings("b"))
    yield
    metadata = {name: body["metadata"][name] for name in ("name", "labels", "annotations")}
    planned.cluster.create(planned.settings(), {"metadata": metadata, "data": body["data"]})


@contextmanager
def a_failed_status(planned: Planned) -> Iterator[None]:
    set_status(planned.cluster, planned.namespace, "web", 1, "failed")
    yield
    set_status(planned.cluster, planned.namespace, "web", 1, "deployed")


@contextmanager
def a_policy(planned: Planned) -> Iterator[None]:
    with refused_by_policy(planned.cluster, planned.namespace, "c"):
        yield


@contextmanager
def a_stricter_rule(planned: Planned) -> Iterator[None]:
    planned.write_rule("danger")
    yield
    planned.write_rule("warning")


@pytest.mark.parametrize(
    ("change", "what", "name"),
    [
        (another_value, "live object", "ConfigMap/a"),
        (an_object_less, "live object", "ConfigMap/b"),
        (a_failed_status, "revision", ""),
        (a_policy, "live object", "ConfigMap/c"),
        (a_stricter_rule, "rules", "large-size"),
    ],
    ids=["another value", "an object less", "a failed status", "a policy", "a stricter rule"],
)
def test_it_is_stale(
    change: Callable[[Planned], AbstractContextManager[None]], what: str, name: str, planned: Planned
) -> None:
    with change(planned):
        stale = planned.is_stale()
    assert [each for each in stale if each["what"] == what and name in each["name"]], stale


def test_it_is_stale_with_another_helm(planned: Planned, helm4: Path) -> None:
    stale = planned.is_stale("--helm-bin", helm4)
    assert "helm" in {each["what"] for each in stale}


def test_what_does_not_matter_leaves_it_as_it_is(planned: Planned) -> None:
    """The last one: it is executed, from the chart as it was when it was planned."""
    foreign = {"metadata": {"annotations": {"seen": "today"}, "labels": {"team": "blue"}}}
    planned.cluster.patch(planned.settings("a"), foreign)
    record = f"/api/v1/namespaces/{planned.namespace}/secrets/sh.helm.release.v1.web.v1"
    planned.cluster.patch(record, {"metadata": {"labels": {"team": "blue"}}})
    settings_chart(planned.chart, "a", "d")
    (planned.chart / "values.yaml").write_text("size: none\n")
    document = planned.apply(0)
    assert document["verification"]["ok"]
    assert sizes(planned.cluster, planned.namespace) == {"a": "large", "b": "large", "c": "large"}


def test_it_is_stale_once_it_was_executed(planned: Planned) -> None:
    """Whoever executes it twice, or after somebody else's upgrade, plans again."""
    assert "revision" in {each["what"] for each in planned.is_stale()}


@with_helm_4
def test_it_is_stale_where_a_kind_is_gone(
    helm: Helm, helmguard: Helmguard, control_plane: ControlPlane, namespace: str, tmp_path: Path
) -> None:
    group = f"{namespace}.example.com"
    with a_definition(control_plane, group):
        gadget = f"apiVersion: {group}/v1\nkind: Gadget\nmetadata:\n  name: web\n"
        chart = settings_chart(tmp_path / "chart", more={"templates/gadget.yaml": gadget})
        helm.run("install", "web", settings_chart(tmp_path / "plain"))
        saved = tmp_path / "web.hgplan"
        helmguard.run("plan", "web", chart, "--out", saved).expect(2)
    ended = helmguard.run("apply", saved, "--yes", "-o", "json").expect(3).json
    assert ended["outcome"] == "stale"
    assert "served APIs" in {each["what"] for each in ended["stale"]}


@contextmanager
def a_definition(cluster: ControlPlane, group: str) -> Iterator[None]:
    definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
    schema = {"openAPIV3Schema": {"type": "object"}}
    body = {
        "metadata": {"name": f"gadgets.{group}"},
        "spec": {
            "group": group,
            "scope": "Namespaced",
            "names": {"kind": "Gadget", "plural": "gadgets", "singular": "gadget"},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": schema}],
        },
    }
    cluster.create(definitions, body)
    wait_until_served(cluster, f"gadgets.{group}")
    yield
    cluster.remove(f"{definitions}/gadgets.{group}")
    wait_until_not_served(cluster, group)
