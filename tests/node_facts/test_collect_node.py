"""What is collected from nodes of different kinds."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from node_roots import (
    DRIVER,
    MAIN,
    SYSTEM,
    TOOLKIT_FOLDER,
    Fifo,
    Folder,
    Link,
    Program,
    driver,
    gpu_node,
    installed,
    write_root,
)

from helmguard.containerd.judged_node import judged_node
from helmguard.errors import NodeFactsError
from helmguard.model.node_facts import CONTAINERD_CONFIG, KubeletFacts, NodeFacts, PathFacts
from helmguard.node_facts.collect import collect_config, collect_node


def collected(folder: Path, entries: dict[str, object], **options: object) -> NodeFacts:
    return collect_node(write_root(folder / "node", entries), **options)  # type: ignore[arg-type]


def test_a_gpu_node_whose_runtime_is_in_a_drop_in(tmp_path: Path) -> None:
    facts = collected(tmp_path, gpu_node())
    runtime = f"{TOOLKIT_FOLDER}/nvidia-container-runtime"
    assert set(facts.files) == {
        CONTAINERD_CONFIG,
        "/etc/containerd/conf.d/99-nvidia.toml",
        "/var/lib/kubelet/config.yaml",
    }
    assert facts.paths[runtime] == PathFacts("file", "", True, "script", (f"{runtime}.real",))
    assert facts.paths[f"{runtime}.real"] == PathFacts("file", "", True, "elf")
    assert facts.paths["/usr/bin/nvidia-ctk"] == PathFacts("absent")
    assert facts.containerd.version == "2.1.4-1"
    assert facts.kubelet == KubeletFacts("", "systemd", "/var/lib/kubelet/config.yaml", 3)
    assert facts.driver.kernel_version == DRIVER
    assert facts.driver.modules == ("nvidia_uvm", "nvidia")
    assert facts.driver.pci == ("0000:01:00.0",)
    assert {library.version for library in facts.driver.libraries} == {DRIVER}
    assert (facts.system.os_id, facts.system.cgroup, facts.system.systemd) == ("ubuntu", "v2", True)
    assert facts.unread == ()
    installed_now = judged_node(facts).installed
    assert installed_now is not None
    assert installed_now.handlers == ("nvidia", "runc")


def test_an_empty_folder_is_a_node_without_anything(tmp_path: Path) -> None:
    facts = collected(tmp_path, {})
    assert facts.files == {}
    assert facts.paths[CONTAINERD_CONFIG].kind == "absent"
    assert facts.containerd.version == facts.kubelet.cgroup_driver == facts.system.cgroup == ""
    assert facts.driver.pci is None
    assert not facts.driver.kernel_known
    assert {one.what for one in facts.unread} == {"/bin", "/sbin", "/usr"}


def test_a_copy_of_etc_alone_tells_nothing_of_programs(tmp_path: Path) -> None:
    runtime = 'plugins."io.containerd.grpc.v1.cri".containerd.runtimes.a'
    main = f'version = 2\n[{runtime}.options]\nBinaryName = "/opt/a"'
    facts = collected(tmp_path, {"/etc/containerd/config.toml": main})
    assert facts.paths["/opt/a"].kind == "unknown"
    with_opt = collected(tmp_path / "whole", {"/etc/containerd/config.toml": main, "/opt": Folder()})
    assert with_opt.paths["/opt/a"].kind == "absent"


def test_an_import_that_is_not_in_a_copy_is_missing_all_the_same(tmp_path: Path) -> None:
    """containerd refuses to start without it, and the copy of its files is what is looked at."""
    facts = collected(tmp_path, {"/etc/containerd/config.toml": 'version = 2\nimports = ["/opt/gone.toml"]'})
    found = judged_node(facts, "2.1.4").planned
    assert found is not None and found.daemon == "refuses"


def test_no_such_folder(tmp_path: Path) -> None:
    with pytest.raises(NodeFactsError, match="no such folder"):
        collect_node(tmp_path / "absent")


@pytest.mark.parametrize("name", ["a/b", "..", "a\nb"])
def test_what_is_no_name_of_a_node(tmp_path: Path, name: str) -> None:
    with pytest.raises(NodeFactsError, match="no name of a node"):
        collect_node(tmp_path, name=name)


def test_imports_are_followed_relative_nested_and_by_pattern(tmp_path: Path) -> None:
    facts = collected(
        tmp_path,
        {
            "/etc/containerd/config.toml": 'imports = ["a.toml", "/srv/*/[xy].toml", "gone.toml", "../dir"]',
            "/etc/containerd/a.toml": 'imports = ["deep/*.toml", "config.toml"]',
            "/etc/containerd/deep/b.toml": "version = 2",
            "/srv/1/x.toml": "version = 2",
            "/srv/2/y.toml": "version = 2",
            "/srv/2/z.toml": "version = 2",
            "/etc/dir": Folder(),
            "/etc/containerd/config.d/99.toml": "version = 2",
        },
    )
    assert set(facts.files) == {
        "/etc/containerd/config.toml",
        "/etc/containerd/a.toml",
        "/etc/containerd/deep/b.toml",
        "/srv/1/x.toml",
        "/srv/2/y.toml",
        "/etc/containerd/config.d/99.toml",
    }
    assert facts.paths["/etc/containerd/gone.toml"].kind == "absent"
    assert facts.paths["/etc/dir"].kind == "folder"


def test_links_stay_inside_the_root(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.toml").write_text("outside = 1")
    facts = collected(
        tmp_path,
        {
            "/etc/containerd/config.toml": Link("../../../../../../real/main.toml"),
            "/real/main.toml": 'imports = ["a.toml", "/etc/containerd/b.toml", "/loop/x.toml"]',
            "/etc/containerd/a.toml": Link(str(outside / "secret.toml")),
            "/etc/containerd/b.toml": Link("b.toml"),
            "/loop": Link("/loop2"),
            "/loop2": Link("/loop"),
            "/usr/bin/runc": Link("/usr/lib/runc/runc"),
            "/usr/lib/runc/runc": Program(),
            **installed("2.1.4"),
        },
    )
    assert (
        "/real/main.toml" in (facts.files[CONTAINERD_CONFIG].text or "")
        or facts.files[CONTAINERD_CONFIG].text
    )
    assert facts.paths["/etc/containerd/a.toml"].kind == "absent"
    assert facts.files["/etc/containerd/b.toml"].text is None
    assert "circles" in facts.files["/loop/x.toml"].why
    assert facts.paths["/usr/bin/runc"] == PathFacts("file", "/usr/lib/runc/runc", True, "elf")
    assert not any("outside = 1" in (file.text or "") for file in facts.files.values())


def test_what_must_not_be_opened_or_is_too_large(tmp_path: Path) -> None:
    facts = collected(
        tmp_path,
        {
            "/etc/containerd/config.toml": 'imports = ["/etc/containerd/conf.d/*.toml"]',
            "/etc/containerd/conf.d/fifo.toml": Fifo(),
            "/etc/containerd/conf.d/huge.toml": b"#" * ((1 << 20) + 1),
            "/etc/containerd/conf.d/bytes.toml": b"\xff\xfe = 1",
            "/etc/os-release": Fifo(),
            "/proc/driver/nvidia/version": Fifo(),
            "/var/lib/dpkg/status": Fifo(),
            "/var/lib/kubelet/config.yaml": Folder(),
        },
    )
    assert facts.files["/etc/containerd/conf.d/fifo.toml"].why == "it is no regular file"
    assert facts.files["/etc/containerd/conf.d/huge.toml"].why == "it has more than 1 MiB"
    assert (facts.files["/etc/containerd/conf.d/bytes.toml"].text or "").encode(
        "utf-8", "surrogateescape"
    ) == b"\xff\xfe = 1"
    assert not facts.driver.kernel_known
    assert {one.what for one in facts.unread} >= {
        "/etc/containerd/conf.d/fifo.toml",
        "/etc/containerd/conf.d/huge.toml",
        "/proc/driver/nvidia/version",
    }


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_no_right_to_read(tmp_path: Path) -> None:
    root = write_root(tmp_path / "node", {"/etc/containerd/config.toml": MAIN})
    (root / "etc/containerd/config.toml").chmod(0)
    assert collect_node(root).files[CONTAINERD_CONFIG].why == "no right to read it"


def test_only_what_was_mounted_is_known_to_be_absent(tmp_path: Path) -> None:
    root = write_root(tmp_path / "node", {"/etc/containerd/config.toml": MAIN.replace("conf.d", "gone.d")})
    facts = collect_node(root, mounted=["/etc/containerd", "/etc/cdi"])
    assert facts.paths[f"{TOOLKIT_FOLDER}/nvidia-ctk"].kind == "unknown"
    assert facts.cdi_folders == ("/etc/cdi",)
    assert facts.driver.pci is None
    assert not facts.driver.kernel_known
    assert {"/dev", "/etc/systemd/system", "/var/run/cdi"} <= {one.what for one in facts.unread}
    assert collect_node(root).cdi_folders == ("/etc/cdi", "/var/run/cdi")


def test_k3s_has_a_containerd_of_its_own(tmp_path: Path) -> None:
    folder = "/var/lib/rancher/k3s/agent/etc/containerd"
    facts = collected(
        tmp_path,
        {
            **SYSTEM,
            f"{folder}/config.toml": 'version = 3\nimports = ["config-v3.toml.d/*.toml"]\n',
            f"{folder}/config-v3.toml.d/gpu.toml": "version = 3\n",
            f"{folder}/config-v3.toml.tmpl": '{{ template "base" . }}\n',
            "/var/lib/rancher/k3s/data/current/bin/containerd": b"\x7fELF"
            + b"\0" * (1 << 20)
            + b'-X github.com/containerd/containerd/v2/version.Version=v2.1.4-k3s1"',
            "/var/lib/rancher/k3s/agent/etc/kubelet.conf.d/00-k3s-defaults.conf": "cgroupDriver: systemd\n",
            "/etc/containerd/config.toml": "version = 1",
        },
    )
    assert facts.containerd.config_path == f"{folder}/config.toml"
    assert facts.containerd.config_from == "k3s"
    assert facts.containerd.version == "2.1.4-k3s1"
    assert f"{folder}/config-v3.toml.tmpl" in facts.files
    assert f"{folder}/config-v3.toml.d/gpu.toml" in facts.files
    assert facts.kubelet.file == "/var/lib/rancher/k3s/agent/etc/kubelet.conf.d/00-k3s-defaults.conf"
    assert [(one.managed_by, one.path) for one in facts.system.markers] == [
        ("k3s", "/var/lib/rancher/k3s/agent")
    ]


MANAGED = {
    "eks": {"/etc/eks/nodeadm.d": Folder()},
    "gke": {"/home/kubernetes/bin/health-monitor.sh": ""},
    "aks": {"/opt/azure/containers/provision.sh": ""},
    "bottlerocket": {"/etc/os-release": "ID=bottlerocket\n"},
    "talos": {"/etc/os-release": "ID=talos\n"},
    "rke2": {"/etc/rancher/rke2/config.yaml": ""},
    "microk8s": {"/var/snap/microk8s/current/args/containerd.toml": "version = 2"},
    "openshift": {"/etc/os-release": "ID=rhcos\n"},
}


@pytest.mark.parametrize("managed_by", MANAGED)
def test_signs_of_managed_nodes(tmp_path: Path, managed_by: str) -> None:
    facts = collected(tmp_path, {**SYSTEM, **MANAGED[managed_by]})
    assert [one.managed_by for one in facts.system.markers] == [managed_by]


def test_containerds_unit_names_its_file_and_path(tmp_path: Path) -> None:
    facts = collected(
        tmp_path,
        {
            "/usr/lib/systemd/system/containerd.service": """
                [Unit]
                ExecStart=/not/this
                [Service]
                ExecStart=/usr/bin/containerd
                """,
            "/etc/systemd/system/containerd.service.d/10-own.conf": """
                [Service]
                EnvironmentFile=-/etc/default/containerd
                Environment="PATH=/opt/bin:/usr/bin" HTTPS_PROXY=http://u:canary@proxy
                ExecStart=
                ExecStart=/opt/bin/containerd \\
                  --log-level info $OPTIONS
                [Install]
                ExecStart=/usr/bin/containerd --config /not/this/either
                """,
            "/etc/default/containerd": "OPTIONS='--config /etc/own/main.toml'\n",
            "/etc/own/main.toml": "version = 2\n",
            "/opt/bin/containerd": Program(),
        },
    )
    assert facts.containerd.config_path == "/etc/own/main.toml"
    assert facts.containerd.config_from == "--config of /etc/default/containerd"
    assert facts.containerd.search_path == ("/opt/bin", "/usr/bin")
    assert facts.containerd.environment == {"PATH": "/opt/bin:/usr/bin"}
    assert list(facts.files) == ["/etc/own/main.toml"]


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ({}, ("", "", 0)),
        ({"/var/lib/kubelet/config.yaml": "kind: KubeletConfiguration\n"}, ("default", "", 0)),
        (
            {"/var/lib/kubelet/config.yaml": b'{"cgroupDriver": "cgroupfs"}'},
            ("cgroupfs", "/var/lib/kubelet/config.yaml", 1),
        ),
        (
            {
                "/var/lib/kubelet/config.yaml": "cgroupDriver: cgroupfs\n",
                "/var/lib/kubelet/kubeadm-flags.env": 'A=b\nKUBELET_ARGS="--x=y --cgroup-driver=systemd"\n',
            },
            ("systemd", "/var/lib/kubelet/kubeadm-flags.env", 2),
        ),
        (
            {
                "/etc/systemd/system/kubelet.service": "[Service]\nExecStart=/usr/bin/kubelet $ARGS\n",
                "/etc/systemd/system/kubelet.service.d/1.conf": (
                    '[Service]\nEnvironment="ARGS=--config=/etc/k.json --config-dir /etc/k.d"\n'
                ),
                "/etc/k.json": "{\n  'cgroupDriver': 'cgroupfs'}\n",
                "/etc/k.d/10.conf": "kind: x\ncgroupDriver: systemd\n",
                "/etc/k.d/20.yaml": "cgroupDriver: cgroupfs\n",
            },
            ("systemd", "/etc/k.d/10.conf", 2),
        ),
        (
            {
                "/etc/systemd/system/kubelet.service": (
                    "[Service]\nExecStart=/usr/bin/kubelet --cgroup-driver cgroupfs\n"
                ),
                "/var/lib/kubelet/config.yaml": "cgroupDriver: systemd\n",
            },
            ("cgroupfs", "/etc/systemd/system/kubelet.service", 2),
        ),
    ],
)
def test_the_kubelets_cgroup_driver(
    tmp_path: Path, entries: dict[str, object], expected: tuple[str, str, int]
) -> None:
    kubelet = collected(tmp_path, entries).kubelet
    assert (kubelet.cgroup_driver, kubelet.file, kubelet.line) == expected


def test_cdi_specs_and_what_they_name(tmp_path: Path) -> None:
    facts = collected(
        tmp_path,
        {
            "/etc/containerd/config.toml": """
                version = 2
                [plugins."io.containerd.grpc.v1.cri"]
                cdi_spec_dirs = ["/etc/cdi", "/srv/cdi"]
                """,
            "/etc/cdi/nvidia.yaml": """
                cdiVersion: 0.5.0
                kind: nvidia.com/gpu
                devices:
                - name: "0"
                  containerEdits:
                    deviceNodes: [{path: /dev/nvidia0}]
                containerEdits:
                  mounts:
                  - {hostPath: /usr/lib/libcuda.so.1, containerPath: /usr/lib/libcuda.so.1}
                  hooks:
                  - {hookName: createContainer, path: /usr/bin/nvidia-cdi-hook, args: [nvidia-cdi-hook]}
                """,
            "/srv/cdi/other.json": "{",
            "/srv/cdi/README": "no spec",
            "/run/cdi": Folder(),
            "/var/run": Link("../run"),
            "/dev/nvidia0": "",
            "/usr/bin": Folder(),
        },
    )
    assert facts.cdi_folders == ("/etc/cdi", "/var/run/cdi", "/srv/cdi")
    assert {"/etc/cdi/nvidia.yaml", "/srv/cdi/other.json"} < set(facts.files)
    assert "/srv/cdi/README" not in facts.files
    assert facts.paths["/dev/nvidia0"].kind == "file"
    assert facts.paths["/usr/lib/libcuda.so.1"].kind == "absent"
    assert facts.paths["/usr/bin/nvidia-cdi-hook"].kind == "absent"


def test_the_driver_of_the_operators_container(tmp_path: Path) -> None:
    below = {
        f"/run/nvidia/driver{path}": entry for path, entry in driver("580.95.05").items() if "/lib/" in path
    }
    facts = collected(tmp_path, {**below, "/proc/modules": "", "/usr/lib64/libcuda.so.1": Link("gone")})
    assert facts.driver.root == "/run/nvidia/driver"
    assert facts.driver.kernel_known
    assert facts.driver.kernel_version == ""
    assert {one.version for one in facts.driver.libraries} == {"580.95.05"}


@pytest.mark.parametrize(
    ("entries", "version", "told_by"),
    [
        (installed("1.7.27"), "1.7.27-1", "/var/lib/dpkg/status"),
        (
            {
                "/var/lib/dpkg/status": """
                    Package: containerd.io
                    Status: deinstall ok config-files
                    Version: 1.6.1
                    """
            },
            "",
            "",
        ),
        (
            {
                "/var/lib/dpkg/status": "Package: zlib\nVersion: 1\n\n"
                "Package: containerd\nStatus: install ok installed\n"
                "Version: 1.6.20~ds1-1\n\nPackage: x\nVersion: 2\n"
            },
            "1.6.20~ds1-1",
            "/var/lib/dpkg/status",
        ),
        (
            {
                **installed("1.7.27"),
                "/usr/local/bin/containerd": b"\x7fELF\0"
                b"-X github.com/containerd/containerd/version.Version=v1.7.29 ",
            },
            "1.7.29",
            "/usr/local/bin/containerd",
        ),
    ],
)
def test_containerds_version(tmp_path: Path, entries: dict[str, object], version: str, told_by: str) -> None:
    containerd = collected(tmp_path, entries).containerd
    assert (containerd.version, containerd.version_from) == (version, told_by)


def test_a_main_file_alone(tmp_path: Path) -> None:
    main = tmp_path / "some" / "config.toml"
    write_root(
        tmp_path / "some", {"/config.toml": 'imports = ["d/*.toml", "gone.toml"]', "/d/a.toml": "version = 2"}
    )
    facts = collect_config(main)
    assert facts.containerd.config_path == str(main)
    assert set(facts.files) == {str(main), f"{main.parent}/d/a.toml"}
    assert facts.paths == {f"{main.parent}/gone.toml": PathFacts("absent")}
    assert facts.unread == ()


def test_this_machine_is_read_without_an_error() -> None:
    facts = collect_node()
    assert facts.source == "this machine"
    assert facts.system.kernel == os.uname().release
