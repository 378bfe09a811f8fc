"""The real containerd takes what is suggested: the runtime is in it, and nothing else is otherwise."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from generated_nodes import configurations
from hypothesis import given, settings
from real_containerd import VERSIONS, containerd_command, real_effective
from suggested_nodes import (
    DROP_IN,
    MAIN,
    MAINS,
    NVIDIA,
    NVIDIA_V2,
    NVIDIA_V3,
    V2,
    V3,
    applied,
    node,
    with_main,
)

from helmguard.containerd.suggest import suggest

_WRONG: Mapping[str, Mapping[str, str]] = {
    "a version 3 drop-in beside version 2": {MAIN: V2, DROP_IN: NVIDIA_V3},
    "a version 2 drop-in beside version 3": {MAIN: V3, DROP_IN: NVIDIA_V2},
    "a version 3 header over names of version 2": {
        MAIN: V2.replace("version = 2", "version = 3") + NVIDIA_V2.replace("version = 2\n", "")
    },
    "a drop-in of 1.x in place of the whole table": {MAIN: V2, DROP_IN: NVIDIA_V2},
    "a block of version 3 in a file of version 2": {MAIN: V2 + NVIDIA_V3.replace("version = 3\n", "")},
}
_PLUGINS = ("io.containerd.grpc.v1.cri", "io.containerd.cri.v1.runtime")


def _dumped_runtimes(version: str, files: Mapping[str, str], root: Path) -> dict[str, Any]:
    """The runtimes in the output of `containerd config dump`."""
    for path, text in files.items():
        place = root / path.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode())
    done = containerd_command(version, "config", "dump", root=root)
    assert done.returncode == 0, done.stderr
    plugins = tomllib.loads(done.stdout)["plugins"]
    found: dict[str, Any] = {}
    for name in _PLUGINS:
        found |= plugins.get(name, {}).get("containerd", {}).get("runtimes", {})
    return found


def _others(truth: Mapping[str, Any]) -> dict[str, Any]:
    found = {key: value for key, value in truth.items() if key not in ("runtimes", "disabled_plugins")}
    found["runtimes"] = {
        name: {**one, "BinaryName": one["BinaryName"] or "", "SystemdCgroup": bool(one["SystemdCgroup"])}
        for name, one in truth["runtimes"].items()
        if name != "nvidia"
    }
    return found


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", MAINS)
def test_config_dump_shows_the_runtime(name: str, version: str, tmp_path: Path) -> None:
    files = with_main(name)
    found = suggest(node(files, version))
    if found.refused:
        assert real_effective(version, files)["daemon"] == "refuses"
        return
    after = applied(found, files)
    nvidia = _dumped_runtimes(version, after, tmp_path)["nvidia"]
    assert nvidia["options"]["BinaryName"] == NVIDIA
    truth = real_effective(version, after)
    assert (truth["daemon"], truth["cri"]) == ("starts", "ok")
    enabled = {path: text.replace('disabled_plugins = ["cri"]', "") for path, text in files.items()}
    assert _others(truth) == _others(real_effective(version, enabled))


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", _WRONG)
def test_what_was_wrong_is_right_then(name: str, version: str, tmp_path: Path) -> None:
    files = _WRONG[name]
    found = suggest(node(files, version))
    if found.refused:
        assert real_effective(version, files)["daemon"] == "refuses"
        return
    after = applied(found, files)
    assert "nvidia" in _dumped_runtimes(version, after, tmp_path)
    truth = real_effective(version, after)
    assert (truth["daemon"], truth["cri"]) == ("starts", "ok")
    assert truth["runtimes"]["nvidia"]["BinaryName"] == NVIDIA
    for setting in found.returned:
        if setting.name in ("sandbox_image", "registry_config_path"):
            assert truth[setting.name] == setting.value


@pytest.mark.parametrize("version", VERSIONS)
def test_generated_configurations(version: str) -> None:
    @settings(max_examples=40)
    @given(configurations())
    def check(files: dict[str, str]) -> None:
        found = suggest(node(files, version))
        if found.refused:
            return
        truth = real_effective(version, applied(found, files))
        assert (truth["daemon"], truth["cri"]) == ("starts", "ok")
        nvidia = truth["runtimes"]["nvidia"]
        expected = found.effective.runtimes["nvidia"]
        assert not nvidia.get("options_error")
        assert (nvidia["type"], nvidia["BinaryName"] or "") == (expected.type, expected.binary_name or "")
        assert bool(nvidia["SystemdCgroup"]) == bool(expected.systemd_cgroup)

    check()
