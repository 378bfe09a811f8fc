"""``-o FORMAT[=FILE]``, once or several times."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from helmguard_program import Helmguard

from helmguard.cli.flags_output import OutputFile, OutputOptions
from helmguard.cli.outputs import split_outputs, write_outputs, write_whole
from helmguard.cli.plan_formats import PLAN_FORMATS
from helmguard.errors import UsageError

FORMATS = ("text", "json", "html")


def options(*files: OutputFile, show_secrets: bool = False) -> OutputOptions:
    return OutputOptions("text", False, True, 80, None, False, show_secrets, False, files=files)


@pytest.mark.parametrize(
    ("words", "printed", "files"),
    [
        ([], "text", []),
        (["json"], "json", []),
        (["json=-"], "json", []),
        (["json=a"], "text", ["json=a"]),
        (["json=a", "html=b"], "text", ["json=a", "html=b"]),
        (["json=a", "html"], "html", ["json=a"]),
        (["json=a", "json=b", "text"], "text", ["json=a", "json=b"]),
        (["json=a=b"], "text", ["json=a=b"]),
    ],
)
def test_what_goes_where(
    words: list[str], printed: str, files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = split_outputs(words, FORMATS)
    assert (found[0], [str(file) for file in found[1]]) == (printed, files)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["json", "html"], "-o json and html both go to stdout"),
        (["json=-", "json"], "-o json and json both go to stdout"),
        (["json=a", "html=./a"], "-o html=./a and -o json=a name one file"),
        (["json="], "the file's name is missing"),
        (["json=."], ". is a folder"),
        (["json=no/such/a"], "there is no folder"),
    ],
)
def test_contradictions_are_told_before_any_work(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=message) as caught:
        split_outputs(words, FORMATS)
    assert caught.value.remedy


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    file, link = tmp_path / "a", tmp_path / "link"
    file.write_text("old")
    link.symlink_to(file)
    write_whole(link, "new ä\n", private=False)
    assert file.read_text(encoding="utf-8") == "new ä\n" and link.is_symlink()
    with pytest.raises(UsageError, match="cannot be written"):
        write_whole(tmp_path / "no" / "a", "text", private=False)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "link"]


def test_a_device_is_written_to_and_not_replaced() -> None:
    write_whole(Path("/dev/null"), "text", private=True)
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize("private", [False, True])
def test_with_secrets_a_file_is_for_this_user_alone(tmp_path: Path, private: bool) -> None:
    (tmp_path / "a").write_text("old")
    as_usual = stat.S_IMODE((tmp_path / "a").stat().st_mode)
    write_outputs(options(OutputFile("json", str(tmp_path / "a")), show_secrets=private), str)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == (0o600 if private else as_usual)


def test_nothing_is_written_where_one_output_cannot_be_made(tmp_path: Path) -> None:
    def render(name: str) -> str:
        if name == "text":
            raise UsageError("no text")
        return name

    with pytest.raises(UsageError):
        write_outputs(options(OutputFile("json", str(tmp_path / "a"))), render)
    assert list(tmp_path.iterdir()) == []


def test_stdout_and_the_other_files_are_written_where_one_cannot_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [OutputFile("json", str(tmp_path / "no" / "a")), OutputFile("html", str(tmp_path / "b"))]
    with pytest.raises(UsageError, match="cannot be written"):
        write_outputs(options(*files), str)
    assert capsys.readouterr().out == "text"
    assert (tmp_path / "b").read_text() == "html"


def test_one_plan_in_every_format_at_once(helmguard: Helmguard, seed_bundle: Path) -> None:
    words = [f"{name}=plan.{name}" for name in PLAN_FORMATS if name != "text"]
    flags = [flag for word in words for flag in ("-o", word)]
    ended = helmguard.run("plan", "--bundle", seed_bundle, "-q", *flags).expect(3)
    assert ended.out == "Refused: 1 blocker and 1 danger at or above the gate (danger). Exit 3.\n"
    texts = {name: (helmguard.home / f"plan.{name}").read_text() for name in PLAN_FORMATS if name != "text"}
    assert json.loads(texts["json"])["exitCode"] == 3
    assert json.loads(texts["sarif"])["version"] == "2.1.0"
    assert {entry["check_name"] for entry in json.loads(texts["code-quality"])} >= {"values-lost-override"}
    assert texts["annotations"].startswith("::error ")
    assert texts["junit"].startswith("<?xml") and texts["html"].startswith("<!doctype html>".casefold())
    assert texts["markdown"].startswith("### helmguard: ") and "exitCode: 3" in texts["yaml"]
