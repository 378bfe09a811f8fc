"""What rules learn about the layers between a GPU and its containers."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from node_sides import ETC, cdi_node, side

from helmguard.model.cluster_facts import ClusterFacts
from helmguard.model.judged_node import JudgedNode
from helmguard.model.node_facts import DriverFacts, Library, NodeFile, PathFacts, UnreadFact
from helmguard.rules.context.driver import driver_of
from helmguard.rules.context.driver_layers import GpuLayers
from helmguard.rules.context.driver_mismatch import DriverVersions
from helmguard.rules.context.record import UNKNOWN
from helmguard.rules.node_side import WantedHandler

OLD, NEW = "570.195.03", "580.95.05"
DEVICES = ("/dev/nvidia0", "/dev/nvidiactl")
BINARY = "/usr/local/nvidia/toolkit/nvidia-container-runtime"
PLUGIN = 'plugins."io.containerd.grpc.v1.cri".containerd.runtimes'
SPEC = 'cdiVersion: 0.5.0\nkind: nvidia.com/gpu\ndevices: [{name: "0", containerEdits: {env: [A=b]}}]\n'


def runtime(binary: str = BINARY, name: str = "nvidia") -> str:
    option = f'\n[{PLUGIN}.{name}.options]\nBinaryName = "{binary}"\n' if binary else "\n"
    return f"""version = 2
[{PLUGIN}.runc]
runtime_type = "io.containerd.runc.v2"
[{PLUGIN}.{name}]
runtime_type = "io.containerd.runc.v2"{option}"""


def libraries(
    version: str = OLD, *, names: tuple[str, ...] = ("libcuda", "libnvidia-ml")
) -> tuple[Library, ...]:
    return tuple(Library(f"{name}.so", f"/usr/lib/{name}.so.1", version) for name in names)


HEALTHY = DriverFacts(
    kernel_version=OLD,
    kernel_known=True,
    modules=("nvidia", "nvidia_uvm"),
    devices=DEVICES,
    libraries=libraries(),
    pci=("0000:01:00.0",),
)
BINARY_THERE = {BINARY: PathFacts("file", executable=True, form="elf")}


def layers(*nodes: JudgedNode, **more: Any) -> tuple[GpuLayers, ...]:
    return driver_of(side(*nodes, **more)).layers


def layers_of(driver: DriverFacts = HEALTHY, **more: Any) -> GpuLayers:
    given = {"config": runtime(), "paths": BINARY_THERE, **more}
    (found,) = layers(cdi_node(driver=driver, **given))
    return found


def states(found: GpuLayers) -> tuple[object, object, object]:
    return found.kernel, found.user_space, found.injection


def test_all_layers_are_there() -> None:
    found = layers_of()
    assert (states(found), found.missing, found.lacks) == ((True, True, True), (), ())
    assert found.file == ""
    assert found.told == (
        f"kernel: module {OLD}",
        f"user space: libraries {OLD} in /",
        f"injection: runtime nvidia, {BINARY}",
    )


def test_the_field_report_s_node() -> None:
    """Driver and a leftover binary are there, and containerd has never heard of it."""
    found = layers_of(
        config="version = 2\n", paths={"/usr/bin/nvidia-ctk": PathFacts("file", executable=True)}
    )
    assert (states(found), found.missing) == ((True, True, False), ("injection",))
    assert found.file == "/etc/containerd/config.toml"
    assert (
        found.told[2] == "injection: containerd 2.1.4 has no runtime of NVIDIA's, and no CDI spec has a GPU"
    )


@pytest.mark.parametrize(
    ("driver", "kernel", "user_space"),
    [
        (replace(HEALTHY, kernel_version="", devices=()), False, True),
        (replace(HEALTHY, kernel_version="", kernel_known=False), UNKNOWN, True),
        (replace(HEALTHY, devices=()), False, True),
        (replace(HEALTHY, libraries=()), True, False),
        (replace(HEALTHY, libraries=libraries(names=("libcuda",))), True, False),
        (replace(HEALTHY, kernel_version="", kernel_known=False, libraries=()), UNKNOWN, UNKNOWN),
        (replace(HEALTHY, root="/run/nvidia/driver"), True, True),
    ],
)
def test_layers_of_the_driver(driver: DriverFacts, kernel: object, user_space: object) -> None:
    found = layers_of(driver)
    assert states(found) == (kernel, user_space, True)
    layers = (("kernel", kernel), ("user space", user_space))
    assert found.missing == tuple(name for name, state in layers if state is False)
    assert len(found.lacks) == sum(state is UNKNOWN for state in (kernel, user_space))


def test_what_could_not_be_listed_is_not_missing() -> None:
    bare = replace(HEALTHY, devices=(), libraries=())
    unread = (UnreadFact("/dev", "not mounted"), UnreadFact("the driver's libraries", "not mounted"))
    assert states(layers_of(bare, unread=unread)) == (True, UNKNOWN, True)


@pytest.mark.parametrize(
    ("found", "injection", "words"),
    [
        ({"paths": {}}, UNKNOWN, BINARY),
        ({"paths": {BINARY: PathFacts("unknown")}}, UNKNOWN, BINARY),
        ({"paths": {BINARY: PathFacts("absent")}}, False, f"runtime nvidia: {BINARY} is not there"),
        ({"paths": {BINARY: PathFacts("file")}}, False, f"runtime nvidia: {BINARY} is not executable"),
        (
            {
                "paths": {
                    BINARY: PathFacts("file", executable=True, form="script", calls=(f"{BINARY}.real",)),
                    f"{BINARY}.real": PathFacts("absent"),
                }
            },
            False,
            f"runtime nvidia: {BINARY} calls {BINARY}.real, which is not there",
        ),
        ({"config": runtime("")}, False, "containerd 2.1.4 has no runtime of NVIDIA's"),
        ({"config": "version = 9\n"}, False, "containerd 2.1.4 does not start with its configuration"),
        (
            {"config": runtime() + 'disabled_plugins = ["x"'},
            False,
            "containerd 2.1.4 does not start with its configuration",
        ),
        (
            {"config": 'disabled_plugins = ["io.containerd.grpc.v1.cri"]\n' + runtime()},
            False,
            "the CRI plugin of containerd 2.1.4 does not run",
        ),
        ({"containerd": ""}, UNKNOWN, "containerd's version"),
        ({"config": "version = 2\n", "folders": ("/etc/cdi",)}, UNKNOWN, "/var/run/cdi"),
    ],
)
def test_what_injection_lacks(found: dict[str, Any], injection: object, words: str) -> None:
    node = layers_of(**found)
    assert node.injection is injection
    assert words in node.told[2]


def test_a_bare_name_is_looked_up() -> None:
    config = runtime("nvidia-container-runtime")
    folders = ("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin")
    nowhere = {f"{folder}/nvidia-container-runtime": PathFacts("absent") for folder in folders}
    there = {**nowhere, "/usr/bin/nvidia-container-runtime": PathFacts("file", executable=True)}
    assert layers_of(config=config, paths=there).injection is True
    later = {**there, "/usr/local/bin/nvidia-container-runtime": PathFacts("file")}
    assert layers_of(config=config, paths=later).injection is False
    assert layers_of(config=config, paths=nowhere).injection is False
    assert layers_of(config=config, paths={}).injection is UNKNOWN


def test_cdi_is_an_injection_where_it_is_on_and_has_a_gpu() -> None:
    def injection(spec: str, containerd: str) -> tuple[object, str]:
        files = {ETC: NodeFile(spec)}
        found = layers_of(config="version = 2\n", files=files, containerd=containerd)
        return found.injection, found.told[2]

    assert injection(SPEC, "2.1.4") == (True, "injection: CDI, nvidia.com/gpu")
    assert injection(SPEC.replace("nvidia.com", "management.nvidia.com"), "2.1.4")[0] is True
    assert injection(SPEC.replace("nvidia.com", "other.com"), "2.1.4")[0] is False
    assert injection(SPEC.replace("nvidia.com", "fakenvidia.com"), "2.1.4")[0] is False
    assert injection("kind: [", "2.1.4")[0] is False
    off, words = injection(SPEC, "1.7.29")
    assert (off, words.endswith("and CDI is off, though nvidia.com/gpu is there")) == (False, True)


def test_a_runtime_that_works_outweighs_one_that_does_not() -> None:
    two = runtime() + runtime("/gone/nvidia-container-runtime", "a").removeprefix("version = 2\n").replace(
        f'[{PLUGIN}.runc]\nruntime_type = "io.containerd.runc.v2"\n', ""
    )
    paths = {**BINARY_THERE, "/gone/nvidia-container-runtime": PathFacts("absent")}
    assert layers_of(config=two, paths=paths).told[2] == f"injection: runtime nvidia, {BINARY}"
    assert layers_of(config=two, paths=BINARY_THERE).told[2] == f"injection: runtime nvidia, {BINARY}"


NOTHING = DriverFacts(kernel_known=True)


@pytest.mark.parametrize(
    ("driver", "labels", "is_there"),
    [
        (NOTHING, {}, False),
        (replace(NOTHING, pci=()), {}, False),
        (replace(NOTHING, pci=("0000:01:00.0",)), {}, True),
        (NOTHING, {"nvidia.com/gpu.present": "true"}, True),
        (replace(NOTHING, pci=()), {"nvidia.com/gpu.present": "false"}, False),
        (replace(NOTHING, libraries=libraries()), {}, True),
        (replace(NOTHING, pci=(), libraries=libraries()), {}, False),
        (replace(NOTHING, pci=(), kernel_version=OLD), {}, True),
        (replace(NOTHING, devices=DEVICES), {}, True),
        (replace(NOTHING, modules=("nvidia",)), {}, True),
        (replace(NOTHING, modules=("nouveau",)), {}, False),
    ],
)
def test_only_nodes_with_a_gpu_have_layers(
    driver: DriverFacts, labels: dict[str, str], is_there: bool
) -> None:
    """A node with the runtime configured and without a GPU, like many control planes, is left alone."""
    node = cdi_node(driver=driver, config=runtime(), paths=BINARY_THERE)
    live = ClusterFacts(lists={"nodes": ({"metadata": {"name": "gpu-a", "labels": labels}},)})
    assert bool(driver_of(replace(side(node), cluster=live)).layers) == is_there
    own = cdi_node(driver=driver, config=runtime(), paths=BINARY_THERE, labels=labels)
    assert bool(layers(own)) == is_there


def test_the_planned_containerd_loses_the_injection() -> None:
    """A file without version works on 2.3, and not on 2.1."""
    config = runtime().removeprefix("version = 2\n")
    node = cdi_node(driver=HEALTHY, config=config, paths=BINARY_THERE, containerd="2.3.0", planned="2.1.4")
    assert [(one.injection, one.version, one.planned) for one in layers(node)] == [
        (True, "2.3.0", False),
        (False, "2.1.4", True),
    ]
    same = cdi_node(driver=HEALTHY, config="version = 2\n", containerd="2.3.0", planned="2.1.4")
    assert [(one.injection, one.planned) for one in layers(same)] == [(False, False)]
    only_planned = cdi_node(driver=HEALTHY, config=config, paths=BINARY_THERE, containerd="", planned="2.3.0")
    assert [(one.injection, one.planned) for one in layers(only_planned)] == [(True, True)]


def test_what_the_operation_brings_is_not_left() -> None:
    node = cdi_node(driver=replace(HEALTHY, libraries=(), kernel_version=""), config="version = 2\n")
    brings = (("injection", "ClusterPolicy/p"), ("kernel", "ClusterPolicy/p"))
    (found,) = layers(node, brings=brings, in_plan=True)
    assert found.missing == ("kernel", "user space", "injection")
    assert (found.left, found.brought_by) == (("user space",), ("ClusterPolicy/p",))


GPU_CLASS = {"metadata": {"name": "gpu"}, "handler": "nvidia-cdi"}


@pytest.mark.parametrize(
    ("classes", "pods", "wanted"),
    [
        ((), None, False),
        ((GPU_CLASS,), None, True),
        ((GPU_CLASS,), (), False),
        ((GPU_CLASS,), ({"spec": {"runtimeClassName": "gpu"}}, {"spec": {}}), True),
        ((GPU_CLASS,), ({"spec": {"runtimeClassName": "other"}},), False),
        (({**GPU_CLASS, "handler": "nvidiax"},), None, False),
    ],
)
def test_a_live_handler_that_is_missing_is_told_elsewhere(
    classes: tuple[Any, ...], pods: tuple[Any, ...] | None, wanted: bool
) -> None:
    lists = {"runtimeClasses": classes, **({} if pods is None else {"allPods": pods})}
    live = ClusterFacts(lists=lists)
    (lacking,) = driver_of(replace(side(cdi_node(driver=HEALTHY)), cluster=live)).layers
    broken = cdi_node(driver=HEALTHY, config=runtime(), paths={BINARY: PathFacts("absent")})
    (configured,) = driver_of(replace(side(broken), cluster=live)).layers
    assert (lacking.handler_wanted, configured.handler_wanted) == (wanted, False)


@pytest.mark.parametrize(("by", "wanted"), [("", True), ("ClusterPolicy/p", False)])
def test_a_handler_that_the_operation_wants(by: str, wanted: bool) -> None:
    handlers = (WantedHandler("nvidia", "nvidia", configured_by=by),)
    (found,) = layers(cdi_node(driver=HEALTHY), wanted=handlers, in_plan=True)
    assert found.handler_wanted is wanted


def versions(driver: DriverFacts) -> DriverVersions:
    (found,) = driver_of(side(cdi_node(driver=driver))).versions
    return found


def test_kernel_and_libraries_in_one_version() -> None:
    found = versions(HEALTHY)
    assert (found.differ, found.kernel, found.libraries, found.root) == (False, OLD, (OLD,), "/")


@pytest.mark.parametrize(("library", "newer"), [(NEW, True), ("535.54", False), ("570.195.04", True)])
def test_libraries_of_another_version(library: str, newer: bool) -> None:
    found = versions(replace(HEALTHY, libraries=libraries(library)))
    assert (found.differ, found.libraries, found.newer) == (True, (library,), newer)
    assert found.file == "/usr/lib/libcuda.so.1"


def test_one_library_of_another_version() -> None:
    mixed = (*libraries(names=("libcuda",)), *libraries(NEW, names=("libnvidia-ml",)))
    found = versions(replace(HEALTHY, libraries=mixed))
    assert (found.differ, found.file) == (True, "/usr/lib/libnvidia-ml.so.1")


def test_a_library_in_two_versions_is_what_its_link_leads_to() -> None:
    both = (
        Library("libcuda.so", f"/usr/lib/libcuda.so.{OLD}", OLD),
        Library("libcuda.so", f"/usr/lib/libcuda.so.{NEW}", NEW),
    )
    assert versions(replace(HEALTHY, libraries=both)).differ is False
    linked = (*both, Library("libcuda.so", "/usr/lib/libcuda.so.1", NEW))
    assert versions(replace(HEALTHY, libraries=linked)).differ is True
    fits = (*both, Library("libcuda.so", "/usr/lib/libcuda.so.1", OLD))
    assert versions(replace(HEALTHY, libraries=fits)).differ is False


def test_other_libraries_do_not_matter() -> None:
    others = (
        *libraries(),
        Library("libnvidia-egl-wayland.so", "/usr/lib/libnvidia-egl-wayland.so.1", "1.1.13"),
    )
    assert versions(replace(HEALTHY, libraries=others)).differ is False


def test_a_module_that_is_not_known_gives_no_answer() -> None:
    found = versions(replace(HEALTHY, kernel_version="", kernel_known=False))
    assert (found.differ, found.kernel) == (UNKNOWN, UNKNOWN)
    assert found.lacks == ("the loaded kernel module on node gpu-a",)


@pytest.mark.parametrize(
    "driver",
    [
        replace(HEALTHY, kernel_version=""),
        replace(HEALTHY, libraries=()),
        replace(HEALTHY, libraries=(Library("libcuda.so", "/usr/lib/libcuda.so"),)),
    ],
)
def test_without_both_there_is_nothing_to_compare(driver: DriverFacts) -> None:
    assert driver_of(side(cdi_node(driver=driver))).versions == ()
