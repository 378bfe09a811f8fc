"""``helmguard upgrade``."""

from __future__ import annotations

import argparse

from helmguard.cli.flags_cluster import add_cluster_flags
from helmguard.cli.flags_execute import THE_WAY, add_execute_flags, read_execute_options
from helmguard.cli.flags_gate import add_gate_flags
from helmguard.cli.flags_nodes import add_node_flags
from helmguard.cli.flags_output import add_output_flags, read_output_options
from helmguard.cli.flags_upgrade import add_upgrade_flags, is_dry_run
from helmguard.cli.flags_values import add_value_flags
from helmguard.cli.parser import Parser
from helmguard.cli.plan import add_render_way_flags, add_server_dry_run_flag

_EXAMPLES = """\
  helmguard upgrade web ./web -n shop -f prod.yaml
  helmguard upgrade web ./web -n shop --reuse-values --set image.tag=1.5 --wait --timeout 10m
  helmguard upgrade web oci://registry.example.com/charts/web --version 1.4.0 --install --yes -o json
  helmguard upgrade web ./web -n shop --accept delete-pvc='the data was moved' --audit-log audit.jsonl
  helmguard upgrade web ./web -n shop --dry-run   # as helmguard plan

"""


def build_parser() -> Parser:
    """The command's flags: helm upgrade's own, and about the way through the gate."""
    from helmguard.helm.flags import add_render_flags

    parser = Parser(
        "upgrade",
        "Plan an upgrade or install, pass the gate, let helm run it, and verify.",
        _EXAMPLES + THE_WAY,
        arguments="RELEASE CHART",
    )
    parser.add_argument("release", nargs="?", default="", metavar="RELEASE", help="name of the release")
    parser.add_argument(
        "chart", nargs="?", default="", metavar="CHART", help="folder, archive, repo/chart, oci://"
    )
    add_execute_flags(parser)
    add_gate_flags(parser)
    add_node_flags(parser)
    add_render_way_flags(parser)
    add_server_dry_run_flag(parser)
    add_value_flags(parser)
    add_render_flags(parser)
    add_upgrade_flags(parser, executes=True)
    add_cluster_flags(parser)
    add_output_flags(parser, ("text", "json", "yaml"))
    return parser


def run(options: argparse.Namespace) -> int:
    """Go the whole way; returns the exit code."""
    from helmguard.cli.request import read_plan_request

    output = read_output_options(options)
    execute = read_execute_options(options)
    request = read_plan_request(options, command="upgrade")
    from helmguard.cli.execute_plan import run_request
    from helmguard.planner.frozen_request import frozen_request

    with frozen_request(request) as frozen:
        return run_request(frozen, execute, output, dry_run=is_dry_run(options.left_out))
