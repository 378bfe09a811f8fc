"""A part of the tests runs as well as the whole: no folder leans on what another one has set up."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
FOLDERS = sorted(place.name for place in TESTS.iterdir() if any(place.glob("test_*.py")))
PROGRAMS = sorted(str(place.relative_to(TESTS)) for place in TESTS.glob("*/measure_*.py"))


def ended(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *map(str, words)], cwd=TESTS.parent, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_folder_of_tests_can_be_collected_alone(folder: str) -> None:
    done = ended("-m", "pytest", "--collect-only", "-p", "no:cacheprovider", TESTS / folder)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_beside_the_tests_starts(program: str) -> None:
    done = ended(TESTS / program, "--help")
    assert done.returncode == 0, done.stdout + done.stderr
