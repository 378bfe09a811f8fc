"""``helmguard bundle``."""

from __future__ import annotations

import argparse
import sys

from helmguard.cli.flags_cluster import add_cluster_flags
from helmguard.cli.flags_gate import add_gate_flags
from helmguard.cli.flags_nodes import add_node_flags
from helmguard.cli.flags_upgrade import add_upgrade_flags
from helmguard.cli.flags_values import add_value_flags
from helmguard.cli.parser import Parser
from helmguard.cli.plan import add_render_way_flags, revision_number

_EXAMPLES = """\
  helmguard bundle web ./web -n shop -f prod.yaml -o web-bundle
  helmguard bundle web ./web -n shop -o web-bundle.tar.gz
  helmguard bundle web -n shop --rollback 3 -o web-bundle
  helmguard plan --bundle web-bundle

exit codes: 0 the bundle was written, 1 error"""


def build_parser() -> Parser:
    """The command's flags."""
    from helmguard.helm.flags import add_render_flags

    parser = Parser(
        "bundle",
        "Write all that a plan reads into a folder, to plan where there is no cluster.",
        _EXAMPLES,
        arguments=("RELEASE CHART -o DIR [flags]", "RELEASE --rollback [REVISION] -o DIR [flags]"),
    )
    parser.add_argument("release", nargs="?", default="", metavar="RELEASE", help="name of the release")
    parser.add_argument(
        "chart", nargs="?", default="", metavar="CHART", help="folder, archive, repo/chart, oci://"
    )
    parser.add_argument(
        "--rollback",
        nargs="?",
        type=revision_number,
        const=0,
        default=None,
        metavar="REVISION",
        help="what the plan of a rollback reads, to the revision before if none is given",
    )
    parser.add_argument("-o", "--output", required=True, metavar="DIR", help="folder or .tar.gz to write")
    parser.add_argument("--show-secrets", action="store_true", help="write secrets in clear")
    parser.add_argument(
        "--without-facts",
        action="store_true",
        help="leave out the lists around the release (nodes, pods, classes, quotas) that rules may ask for",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="say nothing")
    add_gate_flags(parser, judges=False)
    add_node_flags(parser)
    add_render_way_flags(parser, judges=False)
    add_value_flags(parser)
    add_render_flags(parser)
    add_upgrade_flags(parser)
    add_cluster_flags(parser)
    return parser


def run(options: argparse.Namespace) -> int:
    """Read and write; 0, or 1 for an error."""
    from helmguard.cli.progress import progress
    from helmguard.cli.request import read_plan_request
    from helmguard.planner.bundle_write import write_bundle

    with progress(quiet=options.quiet) as report:
        written = write_bundle(
            read_plan_request(options, judged=False),
            options.output,
            show_secrets=options.show_secrets,
            facts=not options.without_facts,
            report=report,
        )
    if not options.quiet:
        masked = "in clear" if options.show_secrets else "masked"
        print(f"wrote {written.path}: {written.objects} objects, secrets {masked}", file=sys.stderr)
    return 0
