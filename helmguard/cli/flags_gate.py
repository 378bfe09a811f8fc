"""Flags about the verdict: from which severity on it refuses, and the file that says what is accepted."""

from __future__ import annotations

import argparse
from datetime import date
from pathlib import Path

from helmguard.config.gate import Gate
from helmguard.errors import UsageError
from helmguard.model.finding import FAIL_ON


def add_gate_flags(parser: argparse.ArgumentParser, *, judges: bool = True) -> None:
    """``--fail-on``, ``--fail-on-unknown``, ``--config``, ``--no-config``.

    ``judges``: the command has a verdict; others take the same words, so that a command line can be reused.
    """

    def said(text: str) -> str:
        return text if judges else argparse.SUPPRESS

    parser.add_argument(
        "--fail-on",
        choices=FAIL_ON,
        default=None,
        help=said("findings from this severity on give exit code 3; none: never; default danger"),
    )
    parser.add_argument(
        "--fail-on-unknown",
        action="store_true",
        help=said("exit code 3 also where something that decides could not be found out"),
    )
    parser.add_argument(
        "--config",
        default="",
        metavar="FILE",
        help=said("severities, ignores and waivers; default .helmguard.yaml here or in a folder above"),
    )
    parser.add_argument(
        "--no-config", action="store_true", help=said("look for no .helmguard.yaml: nothing is waived")
    )
    parser.add_argument(
        "--rules",
        action="append",
        default=[],
        metavar="DIR",
        help=said("judge also by the rules in this folder, and in .helmguard/rules; repeatable"),
    )


def read_gate(options: argparse.Namespace, start: Path | None = None) -> Gate:
    """The gate that the flags, and the file they name or that is found, ask for.

    ``start`` is where a file is looked for, and above; None for the working directory.

    Raises:
        UsageError: both a file and no file are asked for.
        ConfigError: the file cannot be used.
    """
    if options.config and options.no_config:
        raise UsageError("--config and --no-config exclude each other", remedy="Leave one of them out.")
    from helmguard.planner.config_file import find_config, read_gate_file

    file = Path(options.config) if options.config else None
    if file is None and not options.no_config:
        file = find_config(start)
    return read_gate_file(
        file,
        date.today(),
        fail_on=options.fail_on,
        fail_on_unknown=options.fail_on_unknown,
        rules=[Path(folder) for folder in options.rules],
    )
