"""Runs one Helm binary against one namespace, shut off from the settings of whoever runs the tests."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path


class HelmFailed(Exception):
    """Helm ended with another code than 0; the message holds its command line and all it printed."""

    def __init__(self, done: subprocess.CompletedProcess[str]) -> None:
        words = " ".join(map(str, done.args))
        super().__init__(f"{words}\nended with {done.returncode}\n{done.stdout}{done.stderr}")
        self.done = done


@dataclass(frozen=True)
class Helm:
    """`home` keeps Helm's caches and settings; without a `kubeconfig`, Helm finds no cluster at all."""

    binary: Path
    home: Path
    kubeconfig: Path | None = None
    namespace: str = "default"

    def run(
        self, *words: str | Path, stdin: str = "", check: bool = True
    ) -> subprocess.CompletedProcess[str]:
        """Runs `helm WORDS`, and raises `HelmFailed` when it fails, unless `check` is false."""
        done = subprocess.run(
            [str(self.binary), *map(str, words)],
            input=stdin,
            env=self.environment(),
            cwd=self.home,
            capture_output=True,
            text=True,
            check=False,
        )
        if check and done.returncode != 0:
            raise HelmFailed(done)
        return done

    def helmguard_words(self) -> list[str]:
        """helmguard's flags for the same helm, cluster and namespace."""
        return [
            *("-n", self.namespace),
            *("--kubeconfig", str(self.kubeconfig)),
            *("--helm-bin", str(self.binary)),
        ]

    def environment(self) -> dict[str, str]:
        """This process's environment, less every setting of Helm or Kubernetes, plus this object's."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("HELM_", "KUBE", "XDG_")) and name != "HOME"
        }
        return kept | {
            "HOME": str(self.home),
            "HELM_CACHE_HOME": str(self.home / "cache"),
            "HELM_CONFIG_HOME": str(self.home / "config"),
            "HELM_DATA_HOME": str(self.home / "data"),
            "HELM_NAMESPACE": self.namespace,
            "KUBECONFIG": str(self.kubeconfig or self.home / "no-kubeconfig"),
        }
