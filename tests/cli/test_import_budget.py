"""What a command may import: a start must not cost more than the command needs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from helmguard_program import Helmguard

HEAVY = frozenset(
    ["kubernetes", "pyhelm3", "pydantic", "textual", "deepdiff", "jsonschema", "rich", "urllib3", "yaml"]
)
_REPORT = """
import json, sys
from helmguard.cli.main import main
code = main(sys.argv[1:])
print(json.dumps({"code": code, "modules": sorted(sys.modules)}), file=sys.stderr)
"""


def imported(helmguard: Helmguard, *words: str) -> frozenset[str]:
    """The modules that a run imported (of pyhelm3, one module may be there without the package)."""
    done = subprocess.run(
        [sys.executable, "-c", _REPORT, *words],
        env=helmguard.environment(),
        cwd=helmguard.home,
        capture_output=True,
        text=True,
        check=False,
    )
    report = json.loads(done.stderr.splitlines()[-1])
    return frozenset(report["modules"])


@pytest.mark.parametrize(
    "words",
    [
        ["--version"],
        ["--help"],
        [],
        ["plna"],
        ["plan", "--help"],
        ["plan"],
        ["values", "--help"],
        ["drift", "--help"],
        ["check", "--help"],
        ["tui", "--help"],
        ["tui"],
    ],
    ids=lambda words: " ".join(words) or "nothing",
)
def test_commands_that_read_nothing_import_nothing_heavy(helmguard: Helmguard, words: list[str]) -> None:
    assert not imported(helmguard, *words) & HEAVY


def test_the_budget_is_measured_on_the_running_program(helmguard: Helmguard, seed_bundle: Path) -> None:
    found = imported(helmguard, "plan", "--bundle", str(seed_bundle))
    assert "yaml" in found
    assert not found & {"kubernetes", "pyhelm3", "pydantic", "textual", "deepdiff", "rich", "urllib3"}


def test_a_check_of_folders_needs_no_cluster_library(
    helmguard: Helmguard, tmp_path: Path, helm4: Path
) -> None:
    words = ["check", "--base", str(tmp_path), "--head", str(tmp_path), "--helm-bin", str(helm4)]
    assert not imported(helmguard, *words) & {
        "kubernetes",
        "pyhelm3",
        "pydantic",
        "textual",
        "rich",
        "urllib3",
    }


def test_a_page_that_is_piped_needs_no_terminal_library(helmguard: Helmguard) -> None:
    assert not imported(helmguard, "demo") & {"rich", "textual", "deepdiff", "jsonschema"}


def test_importing_the_package_costs_nothing(helmguard: Helmguard) -> None:
    code = "import helmguard, sys, json; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], env=helmguard.environment(), capture_output=True, text=True, check=True
    )
    assert not {name.partition(".")[0] for name in json.loads(done.stdout)} & (HEAVY | {"argparse"})


@pytest.mark.parametrize("words", [["plan", "--help"], ["demo"], ["tui", "--help"]], ids=" ".join)
def test_no_command_but_its_own_reads_the_terminal_interface(helmguard: Helmguard, words: list[str]) -> None:
    assert not {name for name in imported(helmguard, *words) if name.startswith("helmguard.tui")}
