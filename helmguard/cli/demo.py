"""``helmguard demo``."""

from __future__ import annotations

import argparse

from helmguard.cli.flags_output import add_output_flags, read_output_options
from helmguard.cli.parser import Parser

_EXAMPLES = """\
  helmguard demo
  helmguard demo --mode reuse
  helmguard demo -o json"""


def build_parser() -> Parser:
    """The command's flags."""
    parser = Parser(
        "demo",
        "Plan the upgrade that turns a GPU driver back on, from data inside helmguard: no cluster, no helm.",
        _EXAMPLES,
    )
    parser.add_argument(
        "--mode",
        choices=("default", "reuse", "reset-then-reuse"),
        default="default",
        help="value mode: as typed in the story (default), --reuse-values, --reset-then-reuse-values",
    )
    parser.add_argument("--debug", action="store_true", help="show the stack trace of an error")
    add_output_flags(parser, ("text", "json", "yaml", "markdown"))
    return parser


def run(options: argparse.Namespace) -> int:
    """Plan and print; returns the exit code of the plan."""
    from helmguard.cli.print_plan import print_plan
    from helmguard.planner.demo import plan_demo

    return print_plan(plan_demo(options.mode), read_output_options(options))
