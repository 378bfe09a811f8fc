"""Finding the user's helm and asking it for its version."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import msgspec

from helmguard.errors import HelmError, HelmNotFoundError
from helmguard.helm.capabilities import HelmCapabilities
from helmguard.helm.helm_cache import cached_helm
from helmguard.model.helm_version import HelmVersion

PROBE_TIMEOUT = 20.0
"""Seconds that ``helm version`` may take; it reads no network."""

_GET_ONE = (
    "Install Helm 3 or 4, name one with --helm-bin or HELM_BIN, or run: helmguard doctor --install-helm"
)


class HelmBinary(msgspec.Struct, frozen=True):
    """A helm that answered; ``found_by`` says where: ``--helm-bin``, ``HELM_BIN``, ``PATH``, cache."""

    path: str
    version: HelmVersion
    found_by: str = "PATH"

    @property
    def capabilities(self) -> HelmCapabilities:
        """What this version can do."""
        return HelmCapabilities(self.version)


def find_helm(
    explicit: str = "", environ: Mapping[str, str] | None = None, *, flag: str = "--helm-bin"
) -> HelmBinary:
    """The helm to use: ``flag``'s, else ``HELM_BIN``'s, else on ``PATH``, else the one helmguard installed.

    Raises:
        HelmNotFoundError: there is none, or the named one does not exist.
        HelmError: it is not executable, is Helm 2, does not answer, or answers no version.
    """
    path, found_by = locate_helm(explicit, os.environ if environ is None else environ, flag=flag)
    return HelmBinary(path, probe_version(path, environ), found_by)


def locate_helm(explicit: str, environ: Mapping[str, str], *, flag: str = "--helm-bin") -> tuple[str, str]:
    """Path of the helm to use and where it was found, without running it."""
    for word, found_by in ((explicit, flag), (environ.get("HELM_BIN", ""), "HELM_BIN")):
        if word:
            return _named_helm(word, found_by, environ), found_by
    on_path = shutil.which("helm", path=environ.get("PATH"))
    if on_path:
        return on_path, "PATH"
    cached = cached_helm(environ)
    if cached is not None:
        return str(cached), "helmguard's cache"
    raise HelmNotFoundError("no helm found on PATH", remedy=_GET_ONE)


def _named_helm(word: str, found_by: str, environ: Mapping[str, str]) -> str:
    path = word if os.sep in word else (shutil.which(word, path=environ.get("PATH")) or word)
    named = Path(path).expanduser()
    if named.is_dir():
        raise HelmError(f"{found_by} {word}: is a folder, not a helm binary", remedy=_GET_ONE)
    if not named.exists():
        raise HelmNotFoundError(f"{found_by} {word}: no such file", remedy=_GET_ONE)
    if not os.access(named, os.X_OK):
        raise HelmError(f"{found_by} {word}: not executable", remedy=f"Run: chmod +x {named}")
    # "./helm" without its folder would be looked for on PATH.
    return str(named.absolute())


def probe_version(path: str, environ: Mapping[str, str] | None = None) -> HelmVersion:
    """Ask a helm for its version.

    Raises:
        HelmError: it cannot be started, hangs, fails, answers no version, or is Helm 2.
    """
    try:
        answer = subprocess.run(  # the user's own helm, no shell
            [path, "version", "--template", "{{.Version}}"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PROBE_TIMEOUT,
            # With HELM_DRIVER=sql, even `helm version` opens the database.
            env={**(os.environ if environ is None else environ), "HELM_DRIVER": "secret"},
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise HelmError(
            f"{path} does not answer: 'helm version' ran longer than {PROBE_TIMEOUT:.0f} seconds",
            remedy=_GET_ONE,
        ) from None
    except OSError as error:
        raise HelmError(f"{path} cannot be run: {error.strerror or error}", remedy=_GET_ONE) from None
    return _read_version(path, answer)


def _read_version(path: str, answer: subprocess.CompletedProcess[bytes]) -> HelmVersion:
    text = answer.stdout.decode(errors="replace").strip()
    errors = answer.stderr.decode(errors="replace").strip()
    if "tiller" in (text + errors).lower():
        raise _helm_2(path, "2")
    # A helm wrapper may print a line of its own before the version.
    for line in reversed(text.splitlines()):
        try:
            version = HelmVersion.parse(line)
        except ValueError:
            continue
        if version.major < 3:
            raise _helm_2(path, str(version))
        return version
    said = (errors or text or "nothing").splitlines()[0][:200]
    if answer.returncode != 0:
        raise HelmError(f"{path} version failed (exit code {answer.returncode}): {said}", remedy=_GET_ONE)
    raise HelmError(f"{path} is no helm: 'helm version' printed {said!r}", remedy=_GET_ONE)


def _helm_2(path: str, version: str) -> HelmError:
    return HelmError(f"{path} is Helm {version}; helmguard works with Helm 3 and 4", remedy=_GET_ONE)
