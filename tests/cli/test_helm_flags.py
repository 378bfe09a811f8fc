"""The flags of ``upgrade`` and ``rollback`` beside those that the real Helms have."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from helmguard.cli import rollback, upgrade
from helmguard.cli.parser import Parser

COMMANDS = {"upgrade": upgrade.build_parser, "rollback": rollback.build_parser}

GIVEN_TO_HELM = ("passed on to helm", "as helm rollback's")
"""Headings of flags that end up in helm's command as they were typed."""

DEPRECATED = {"--recreate-pods", "--create-crds"}


def flags_of_helm(helm: Path, command: str) -> set[str]:
    page = subprocess.run([helm, command, "--help"], capture_output=True, text=True, check=True).stdout
    own, _, _ = page.partition("Global Flags:")
    return set(re.findall(r"^ +(?:-\w, )?(--[\w-]+)", own, re.MULTILINE))


def flags_under(parser: Parser, heading: str) -> set[str]:
    found = set()
    for group in parser._action_groups:
        if group.title == heading:
            for action in group._group_actions:
                found.update(word for word in action.option_strings if word.startswith("--"))
    return found


@pytest.mark.parametrize("command", COMMANDS)
def test_each_flag_of_helm_is_there(command: str, helm_binary: Path) -> None:
    known = {word for action in COMMANDS[command]()._actions for word in action.option_strings}
    assert flags_of_helm(helm_binary, command) - known - DEPRECATED == set()


@pytest.mark.parametrize("command", COMMANDS)
def test_no_flag_is_passed_on_that_no_helm_knows(command: str, helm3: Path, helm4: Path) -> None:
    known = flags_of_helm(helm3, command) | flags_of_helm(helm4, command)
    parser = COMMANDS[command]()
    for heading in GIVEN_TO_HELM:
        assert flags_under(parser, heading) - known == set(), heading


@pytest.mark.parametrize("command", COMMANDS)
def test_every_flag_says_what_it_does(command: str) -> None:
    assert [action.option_strings for action in COMMANDS[command]()._actions if not action.help] == []
