"""``helmguard apply``."""

from __future__ import annotations

import argparse

from helmguard.cli.flags_cluster import add_cluster_flags
from helmguard.cli.flags_execute import add_execute_flags, read_execute_options
from helmguard.cli.flags_output import add_output_flags, read_output_options
from helmguard.cli.flags_saved_plan import add_open_flags, read_open_keys
from helmguard.cli.flags_values import add_value_flags
from helmguard.cli.parser import Parser
from helmguard.errors import UsageError

_EXAMPLES = """\
  helmguard plan web ./web -n shop -f prod.yaml --out web.hgplan
  helmguard show web.hgplan
  helmguard apply web.hgplan
  helmguard apply web.hgplan --yes --audit-log audit.jsonl -o json
  helmguard apply web.hgplan -f prod.yaml         # where secrets were left out of the file
  helmguard apply web.hgplan --identity key.txt   # where it is sealed

The plan is made again from what the file holds. Where it comes out otherwise (the release, the cluster, helm
or the rules have changed in a way that matters) it is stale: what differs is shown, and nothing is done.
exit codes: 0 done and as planned; 1 error, not confirmed, or helm failed; 3 stale or refused, nothing was
changed; 4 done, but something is not as planned or does not become ready; 130, 143 interrupted"""


def build_parser() -> Parser:
    """The command's flags."""
    from helmguard.helm.flags import FETCHING_FLAGS, add_render_flags

    parser = Parser(
        "apply",
        "Execute a saved plan, if it still holds, and verify.",
        _EXAMPLES,
        arguments="PLANFILE [CHART]",
    )
    parser.add_argument("file", nargs="?", default="", metavar="PLANFILE", help="what plan --out wrote")
    parser.add_argument(
        "chart",
        nargs="?",
        default="",
        metavar="CHART",
        help="the chart, where the file lacks it because it holds secrets",
    )
    add_execute_flags(parser)
    add_open_flags(parser, "for what is sealed")
    parser.add_argument(
        "--rules",
        action="append",
        default=[],
        metavar="DIR",
        help="judge also by the rules in this folder, as the plan was; repeatable",
    )
    add_value_flags(parser)
    add_render_flags(parser, only=FETCHING_FLAGS, heading="to fetch the chart again")
    add_cluster_flags(parser)
    add_output_flags(parser, ("text", "json", "yaml"))
    return parser


def run(options: argparse.Namespace) -> int:
    """Plan again, compare, and go the whole way; returns the exit code."""
    if not options.file:
        raise UsageError("the plan's file is missing", remedy="Usage: helmguard apply PLANFILE [flags]")
    output = read_output_options(options)
    execute = read_execute_options(options)
    from helmguard.saved_plan.read import read_saved_plan

    saved = read_saved_plan(options.file, read_open_keys(options))
    from helmguard.saved_plan.request import refuse_other_namespace, request_of

    refuse_other_namespace(saved, options.namespace)
    from helmguard.cli.execute_plan import run_request
    from helmguard.cli.flags_gate import read_gate
    from helmguard.cli.request import read_kube_options
    from helmguard.helm.flags import render_options
    from helmguard.saved_plan.staleness import what_differs

    options.config, options.no_config, options.fail_on, options.fail_on_unknown = "", True, None, False
    again = render_options(options, release="", chart=options.chart)
    with request_of(
        saved,
        read_kube_options(options),
        gate=read_gate(options),
        helm_binary=options.helm_bin,
        again=again,
    ) as request:
        return run_request(request, execute, output, check=lambda plan: what_differs(saved, plan))
