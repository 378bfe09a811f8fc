"""Running helmfile. It runs what its files say, hooks included: only on request, never for a stranger's."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import msgspec

from helmguard.errors import HelmError, HelmNotFoundError
from helmguard.helm.process import Process

_LONGEST = 300.0
_REMEDY = "Install helmfile, name it with HELMGUARD_HELMFILE, or go without --run-helmfile."


class HelmfileCommand(msgspec.Struct, frozen=True):
    """The program ``binary``; ``helm`` is the one that it is told to use."""

    binary: str
    helm: str

    def build(self, file: Path, environment: str) -> str:
        """What ``helmfile build`` makes of a file for an environment, its files of values worked out.

        Raises:
            HelmError: helmfile fails, with the end of what it says.
        """
        words = [self.binary, "--file", str(file.absolute()), "--environment", environment]
        words += ["--helm-binary", self.helm, "--no-color", "build", "--embed-values"]
        output = Process(words).finish(timeout=_LONGEST)
        if output.exit_code != 0:
            said = " ".join(output.stderr.split())[-500:] or f"exit code {output.exit_code}"
            raise HelmError(f"helmfile cannot build {file.name} for the environment {environment}: {said}")
        return output.stdout.decode("utf-8", errors="replace")


def find_helmfile(helm: str, environ: Mapping[str, str] | None = None) -> HelmfileCommand:
    """The helmfile of ``HELMGUARD_HELMFILE``, else the first on the path.

    Raises:
        HelmNotFoundError: there is none.
    """
    given = os.environ if environ is None else environ
    named = given.get("HELMGUARD_HELMFILE") or "helmfile"
    binary = shutil.which(named, path=given.get("PATH"))
    if binary is None:
        raise HelmNotFoundError(f"there is no program {named}", remedy=_REMEDY)
    return HelmfileCommand(binary, helm)
