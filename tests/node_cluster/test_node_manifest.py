"""The read-only DaemonSet that collects nodes' facts."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from controlplane.client import ControlPlane
from helmguard_program import Helmguard

from helmguard.cli.node_manifest import build_parser, run
from helmguard.errors import UsageError
from helmguard.node.manifest import ManifestRequest, manifest, manifest_text, volume_name
from helmguard.node.manifest_mounts import BASE, DISTRIBUTIONS, mounts_of

FORBIDDEN = ("/", "/etc", "/var", "/var/lib", "/var/lib/kubelet", "/run", "/proc", "/root", "/etc/kubernetes")


def pod_of(request: ManifestRequest) -> dict[str, Any]:
    _, daemon_set = manifest(request)
    spec: dict[str, Any] = daemon_set["spec"]["template"]["spec"]
    return spec


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_every_mount_is_read_only_and_none_shows_credentials(distribution: str) -> None:
    pod = pod_of(ManifestRequest(distribution=distribution))
    (container,) = pod["containers"]
    assert all(mount["readOnly"] for mount in container["volumeMounts"])
    paths = [volume["hostPath"]["path"] for volume in pod["volumes"]]
    assert not set(paths) & set(FORBIDDEN)
    assert not any(path.endswith((".sock", "pki", "shadow")) for path in paths)
    assert [mount["mountPath"] for mount in container["volumeMounts"]] == [f"/host{path}" for path in paths]
    assert [mount["name"] for mount in container["volumeMounts"]] == [one["name"] for one in pod["volumes"]]
    assert len(set(paths)) == len(paths)


def test_no_path_is_made_on_a_node_but_empty_folders_for_what_may_be_missing() -> None:
    made = {mount.path for mount in mounts_of("kubeadm") if mount.type == "DirectoryOrCreate"}
    assert made == {"/etc/containerd", "/etc/cdi", "/var/run/cdi"}
    every = [*BASE, *(one for found in DISTRIBUTIONS.values() for one in found)]
    assert all(mount.type in ("Directory", "File", "DirectoryOrCreate") for mount in every)


def test_the_pod_may_do_nothing_else() -> None:
    pod = pod_of(ManifestRequest())
    (container,) = pod["containers"]
    assert pod["automountServiceAccountToken"] is False
    assert not any(pod.get(name) for name in ("hostNetwork", "hostPID", "hostIPC"))
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert container["securityContext"] == {
        "privileged": False,
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert manifest(ManifestRequest())[0]["automountServiceAccountToken"] is False


def test_what_is_printed_is_what_is_meant_and_every_mount_says_why() -> None:
    request = ManifestRequest(distribution="k3s", mounts=("/opt/kata",), namespace="node-facts")
    text = manifest_text(request)
    assert list(yaml.safe_load_all(text)) == manifest(request)
    mounted = [line for line in text.splitlines() if "mountPath:" in line]
    assert len(mounted) == len(mounts_of("k3s", ("/opt/kata",)))
    assert all("  # " in line for line in mounted)


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert run(build_parser().parse_args([*words])) == 0
    _, daemon_set = yaml.safe_load_all(capsys.readouterr().out)
    spec: dict[str, Any] = daemon_set["spec"]["template"]["spec"]
    return spec


def test_flags_choose_nodes_and_mounts(capsys: pytest.CaptureFixture[str]) -> None:
    pod = printed(
        capsys,
        *("--image", "registry.example.com/tools/helmguard:1", "--image-pull-secret", "pull"),
        *("--node-selector", "pool=gpu", "--toleration", "dedicated=gpu:NoSchedule", "--toleration", "x"),
        *("--mount", "/opt/kata/", "--without", "/usr", "--config", "/etc/k0s/containerd.toml"),
    )
    assert pod["nodeSelector"] == {"kubernetes.io/os": "linux", "pool": "gpu"}
    assert pod["tolerations"] == [
        {"key": "nvidia.com/gpu", "operator": "Exists"},
        {"key": "dedicated", "operator": "Equal", "value": "gpu", "effect": "NoSchedule"},
        {"key": "x", "operator": "Exists"},
    ]
    paths = [volume["hostPath"]["path"] for volume in pod["volumes"]]
    assert "/opt/kata" in paths and "/usr" not in paths
    assert pod["containers"][0]["command"][2] == (
        'helmguard node collect --root /host --name "$NODE_NAME" --config /etc/k0s/containerd.toml -o - '
        "&& exec sleep infinity"
    )
    assert pod["containers"][0]["image"] == "registry.example.com/tools/helmguard:1"
    assert pod["imagePullSecrets"] == [{"name": "pull"}]
    assert printed(capsys, "--all-nodes")["tolerations"] == [{"operator": "Exists"}]


@pytest.mark.parametrize(
    "words",
    [
        ("--mount", "/"),
        ("--mount", "etc/x"),
        ("--mount", "/etc/../root"),
        ("--mount", "/var/lib/kubelet"),
        ("--mount", "/run/containerd/"),
        ("--node-selector", "gpu"),
        ("--toleration", "a=b:Never"),
        ("--toleration", ":NoSchedule"),
        ("--name", "Node_Facts"),
    ],
)
def test_what_cannot_be_meant_is_refused(words: tuple[str, str]) -> None:
    with pytest.raises(UsageError):
        run(build_parser().parse_args([*words]))


def test_volumes_have_names_that_the_api_server_takes() -> None:
    assert volume_name("/etc/containerd") == "etc-containerd"
    assert volume_name("/var/lib/kubelet/config.yaml") == "var-lib-kubelet-config-yaml"
    assert len(volume_name("/a" * 60)) <= 63


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_the_api_server_takes_it(
    rollout_control_plane: ControlPlane, namespace: str, distribution: str
) -> None:
    account, daemon_set = manifest(ManifestRequest(distribution=distribution, namespace=namespace))
    at = f"namespaces/{namespace}"
    rollout_control_plane.create(f"/api/v1/{at}/serviceaccounts", account, dry_run=True)
    made = rollout_control_plane.create(f"/apis/apps/v1/{at}/daemonsets", daemon_set, dry_run=True)
    # Nothing was dropped: what the API server has is what was sent, and defaults.
    sent = daemon_set["spec"]["template"]["spec"]["containers"][0]["volumeMounts"]
    assert made["spec"]["template"]["spec"]["containers"][0]["volumeMounts"] == sent


@pytest.mark.parametrize(
    ("level", "runs"), [("privileged", True), ("baseline", False), ("restricted", False)]
)
def test_the_pod_security_level_that_its_namespace_needs(
    rollout_control_plane: ControlPlane, namespace: str, level: str, runs: bool
) -> None:
    labels = {"pod-security.kubernetes.io/enforce": level}
    rollout_control_plane.patch(f"/api/v1/namespaces/{namespace}", {"metadata": {"labels": labels}})
    account, daemon_set = manifest(ManifestRequest())
    rollout_control_plane.create(f"/api/v1/namespaces/{namespace}/serviceaccounts", account)
    body = {
        "metadata": {"name": "one"},
        "spec": {**daemon_set["spec"]["template"]["spec"], "nodeSelector": {"no": "such-node"}},
    }
    pods = f"/api/v1/namespaces/{namespace}/pods"
    if runs:
        assert rollout_control_plane.create(pods, body)["metadata"]["name"] == "one"
        return
    with pytest.raises(Exception, match=f'violates PodSecurity "{level}.*hostPath'):
        rollout_control_plane.create(pods, body)


def test_the_help_has_examples(tmp_path: Any) -> None:
    said = Helmguard(tmp_path, settings={"PATH": "/nowhere"}).run("node", "manifest", "--help")
    assert said.code == 0
    assert "helmguard node manifest --distribution k3s" in said.out
