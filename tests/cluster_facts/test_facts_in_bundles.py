"""A bundle holds what is around the release as it was read online, masked, and guesses nothing it lacks."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from controlplane.chart_folder import write_chart
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from controlplane.permissions import grant
from custom_kind import CustomKind

from helmguard.cli.bundle import build_parser, run
from helmguard.cli.request import read_plan_request
from helmguard.errors import BundleError
from helmguard.model.cluster_facts import FACT_KINDS, FACT_NAMES, ClusterFacts
from helmguard.planner.bundle_read import read_bundle
from helmguard.planner.bundle_write import write_bundle
from helmguard.planner.cluster_facts import facts_for, read_wanted
from helmguard.planner.offline import plan_from_bundle
from helmguard.planner.online import plan_online
from helmguard.planner.request import BundleOverrides, PlanRequest
from helmguard.planner.session import open_session

PASSWORD = "release-passw0rd-41"
SECRET = f"apiVersion: v1\nkind: Secret\nmetadata: {{name: keys}}\nstringData: {{password: {PASSWORD}}}\n"
CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {a: '1'}\n"
OF_NAMESPACES = [kind.name for kind in FACT_KINDS if kind.scope == "namespaces" and kind.name != "events"]


@dataclass(frozen=True)
class Release:
    """The release `rel`, and the places that a test's charts and bundles are in."""

    helm: Helm
    folder: Path
    kubeconfig: Path

    def install(self, documents: str) -> None:
        self.helm.run("install", "rel", str(self.chart(documents, "1.0.0")))

    def chart(self, documents: str, version: str) -> Path:
        return write_chart(
            self.folder / f"chart-{version}", {"templates/all.yaml": documents}, name="c", version=version
        )

    def words(self, chart: Path, target: Path) -> list[str]:
        """The words after `helmguard bundle`."""
        cluster = ["--kubeconfig", str(self.kubeconfig), "--helm-bin", str(self.helm.binary)]
        return ["rel", str(chart), "-o", str(target), "-n", self.helm.namespace, *cluster]

    def request(self, chart: Path) -> PlanRequest:
        return read_plan_request(build_parser().parse(self.words(chart, self.folder / "unused")))

    def bundle(self, chart: Path, *, show_secrets: bool = False) -> Path:
        return write_bundle(self.request(chart), self.folder / "bundle", show_secrets=show_secrets).path


@pytest.fixture
def release(helm_here: Helm, tmp_path: Path) -> Release:
    """Twice, with Helm 3 and Helm 4."""
    assert helm_here.kubeconfig is not None
    return Release(helm_here, tmp_path, helm_here.kubeconfig)


def test_a_bundle_holds_what_is_read_online(
    release: Release, control_plane: ControlPlane, namespace: str, other_namespace: str, tmp_path: Path
) -> None:
    """The new chart drops a definition and a namespace: what they hold is part of the facts."""
    kind = CustomKind(control_plane, f"{namespace}.example.com")
    doomed = f"doomed-{namespace}"
    documents = [
        CONFIG_MAP,
        f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: far, namespace: {other_namespace}}}\n",
        f"apiVersion: v1\nkind: Namespace\nmetadata: {{name: {doomed}}}\n",
        json.dumps(kind.document),
    ]
    release.install("\n---\n".join(documents))
    try:
        kind.wait()
        kind.add(namespace, "one", size=1)
        control_plane.create(f"/api/v1/namespaces/{doomed}/configmaps", {"metadata": {"name": "in-it"}})
        service = {"metadata": {"name": "foreign"}, "spec": {"ports": [{"port": 80}]}}
        control_plane.create(f"/api/v1/namespaces/{other_namespace}/services", service)
        chart = release.chart("\n---\n".join(documents[:2]), "2.0.0")
        request = release.request(chart)
        plan = plan_online(request)
        online = read_wanted(
            open_session(request, lambda _: None), plan, [f"cluster.{name}" for name in FACT_NAMES]
        )
        stored = read_bundle(release.bundle(chart, show_secrets=True)).facts
        for name in OF_NAMESPACES:
            assert stored.lists[name] == online.lists[name], name
        assert {service["metadata"]["name"] for service in online.lists["services"]} == {"foreign"}
        assert stored.namespaces == online.namespaces == (namespace, other_namespace)
        assert stored.custom_resources == online.custom_resources
        assert stored.custom_resource_counts == online.custom_resource_counts == {kind.definition: 1}
        assert [one["spec"] for one in online.custom_resources[kind.definition]] == [{"size": 1}]
        assert stored.namespace_contents == online.namespace_contents
        assert [one["metadata"]["name"] for one in online.namespace_contents[doomed]] == ["in-it"]
        assert set(stored.lists) | set(stored.unread) >= set(online.lists)
        assert facts_for(stored, plan_from_bundle(tmp_path / "bundle")) is stored
    finally:
        kind.remove()
        control_plane.delete(f"/api/v1/namespaces/{doomed}")


def test_what_may_not_be_read_stays_unread(
    release: Release, control_plane: ControlPlane, namespace: str
) -> None:
    release.install(CONFIG_MAP)
    rights = {"apiGroups": [""], "resources": ["secrets", "configmaps"], "verbs": ["get", "list"]}
    limited = grant(control_plane, namespace, [rights])
    poor = Release(release.helm, release.folder, limited.kubeconfig)
    facts = read_bundle(poor.bundle(release.chart(CONFIG_MAP, "2.0.0"))).facts
    assert set(facts.lists) == {"secrets", "configMaps"}
    assert 'cannot list resource "nodes"' in facts.unread["nodes"]
    assert set(facts.unread) == {kind.name for kind in FACT_KINDS} - set(facts.lists)


def test_secrets_around_the_release_are_masked(
    release: Release, control_plane: ControlPlane, namespace: str
) -> None:
    """One that the release holds, wherever it stands, and one that only a foreign object holds."""
    release.install(SECRET)
    foreign = {
        "metadata": {"name": "foreign", "annotations": {"note": f"login with {PASSWORD}"}},
        "spec": {
            "replicas": 0,
            "selector": {"matchLabels": {"a": "b"}},
            "template": {
                "metadata": {"labels": {"a": "b"}},
                "spec": {
                    "containers": [
                        {
                            "name": "c",
                            "image": "i:1",
                            "env": [{"name": "DB_PASSWORD", "value": "foreign-passw0rd-52"}],
                            "args": ["--url=postgres://u:foreign-passw0rd-52@db/x"],
                        }
                    ]
                },
            },
        },
    }
    control_plane.create(f"/apis/apps/v1/namespaces/{namespace}/deployments", foreign)
    place = release.bundle(release.chart(SECRET, "2.0.0"))
    texts = [file.read_text(encoding="utf-8") for file in (place / "facts").rglob("*") if file.is_file()]
    assert not any(PASSWORD in text or "foreign-passw0rd-52" in text for text in texts)
    (deployment,) = read_bundle(place).facts.lists["deployments"]
    container = deployment["spec"]["template"]["spec"]["containers"][0]
    mark = container["env"][0]["value"]
    assert mark.startswith("(secret ")
    assert container["args"] == [f"--url=postgres://u:{mark}@db/x"]
    (secret,) = [
        one for one in read_bundle(place).facts.lists["secrets"] if one["metadata"]["name"] == "keys"
    ]
    assert set(secret) == {"apiVersion", "kind", "metadata"}


def test_a_list_is_a_file_with_an_object_a_line(release: Release, control_plane: ControlPlane) -> None:
    release.install(CONFIG_MAP)
    place = release.bundle(release.chart(CONFIG_MAP, "2.0.0")) / "facts"
    lines = (place / "configMaps.json").read_text(encoding="utf-8").splitlines()
    objects = [json.loads(line.rstrip(",")) for line in lines[1:-1]]
    assert (lines[0], lines[-1]) == ("[", "]")
    assert "settings" in [one["metadata"]["name"] for one in objects]
    assert json.loads((place / "runtimeClasses.json").read_text(encoding="utf-8")) is not None


def test_what_a_bundle_lacks_is_not_known(release: Release, namespace: str) -> None:
    release.install(CONFIG_MAP)
    place = release.bundle(release.chart(CONFIG_MAP, "2.0.0"))
    (place / "facts" / "nodes.json").unlink()
    facts = read_bundle(place).facts
    assert "nodes" not in facts.lists
    assert facts.lists["pods"] == ()
    other = plan_from_bundle(place, BundleOverrides(rollback=True, rollback_to=1))
    assert facts_for(facts, other) is facts

    shutil.rmtree(place / "facts")
    assert read_bundle(place).facts == ClusterFacts()
    assert plan_from_bundle(place).resources


def test_without_facts(release: Release) -> None:
    release.install(CONFIG_MAP)
    place = release.folder / "small"
    words = release.words(release.chart(CONFIG_MAP, "2.0.0"), place)
    assert run(build_parser().parse([*words, "--without-facts", "-q"])) == 0
    assert (place / "bundle.yaml").exists()
    assert not (place / "facts").exists()


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("about.json", "{"),
        ("about.json", "[]"),
        ("about.json", '{"customResourceCounts": {"a": "many"}}'),
        ("about.json", '{"namespaces": 1}'),
        ("pods.json", '{"a": 1}'),
        ("pods.json", '["text"]'),
        ("customResources/widgets.example.com.json", "[1]"),
    ],
)
def test_damage_is_told_with_its_file(tmp_path: Path, file: str, text: str) -> None:
    (tmp_path / "facts" / "customResources").mkdir(parents=True)
    (tmp_path / "facts" / "about.json").write_text("{}", encoding="utf-8")
    (tmp_path / "bundle.yaml").write_text(
        "formatVersion: helmguard.bundle/v1\noperation: upgrade\nrelease: r\nnamespace: n\nhelm: v3.22.0\n",
        encoding="utf-8",
    )
    assert read_bundle(tmp_path).facts == ClusterFacts()
    (tmp_path / "facts" / file).write_text(text, encoding="utf-8")
    with pytest.raises(BundleError, match=file.rpartition("/")[2]):
        read_bundle(tmp_path)
