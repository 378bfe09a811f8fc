"""action.yml: what its steps do on a pull request."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from changed_repository import make_repository
from ci_steps import ACTION, EXPRESSION, Runner
from review_api import TOKEN, ReviewApi

MARKER = "<!-- helmguard check -->"


def test_no_expression_is_written_into_a_script() -> None:
    """A title or branch could end a command and begin another one."""
    for step in ACTION["runs"]["steps"]:
        assert not EXPRESSION.search(step["run"]), step["name"]
        assert step["shell"] == "bash"
        for text in step.get("env", {}).values():
            assert EXPRESSION.fullmatch(text)[1].startswith(("inputs.", "steps.check.outputs."))


def test_every_input_is_described_and_used() -> None:
    text = json.dumps(ACTION["runs"])
    for name, entry in ACTION["inputs"].items():
        assert entry["description"] and "default" in entry
        assert f"inputs.{name}" in text, name


def test_a_comment_is_written_once_and_then_edited(runner: Runner, api: ReviewApi, tmp_path: Path) -> None:
    repository = make_repository(tmp_path / "web", "good")
    somebody = api.add("Looks good to me")
    forged = api.add(f"{MARKER}\nall is well", others=True)
    wanted = {"token": TOKEN, "sarif": "out.sarif", "junit": "out.xml", "args": "--offline --jobs '1'"}
    first = runner.github(repository, wanted, GITHUB_API_URL=api.url)
    assert (first.code, first.outputs["exit-code"]) == (0, "2"), first.out
    assert first.summary.startswith(f"{MARKER}\n")
    assert "web" in first.summary
    assert api.comments[3] == first.summary
    results = json.loads((repository / "out.sarif").read_text())
    assert results["version"] == "2.1.0"
    assert (repository / "out.xml").read_text().startswith("<?xml")
    second = runner.github(repository, {"token": TOKEN}, GITHUB_API_URL=api.url)
    assert "edited the comment" in second.out
    assert list(api.comments) == [somebody, forged, 3]
    assert api.comments[forged] == f"{MARKER}\nall is well"
    assert TOKEN not in first.out + second.out


def test_a_refusal_fails_after_it_was_told(runner: Runner, api: ReviewApi, tmp_path: Path) -> None:
    repository = make_repository(tmp_path / "web", "bad")
    named = {"token": TOKEN, "comment-name": "production -->  x"}
    ran = runner.github(repository, named, GITHUB_API_URL=api.url)
    assert (ran.code, ran.outputs["exit-code"]) == (3, "3"), ran.out
    assert api.comments[1].startswith("<!-- helmguard check: production x -->\n")
    assert "a greeting is needed" in api.comments[1]
    assert "\n::error file=charts/web/" in ran.out


def test_what_charts_say_is_no_command_to_the_runner(runner: Runner, tmp_path: Path) -> None:
    repository = make_repository(tmp_path / "web", "hostile")
    ran = runner.github(repository, {"annotations": "false", "args": "-C 9"})
    assert ran.code == 0
    lines = ran.out.splitlines()
    (begin,) = (line for line in lines if line.startswith("::stop-commands::"))
    end = f"::{begin.removeprefix('::stop-commands::')}::"
    heard = lines[: lines.index(begin)] + lines[lines.index(end) + 1 :]
    assert "from the chart" in ran.out
    assert not [line for line in heard if line.strip().startswith("::")]


def test_without_a_right_there_is_a_warning(runner: Runner, api: ReviewApi, tmp_path: Path) -> None:
    repository = make_repository(tmp_path / "web", "words")
    ran = runner.github(repository, {"token": "of a fork"}, GITHUB_API_URL=api.url)
    assert (ran.code, ran.outputs["exit-code"]) == (0, "0"), ran.out
    assert "::warning title=helmguard::the comment could not be written: the server answers 403" in ran.out
    assert "of a fork" not in ran.out
    assert api.comments == {}


def test_an_error_is_no_silence(runner: Runner, api: ReviewApi, tmp_path: Path) -> None:
    """The comment of an earlier run must not stand as if it were about this change."""
    repository = make_repository(tmp_path / "web", "broken")
    api.add(f"{MARKER}\nnothing changes")
    ran = runner.github(repository, {"token": TOKEN}, GITHUB_API_URL=api.url)
    assert (ran.code, ran.outputs["exit-code"]) == (1, "1"), ran.out
    assert "It gave no answer (exit code 1)." in api.comments[1]


@pytest.mark.parametrize("inputs", [{"args": "--head 'x; touch owned'"}, {"head": "$(touch owned)"}], ids=str)
def test_no_input_is_run(runner: Runner, tmp_path: Path, inputs: dict[str, str]) -> None:
    repository = make_repository(tmp_path / "web", "words")
    ran = runner.github(repository, inputs)
    assert ran.outputs["exit-code"] == "1"
    assert not list(tmp_path.rglob("owned"))
