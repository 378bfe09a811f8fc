"""Flags of ``helm upgrade`` without effect on a plan: passed on to helm, or to the printed command."""

from __future__ import annotations

import argparse
import re

from helmguard.cli.durations import duration
from helmguard.cli.parser import CollectWord, OptionalValue


def add_upgrade_flags(
    parser: argparse.ArgumentParser, *, executes: bool = False, rollback: bool = False
) -> None:
    """``--wait``, ``--timeout`` and so on; all land in ``other_words`` and in the printed commands.

    ``--dry-run`` and ``--hide-secret`` do not: whoever pastes what a plan prints means it. ``executes``: the
    command lets helm run, and ``--dry-run`` keeps it from that. ``rollback``: those alone that
    ``helm rollback`` has, too.
    """
    group = parser.add_argument_group(
        "passed on to helm" if executes else "kept for helm's run, without effect here"
    )
    group.add_argument(
        "--wait",
        action=OptionalValue,
        dest="other_words",
        default=[],
        metavar="[=HOW]",
        help="helm waits until the objects are ready; =HOW is for Helm 4",
    )
    switches = [("--wait-for-jobs", "with --wait, until the jobs are complete, too")]
    switches += [] if rollback else [("--hide-notes", "do not show the chart's notes")]
    for name, text in switches:
        group.add_argument(name, action=CollectWord, dest="other_words", nargs=0, default=[], help=text)
    for name, metavar, read, text in (
        ("--timeout", "DURATION", duration, "how long helm waits for hooks and, with --wait, for objects"),
        ("--history-max", "N", _whole_number, "how many revisions helm keeps"),
    ):
        group.add_argument(
            name, action=CollectWord, dest="other_words", default=[], metavar=metavar, type=read, help=text
        )
    group.add_argument(
        "--dry-run",
        action=OptionalValue,
        dest="left_out",
        default=[],
        metavar="[=HOW]",
        help="plan and print, nothing else" if executes else "accepted: a plan changes nothing",
    )
    if not rollback:
        group.add_argument(
            "--hide-secret",
            action=CollectWord,
            dest="left_out",
            nargs=0,
            default=[],
            help="accepted: secrets are always masked",
        )


def is_dry_run(words: list[str]) -> bool:
    """Whether ``--dry-run`` is among the words, in any of helm's spellings, and not turned off."""
    given = [word for word in words if word.partition("=")[0] == "--dry-run"]
    return bool(given) and given[-1].partition("=")[2].lower() not in ("none", "false")


def _whole_number(text: str) -> str:
    if not re.fullmatch(r"[+-]?\d+", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number")
    return text
