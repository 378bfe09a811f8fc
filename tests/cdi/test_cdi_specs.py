"""Reading a CDI spec: what is in it, and what is told of one that is refused."""

from __future__ import annotations

import pytest
from spec_texts import nvidia_spec, spec

from helmguard.cdi.driver_versions import needed_paths, version_in_path, versioned_paths
from helmguard.cdi.library import LIBRARIES, NEWEST, CdiLibrary, cdi_library
from helmguard.cdi.read_spec import read_spec
from helmguard.cdi.spec import CdiSpec, RefusedSpec
from helmguard.containerd.version import read_version


def accepted(text: str) -> CdiSpec:
    found = read_spec(text, NEWEST)
    assert isinstance(found, CdiSpec)
    return found


def refused(text: str, highest: str = "1.1.0") -> RefusedSpec:
    found = read_spec(text, CdiLibrary(highest))
    assert isinstance(found, RefusedSpec)
    return found


def test_a_spec_as_nvidia_ctk_writes_it() -> None:
    found = accepted(nvidia_spec())
    assert (found.kind, [device.name for device in found.devices]) == ("nvidia.com/gpu", ["0", "all"])
    assert found.qualified(found.devices[0]) == "nvidia.com/gpu=0"
    assert [(hook.path, hook.name) for hook in found.edits.hooks] == [
        ("/usr/bin/nvidia-cdi-hook", "createContainer")
    ] * 2
    lines = nvidia_spec().splitlines()
    for hook in found.edits.hooks:
        assert lines[hook.line - 1].strip() == f"path: {hook.path}"
    for mount in found.edits.mounts:
        assert lines[mount.line - 1].strip() == f"- hostPath: {mount.host_path}"
    assert [lines[device.line - 1] for device in found.devices] == ['- name: "0"', '- name: "all"']


@pytest.mark.parametrize(
    ("text", "problem", "line"),
    [
        (spec(version="1.2.0"), 'there is no CDI version "1.2.0"', 1),
        (spec(kind="gpu"), 'its kind "gpu" is no vendor/class', 2),
        (spec(more="foo: 1\n"), 'unknown field "foo"', 3),
        (spec("envs: [A=b]"), 'unknown field "envs" in devices[0].containerEdits', 3),
        (spec("env: 3"), "devices[0].containerEdits.env is not a list", 3),
        (
            spec(version="0.4.0", name="0"),
            "its cdiVersion is 0.4.0, and a device name",
            1,
        ),
        (spec(""), 'the device "a" changes nothing in a container', 3),
        (spec(devices="[]"), "it has no devices", 3),
        (spec("hooks: [null]"), "an item of hooks is null", 3),
        ("", "the file is empty", 1),
        ("[]", "the document is not a map", 1),
        ("cdiVersion: 0.5.0\nkind: a: b", "it is neither YAML nor JSON", 2),
    ],
)
def test_the_first_problem_is_told_with_its_line(text: str, problem: str, line: int) -> None:
    first = refused(text).problems[0]
    assert (first.text[: len(problem)], first.line) == (problem, line)


def test_every_problem_is_told() -> None:
    found = refused(spec("env: [x], hooks: [{hookName: onStart}]", kind="v/gpu", version="0.9.0"))
    assert [problem.text for problem in found.problems] == [
        'there is no CDI version "0.9.0"',
        'the vendor "v" is one letter alone',
        'the environment variable "x" is no NAME=VALUE',
        'there is no hook "onStart"',
        'the hook "onStart" has no path',
    ]
    # The library stops at the first: it does not come to the vendor that it would panic on.
    assert not found.crash


def test_a_field_of_a_newer_version_says_so() -> None:
    text = spec("netDevices: [{hostInterfaceName: a, name: b}]", version="1.1.0")
    assert isinstance(read_spec(text, NEWEST), CdiSpec)
    expected = 'the field "netDevices" in devices[0].containerEdits is part of CDI from 1.1.0 on'
    assert refused(text, "1.0.0").problems[0].text == expected
    old = spec("intelRdt: {enableCMT: true}", version="0.7.0")
    assert refused(old).problems[0].text.endswith("is part of CDI to 1.0.0")


@pytest.mark.parametrize(
    ("containerd", "highest"),
    [
        ("1.6.20~ds1", None),
        ("1.7.0", "0.5.0"),
        ("1.7.11", "0.5.0"),
        ("1.7.12", "0.6.0"),
        ("1.7.15", "0.6.0"),
        ("1.7.26", "0.7.0"),
        ("1.7.27", "0.8.0"),
        ("1.7.99", "0.8.0"),
        ("2.0.0", "0.8.0"),
        ("2.0.4", "0.8.0"),
        ("2.0.5", "1.0.0"),
        ("2.1.4", "1.0.0"),
        ("2.2.0", "1.0.0"),
        ("2.2.1", "1.1.0"),
        ("2.3.0", "1.1.0"),
    ],
)
def test_which_specifications_a_containerd_knows(containerd: str, highest: str | None) -> None:
    """The go.mod of each release."""
    version = read_version(containerd)
    assert version is not None
    library = cdi_library(version)
    assert (library.highest if library else None) == highest
    for one in ("0.3.0", "0.5.0", "0.6.0", "0.7.0", "0.8.0", "1.0.0", "1.1.0"):
        if library is not None:
            found = read_spec(spec(version=one), library)
            assert isinstance(found, CdiSpec) == (one in library.spec_versions)


def test_there_is_a_library_for_every_containerd_since() -> None:
    highest = [library.highest for library in LIBRARIES]
    assert highest == ["0.5.0", "0.6.0", "0.7.0", "0.8.0", "1.0.0", "1.1.0"]


@pytest.mark.parametrize(
    ("path", "version"),
    [
        ("/usr/lib/x86_64-linux-gnu/libcuda.so.570.195.03", "570.195.03"),
        ("/usr/lib64/libnvidia-ml.so.535.54", "535.54"),
        ("/usr/lib/libEGL_nvidia.so.580.95.05", "580.95.05"),
        ("/usr/lib/libGLX_nvidia.so.580.95.05", "580.95.05"),
        ("/usr/lib/vdpau/libvdpau_nvidia.so.580.95.05", "580.95.05"),
        ("/usr/lib/libGLESv1_CM_nvidia.so.580.95.05", "580.95.05"),
        ("libcuda.so.570.195.03", "570.195.03"),
        ("/lib/firmware/nvidia/570.195.03/gsp_ga10x.bin", "570.195.03"),
        ("/run/nvidia/driver/lib/firmware/nvidia/570.195.03", "570.195.03"),
        ("/usr/lib/libnvidia-egl-wayland.so.1.1.13", ""),
        ("/usr/lib/libcuda.so.1", ""),
        ("/usr/lib/libcuda.so", ""),
        ("/opt/vendor/libaccel.so.100.2.3", ""),
        ("/usr/lib/libcuda.so.570.195.03.bak", ""),
        ("/lib/firmware/other/570.195.03/x", ""),
        ("/usr/share/nvidia/nvoptix.bin", ""),
    ],
)
def test_the_version_that_a_path_bears(path: str, version: str) -> None:
    assert version_in_path(path) == version


def test_what_a_spec_binds_to_a_driver() -> None:
    found = versioned_paths(accepted(nvidia_spec("570.195.03")))
    assert {(path.text, path.host) for path in found} == {
        ("/usr/lib/x86_64-linux-gnu/libcuda.so.570.195.03", True),
        ("/usr/lib/x86_64-linux-gnu/libcuda.so.570.195.03", False),
        ("/lib/firmware/nvidia/570.195.03/gsp_ga10x.bin", True),
        ("/lib/firmware/nvidia/570.195.03/gsp_ga10x.bin", False),
        ("libcuda.so.570.195.03", False),
        ("--host-driver-version=570.195.03", False),
    }
    assert {path.version for path in found} == {"570.195.03"}


def test_what_must_be_on_the_node() -> None:
    text = spec(
        "mounts: [{hostPath: /a, containerPath: /x}, {hostPath: tmpfs, containerPath: /y, type: tmpfs}, "
        "{hostPath: /run/t, containerPath: /t, type: tmpfs}, "
        "{hostPath: /b, containerPath: /z, type: weird, options: [rbind]}], "
        "deviceNodes: [{path: /dev/a}, {path: /dev/b, hostPath: /dev/c}, "
        "{path: /dev/d, type: c, major: 1}, {path: /dev/e, type: c}, {path: /dev/f, type: p}]"
    )
    assert [path.path for path in needed_paths(accepted(text))] == ["/a", "/b", "/dev/a", "/dev/c", "/dev/e"]
