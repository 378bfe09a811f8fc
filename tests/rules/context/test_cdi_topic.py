"""What rules learn about CDI on the nodes."""

from __future__ import annotations

from typing import Any

import pytest
from node_sides import ETC, RUN, cdi_node, side

from helmguard.model.node_facts import DriverFacts, Library, NodeFile, PathFacts
from helmguard.rules.context.cdi import Cdi, cdi_of
from helmguard.rules.context.record import UNKNOWN

ABSENT, THERE = PathFacts("absent"), PathFacts("file")
OLD, NEW = "570.195.03", "580.95.05"


def spec(version: str = OLD, *, cdi: str = "0.5.0", kind: str = "nvidia.com/gpu", device: str = "0") -> str:
    return f"""cdiVersion: {cdi}
kind: {kind}
devices:
- name: "{device}"
  containerEdits:
    deviceNodes: [{{path: /dev/nvidia0}}]
    hooks:
    - hookName: createContainer
      path: /usr/bin/nvidia-cdi-hook
      args: [nvidia-cdi-hook, create-symlinks, --link, "libcuda.so.{version}::/usr/lib/libcuda.so.1"]
    mounts:
    - hostPath: /usr/lib/libcuda.so.{version}
      containerPath: /usr/lib/libcuda.so.{version}
"""


def driver(kernel: str = OLD, *versions: str, known: bool = True) -> DriverFacts:
    return DriverFacts(
        kernel_version=kernel,
        kernel_known=known,
        libraries=tuple(
            Library("libcuda.so", f"/usr/lib/libcuda.so.{version}", version) for version in versions
        ),
    )


def topic(*specs: tuple[str, str], planned: str = "", **more: Any) -> Cdi:
    return cdi_of(side(cdi_node(*specs, planned=planned, **more)))


def pod(device: str, *, node: str = "gpu-a", phase: str = "Pending") -> dict[str, Any]:
    return {
        "metadata": {"name": "train", "namespace": "shop", "annotations": {"cdi.k8s.io/gpu": device}},
        "spec": {"nodeName": node},
        "status": {"phase": phase},
    }


def test_a_spec_that_fits_gives_nothing_to_tell() -> None:
    found = topic((ETC, spec()), driver=driver(OLD, OLD), paths={f"/usr/lib/libcuda.so.{OLD}": THERE})
    assert (found.invalid, found.duplicates, found.asked) == ((), (), ())
    (bound,) = found.bound
    assert (bound.outdated, bound.absent, bound.running) == (False, (), OLD)
    (switch,) = found.switches
    assert switch.enabled is True


@pytest.mark.parametrize(
    ("containerd", "planned", "told"),
    [
        ("1.7.29", "", [("1.7.29", False)]),
        ("2.3.0", "", []),
        ("2.3.0", "2.1.4", [("2.1.4", True)]),
        ("2.1.4", "2.3.0", [("2.1.4", False)]),
        ("2.1.4", "2.0.5", [("2.1.4", False)]),
        ("", "", []),
        ("", "2.1.4", [("2.1.4", True)]),
        # Where containerd reads no specs, they are measured by the newest library.
        ("1.6.20", "", []),
    ],
)
def test_a_spec_too_new_for_containerd(containerd: str, planned: str, told: list[tuple[str, bool]]) -> None:
    cdi_on = 'version = 2\n[plugins."io.containerd.grpc.v1.cri"]\nenable_cdi = true\n'
    found = topic((ETC, spec(cdi="1.1.0")), containerd=containerd, config=cdi_on, planned=planned)
    assert [(one.version, one.planned) for one in found.invalid] == told


def test_folders_that_containerd_reads() -> None:
    """Those of its configuration; the usual ones where it does not come to decode any."""
    elsewhere = 'version = 3\n[plugins."io.containerd.cri.v1.runtime"]\ncdi_spec_dirs = ["/opt/cdi"]\n'
    bad = ((ETC, "kind: ["), ("/opt/cdi/a.yaml", "kind: ["))
    assert [one.file for one in topic(*bad, config=elsewhere).invalid] == ["/opt/cdi/a.yaml"]
    assert [one.file for one in topic(*bad, config="version = 9\n").invalid] == [ETC]
    assert [one.file for one in topic(*bad, containerd="").invalid] == [ETC]


def test_a_file_of_containerd_that_was_not_read_leaves_cdi_open() -> None:
    main = 'version = 3\nimports = ["/etc/containerd/conf.d/*.toml"]\n'
    unread = {"/etc/containerd/conf.d/a.toml": NodeFile(None, "permission denied")}
    (found,) = topic((ETC, spec()), config=main, files=unread).switches
    assert (found.enabled, found.lacks) == (UNKNOWN, ("/etc/containerd/conf.d/a.toml",))


def test_the_first_line_that_names_a_hook() -> None:
    more = "hooks: [{hookName: poststop, path: /usr/bin/nvidia-cdi-hook}]"
    twice = f"{spec()}- name: b\n  containerEdits: {{{more}}}\n"
    (found,) = topic((ETC, twice)).hooks
    assert (found.line, found.hooks) == (9, ("createContainer", "poststop"))


def test_the_planned_containerd_stands_in_for_one_that_is_not_known() -> None:
    found = topic((ETC, spec(OLD)), driver=driver(NEW), containerd="", planned="2.1.4")
    assert ([one.file for one in found.bound], [one.file for one in found.hooks]) == ([ETC], [ETC])
    both = topic((ETC, spec(OLD)), driver=driver(NEW), planned="2.3.0")
    assert [one.file for one in both.bound] == [ETC]


def test_what_every_containerd_refuses_is_told_where_none_is_known() -> None:
    (found,) = topic((ETC, spec(kind="gpu")), containerd="").invalid
    assert (found.line, found.version, found.reader) == (2, "", "the CDI library (1.1.0)")


def test_a_spec_that_kills_containerd_does_so_only_where_it_is_read() -> None:
    off = 'version = 3\n[plugins."io.containerd.cri.v1.runtime"]\nenable_cdi = false\n'
    assert [one.crash for one in topic((ETC, spec(kind="v/gpu"))).invalid] == [True]
    assert [one.crash for one in topic((ETC, spec(kind="v/gpu")), config=off).invalid] == [False]


def test_a_spec_that_could_not_be_read_is_not_known() -> None:
    (found,) = topic((ETC, spec()), files={RUN: NodeFile(None, "permission denied")}).invalid
    assert (found.problem, found.lacks) == (UNKNOWN, (f"{RUN} (permission denied)",))


def test_a_driver_update_leaves_the_spec_behind() -> None:
    paths = {f"/usr/lib/libcuda.so.{OLD}": ABSENT}
    (found,) = topic((ETC, spec(OLD)), driver=driver(NEW, NEW), paths=paths).bound
    assert (found.outdated, found.versions, found.running) == (True, (OLD,), NEW)
    assert found.absent == (f"/usr/lib/libcuda.so.{OLD}",)
    assert {*found.named} == {f"/usr/lib/libcuda.so.{OLD}", f"libcuda.so.{OLD}"}
    assert (found.line, found.both_installed, found.used, found.of_operator) == (9, False, True, False)


@pytest.mark.parametrize(
    ("path", "hook", "of_operator"),
    [
        (RUN, "/usr/local/nvidia/toolkit/nvidia-cdi-hook", True),
        (ETC, "/usr/local/nvidia/toolkit/nvidia-cdi-hook", False),
        (RUN, "/usr/bin/nvidia-cdi-hook", False),
    ],
)
def test_a_spec_of_the_operator_s_toolkit(path: str, hook: str, of_operator: bool) -> None:
    text = spec().replace("/usr/bin/nvidia-cdi-hook", hook)
    (found,) = topic((path, text), driver=driver(NEW)).bound
    assert found.of_operator is of_operator


def test_both_versions_installed() -> None:
    (found,) = topic((ETC, spec(OLD)), driver=driver(NEW, NEW, OLD)).bound
    assert (found.outdated, found.both_installed) == (True, True)


def test_libraries_tell_the_version_where_no_module_is_loaded() -> None:
    (found,) = topic((ETC, spec(OLD)), driver=driver("", NEW)).bound
    assert (found.outdated, found.running) == (True, NEW)


@pytest.mark.parametrize("driver_facts", [driver("", NEW, known=False), driver("", OLD, NEW), driver("")])
def test_which_driver_runs_may_not_be_known(driver_facts: DriverFacts) -> None:
    (found,) = topic((ETC, spec(OLD)), driver=driver_facts).bound
    assert (found.outdated, found.running) == (UNKNOWN, UNKNOWN)
    assert found.lacks == ("the driver's version on node gpu-a",)


def test_other_vendors_are_never_outdated() -> None:
    other = 'cdiVersion: 0.5.0\nkind: example.com/net\ndevices: [{name: "0", containerEdits: {mounts: '
    other += "[{hostPath: /opt/libnet.so.100.2, containerPath: /a}]}}]"
    assert topic((ETC, other), driver=driver(NEW)).bound == ()
    (found,) = topic((ETC, other), driver=driver(NEW), paths={"/opt/libnet.so.100.2": ABSENT}).bound
    assert (found.outdated, found.versions, found.absent) == (False, (), ("/opt/libnet.so.100.2",))


def test_a_spec_whose_devices_another_has_is_not_used() -> None:
    found = topic((ETC, spec(OLD)), (RUN, spec(NEW)), driver=driver(NEW))
    assert [(one.file, one.used, one.outdated) for one in found.bound] == [
        (ETC, False, True),
        (RUN, True, False),
    ]
    assert [(one.file, one.other, one.conflict, one.devices) for one in found.duplicates] == [
        (ETC, RUN, False, ("0",))
    ]


def test_duplicates_are_told_once_for_both_versions() -> None:
    found = topic((ETC, spec()), (RUN, spec()), planned="2.3.0")
    assert [(one.version, one.planned) for one in found.duplicates] == [("2.1.4", False)]


@pytest.mark.parametrize(
    ("path", "there", "executable"),
    [
        (PathFacts("absent"), False, False),
        (PathFacts("file"), True, False),
        (PathFacts("file", executable=True), True, True),
        (PathFacts("folder", executable=True), True, False),
        (PathFacts("unknown"), UNKNOWN, UNKNOWN),
        (None, UNKNOWN, UNKNOWN),
    ],
)
def test_a_hook_s_program(path: PathFacts | None, there: object, executable: object) -> None:
    name = "/usr/bin/nvidia-cdi-hook"
    (found,) = topic((ETC, spec()), paths={name: path} if path else {}, planned="2.3.0").hooks
    assert (found.path, found.line, found.hooks) == (name, 9, ("createContainer",))
    assert (found.there, found.executable) == (there, executable)


def asked(device: str, *specs: tuple[str, str], **more: Any) -> list[Any]:
    pods = (pod(device, phase=more.pop("phase", "Pending")),)
    found = cdi_of(side(cdi_node(*specs, **more), pods=pods)).asked
    return [(one.device, one.valid, one.known, one.running) for one in found]


def test_devices_that_pods_ask_for() -> None:
    etc = (ETC, spec())
    assert asked("nvidia.com/gpu=0", etc) == [("nvidia.com/gpu=0", True, True, False)]
    assert asked("nvidia.com/gpu=1,nvidia.com/gpu=0", etc, phase="Running") == [
        ("nvidia.com/gpu=1", True, False, True),
        ("nvidia.com/gpu=0", True, True, True),
    ]
    assert asked("gpu0", etc, folders=()) == [("gpu0", False, False, False)]
    assert asked("nvidia.com/gpu=1", etc, folders=("/etc/cdi",)) == [
        ("nvidia.com/gpu=1", True, UNKNOWN, False)
    ]
    assert asked("nvidia.com/gpu=1", etc, phase="Succeeded") == []
    assert asked("nvidia.com/gpu=1", etc, name="gpu-b") == []
    assert asked("nvidia.com/gpu=1", etc, containerd="1.7.29") == []


def test_others_of_the_kind_are_named() -> None:
    node = cdi_node((ETC, spec()), (RUN, spec(kind="example.com/net")))
    (found,) = cdi_of(side(node, pods=(pod("nvidia.com/gpu=1"),))).asked
    assert (found.pod, found.annotation, found.same_kind) == (
        "shop/train",
        "cdi.k8s.io/gpu",
        ("nvidia.com/gpu=0",),
    )


V2, V3 = "io.containerd.grpc.v1.cri", "io.containerd.cri.v1.runtime"
OFF_V3 = f'version = 3\n[plugins."{V3}"]\nenable_cdi = false\n'


@pytest.mark.parametrize(
    ("containerd", "config", "enabled", "too_old", "set_off", "line"),
    [
        ("1.6.20", "version = 2\n", False, True, False, 0),
        ("1.7.29", "version = 2\n", False, False, False, 0),
        ("1.7.29", f'version = 2\n[plugins."{V2}"]\nenable_cdi = true\n', True, False, False, 3),
        ("2.1.4", "version = 3\n", True, False, False, 0),
        ("2.1.4", OFF_V3, False, False, True, 3),
        ("2.3.0", OFF_V3, False, False, True, 3),
        ("2.4.0", "version = 3\n", True, False, False, 0),
    ],
)
def test_whether_cdi_is_on(
    containerd: str, config: str, enabled: bool, too_old: bool, set_off: bool, line: int
) -> None:
    (found,) = topic((ETC, spec()), containerd=containerd, config=config).switches
    assert (found.enabled, found.too_old, found.set_off, found.line) == (enabled, too_old, set_off, line)
    assert (found.version, found.specs, found.wanted_by) == (containerd, (ETC,), ())
    assert found.plugin == (V2 if containerd.startswith("1") else V3)


def test_cdi_is_looked_at_where_something_counts_on_it() -> None:
    assert topic().switches == ()
    assert topic((ETC, "kind: [")).switches == ()
    (by_policy,) = cdi_of(side(cdi_node(), cdi_wanted_by="ClusterPolicy/p")).switches
    (by_pod,) = cdi_of(side(cdi_node(), pods=(pod("a.com/b=c"), pod("a.com/b=c", node="other")))).switches
    plain = {**pod("a.com/b=c"), "metadata": {"name": "x", "annotations": {"a": "b"}}}
    mixed = {**pod("a.com/b=c"), "metadata": {"name": "y", "annotations": {"a": "b", "cdi.k8s.io/c": "d"}}}
    (by_one,) = cdi_of(side(cdi_node(), pods=(plain, mixed))).switches
    assert by_one.wanted_by == ("default/y",)
    assert cdi_of(side(cdi_node(), pods=(pod("a.com/b=c", node="other"),))).switches == ()
    assert (by_policy.wanted_by, by_pod.wanted_by) == (("ClusterPolicy/p",), ("shop/train",))
    broken = topic((ETC, spec()), config="version = 9\n")
    assert broken.switches == ()


def test_cdi_under_a_planned_containerd_is_told_where_it_is_another_answer() -> None:
    def states(containerd: str, planned: str) -> list[tuple[str, object, bool]]:
        found = topic((ETC, spec()), containerd=containerd, planned=planned, config="version = 2\n")
        return [(one.version, one.enabled, one.planned) for one in found.switches]

    assert states("1.7.29", "2.1.4") == [("1.7.29", False, False), ("2.1.4", True, True)]
    assert states("2.1.4", "2.3.0") == [("2.1.4", True, False)]
    assert states("2.1.4", "1.7.29") == [("2.1.4", True, False), ("1.7.29", False, True)]


def test_a_runtime_of_nvidia_s_does_without_cdi() -> None:
    config = f"""version = 2
[plugins."{V2}".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[plugins."{V2}".containerd.runtimes.nvidia]
runtime_type = "io.containerd.runc.v2"
[plugins."{V2}".containerd.runtimes.nvidia.options]
BinaryName = "/usr/bin/nvidia-container-runtime"
"""
    works = {"/usr/bin/nvidia-container-runtime": PathFacts("file", executable=True)}
    (found,) = topic((ETC, spec()), containerd="1.7.29", config=config, paths=works).switches
    (broken,) = topic(
        (ETC, spec()),
        containerd="1.7.29",
        config=config,
        paths={"/usr/bin/nvidia-container-runtime": ABSENT},
    ).switches
    assert (found.enabled, found.runtime, broken.runtime) == (False, "nvidia", "")
