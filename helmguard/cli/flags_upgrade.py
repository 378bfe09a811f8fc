"""Flags of ``helm upgrade`` without effect on a plan, accepted so that a command can be pasted."""

from __future__ import annotations

import argparse
import re

from helmguard.cli.parser import CollectWord, OptionalValue


def add_upgrade_flags(parser: argparse.ArgumentParser) -> None:
    """``--wait``, ``--timeout`` and so on; all land in ``other_words`` and in the printed commands.

    ``--dry-run`` and ``--hide-secret`` do not: whoever pastes what a plan prints means it.
    """
    group = parser.add_argument_group("accepted for the printed command, without effect on the plan")
    for name in ("--wait-for-jobs", "--hide-notes"):
        group.add_argument(name, action=CollectWord, dest="other_words", nargs=0, default=[])
    group.add_argument("--wait", action=OptionalValue, dest="other_words", default=[], metavar="HOW")
    for name, metavar, read in (("--timeout", "DURATION", _duration), ("--history-max", "N", _whole_number)):
        group.add_argument(
            name, action=CollectWord, dest="other_words", default=[], metavar=metavar, type=read
        )
    group.add_argument("--dry-run", action=OptionalValue, dest="left_out", default=[], metavar="HOW")
    group.add_argument("--hide-secret", action=CollectWord, dest="left_out", nargs=0, default=[])


def _duration(text: str) -> str:
    """A duration as Go writes it: ``5m``, ``1h30m``, ``1.5s``."""
    if not re.fullmatch(r"[+-]?(0|((\d+\.?\d*|\.\d+)(ns|us|µs|ms|s|m|h))+)", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no duration such as 5m or 90s")
    return text


def _whole_number(text: str) -> str:
    if not re.fullmatch(r"[+-]?\d+", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number")
    return text
