"""ci/helmguard.gitlab-ci.yml: what its job does in a merge request."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from changed_repository import make_repository
from ci_steps import TEMPLATE, Runner
from review_api import TOKEN, ReviewApi

JOB = TEMPLATE["helmguard-check"]


@pytest.fixture(scope="module")
def runner(helm4: Path, tmp_path_factory: pytest.TempPathFactory) -> Runner:
    """Another machine than the action's."""
    return Runner(tmp_path_factory.mktemp("gitlab-runner"), helm4)


def test_a_note_is_written_once_and_then_edited(runner: Runner, api: ReviewApi, tmp_path: Path) -> None:
    repository = make_repository(tmp_path / "web", "good")
    for number in range(100):
        api.add(f"note {number}")
    settings = {"CI_API_V4_URL": api.url, "HELMGUARD_TOKEN": TOKEN}
    first = runner.gitlab(repository, **settings)
    assert first.code == 0, first.out
    assert "wrote a comment" in first.out
    assert api.comments[101].startswith("<!-- helmguard check -->\n")
    for name in (*JOB["artifacts"]["reports"].values(), "helmguard-report/report.html"):
        assert (repository / name).stat().st_size, name
    quality = json.loads((repository / JOB["artifacts"]["reports"]["codequality"]).read_text())
    assert isinstance(quality, list)
    api.comments[101] = "<!-- helmguard check -->\nold"
    second = runner.gitlab(repository, **settings, HELMGUARD_ARGS="--offline --release 'no such'")
    assert "edited the comment" in second.out
    assert len(api.comments) == 101
    assert "old" not in api.comments[101]
    assert TOKEN not in first.out + second.out


def test_a_refusal_fails_and_needs_no_token(runner: Runner, tmp_path: Path) -> None:
    repository = make_repository(tmp_path / "web", "bad")
    ran = runner.gitlab(repository)
    assert ran.code == 3, ran.out
    assert "a greeting is needed" in (repository / "helmguard-report" / "comment.md").read_text()


def test_a_source_is_needed(runner: Runner, tmp_path: Path) -> None:
    ran = runner.gitlab(make_repository(tmp_path / "web", "words"), HELMGUARD_SOURCE="")
    assert ran.code == 1
    assert "set HELMGUARD_SOURCE" in ran.out


def test_the_job_has_the_whole_history() -> None:
    """Without it there is no commit where the branch left its target."""
    assert JOB["variables"]["GIT_DEPTH"] == "0"
    assert JOB["artifacts"]["when"] == "always"
