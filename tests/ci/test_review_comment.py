"""ci/review_comment.py: where the request's own token must not go, and what is no comment."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from ci_steps import CHECKOUT
from review_api import TOKEN, ReviewApi

SCRIPT = CHECKOUT / "ci" / "review_comment.py"


def run(file: Path, api: ReviewApi | None, *words: str, **more: str) -> str:
    """What it prints; it always ends with 0."""
    environ = {
        "PATH": os.environ["PATH"],
        "GITLAB_CI": "true",
        "CI_API_V4_URL": "http://127.0.0.1:9" if api is None else api.url,
        "CI_PROJECT_ID": "5",
        "CI_MERGE_REQUEST_IID": "7",
        "HELMGUARD_TOKEN": TOKEN,
        **more,
    }
    done = subprocess.run(
        [sys.executable, str(SCRIPT), str(file), *words],
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert TOKEN not in done.stdout
    return done.stdout


@pytest.fixture
def comment(tmp_path: Path) -> Path:
    file = tmp_path / "comment.md"
    file.write_text("<!-- helmguard check -->\nwhat it says\n")
    return file


def test_a_token_follows_no_redirect(comment: Path, api: ReviewApi) -> None:
    elsewhere = ReviewApi()
    api.redirect = f"{elsewhere.url}/projects/5/merge_requests/7/notes"
    assert "the server answers 302" in run(comment, api)
    assert elsewhere.asked == []
    elsewhere.close()


def test_checks_with_names_have_a_comment_each(comment: Path, api: ReviewApi) -> None:
    for name in ("", "staging", "production", "staging", ""):
        run(comment, api, *filter(None, [name]))
    assert [text.partition("\n")[0] for text in api.comments.values()] == [
        "<!-- helmguard check -->",
        "<!-- helmguard check: staging -->",
        "<!-- helmguard check: production -->",
    ]


def test_a_server_that_is_not_there_is_a_warning(comment: Path) -> None:
    assert run(comment, None) == "helmguard: the comment could not be written: URLError\n"


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"HELMGUARD_TOKEN": ""}, "HELMGUARD_TOKEN is not set"),
        ({"CI_MERGE_REQUEST_IID": ""}, "for no merge request"),
        ({"CI_MERGE_REQUEST_IID": "7/../8"}, "for no merge request"),
    ],
    ids=str,
)
def test_where_there_is_no_comment(
    comment: Path, api: ReviewApi, settings: dict[str, str], said: str
) -> None:
    assert said in run(comment, api, **settings)
    assert api.asked == []


def test_another_file_is_not_posted(tmp_path: Path, api: ReviewApi) -> None:
    file = tmp_path / "secrets.md"
    file.write_text("password: x\n")
    assert "no comment that helmguard check wrote" in run(file, api)
    assert api.asked == []
