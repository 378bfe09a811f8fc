"""The table of API lifecycles: its shape, its source, and what a real API server serves."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from controlplane import session
from controlplane.client import ControlPlane
from controlplane.errors import ClusterError
from controlplane.toolchain import find_go

ROOT = Path(__file__).resolve().parents[2]
GENERATOR = ROOT / "tools" / "generate" / "api_lifecycle"
TABLE = ROOT / "rules" / "data" / "api-lifecycle.json"
SHARED = Path(os.environ.get("HELMGUARD_SHARED", ROOT.parent / "shared")) / "api-lifecycle.json"
FIELDS = [
    *("group", "version", "kind", "plural", "namespaced", "introduced", "deprecated", "removed"),
    *("left_source", "replacement", "served", "source"),
]


def kinds() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(TABLE.read_text())["kinds"]
    return found


def by_name() -> dict[tuple[str, str, str], dict[str, Any]]:
    return {(one["group"], one["version"], one["kind"]): one for one in kinds()}


def test_shape_of_the_table() -> None:
    table = json.loads(TABLE.read_text())
    assert list(table) == ["about", "newest_release", "served_by", "sources", "kinds"]
    for one in table["kinds"]:
        assert list(one) == FIELDS
        for name in ("introduced", "deprecated", "removed", "left_source"):
            assert one[name] is None or re.fullmatch(r"1\.\d+", one[name]), one
        assert one["namespaced"] in (True, False, None)
        assert one["replacement"] is None or list(one["replacement"]) == ["group", "version", "kind"]
        assert one["served"] in ("default", "on-request", "no")
        assert one["source"] in table["sources"]
    order = [(one["group"], one["version"], one["kind"]) for one in table["kinds"]]
    assert order == sorted(set(order))


def test_the_table_is_what_the_generator_gives() -> None:
    if session.NOT_WANTED is not None and shutil.which("go") is None:
        pytest.skip("no Go on PATH, and nothing is to be installed")
    try:
        go = find_go(GENERATOR)
    except ClusterError as error:
        pytest.skip(f"no Go: {error}")
    environment = {**os.environ, "PATH": f"{go.parent}{os.pathsep}{os.environ['PATH']}", "GOFLAGS": ""}
    done = subprocess.run(
        [go, "run", "."], cwd=GENERATOR, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode != 0 and session.NOT_WANTED is not None:
        pytest.skip(f"the Go modules cannot be had: {done.stderr[-200:]}")
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout == TABLE.read_text()


@pytest.mark.cluster
def test_a_server_serves_by_default_what_the_table_says(control_plane: ControlPlane) -> None:
    version = control_plane.get("/version")["gitVersion"]
    assert json.loads(TABLE.read_text())["served_by"] == f"k8s.io/kubernetes@{version}"
    stored = {
        (one["group"], one["version"], one["kind"]): (one["plural"], one["namespaced"])
        for one in kinds()
        if one["served"] == "default" and one["namespaced"] is not None
    }
    served = _served(control_plane, {one["group"] for one in kinds()})
    assert {name: place for name, place in stored.items() if name in served} == {
        name: place for name, place in served.items() if name in stored
    }
    assert served.keys() <= by_name().keys()
    assert {name for name in served if by_name()[name]["served"] != "default"} == set()
    assert {name[2] for name in stored.keys() - served.keys()} <= {"Scale", "Eviction", "TokenRequest"}


def _served(server: ControlPlane, groups: set[str]) -> dict[tuple[str, str, str], tuple[str, bool]]:
    """What discovery lists: the name of a kind to its plural and whether it lives in namespaces."""
    paths = {f"/apis/{one['groupVersion']}": one["groupVersion"] for one in _group_versions(server, groups)}
    found = {}
    for path, group_version in {"/api/v1": "v1", **paths}.items():
        group, _, version = group_version.rpartition("/")
        for resource in server.get(path)["resources"]:
            if "/" not in resource["name"]:
                found[(group, version, resource["kind"])] = (resource["name"], resource["namespaced"])
    return found


def _group_versions(server: ControlPlane, groups: set[str]) -> list[dict[str, str]]:
    return [
        version
        for group in server.get("/apis")["groups"]
        if group["name"] in groups
        for version in group["versions"]
    ]


MOVED = [
    ("extensions", "v1beta1", "Deployment", "1.16", ("apps", "v1", "Deployment")),
    ("extensions", "v1beta1", "Ingress", "1.22", ("networking.k8s.io", "v1", "Ingress")),
    ("apps", "v1beta2", "StatefulSet", "1.16", ("apps", "v1", "StatefulSet")),
    ("policy", "v1beta1", "PodDisruptionBudget", "1.25", ("policy", "v1", "PodDisruptionBudget")),
    ("policy", "v1beta1", "PodSecurityPolicy", "1.25", None),
    ("batch", "v1beta1", "CronJob", "1.25", ("batch", "v1", "CronJob")),
    (
        "autoscaling",
        "v2beta1",
        "HorizontalPodAutoscaler",
        "1.25",
        ("autoscaling", "v2", "HorizontalPodAutoscaler"),
    ),
    (
        "autoscaling",
        "v2beta2",
        "HorizontalPodAutoscaler",
        "1.26",
        ("autoscaling", "v2", "HorizontalPodAutoscaler"),
    ),
    ("rbac.authorization.k8s.io", "v1beta1", "Role", "1.22", ("rbac.authorization.k8s.io", "v1", "Role")),
    ("networking.k8s.io", "v1beta1", "IngressClass", "1.22", ("networking.k8s.io", "v1", "IngressClass")),
    (
        *("apiextensions.k8s.io", "v1beta1", "CustomResourceDefinition", "1.22"),
        ("apiextensions.k8s.io", "v1", "CustomResourceDefinition"),
    ),
    (
        "apiregistration.k8s.io",
        "v1beta1",
        "APIService",
        "1.22",
        ("apiregistration.k8s.io", "v1", "APIService"),
    ),
]


@pytest.mark.parametrize("row", MOVED, ids=lambda row: f"{row[0]}/{row[1]} {row[2]}")
def test_removals_that_the_migration_guide_tells(row: tuple[Any, ...]) -> None:
    """As the Kubernetes documentation's deprecated API migration guide has them."""
    *name, removed, replacement = row
    found = by_name()[tuple(name)]
    assert found["removed"] == removed
    told = found["replacement"]
    assert (tuple(told.values()) if told else None) == replacement


def test_kinds_without_an_announced_removal_say_when_they_left() -> None:
    assert by_name()[("settings.k8s.io", "v1alpha1", "PodPreset")]["left_source"] == "1.20"
    assert by_name()[("scheduling.k8s.io", "v1alpha1", "PriorityClass")]["left_source"] == "1.36"


def test_a_recorded_table_says_the_same() -> None:
    """Against a table that was made apart from this one, from eight releases and a real server."""
    if not SHARED.exists():
        pytest.skip(f"no recorded table: {SHARED}")
    named = by_name()
    for one in json.loads(SHARED.read_text())["apis"]:
        ours = named.get((one["group"], one["version"], one["kind"]))
        if ours is None:
            assert one["kind"].endswith(("Options", "Review", "Rollback", "List", "Reference")), one
            continue
        for name in ("introduced", "deprecated", "removed"):
            assert ours[name] == one[name], one
        told = one["replacement"] and {key: one["replacement"][key] for key in ("group", "version", "kind")}
        if told and told["kind"].endswith("List"):
            told["kind"] = told["kind"].removesuffix("List")
        assert ours["replacement"] == told, one
        assert (ours["served"] == "default") == one["served_1_36_3_default"], one
