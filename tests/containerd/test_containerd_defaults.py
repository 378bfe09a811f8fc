"""The table of containerd's defaults: its sources, and what the releases themselves say."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from real_containerd import VERSIONS, containerd_command, real_effective

ROOT = Path(__file__).resolve().parents[2]
GENERATOR = ROOT / "tools" / "generate"
TABLE = ROOT / "helmguard" / "data" / "containerd_defaults.json"
FIELDS = {
    *("sandbox_image", "default_runtime_name", "runc_options", "cdi_spec_dirs", "enable_cdi", "cdi"),
    *("registry_config_path", "registry_config_path_beside_mirrors", "relative_patterns", "config_version"),
    *("refuses_higher", "imports", "drop_in_may_be_newer"),
}
_MAIN = "/etc/containerd/config.toml"


def rows() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(TABLE.read_text())["versions"]
    return found


def test_shape_of_the_table() -> None:
    assert {version.rpartition(".")[0] for version in rows()} == {
        *("1.6", "1.7", "2.0", "2.1", "2.2", "2.3", "2.4")
    }
    for version, row in rows().items():
        assert set(row) == FIELDS, version
        assert row["cdi"] in ("absent", "optional", "always")
        assert (row["enable_cdi"] is None) == (row["cdi"] != "optional")
        minor = version.rpartition(".")[0]
        assert f"{minor}.0" in rows(), "a release before the first of its minor version would have no row"


@pytest.mark.parametrize("version", VERSIONS)
def test_a_row_is_what_the_sources_say(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only of those whose sources are here for the loaders."""
    if shutil.which("go") is None:
        pytest.skip("no Go on PATH")
    monkeypatch.syspath_prepend(str(GENERATOR))
    program = "import json, sys, containerd_defaults as it\njson.dump(it.release(sys.argv[1]), sys.stdout)"
    done = subprocess.run(
        [sys.executable, "-c", program, version], cwd=GENERATOR, capture_output=True, text=True, check=False
    )
    if "go', 'mod', 'download" in done.stderr:
        pytest.skip(f"the sources cannot be had here: {done.stderr[-200:]}")
    assert json.loads(done.stdout) == rows()[version]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_row_is_what_the_release_does(version: str) -> None:
    row, truth = rows()[version], real_effective(version, {})
    runc = truth["runtimes"]["runc"]
    assert list(truth["runtimes"]) == [row["default_runtime_name"]] == [truth["default_runtime_name"]]
    for option in ("BinaryName", "SystemdCgroup"):
        assert runc[option] == row["runc_options"].get(option)
    for name in ("sandbox_image", "cdi_spec_dirs", "enable_cdi", "registry_config_path"):
        assert truth[name] == row[name]
    above = real_effective(version, {_MAIN: f"version = {row['config_version'] + 1}\n"})
    assert (above["daemon"] == "refuses") == row["refuses_higher"]
    newer = {
        _MAIN: 'version = 2\nimports = ["conf.d/*.toml"]\n',
        "/etc/containerd/conf.d/a.toml": f"version = {max(3, row['config_version'])}\n",
    }
    if row["config_version"] > 2:
        assert (real_effective(version, newer)["daemon"] == "starts") == row["drop_in_may_be_newer"]


@pytest.mark.parametrize("version", VERSIONS)
def test_the_command_line_writes_the_same(version: str, tmp_path: Path) -> None:
    row = rows()[version]
    done = containerd_command(version, "config", "default", root=tmp_path)
    lines = {line.strip().replace("'", '"') for line in done.stdout.splitlines()}
    assert done.returncode == 0, done.stderr
    assert f"version = {row['config_version']}" in lines
    assert f"imports = {json.dumps(row['imports'])}" in lines
    assert row["sandbox_image"] in done.stdout
