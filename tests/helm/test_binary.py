"""Finding helm, asking for its version, and what it can do."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from helmguard.errors import HelmError, HelmNotFoundError, UsageError
from helmguard.helm import binary as binary_module
from helmguard.helm.binary import HelmBinary, find_helm, locate_helm
from helmguard.helm.capabilities import FLAG_SINCE, FLAG_UNTIL, HelmCapabilities
from helmguard.model.helm_version import HelmVersion


def fake(folder: Path, script: str, name: str = "helm") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def test_real_helms(binary: HelmBinary) -> None:
    assert binary.version in (HelmVersion(3, 22, 0), HelmVersion(4, 3, 1))
    assert binary.found_by == "--helm-bin"


def test_the_order_of_places(tmp_path: Path) -> None:
    named, by_env = fake(tmp_path / "a", ""), fake(tmp_path / "b", "")
    on_path, cached = fake(tmp_path / "c", ""), fake(tmp_path / "cache/helmguard/bin", "")
    environ = {
        "HELM_BIN": str(by_env),
        "PATH": str(on_path.parent),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }
    assert locate_helm(str(named), environ) == (str(named), "--helm-bin")
    assert locate_helm("", environ) == (str(by_env), "HELM_BIN")
    del environ["HELM_BIN"]
    assert locate_helm("", environ) == (str(on_path), "PATH")
    environ["PATH"] = str(tmp_path / "nothing")
    assert locate_helm("", environ) == (str(cached), "helmguard's cache")
    environ["XDG_CACHE_HOME"] = str(tmp_path / "nothing")
    with pytest.raises(HelmNotFoundError) as raised:
        locate_helm("", environ)
    assert "helmguard doctor --install-helm" in raised.value.remedy


def test_a_bare_name_is_looked_up_on_the_path(tmp_path: Path) -> None:
    path = fake(tmp_path, "", "helm4")
    assert locate_helm("", {"HELM_BIN": "helm4", "PATH": str(tmp_path)}) == (str(path), "HELM_BIN")


@pytest.mark.parametrize(
    ("script", "version"),
    [
        ("echo v3.22", HelmVersion(3, 22)),
        ("echo v4.0.0-rc.1+g1234", HelmVersion(4, 0, 0)),
        ("echo 'using profile prod'; echo v3.14.2", HelmVersion(3, 14, 2)),
        ("echo warning >&2; printf v3.9.1", HelmVersion(3, 9, 1)),
    ],
)
def test_versions_are_read_leniently(tmp_path: Path, script: str, version: HelmVersion) -> None:
    assert find_helm(str(fake(tmp_path, script))).version == version


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("echo v2.17.0", "is Helm 2.17.0; helmguard works with Helm 3 and 4"),
        ("echo 'Error: could not find tiller' >&2; exit 1", "is Helm 2;"),
        ("echo hello", "is no helm: 'helm version' printed 'hello'"),
        ("exit 0", "printed 'nothing'"),
        ("echo broken >&2; exit 7", "failed (exit code 7): broken"),
    ],
)
def test_what_is_no_usable_helm(tmp_path: Path, script: str, words: str) -> None:
    with pytest.raises(HelmError) as raised:
        find_helm(str(fake(tmp_path, script)))
    assert words in raised.value.message
    assert raised.value.remedy


def test_paths_that_cannot_run(tmp_path: Path) -> None:
    with pytest.raises(HelmNotFoundError, match="no such file"):
        find_helm(str(tmp_path / "none"))
    with pytest.raises(HelmError, match="is a folder"):
        find_helm(str(tmp_path))
    path = fake(tmp_path, "echo v3.1.0")
    path.chmod(0o644)
    with pytest.raises(HelmError, match="not executable"):
        find_helm(str(path))
    path.chmod(0o755)
    path.write_text("#!/no/such/interpreter\n")
    with pytest.raises(HelmError, match="cannot be run"):
        find_helm(str(path))


def test_a_helm_that_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binary_module, "PROBE_TIMEOUT", 0.2)
    with pytest.raises(HelmError, match="does not answer"):
        find_helm(str(fake(tmp_path, "exec tail -f /dev/null")))


def test_the_table_of_flags_agrees_with_the_real_helms(binary: HelmBinary) -> None:
    helps = [
        subprocess.run([binary.path, *words, "--help"], capture_output=True, text=True, check=True).stdout
        for words in (("upgrade",), ("template",), ("rollback",), ("pull",))
    ]
    known = set(
        re.findall(r"--[a-z][a-z-]+", "\n".join(line for text in helps for line in text.splitlines()))
    )
    for flag in {*FLAG_SINCE, *FLAG_UNTIL} - {"--dry-run=server"}:
        assert binary.capabilities.supports(flag) == (flag in known), flag


def test_names_that_changed() -> None:
    three, four = HelmCapabilities(HelmVersion(3, 22)), HelmCapabilities(HelmVersion(4, 3))
    for old, new in (("--force", "--force-replace"), ("--atomic", "--rollback-on-failure")):
        assert (three.own_name(new), three.own_name(old)) == (old, old)
        assert (four.own_name(old), four.own_name(new)) == (new, new)
    assert HelmCapabilities(HelmVersion(3, 12)).dry_run_flag() == "--dry-run"
    assert three.dry_run_flag() == "--dry-run=server"


def test_a_flag_that_is_too_new_or_gone() -> None:
    with pytest.raises(UsageError, match=r"--reset-then-reuse-values needs Helm 3.14.0 or newer"):
        HelmCapabilities(HelmVersion(3, 13, 4)).require("--reset-then-reuse-values")
    with pytest.raises(UsageError, match=r"helm 4.3.1 no longer has --recreate-pods"):
        HelmCapabilities(HelmVersion(4, 3, 1)).require("--recreate-pods")
    HelmCapabilities(HelmVersion(3, 14)).require("--reset-then-reuse-values")
