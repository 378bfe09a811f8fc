"""Flags of ``helm upgrade`` without effect on a plan, accepted so that a command can be pasted."""

from __future__ import annotations

import argparse

from helmguard.cli.parser import CollectWord, OptionalValue


def add_upgrade_flags(parser: argparse.ArgumentParser) -> None:
    """``--wait``, ``--timeout`` and so on; all land in ``other_words`` and in the printed commands.

    ``--dry-run`` and ``--hide-secret`` do not: whoever pastes what a plan prints means it.
    """
    group = parser.add_argument_group("accepted for the printed command, without effect on the plan")
    for name in ("--wait-for-jobs", "--hide-notes"):
        group.add_argument(name, action=CollectWord, dest="other_words", nargs=0, default=[])
    group.add_argument("--wait", action=OptionalValue, dest="other_words", default=[], metavar="HOW")
    for name, metavar in (("--timeout", "DURATION"), ("--history-max", "N")):
        group.add_argument(name, action=CollectWord, dest="other_words", default=[], metavar=metavar)
    group.add_argument("--dry-run", action=OptionalValue, dest="left_out", default=[], metavar="HOW")
    group.add_argument("--hide-secret", action=CollectWord, dest="left_out", nargs=0, default=[])
