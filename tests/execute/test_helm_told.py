"""What helm's answer tells, whatever a program around it says besides."""

from __future__ import annotations

import json

import pytest

from helmguard.execute.helm_run import told

RECORD = json.dumps({"name": "web", "info": {"notes": "{\n}\n"}, "version": 7})


@pytest.mark.parametrize(
    "around",
    [
        "{}\n",
        "wrapper 1.0\n{}\n",
        "using {{context: prod}}\n{}\ndone {{}}\n",
        '{{"wrapper": 1}}\n{}\n',
        "{{not JSON\n{}\n",
        "WARNING: old\n\n{}",
    ],
)
def test_revision_and_notes(around: str) -> None:
    assert told(around.format(RECORD).encode()) == (7, "{\n}\n")


@pytest.mark.parametrize("text", ["", "Rollback was a success! Happy Helming!\n", "{\n", "[1]\n", "\xff"])
def test_nothing_is_made_up(text: str) -> None:
    assert told(text.encode("latin-1")) == (None, "")
