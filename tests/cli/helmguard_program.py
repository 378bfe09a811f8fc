"""Runs helmguard as its users do: a process of its own, shut off from the settings of this one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ready_helmguard import can_be_ready, run_ready

CHECKOUT = Path(__file__).parents[2]
CHARTS = CHECKOUT / "fixtures" / "charts"


@dataclass(frozen=True)
class Ended:
    """How one run ended and all it printed."""

    words: tuple[str, ...]
    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """Standard output as a JSON object."""
        document: dict[str, Any] = json.loads(self.out)
        return document

    def expect(self, code: int) -> Ended:
        """The same, where it ended with this code."""
        assert self.code == code, (
            f"helmguard {' '.join(self.words)}\nended with {self.code}\n{self.out}{self.err}"
        )
        return self

    def expect_error(self, *texts: str, code: int = 1) -> Ended:
        """The same, where it told an error in words: nothing on stdout, no stack trace, each of ``texts``."""
        self.expect(code)
        assert self.out == ""
        assert self.err.startswith("Error: ")
        assert "Traceback" not in self.err
        for text in texts:
            assert text in self.err
        return self


@dataclass(frozen=True)
class Helmguard:
    """``home`` is where it runs and keeps its settings; without a ``kubeconfig`` there is no cluster."""

    home: Path
    helm: Path | None = None
    kubeconfig: Path | None = None
    namespace: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)

    def run(
        self,
        *words: str | Path,
        stdin: str = "",
        cwd: Path | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> Ended:
        """``helmguard WORDS``; ``settings`` go over the environment."""
        environment, folder = self.environment(settings), cwd or self.home
        if can_be_ready(environment):
            done = run_ready([*map(str, words)], environment, folder, stdin)
        else:
            done = subprocess.run(
                [sys.executable, "-m", "helmguard", *map(str, words)],
                input=stdin,
                env=environment,
                cwd=folder,
                capture_output=True,
                text=True,
                check=False,
            )
        return Ended(tuple(map(str, words)), done.returncode, done.stdout, done.stderr)

    def plan(self, *words: str | Path, **more: Any) -> dict[str, Any]:
        """The JSON of a plan, secrets in clear."""
        ended = self.run("plan", *words, "-o", "json", "--show-secrets", **more)
        assert ended.code in (0, 2, 3), ended.err
        plan = ended.json
        assert plan["exitCode"] == ended.code
        return plan

    def environment(self, settings: Mapping[str, str] | None = None) -> dict[str, str]:
        """This process's environment, less every setting of helmguard, Helm, Kubernetes or terminals."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(_SETTINGS) and name not in ("HOME", "COLUMNS", "NO_COLOR", "TERM")
        }
        found = kept | {
            "HOME": str(self.home),
            "PYTHONPATH": str(CHECKOUT),
            "HELM_CACHE_HOME": str(self.home / "cache"),
            "HELM_CONFIG_HOME": str(self.home / "config"),
            "HELM_DATA_HOME": str(self.home / "data"),
            "KUBECONFIG": str(self.kubeconfig or self.home / "no-kubeconfig"),
        }
        if self.helm is not None:
            found["HELM_BIN"] = str(self.helm)
        if self.namespace:
            found["HELM_NAMESPACE"] = self.namespace
        return found | self.settings | (settings or {})


_SETTINGS = ("HELMGUARD_", "HELM_", "KUBE", "XDG_", "CLICOLOR", "FORCE_COLOR", "PYTHON")
