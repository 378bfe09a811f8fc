"""The test cluster itself: what every other test with the marker `cluster` relies on."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from controlplane import lifecycle, processes, state
from controlplane.binaries import BINARIES, Binary
from controlplane.client import JSON, ApiError, ControlPlane
from controlplane.errors import ClusterError
from controlplane.helm import Helm, HelmFailed
from controlplane.permissions import grant

CLUSTER = Path(__file__).with_name("cluster")
CHARTS = Path(__file__).with_name("charts")


def run_cluster(*words: str | Path, check: bool = True) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(CLUSTER), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not check or done.returncode == 0, done.stderr
    return done


def configmap(name: str, **data: str) -> JSON:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": data}


def test_two_control_planes_side_by_side_do_not_see_each_other(
    control_plane: ControlPlane, tmp_path: Path
) -> None:
    printed = run_cluster("up", tmp_path).stdout.splitlines()
    try:
        assert printed == [str(tmp_path / "kubeconfig")]
        started = state.load(tmp_path)
        assert started is not None
        other = ControlPlane(tmp_path, started)
        other.create("/api/v1/namespaces", {"metadata": {"name": "only-here"}})
        assert control_plane.find("/api/v1/namespaces/only-here") is None
        # A second `up` leaves the running one alone.
        assert run_cluster("up", tmp_path).stdout.splitlines() == printed
        assert other.find("/api/v1/namespaces/only-here") is not None
    finally:
        run_cluster("down", tmp_path)
    assert [process for process in started.processes if processes.is_running(process)] == []
    assert control_plane.get("/readyz") == {"message": "ok"}
    assert (tmp_path / "kube-apiserver.log").stat().st_size > 0


def test_down_stops_nothing_when_the_process_id_was_given_to_another(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "60"]) as bystander:
        stale = processes.Process("etcd", bystander.pid, "1")
        state.State("https://127.0.0.1:1", "", "", {}, False, [stale]).save(tmp_path)
        lifecycle.down(tmp_path)
        assert bystander.poll() is None
        bystander.kill()


def test_up_refuses_a_cluster_that_has_lost_a_process(tmp_path: Path) -> None:
    gone = processes.Process("etcd", 2**22, "1")
    state.State("https://127.0.0.1:1", "", "", {}, False, [gone]).save(tmp_path)
    refused = run_cluster("up", tmp_path, check=False)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "runs without etcd" in refused.stderr


@pytest.mark.cluster
def test_a_start_that_fails_is_tried_again_and_leaves_nothing_running(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts: list[state.State] = []
    down = lifecycle.down
    free = lifecycle.free_ports(1)[0]

    def recorded(folder: Path) -> None:
        started = state.load(folder)
        assert started is not None
        attempts.append(started)
        down(folder)

    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setattr(lifecycle, "free_ports", lambda count: [taken.getsockname()[1], free])
        monkeypatch.setattr(lifecycle, "down", recorded)
        with pytest.raises(ClusterError, match="etcd ended while the test cluster was starting"):
            lifecycle.up(tmp_path)
    assert len(attempts) == 3
    assert [process for each in attempts for process in each.processes if processes.is_running(process)] == []


def test_env_names_the_cluster_and_both_helms(control_plane: ControlPlane, helm3: Path, helm4: Path) -> None:
    lines = run_cluster("env", control_plane.folder).stdout.splitlines()
    assert f"export KUBECONFIG={control_plane.kubeconfig}" in lines
    assert f"export HELM3={helm3}" in lines
    assert f"export HELM4={helm4}" in lines


def test_each_helm_has_the_version_of_its_release(helm3: Path, helm4: Path, tmp_path: Path) -> None:
    for label, binary in (("helm3", helm3), ("helm4", helm4)):
        assert run_cluster("helm", label[-1]).stdout == f"{binary}\n"
        version = Helm(binary, tmp_path).run("version", "--template", "{{.Version}}").stdout
        assert version == BINARIES[label].version


def test_helm_has_the_default_kubernetes_version_of_its_release(helm_binary: Path, tmp_path: Path) -> None:
    rendered = Helm(helm_binary, tmp_path).run("template", "release", CHARTS / "tiny").stdout
    assert "renderedFor: v1.37.0" in rendered


def test_a_second_build_builds_nothing(helm3: Path, helm4: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = helm3.stat()
    monkeypatch.setenv("PATH", "")  # so that a build could not succeed
    printed = run_cluster("build", "--only", "helm")
    assert printed.stderr == ""
    assert printed.stdout.splitlines() == [str(helm3), str(helm4)]
    assert helm3.stat() == before


def test_two_builds_at_once_build_once_and_publish_whole(tmp_path: Path) -> None:
    """With a stand-in for `go` that writes in two steps and counts its runs."""
    fake = tmp_path / "path" / "go"
    fake.parent.mkdir()
    fake.write_text(
        "#!/bin/sh\n"
        'if [ "$1" = version ]; then echo "go version go9.9.9 any/any"; exit; fi\n'
        f"echo run >> {tmp_path}/runs\n"
        'while [ "$1" != -o ]; do shift; done\n'
        'printf half > "$2"; sleep 0.3; printf whole > "$2"\n'
    )
    fake.chmod(0o755)
    env = {**os.environ, "PATH": f"{fake.parent}:{os.environ['PATH']}", "HELMGUARD_TEST_CACHE": str(tmp_path)}
    command = [sys.executable, str(CLUSTER), "helm", "3"]
    both = [subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    printed = {Path(process.communicate()[0].strip()).read_text() for process in both}
    assert printed == {"whole"}
    assert (tmp_path / "runs").read_text() == "run\n"


def test_a_failed_build_says_what_go_said(tmp_path: Path) -> None:
    fake = tmp_path / "go"
    fake.write_text(
        '#!/bin/sh\n[ "$1" = version ] && echo go9.9.9 && exit\necho no such module >&2; exit 1\n'
    )
    fake.chmod(0o755)
    env = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "HELMGUARD_TEST_CACHE": str(tmp_path)}
    command = [sys.executable, str(CLUSTER), "helm", "3"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert "no such module" in done.stderr
    assert not list(tmp_path.glob("*/helm"))


def test_every_binary_is_pinned_and_keyed_by_content(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = {binary.key for binary in BINARIES.values()}
    assert len(keys) == len(BINARIES)
    monkeypatch.setattr(Binary, "linker_flags", "-X changed")
    assert keys.isdisjoint(binary.key for binary in BINARIES.values())


def test_a_namespace_is_fresh_and_its_own(control_plane: ControlPlane, namespace: str) -> None:
    assert control_plane.items(f"/api/v1/namespaces/{namespace}/secrets") == []
    # The same name every time: it would be there already if a test were given another's namespace.
    control_plane.create(f"/api/v1/namespaces/{namespace}/configmaps", configmap("mine"))


test_a_second_namespace_is_fresh_too = test_a_namespace_is_fresh_and_its_own


def test_field_managers_are_those_that_the_test_names(control_plane: ControlPlane, namespace: str) -> None:
    path = f"/api/v1/namespaces/{namespace}/configmaps/settings"
    control_plane.apply(path, configmap("settings", colour="red"), field_manager="one")
    control_plane.patch(path, {"data": {"size": "small"}}, field_manager="two")
    with pytest.raises(ApiError) as refused:
        control_plane.apply(path, configmap("settings", size="large"), field_manager="one")
    assert refused.value.code == 409
    forced = control_plane.apply(path, configmap("settings", size="large"), field_manager="one", force=True)
    assert forced["data"] == {"size": "large"}
    assert {entry["manager"] for entry in forced["metadata"]["managedFields"]} == {"one"}


def test_a_dry_run_leaves_no_object(control_plane: ControlPlane, namespace: str) -> None:
    path = f"/api/v1/namespaces/{namespace}/configmaps"
    control_plane.create(path, configmap("settings"), dry_run=True)
    assert control_plane.find(f"{path}/settings") is None


def test_removing_does_not_mind_who_was_first(control_plane: ControlPlane, namespace: str) -> None:
    path = f"/api/v1/namespaces/{namespace}/configmaps"
    control_plane.create(path, configmap("settings"))
    control_plane.remove(f"{path}/settings")
    control_plane.remove(f"{path}/settings")
    assert control_plane.find(f"{path}/settings") is None
    with pytest.raises(ApiError, match="405"):
        control_plane.remove("/api/v1/componentstatuses/scheduler")


def test_wait_for_sees_the_end_of_a_deletion(control_plane: ControlPlane, namespace: str) -> None:
    path = f"/api/v1/namespaces/{namespace}/configmaps/settings"
    body = configmap("settings")
    body["metadata"] = {"name": "settings", "finalizers": ["helmguard.test/hold"]}
    control_plane.create(path.rpartition("/")[0], body)
    control_plane.delete(path)

    def gone(found: JSON | None) -> bool:
        if found is not None and "finalizers" in found["metadata"]:  # only now, when the watch has begun
            control_plane.patch(path, {"metadata": {"finalizers": None}})
        return found is None

    assert control_plane.wait_for(path, gone) is None
    with pytest.raises(TimeoutError):
        control_plane.wait_for(path, lambda found: found is not None, seconds=1)


def test_the_limited_user_may_do_what_a_test_grants_and_no_more(
    control_plane: ControlPlane, namespace: str
) -> None:
    limited = control_plane.as_limited()
    path = f"/api/v1/namespaces/{namespace}/configmaps"
    with pytest.raises(ApiError) as refused:
        limited.items(path)
    assert refused.value.code == 403
    grant(control_plane, namespace, [{"apiGroups": [""], "resources": ["configmaps"], "verbs": ["list"]}])
    assert [found["metadata"]["name"] for found in limited.items(path)] == ["kube-root-ca.crt"]
    with pytest.raises(ApiError) as refused:
        limited.get(f"{path}/kube-root-ca.crt")
    assert refused.value.code == 403


def test_the_kubeconfig_verifies_the_server_and_has_a_context_for_each_user(
    control_plane: ControlPlane, helm4: Path, namespace: str, tmp_path: Path
) -> None:
    for context in ("admin", "admin-certificate"):
        admin = Helm(helm4, tmp_path, control_plane.kubeconfig, namespace)
        assert json.loads(admin.run("list", "-o", "json", "--kube-context", context).stdout) == []
    limited = Helm(helm4, tmp_path, control_plane.as_limited().kubeconfig, namespace)
    with pytest.raises(HelmFailed, match='User "limited" cannot list'):
        limited.run("list")
    text = control_plane.kubeconfig.read_text()
    assert "certificate-authority-data: " in text
    assert "insecure" not in text


def test_helm_installs_upgrades_and_uninstalls_a_chart(
    helm: Helm, control_plane: ControlPlane, namespace: str
) -> None:
    path = f"/api/v1/namespaces/{namespace}/configmaps/tiny-settings"
    helm.run("install", "tiny", CHARTS / "tiny")
    assert control_plane.get(path)["data"] == {"colour": "red", "renderedFor": "v1.36.3"}
    helm.run("upgrade", "tiny", CHARTS / "tiny", "--set", "colour=blue")
    assert control_plane.get(path)["data"]["colour"] == "blue"
    history = json.loads(helm.run("history", "tiny", "-o", "json").stdout)
    assert [revision["status"] for revision in history] == ["superseded", "deployed"]
    helm.run("uninstall", "tiny")
    assert control_plane.find(path) is None


def test_pods_run_where_scheduler_and_kwok_do(rollout_control_plane: ControlPlane, namespace: str) -> None:
    capacity = {"cpu": "8", "memory": "32Gi", "pods": "110", "nvidia.com/gpu": "2"}
    node = {
        "metadata": {"name": f"node-{namespace}", "labels": {"helmguard.test/namespace": namespace}},
        "status": {"capacity": capacity, "allocatable": capacity},
    }
    rollout_control_plane.create("/api/v1/nodes", node)
    pod = {
        "metadata": {"name": "cuda"},
        "spec": {
            "nodeSelector": {"helmguard.test/namespace": namespace},
            "containers": [
                {"name": "cuda", "image": "cuda", "resources": {"limits": {"nvidia.com/gpu": "1"}}}
            ],
        },
    }
    pods = f"/api/v1/namespaces/{namespace}/pods"
    rollout_control_plane.create(pods, pod)
    running = rollout_control_plane.wait_for(
        f"{pods}/cuda", lambda found: found is not None and found["status"].get("phase") == "Running"
    )
    assert running is not None
    assert running["spec"]["nodeName"] == f"node-{namespace}"
    rollout_control_plane.remove(f"/api/v1/nodes/node-{namespace}")
