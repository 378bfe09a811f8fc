"""A pod that sees only the manifest's mounts learns of its node what the whole root would tell."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from msgspec.structs import replace
from node_roots import gpu_node, write_root

from helmguard.model.node_facts import NodeFacts
from helmguard.node.gather_log import facts_in_log
from helmguard.node.manifest import ManifestRequest, manifest
from helmguard.node.manifest_mounts import mounts_of
from helmguard.node_facts.collect import collect_node


def only_mounted(root: Path, to: Path, paths: list[str]) -> Path:
    """The root as the pod has it: nothing but what is mounted."""
    for path in paths:
        source, target = root / path.lstrip("/"), to / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, symlinks=True)
        elif source.exists():
            shutil.copy2(source, target)
        else:
            target.mkdir(parents=True)
    return to


def collected(tmp_path: Path) -> tuple[NodeFacts, NodeFacts]:
    """``/proc`` and ``/sys`` are the pod's own, and tell of the same kernel."""
    root = write_root(tmp_path / "whole", gpu_node())
    paths = [*(mount.path for mount in mounts_of("kubeadm")), "/proc", "/sys"]
    pod = only_mounted(root, tmp_path / "pod", paths)
    return collect_node(root, name="gpu-a"), collect_node(pod, name="gpu-a", mounted=paths)


def test_containerd_s_files_and_the_runtimes_programs_are_all_there(tmp_path: Path) -> None:
    whole, pod = collected(tmp_path)
    ours = {path: file for path, file in whole.files.items() if not path.startswith("/etc/systemd")}
    assert ours and {path: pod.files.get(path) for path in ours} == ours
    named = {
        path: found for path, found in whole.paths.items() if path.startswith(("/usr", "/etc/containerd"))
    }
    assert named and {path: pod.paths.get(path) for path in named} == named
    assert pod.cdi_folders == whole.cdi_folders


def test_the_driver_and_the_kubelet_are_known(tmp_path: Path) -> None:
    whole, pod = collected(tmp_path)
    assert whole.driver.kernel_version and whole.driver.libraries and whole.driver.pci
    assert replace(pod.driver, devices=()) == replace(whole.driver, devices=())
    assert pod.kubelet.cgroup_driver == whole.kubelet.cgroup_driver == "systemd"
    assert pod.system.cgroup == whole.system.cgroup == "v2"


def test_what_is_not_mounted_was_not_looked_at(tmp_path: Path) -> None:
    _, pod = collected(tmp_path)
    absent = [path for path, found in pod.paths.items() if found.kind == "absent"]
    mounted = [mount.path for mount in mounts_of("kubeadm")]
    assert [path for path in absent if not path.startswith(tuple(mounted))] == []
    assert any("/dev" in one.what for one in pod.unread)


def test_the_pod_s_command_prints_facts_that_gather_reads(tmp_path: Path) -> None:
    """The manifest's own words, by a shell, with a folder in the place of ``/host``."""
    root = write_root(tmp_path / "host", gpu_node())
    (container,) = manifest(ManifestRequest())[1]["spec"]["template"]["spec"]["containers"]
    shell, flag, words = container["command"]
    words = words.replace(" --root /host ", f" --root {root} ").replace("exec sleep infinity", "echo waiting")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        [shell, flag, words],
        env={"PATH": path, "NODE_NAME": "gpu-a.example.com", "HOME": str(tmp_path / "none")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("\nwaiting\n")
    # The API server gives both streams as one log.
    facts = facts_in_log(done.stderr + done.stdout)
    assert facts.name == "gpu-a.example.com"
    assert "/etc/containerd/config.toml" in facts.files
