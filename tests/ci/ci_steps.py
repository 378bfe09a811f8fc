"""Runs the very steps of action.yml and of the GitLab template, as a runner does."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sysconfig
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from helmguard.manifest.yaml import load

CHECKOUT = Path(__file__).parents[2]
ACTION: dict[str, Any] = load((CHECKOUT / "action.yml").read_text())
TEMPLATE: dict[str, Any] = load((CHECKOUT / "ci" / "helmguard.gitlab-ci.yml").read_text())
EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")


@dataclass
class Ran:
    """How the steps ended and what they printed."""

    code: int = 0
    out: str = ""
    summary: str = ""
    outputs: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Runner:
    """A machine with git, Python and a helm; ``temp`` is kept between runs, with what is installed in it."""

    temp: Path
    helm: Path

    def environment(self, home: Path) -> dict[str, str]:
        """No setting of whoever runs the tests; the wheel is built, what it needs is not fetched again."""
        programs = self.temp / "programs"
        if not programs.exists():
            programs.mkdir(parents=True)
            (programs / "helm").symlink_to(self.helm)
        site = sysconfig.get_paths()["purelib"]
        return {
            "PATH": f"{programs}:{os.environ['PATH']}",
            "HOME": str(home),
            "LANG": "C.UTF-8",
            "PIP_NO_DEPS": "1",
            "PIP_NO_BUILD_ISOLATION": "0",
            "PIP_NO_INDEX": "1",
            "PYTHONPATH": site,
        }

    def github(self, repository: Path, inputs: dict[str, str], **more: str) -> Ran:
        """The action's steps; the first one, which installs helmguard, only once."""
        ran, files = (
            Ran(),
            {name: self.temp / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")},
        )
        event = self.temp / "event.json"
        event.write_text(json.dumps({"pull_request": {"number": 7}}))
        for file in files.values():
            file.write_text("")
        runner = {
            **self.environment(repository.parent),
            **{name: str(file) for name, file in files.items()},
            "GITHUB_ACTIONS": "true",
            "GITHUB_ACTION_PATH": str(CHECKOUT),
            "GITHUB_BASE_REF": "main",
            "GITHUB_EVENT_PATH": str(event),
            "GITHUB_REPOSITORY": "shop/web",
            "RUNNER_TEMP": str(self.temp),
            **more,
        }
        given = {name: entry["default"] for name, entry in ACTION["inputs"].items()} | inputs
        is_installed = (self.temp / "helmguard" / "bin" / "helmguard").exists()
        for step in ACTION["runs"]["steps"][1 if is_installed else 0 :]:
            known = {f"inputs.{name}": value for name, value in given.items()}
            known |= {f"steps.check.outputs.{name}": value for name, value in ran.outputs.items()}
            if not _holds(step.get("if", ""), known):
                continue
            own = {name: _filled(text, known) for name, text in step.get("env", {}).items()}
            script = self.temp / "step.sh"
            script.write_text(step["run"])
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
                cwd=repository,
                env=runner | own,
                capture_output=True,
                text=True,
                check=False,
            )
            ran.out += done.stdout + done.stderr
            ran.code = done.returncode
            lines = files["GITHUB_OUTPUT"].read_text().splitlines()
            ran.outputs = dict(line.split("=", 1) for line in lines)
            if ran.code != 0:
                break
        ran.summary = files["GITHUB_STEP_SUMMARY"].read_text()
        return ran

    def gitlab(self, repository: Path, **more: str) -> Ran:
        """The template's job, by a shell that knows no more than POSIX; helmguard is installed only once."""
        job = TEMPLATE["helmguard-check"]
        variables = {name: entry["value"] for name, entry in TEMPLATE["variables"].items()}
        done = subprocess.run(
            ["sh", "-e", "-c", "\n".join(job["script"])],
            cwd=repository,
            env={
                **self.environment(repository.parent),
                **variables,
                "CI_PROJECT_DIR": str(repository),
                "CI_PROJECT_ID": "5",
                "CI_MERGE_REQUEST_IID": "7",
                "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
                "GITLAB_CI": "true",
                "HELMGUARD_PLACE": str(self.temp),
                "HELMGUARD_SOURCE": str(CHECKOUT),
                **({"PIP_DRY_RUN": "1"} if (self.temp / "venv" / "bin" / "helmguard").exists() else {}),
                **more,
            },
            capture_output=True,
            text=True,
            check=False,
        )
        return Ran(done.returncode, done.stdout + done.stderr)


def _filled(text: str, known: dict[str, str]) -> str:
    """``${{ name }}`` replaced; an output that no step gave is empty, as on GitHub."""
    return EXPRESSION.sub(lambda found: known.get(found[1], ""), text)


def _holds(condition: str, known: dict[str, str]) -> bool:
    """A condition of comparisons with texts, joined by ``&&``."""
    for part in filter(None, condition.split(" && ")):
        name, sign, text = part.split(" ")
        if (known[name] == text.strip("'")) is not (sign == "=="):
            return False
    return True
