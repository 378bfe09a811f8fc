""".pre-commit-hooks.yaml: the hooks' entries, run as pre-commit runs them."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from changed_repository import make_repository
from ci_steps import CHECKOUT

from helmguard.manifest.yaml import load

HOOKS: dict[str, Any] = {hook["id"]: hook for hook in load((CHECKOUT / ".pre-commit-hooks.yaml").read_text())}


@pytest.fixture
def environ(tmp_path: Path, helm4: Path) -> dict[str, str]:
    """As in the hook's own virtual environment: ``helmguard`` is on PATH."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "helm").symlink_to(helm4)
    program = programs / "helmguard"
    program.write_text(f'#!/bin/sh\nPYTHONPATH={CHECKOUT} exec {sys.executable} -m helmguard "$@"\n')
    program.chmod(0o755)
    return {"PATH": f"{programs}:{os.environ['PATH']}", "HOME": str(tmp_path), "LANG": "C.UTF-8"}


def run(hook: str, repository: Path, environ: dict[str, str], *args: str) -> subprocess.CompletedProcess[str]:
    """Entry and arguments are words; no file's name is given."""
    found = HOOKS[hook]
    words = [*shlex.split(found["entry"]), *(args or found["args"])]
    return subprocess.run(words, cwd=repository, env=environ, capture_output=True, text=True, check=False)


def test_a_commit_is_compared_with_the_last_one(environ: dict[str, str], tmp_path: Path) -> None:
    repository = make_repository(tmp_path / "web", "words")
    values = repository / "charts" / "web" / "values-production.yaml"
    values.write_text("greeting: good night\n")
    good = run("helmguard-check", repository, environ)
    assert good.returncode == 0, good.stdout + good.stderr
    assert "good night" in good.stdout
    values.write_text('greeting: ""\n')
    bad = run("helmguard-check", repository, environ)
    assert bad.returncode == 1, "pre-commit knows only whether it failed"
    assert "a greeting is needed" in bad.stdout


def test_a_push_is_compared_with_the_branch_it_left(environ: dict[str, str], tmp_path: Path) -> None:
    pushed = run("helmguard-check-push", make_repository(tmp_path / "web", "good"), environ)
    assert pushed.returncode == 0, pushed.stdout + pushed.stderr
    assert "good evening" in pushed.stdout


def test_the_users_words_go_to_the_program(environ: dict[str, str], tmp_path: Path) -> None:
    repository = make_repository(tmp_path / "web", "good")
    done = run("helmguard-check-push", repository, environ, "--base", "a  $(ref)")
    assert done.returncode == 1
    assert "'a  $(ref)'" in done.stderr


@pytest.mark.parametrize(
    ("file", "is_asked"),
    [
        ("apps/web.yaml", True),
        ("charts/web/templates/_names.tpl", True),
        ("charts/web/templates/NOTES.txt", True),
        ("charts/web/Chart.lock", True),
        ("src/main.py", False),
        ("README.md", False),
    ],
)
def test_which_files_ask_for_it(file: str, is_asked: bool) -> None:
    assert bool(re.search(HOOKS["helmguard-check"]["files"], file)) is is_asked


def test_every_hook_has_what_pre_commit_asks_for() -> None:
    for hook in HOOKS.values():
        assert {"id", "name", "entry", "language"} <= set(hook)
        assert hook["pass_filenames"] is False
