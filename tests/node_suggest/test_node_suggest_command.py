"""``helmguard node suggest`` as its users run it."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from helmguard_program import CHECKOUT, Helmguard
from suggested_nodes import DROP_IN, MAIN, NVIDIA_V2, V2, effective

NODES = CHECKOUT / "fixtures" / "nodes"


def _root(folder: Path, files: dict[str, str]) -> Path:
    for path, text in files.items():
        place = folder / path.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return folder


def _only(document: dict[str, Any]) -> dict[str, Any]:
    (node,) = document["nodes"]
    found: dict[str, Any] = node
    return found


def test_the_first_install_gets_a_drop_in(helmguard: Helmguard) -> None:
    """RuntimeClass yes, runtime no."""
    ended = helmguard.run("node", "suggest", str(NODES / "seed-before")).expect(2)
    assert f"1. Write {DROP_IN}" in ended.out
    assert "\n    version = 3\n" in ended.out
    assert "handler: nvidia" in ended.out
    assert "systemctl restart containerd" in ended.out
    assert ended.err == ""


@pytest.mark.parametrize("name", ["seed-after", "healthy"])
def test_a_node_that_is_right(helmguard: Helmguard, name: str) -> None:
    ended = helmguard.run("node", "suggest", str(NODES / name)).expect(0)
    assert "Right as it is" in ended.out
    assert "Write" not in ended.out


def test_a_version_3_header_in_a_version_2_file(helmguard: Helmguard) -> None:
    node = _only(
        helmguard.run("node", "suggest", str(NODES / "version-3-header"), "-o", "json").expect(2).json
    )
    (edit,) = node["edits"]
    changed = [line for line in edit["diff"].splitlines()[3:] if line.startswith(("-", "+"))]
    assert changed == ["-version = 3", "+version = 2"]
    assert "nvidia" in node["effective"]["runtimes"]
    assert "nvidia" not in node["before"]["runtimes"]


def test_a_cgroup_mismatch(helmguard: Helmguard) -> None:
    node = _only(
        helmguard.run("node", "suggest", str(NODES / "cgroup-mismatch"), "-o", "json").expect(2).json
    )
    assert node["effective"]["runtimes"]["nvidia"]["SystemdCgroup"] is True
    assert [edit["path"] for edit in node["edits"]] == [DROP_IN]


def test_a_stale_cdi_spec(helmguard: Helmguard) -> None:
    ended = helmguard.run("node", "suggest", str(NODES / "stale-cdi")).expect(2)
    assert "nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml" in " ".join(ended.out.split())


def test_several_nodes(helmguard: Helmguard) -> None:
    document = helmguard.run("node", "suggest", str(NODES / "fleet"), "-o", "yaml")
    assert [node["node"] for node in yaml.safe_load(document.out)["nodes"]] == [
        "gpu-a",
        "gpu-b",
        "gpu-c",
        "gpu-d",
    ]


def test_what_is_printed_can_be_patched_in(helmguard: Helmguard, tmp_path: Path) -> None:
    """`patch` takes the difference, and the node is right then."""
    root = _root(tmp_path / "root", {MAIN: V2, "/usr/bin/nvidia-container-runtime": "\x7fELF"})
    (root / "usr/bin/nvidia-container-runtime").chmod(0o755)
    words = ["node", "suggest", str(root), "--containerd", "1.7.29"]
    node = _only(helmguard.run(*words, "-o", "json").expect(2).json)
    (edit,) = node["edits"]
    assert edit["kind"] == "change"
    subprocess.run(
        ["patch", "--quiet", str(root / MAIN.lstrip("/"))], input=edit["diff"], text=True, check=True
    )
    assert (root / MAIN.lstrip("/")).read_text() == edit["text"]
    helmguard.run(*words).expect(0)


def test_a_configuration_file_alone(helmguard: Helmguard, tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(V2.replace('imports = ["/etc/containerd/conf.d/*.toml"]\n', ""))
    ended = helmguard.run("node", "suggest", str(file), "--containerd", "1.7.29", "-o", "json").expect(2)
    (edit,) = _only(ended.json)["edits"]
    assert "nvidia" in effective({MAIN: edit["text"]}, "1.7.29").runtimes


def test_nothing_can_be_suggested(helmguard: Helmguard, tmp_path: Path) -> None:
    root = _root(tmp_path / "root", {MAIN: "version = 2\nversion = 2\n"})
    ended = helmguard.run("node", "suggest", str(root), "--containerd", "2.1.4").expect(3)
    assert "Not suggested: containerd refuses to start" in ended.out


def test_credentials_are_not_printed(helmguard: Helmguard, tmp_path: Path) -> None:
    auth = '[plugins."io.containerd.grpc.v1.cri".registry.configs."a".auth]\npassword = "cAnArY-17"\n'
    root = _root(tmp_path / "root", {MAIN: V2 + auth, DROP_IN: NVIDIA_V2})
    words = ["node", "suggest", str(root), "--containerd", "1.7.29"]
    for form in ("text", "json"):
        ended = helmguard.run(*words, "-o", form).expect(2)
        assert "cAnArY" not in ended.out + ended.err
    edits = _only(helmguard.run(*words, "-o", "json").json)["edits"]
    (edit,) = [edit for edit in edits if edit["path"] == MAIN]
    assert edit["text"] is None and edit["diff"]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["--runtime", "crun"], "--runtime-path"),
        (["--containerd", "two"], "no version of containerd"),
        (["--frob"], "unrecognized arguments"),
    ],
)
def test_wrong_use(helmguard: Helmguard, words: list[str], text: str) -> None:
    helmguard.run("node", "suggest", str(NODES / "healthy"), *words).expect_error(text)


def test_a_version_that_is_not_known(helmguard: Helmguard, tmp_path: Path) -> None:
    root = _root(tmp_path / "root", {MAIN: V2})
    helmguard.run("node", "suggest", str(root)).expect_error("version of containerd", "--containerd 2.1.4")
