"""What rules learn about containerd's configuration on nodes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from node_sides import cdi_node, side

from helmguard.containerd.judged_node import judged_node
from helmguard.model.judged_node import JudgedNode
from helmguard.model.node_facts import ContainerdFacts, KubeletFacts, NodeFile, PathFacts, SystemFacts
from helmguard.rules.context.containerd import Containerd, containerd_of
from helmguard.rules.context.containerd_cgroups import CgroupDriver, kubelet_asks
from helmguard.rules.context.record import UNKNOWN

GRPC = 'plugins."io.containerd.grpc.v1.cri"'
DROP_IN = "/etc/containerd/conf.d/99.toml"
IMPORTS = 'imports = ["/etc/containerd/conf.d/*.toml"]\n'
KUBELET = "/var/lib/kubelet/config.yaml"


def runtime(name: str, options: str = "", kind: str = "io.containerd.runc.v2") -> str:
    table = f"{GRPC}.containerd.runtimes.{name}"
    return f'[{table}]\nruntime_type = "{kind}"\n' + (f"[{table}.options]\n{options}\n" if options else "")


def topic(*nodes: JudgedNode) -> Containerd:
    return containerd_of(side(*nodes))


def node(config: str, containerd: str = "2.1.4", drop_in: str | None = None, **more: Any) -> JudgedNode:
    files = {} if drop_in is None else {DROP_IN: NodeFile(drop_in)}
    return cdi_node(config=config, containerd=containerd, files={**files, **more.pop("files", {})}, **more)


def test_without_nodes_every_list_is_empty() -> None:
    assert topic() == Containerd()


@pytest.mark.parametrize(
    ("kubelet", "containerd", "gate", "asks"),
    [
        ("v1.36.1", "1.7.29", "", False),
        ("v1.27.9", "2.1.4", "", False),
        ("v1.30.1", "2.1.4", "", False),
        ("v1.30.1", "2.1.4", "KubeletCgroupDriverFromCRI: true", True),
        ("v1.31.0", "2.0.0", "", True),
        ("v1.33.4", "2.1.4", "KubeletCgroupDriverFromCRI: false", False),
        ("v1.33.4", "2.1.4", '"KubeletCgroupDriverFromCRI": false', False),
        ("v1.34.0", "2.3.0", "KubeletCgroupDriverFromCRI: false", True),
        ("", "2.1.4", "", None),
        ("", "1.7.29", "", False),
    ],
)
def test_whether_the_kubelet_asks(kubelet: str, containerd: str, gate: str, asks: bool | None) -> None:
    text = f"cgroupDriver: systemd\nfeatureGates:\n  {gate}\n" if gate else "cgroupDriver: systemd\n"
    files = {KUBELET: NodeFile(text)}
    judged = node("", files=files, kubelet=KubeletFacts(kubelet, "systemd", KUBELET, 1))
    assert kubelet_asks(judged.facts, containerd) is asks


def driver(config: str, containerd: str = "2.1.4", **more: Any) -> CgroupDriver:
    (found,) = topic(node(config, containerd, **more)).cgroup_drivers
    return found


def test_containerd_answers_with_its_default_runtime() -> None:
    config = "version = 2\n" + runtime("a", "SystemdCgroup = true")
    found = driver(config, kubelet=KubeletFacts("v1.34.0", "systemd", KUBELET, 1))
    assert (found.expected, found.by, found.runtimes, found.agree) == (
        "cgroupfs",
        "containerd",
        ("a",),
        False,
    )


def test_a_kubelet_that_asks_makes_its_own_setting_idle() -> None:
    found = driver("version = 2\n", kubelet=KubeletFacts("v1.34.0", "systemd", KUBELET, 1))
    assert (found.expected, found.kubelet_driver, found.kubelet_asks, found.agree) == (
        "cgroupfs",
        "systemd",
        True,
        True,
    )


def test_what_containerd_looks_for_itself_need_not_fit() -> None:
    """No runtime has options of runc, so that it answers with what runs the host; the runtime is not told."""
    config = f'version = 2\n[{GRPC}.containerd]\ndefault_runtime_name = "a"\n' + runtime("a")
    config += runtime("runc", "", "io.containerd.kata.v2")
    found = driver(config, kubelet=KubeletFacts("v1.34.0"), system=SystemFacts(systemd=True))
    assert (found.expected, found.by, found.runtimes, found.agree) == ("systemd", "containerd", ("a",), False)


def test_runtimes_of_other_types_do_not_count() -> None:
    config = "version = 2\n" + runtime("kata", 'ConfigPath = "/etc/kata.toml"', "io.containerd.kata.v2")
    config += runtime("runc", "SystemdCgroup = true")
    assert topic(node(config, kubelet=KubeletFacts("", "systemd", KUBELET, 1))).cgroup_drivers == ()


def test_where_nobody_tells_systemd_is_meant() -> None:
    config = "version = 2\n" + runtime("a", "SystemdCgroup = true")
    found = driver(config, system=SystemFacts(systemd=False))
    assert (found.expected, found.by, found.runtimes, found.file) == (
        "systemd",
        "runtimes",
        ("runc",),
        "/etc/containerd/config.toml",
    )
    assert found.wrong == ("runtime runc: SystemdCgroup is not set, which is false",)


def test_programs_of_one_folder_are_told_together() -> None:
    folder = "/usr/local/nvidia/toolkit"
    names = ("nvidia", "nvidia-cdi", "nvidia-legacy")
    config = "version = 2\n" + "".join(
        runtime(name, f'BinaryName = "{folder}/{name}-container-runtime"') for name in names
    )
    paths = {f"{folder}/{name}-container-runtime": PathFacts("absent") for name in names}
    (found,) = topic(node(config, paths=paths)).binaries
    assert (found.runtimes, found.missing, found.problem) == (names, True, "absent")
    assert found.line == 5


def test_a_program_that_nobody_looked_at() -> None:
    (found,) = topic(node("version = 2\n" + runtime("a", 'BinaryName = "/opt/a"'))).binaries
    assert (found.missing, found.lacks) == (UNKNOWN, ("/opt/a",))


def test_a_search_goes_on_behind_what_cannot_be_run() -> None:
    config = "version = 2\n" + runtime("a", 'BinaryName = "a"')
    paths = {
        f"{folder}/a": PathFacts("absent") for folder in ("/usr/local/sbin", "/usr/local/bin", "/usr/sbin")
    }
    paths |= {"/usr/bin/a": PathFacts("file"), "/sbin/a": PathFacts("file", executable=True)}
    assert topic(node(config, paths=paths)).binaries == ()


def test_what_is_lost_and_is_a_default_is_not_lost() -> None:
    """A dump of containerd's defaults has many keys that a drop-in lacks."""
    main = f"version = 2\n{IMPORTS}[{GRPC}]\nmax_concurrent_downloads = 3\n"
    main += 'sandbox_image = "registry.k8s.io/pause:3.8"\n'
    main += f'[{GRPC}.cni]\nbin_dir = "/opt/cni/bin"\n' + runtime("runc")
    drop_in = "version = 2\n" + runtime("runc")
    assert topic(node(main, "1.7.29", drop_in)).replaced_tables == ()
    (found,) = topic(node(main.replace("= 3\n", "= 5\n"), "1.7.29", drop_in)).replaced_tables
    assert found.lost == ("max_concurrent_downloads = 5 (/etc/containerd/config.toml:4)",)


def test_a_drop_in_that_overrides_on_purpose() -> None:
    """The toolkit makes nvidia the default in its copy, and switches CDI on."""
    main = f"version = 2\n{IMPORTS}[{GRPC}]\nenable_cdi = false\n"
    main += f'[{GRPC}.containerd]\ndefault_runtime_name = "runc"\n' + runtime("runc")
    drop_in = main.replace(IMPORTS, "").replace('"runc"', '"nvidia"').replace("= false", "= true")
    found = topic(node(main, "1.7.29", drop_in + runtime("nvidia")))
    assert (found.replaced_tables, found.shadowed_edits) == ((), ())


def test_empty_leftovers_of_old_options() -> None:
    dump = f"version = 2\n[{GRPC}]\nsystemd_cgroup = false\n"
    dump += f'[{GRPC}.containerd.default_runtime]\nruntime_type = ""\n'
    dump += runtime("runc", 'CriuPath = ""') + f'[{GRPC}.containerd.runtimes.b]\nruntime_engine = ""\n'
    found = topic(node(dump))
    assert (found.removed_options, found.wrong_options) == ((), ())
    found = topic(node("version = 2\n" + runtime("a", 'Foo = ""')))
    assert found.wrong_options == ()


def test_a_main_file_that_is_not_there() -> None:
    facts = replace(
        node("").facts, files={}, containerd=ContainerdFacts("2.1.4", config_path="/etc/own.toml")
    )
    (found,) = topic(judged_node(facts)).refusals
    assert (found.kind, found.file, found.line) == ("main-file", "/etc/own.toml", 0)


def test_an_upgrade_that_brings_a_runtime_takes_none() -> None:
    main = "version = 3\n" + runtime("nvidia")
    found = topic(node(main, "2.1.4", planned="2.3.0")).upgrade_changes
    assert [(one.sort, one.lost_runtimes) for one in found] == [("setting", ()), ("default", ())]


def test_an_upgrade_whose_losses_are_told_with_their_cause() -> None:
    found = topic(node("version = 3\n" + runtime("nvidia"), "2.3.0", planned="2.1.4"))
    assert [one.sort for one in found.upgrade_changes] == ["default"]
    assert [one.runtimes for one in found.wrong_plugin_ids] == [("nvidia",)]


# Files at random: any of these parts, in any order, as main file and drop-in.
PARTS = [
    "version = 2\n",
    "version = 3\n",
    "version = 1\n",
    IMPORTS,
    'imports = ["gone.toml"]\n',
    'disabled_plugins = ["io.containerd.grpc.v1.cri"]\n',
    runtime("runc", "SystemdCgroup = true"),
    runtime("nvidia", 'BinaryName = "/usr/bin/nvidia"\nSystemdCgroup = true'),
    runtime("old", 'SystemdCgroup = "true"', "io.containerd.runc.v1"),
    f'[{GRPC}]\nsystemd_cgroup = true\nsandbox_image = "registry.example.com/pause:1"\n',
    f'[{GRPC}.containerd]\ndefault_runtime_name = "nvidia"\n',
    '[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.new]\n'
    'runtime_type = "io.containerd.runc.v2"\n',
    '[plugins."io.containerd.cri.v1.images"]\nmax_concurrent_downloads = 9\n',
    '[plugins.cri.containerd.runtimes.first]\nruntime_type = "io.containerd.runc.v2"\n',
    '[plugins."io.containerd.cri.v1.other"]\na = 1\n',
    "[broken\n",
]
TEXTS = st.lists(st.sampled_from(range(len(PARTS))), unique=True, max_size=6).map(
    lambda chosen: "".join(PARTS[one] for one in sorted(chosen))
)
VERSIONS = st.sampled_from(["1.6.20", "1.7.29", "2.0.5", "2.1.4", "2.3.0"])


@settings(max_examples=150, deadline=None)
@given(TEXTS, st.none() | TEXTS, VERSIONS, VERSIONS)
def test_invariants_of_any_files(main: str, drop_in: str | None, version: str, planned: str) -> None:
    judged = node(main, version, drop_in, planned=planned)
    found = topic(judged)
    lists = [getattr(found, name) for name in found.__struct_fields__]
    items = [item for each in lists for item in each]
    # Every item is of the node, and of one of its two containerds; a line is never without a file.
    assert {item.node for item in items} <= {judged.facts.name}
    assert all(item.version == (planned if item.planned else version) for item in items)
    assert all(item.file or not item.line for item in items)
    # A containerd that does not bring up its CRI plugin is told, and a healthy one is not.
    installed, other = judged.installed, judged.planned
    assert installed is not None and other is not None
    told = [one for one in found.refusals if not one.planned]
    assert bool(told) == (installed.cri != "ok")
    assert not any(one.planned for one in found.refusals) or other.cri != "ok"
    # The same version makes no difference.
    if version == planned:
        assert not any(item.planned for item in items)
    # What is said to be lost is not effective.
    if installed.cri == "ok":
        lost = {name for one in found.mixed_versions if not one.planned for name in one.lost_runtimes}
        lost |= {name for one in found.wrong_plugin_ids if not one.planned for name in one.runtimes}
        assert not lost & set(installed.runtimes)
