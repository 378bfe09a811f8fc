"""``helmguard values``."""

from __future__ import annotations

import argparse
import sys

from helmguard.cli.document_output import document_text
from helmguard.cli.flags_cluster import add_cluster_flags
from helmguard.cli.flags_gate import add_gate_flags
from helmguard.cli.flags_output import add_output_flags, read_output_options
from helmguard.cli.flags_upgrade import add_upgrade_flags
from helmguard.cli.flags_values import add_value_flags
from helmguard.cli.parser import Parser
from helmguard.cli.plan import add_render_way_flags

_EXAMPLES = """\
  helmguard values web ./web -n shop -f prod.yaml
  helmguard values web ./web -n shop --reuse-values --set image.tag=1.28 -o json
  helmguard values web ./web --no-cluster --set replicas=3      # as an install, without a cluster

exit codes: 0 the values were computed, 1 error"""


def build_parser() -> Parser:
    """The command's flags."""
    from helmguard.helm.flags import add_render_flags

    parser = Parser(
        "values",
        "Show the effective values of an upgrade, where each comes from, and what changes.",
        _EXAMPLES,
        arguments="RELEASE CHART",
    )
    parser.add_argument("release", nargs="?", default="", metavar="RELEASE", help="name of the release")
    parser.add_argument(
        "chart", nargs="?", default="", metavar="CHART", help="folder, archive, repo/chart, oci://"
    )
    parser.add_argument("--no-cluster", action="store_true", help="read no cluster: values of an install")
    add_gate_flags(parser, judges=False)
    add_render_way_flags(parser, judges=False)
    add_value_flags(parser)
    add_render_flags(parser)
    add_upgrade_flags(parser)
    add_cluster_flags(parser)
    add_output_flags(parser, ("text", "json", "yaml"), changes=False)
    return parser


def run(options: argparse.Namespace) -> int:
    """Compute and print; 0, or 1 for an error."""
    from helmguard.cli.progress import progress
    from helmguard.cli.request import read_plan_request
    from helmguard.planner.values_online import effective_values
    from helmguard.report.values_report import masker_for_values, render_values, values_to_dict

    output = read_output_options(options)
    with progress(quiet=output.quiet) as report:
        request = read_plan_request(options, judged=False)
        values = effective_values(request, report, cluster=not options.no_cluster)
    masker = masker_for_values(values, show=output.show_secrets)
    if output.format == "text":
        sys.stdout.write(render_values(values, output.page(), masker))
        return 0
    document = values_to_dict(values, masker=masker)
    sys.stdout.write(document_text(document, output.format))
    return 0
