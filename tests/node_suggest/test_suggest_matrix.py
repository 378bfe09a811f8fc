"""What is suggested makes the runtime effective and changes nothing else."""

from __future__ import annotations

import pytest
import yaml
from suggested_nodes import (
    DROP_IN,
    MAIN,
    MAINS,
    NVIDIA,
    SYSTEMD,
    VERSIONS,
    applied,
    effective,
    node,
    with_main,
)

from helmguard.containerd.flat_settings import flat_settings
from helmguard.containerd.suggest import Asked, suggest

_TOO_NEW = {
    ("only version 3", "1.7.29"),
    ("version 3", "1.7.29"),
    ("version 3 without imports", "1.7.29"),
    ("version 4", "1.7.29"),
    ("version 4", "2.1.4"),
}
"""Main files that this containerd refuses whatever is beside them."""


def _others(files: dict[str, str], version: str) -> dict[str, object]:
    enabled = {path: text.replace('disabled_plugins = ["cri"]', "") for path, text in files.items()}
    settings = flat_settings(effective(enabled, version))
    return {
        name: one.value
        for name, one in settings.items()
        if not name.startswith("runtimes.nvidia") and name != "disabled_plugins"
    }


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", MAINS)
def test_the_runtime_is_there_and_nothing_else_is_otherwise(name: str, version: str) -> None:
    files = with_main(name)
    found = suggest(node(files, version))
    if (name, version) in _TOO_NEW:
        assert found.refused and not found.edits
        assert "refuses to start" in found.refused[0]
        return
    assert found.edits and not found.refused
    after = applied(found, files)
    now = effective(after, version)
    assert now.cri == "ok"
    nvidia = now.runtimes["nvidia"]
    assert (nvidia.type, nvidia.binary_name) == ("io.containerd.runc.v2", NVIDIA)
    assert bool(nvidia.systemd_cgroup) == bool(now.runtimes["runc"].systemd_cgroup)
    assert _others(after, version) == _others(files, version)
    assert suggest(node(after, version)).is_right


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", MAINS)
def test_all_that_can_be_asked_for(name: str, version: str) -> None:
    """The default runtime, CDI and the kubelet's cgroups, for every runtime of runc's type."""
    files = with_main(name)
    asked = Asked("nvidia-cdi", "/opt/bin/nvidia", set_as_default=True, cdi=True)
    found = suggest(node(files, version, kubelet=SYSTEMD), asked=asked)
    if (name, version) in _TOO_NEW:
        assert found.refused
        return
    assert not found.refused
    now = effective(applied(found, files), version)
    assert now.default_runtime_name == "nvidia-cdi"
    assert now.enable_cdi is True
    assert {one.systemd_cgroup for one in now.runtimes.values()} == {True}
    assert now.runtimes["nvidia-cdi"].binary_name == "/opt/bin/nvidia"
    assert now.sandbox_image == effective(files, version).sandbox_image


@pytest.mark.parametrize(
    ("name", "version", "paths"),
    [
        ("none", "1.7.29", [MAIN]),
        ("version 2", "1.7.29", [MAIN]),
        ("version 1", "1.7.29", [MAIN]),
        ("none", "2.1.4", [MAIN, DROP_IN]),
        ("version 2", "2.1.4", [DROP_IN]),
        ("version 2 without imports", "2.1.4", [MAIN, DROP_IN]),
        ("version 3", "2.3.0", [DROP_IN]),
        ("version 4", "2.3.0", [DROP_IN]),
    ],
)
def test_which_files_are_written(name: str, version: str, paths: list[str]) -> None:
    """On containerd 1.x the main file, since a drop-in takes the place of its whole CRI table."""
    assert [edit.path for edit in suggest(node(with_main(name), version)).edits] == paths


@pytest.mark.parametrize(
    ("name", "version", "head", "plugin"),
    [
        ("version 2", "2.1.4", "version = 2\n", "io.containerd.grpc.v1.cri"),
        ("version 2", "2.3.0", "version = 2\n", "io.containerd.grpc.v1.cri"),
        ("version 3", "2.1.4", "version = 3\n", "io.containerd.cri.v1.runtime"),
        ("version 4", "2.3.0", "version = 4\n", "io.containerd.cri.v1.runtime"),
        ("none", "2.1.4", "version = 3\n", "io.containerd.cri.v1.runtime"),
    ],
)
def test_a_drop_in_has_the_version_and_names_of_the_main_file(
    name: str, version: str, head: str, plugin: str
) -> None:
    text = suggest(node(with_main(name), version)).files[DROP_IN]
    assert text.startswith(head)
    assert f'[plugins."{plugin}".containerd.runtimes.nvidia]' in text


def test_the_runtime_class_has_the_runtimes_name_as_handler() -> None:
    found = suggest(node(with_main("version 3")))
    assert yaml.safe_load(found.runtime_class) == {
        "apiVersion": "node.k8s.io/v1",
        "kind": "RuntimeClass",
        "metadata": {"name": "nvidia"},
        "handler": "nvidia",
    }
    odd = suggest(node(with_main("version 3")), asked=Asked("Nvidia_X", "/opt/x")).runtime_class
    assert yaml.safe_load(odd)["handler"] == "Nvidia_X"
    assert yaml.safe_load(odd)["metadata"]["name"] == "nvidia-x"
