"""``helmguard rollback``."""

from __future__ import annotations

import argparse

from helmguard.cli.flags_cluster import add_cluster_flags
from helmguard.cli.flags_execute import THE_WAY, add_execute_flags, read_execute_options
from helmguard.cli.flags_gate import add_gate_flags
from helmguard.cli.flags_nodes import add_node_flags
from helmguard.cli.flags_output import add_output_flags, read_output_options
from helmguard.cli.flags_upgrade import add_upgrade_flags, is_dry_run
from helmguard.cli.parser import Parser
from helmguard.cli.plan import add_server_dry_run_flag, revision_number

_EXAMPLES = """\
  helmguard rollback web -n shop                  # to the revision before
  helmguard rollback web 3 -n shop --wait
  helmguard rollback web 3 -n shop --yes --audit-log audit.jsonl
  helmguard rollback web -n shop --dry-run        # as helmguard plan --rollback

"""


def build_parser() -> Parser:
    """The command's flags: helm rollback's own, and about the way through the gate."""
    from helmguard.helm.flags import ROLLBACK_FLAGS, add_render_flags

    parser = Parser(
        "rollback",
        "Plan a rollback, pass the gate, let helm run it, and verify.",
        _EXAMPLES + THE_WAY,
        arguments="RELEASE [REVISION]",
    )
    parser.add_argument("release", nargs="?", default="", metavar="RELEASE", help="name of the release")
    parser.add_argument(
        "rollback",
        nargs="?",
        type=revision_number,
        default=0,
        metavar="REVISION",
        help="revision to bring back, the one before the last if none is given",
    )
    add_execute_flags(parser)
    add_gate_flags(parser)
    add_node_flags(parser)
    add_server_dry_run_flag(parser)
    add_render_flags(parser, only=ROLLBACK_FLAGS, heading="as helm rollback's")
    add_upgrade_flags(parser, executes=True, rollback=True)
    add_cluster_flags(parser)
    add_output_flags(parser, ("text", "json", "yaml"))
    return parser


def run(options: argparse.Namespace) -> int:
    """Go the whole way; returns the exit code."""
    from helmguard.cli.request import read_plan_request

    output = read_output_options(options)
    execute = read_execute_options(options)
    options.chart, options.value_words, options.render = "", [], "auto"
    request = read_plan_request(options, command="rollback")
    from helmguard.cli.execute_plan import run_request

    return run_request(request, execute, output, dry_run=is_dry_run(options.left_out))
