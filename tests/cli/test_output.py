"""One plan in every format, on a terminal and piped."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from helmguard_program import CHECKOUT, Helmguard

from helmguard.manifest import yaml

SCHEMA = json.loads((CHECKOUT / "docs" / "plan.schema.json").read_text())
_DIGEST = re.compile(r"\(secret [0-9a-f]+\)")


def without_digests(text: str) -> Any:
    """A JSON document with the masked secrets alike: their salt is new in each run."""
    return json.loads(_DIGEST.sub("(secret)", text))


@pytest.mark.parametrize("mode", ["default", "reuse", "reset-then-reuse"])
def test_json_is_what_the_schema_says(helmguard: Helmguard, mode: str) -> None:
    plan = helmguard.run("demo", "--mode", mode, "-o", "json").json
    jsonschema.Draft202012Validator(SCHEMA).validate(plan)
    assert plan["exitCode"] == (3 if mode == "default" else 2)


def test_the_schema_refuses_what_it_does_not_know(helmguard: Helmguard) -> None:
    plan = helmguard.run("demo", "-o", "json").json
    plan["findings"][0]["severity"] = "grave"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(SCHEMA).validate(plan)


def test_yaml_is_the_same_document(helmguard: Helmguard) -> None:
    as_json = helmguard.run("demo", "-o", "json").expect(3)
    as_yaml = helmguard.run("demo", "-o", "yaml").expect(3)
    assert without_digests(json.dumps(yaml.load(as_yaml.out))) == without_digests(as_json.out)


def test_markdown_names_the_finding_and_the_command_that_keeps_the_values(helmguard: Helmguard) -> None:
    page = helmguard.run("demo", "-o", "markdown").expect(3).out
    assert "values-lost-override" in page
    assert "driver.enabled" in page
    assert "--reuse-values" in page
    assert "\x1b" not in page


def test_a_piped_page_has_no_colour_and_ends_with_the_verdict(helmguard: Helmguard) -> None:
    page = helmguard.run("demo").expect(3).out
    assert "\x1b" not in page
    assert page.splitlines()[-1] == "Refused: 1 blocker and 1 danger at or above the gate (danger). Exit 3."
    assert helmguard.run("demo").out == page


def test_quiet_is_the_verdict_alone(helmguard: Helmguard) -> None:
    assert (
        helmguard.run("demo", "-q").out
        == "Refused: 1 blocker and 1 danger at or above the gate (danger). Exit 3.\n"
    )


def test_quiet_leaves_a_document_for_programs_whole(helmguard: Helmguard) -> None:
    assert helmguard.run("demo", "-q", "-o", "json").json["exitCode"] == 3


@pytest.mark.parametrize(
    ("flags", "settings", "coloured"),
    [
        ([], {}, False),
        (["--color"], {}, True),
        (["--colour"], {}, True),
        ([], {"FORCE_COLOR": "1"}, True),
        ([], {"CLICOLOR_FORCE": "1"}, True),
        ([], {"CLICOLOR_FORCE": "0"}, False),
        (["--color"], {"NO_COLOR": "1"}, False),
        (["--color", "--no-color"], {}, False),
    ],
    ids=str,
)
def test_who_decides_about_colour(
    helmguard: Helmguard, flags: list[str], settings: dict[str, str], coloured: bool
) -> None:
    plain = "Refused: 1 blocker and 1 danger at or above the gate (danger). Exit 3.\n"
    page = helmguard.run("demo", "-q", *flags, settings=settings).out
    assert ("\x1b[" in page) is coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", page) == plain


@pytest.mark.parametrize("columns", [60, 80, 200])
def test_no_line_is_wider_than_the_terminal(helmguard: Helmguard, columns: int) -> None:
    page = helmguard.run("demo", settings={"COLUMNS": str(columns)}).out
    # A command to paste is broken only where a shell lets it; its longest word may be longer.
    assert [line for line in page.splitlines() if len(line) > columns] == []


def test_ascii_where_the_terminal_speaks_no_unicode(helmguard: Helmguard) -> None:
    page = helmguard.run("demo", settings={"PYTHONIOENCODING": "ascii"}).expect(3).out
    assert page.isascii()
    assert "driver.enabled" in page


def _on_a_terminal(helmguard: Helmguard, *words: str, settings: dict[str, str]) -> str:
    """What a run writes to a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "helmguard", *words],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env=helmguard.environment(settings),
        cwd=helmguard.home,
    )
    os.close(theirs)
    written = b""
    while select.select([ours], [], [], 30)[0]:
        try:
            part = os.read(ours, 65536)
        except OSError:
            # Linux tells the end of a terminal as an error.
            break
        if not part:
            break
        written += part
    os.close(ours)
    process.wait()
    return written.decode()


@pytest.mark.parametrize(
    ("settings", "coloured"),
    [({"TERM": "xterm"}, True), ({"TERM": "dumb"}, False), ({"TERM": "xterm", "NO_COLOR": "1"}, False)],
    ids=str,
)
def test_a_terminal_gets_colour(helmguard: Helmguard, settings: dict[str, str], coloured: bool) -> None:
    assert ("\x1b[" in _on_a_terminal(helmguard, "demo", "-q", settings=settings)) is coloured


def test_values_in_every_format(helmguard: Helmguard, helm3: Path) -> None:
    chart = CHECKOUT / "fixtures" / "charts" / "gpu-operator"
    words = ["values", "gpu", str(chart), "--no-cluster", "--set", "driver.enabled=false"]
    settings = {"HELM_BIN": str(helm3)}
    as_json = helmguard.run(*words, "-o", "json", settings=settings).expect(0).json
    assert set(as_json) >= {"effective", "config", "charts", "changes"}
    assert as_json["config"] == {"driver": {"enabled": False}}
    assert as_json["effective"]["driver"]["enabled"] is False
    assert yaml.load(helmguard.run(*words, "-o", "yaml", settings=settings).expect(0).out) == as_json
    page = helmguard.run(*words, settings=settings).expect(0).out
    assert re.search(r"driver\.enabled\s.*false.*--set", page)


def test_the_readme_shows_what_is_printed(helmguard: Helmguard) -> None:
    page = helmguard.run(
        "plan", "--bundle", CHECKOUT / "fixtures" / "seed", settings={"COLUMNS": "100"}
    ).expect(3)
    assert page.out in (CHECKOUT / "README.md").read_text(encoding="utf-8")
