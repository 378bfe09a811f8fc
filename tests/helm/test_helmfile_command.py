"""Running helmfile: with a program that says what it was told."""

from __future__ import annotations

from pathlib import Path

import pytest

from helmguard.errors import HelmError, HelmNotFoundError
from helmguard.helm.helmfile_command import HelmfileCommand, find_helmfile


def program(folder: Path, text: str) -> Path:
    file = folder / "helmfile"
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return file


def test_it_builds_a_file_for_an_environment(tmp_path: Path) -> None:
    command = find_helmfile("/opt/helm", {"PATH": str(program(tmp_path, 'echo "$@"').parent)})
    words = command.build(tmp_path / "a.yaml", "prod").split()
    assert words[:4] == ["--file", str(tmp_path / "a.yaml"), "--environment", "prod"]
    assert words[4:] == ["--helm-binary", "/opt/helm", "--no-color", "build", "--embed-values"]


def test_what_it_fails_on_is_told(tmp_path: Path) -> None:
    command = HelmfileCommand(str(program(tmp_path, "echo 'no such\n release' >&2; exit 3")), "helm")
    with pytest.raises(
        HelmError, match=r"^helmfile cannot build a\.yaml for the environment prod: no such release$"
    ):
        command.build(tmp_path / "a.yaml", "prod")


def test_it_is_named_or_found(tmp_path: Path) -> None:
    file = program(tmp_path, "")
    assert find_helmfile("helm", {"HELMGUARD_HELMFILE": str(file), "PATH": ""}).binary == str(file)
    with pytest.raises(HelmNotFoundError, match="there is no program helmfile") as raised:
        find_helmfile("helm", {"PATH": str(tmp_path / "none")})
    assert "HELMGUARD_HELMFILE" in raised.value.remedy
