"""``helmguard node check``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final

from helmguard.cli.flags_cluster import add_cluster_flags
from helmguard.cli.flags_gate import add_gate_flags
from helmguard.cli.flags_output import OutputOptions, add_output_flags, read_output_options
from helmguard.cli.parser import Parser

if TYPE_CHECKING:
    from helmguard.masking.masker import Masker
    from helmguard.model.cluster_facts import ClusterFacts
    from helmguard.model.node_report import NodeReport

FORMATS: Final = ("text", "json", "yaml", "markdown", "sarif", "junit", "annotations", "code-quality")

_EXAMPLES = """\
  helmguard node check                                 # the node that this runs on
  helmguard node check /host                           # in a pod that has the node's files there
  helmguard node check gpu-a.tar.gz gpu-b.tar.gz       # compares nodes
  helmguard node check facts --containerd 2.3.0        # before containerd is upgraded
  helmguard node check ./config.toml --containerd 2.1.4 -o json
  helmguard node check facts --live -o sarif=nodes.sarif
  helmguard node check --live                          # what the API server knows of the nodes

exit codes: 0 nothing was found, and all that was needed was known; 1 error: no answer; 2 findings below the
gate (--fail-on), or something not known; 3 refused: a finding at or above the gate; 130 interrupted"""


def build_parser() -> Parser:
    """The action's flags."""
    parser = Parser(
        "node check",
        "Show what containerd makes of its files on each node, where each setting comes from, what is\n"
        "silently ignored, and what is wrong.",
        _EXAMPLES,
        arguments="[PATH]...",
    )
    group = parser.add_argument_group("the nodes")
    group.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="archive of node collect, folder with archives, root of a node's files, config.toml, or - for "
        "facts as JSON lines; without any (and without --live) this node",
    )
    group.add_argument(
        "--containerd",
        default="",
        metavar="VERSION",
        help="also judge by this version of containerd: an upgrade that is planned",
    )
    group.add_argument(
        "--live",
        action="store_true",
        help="read the cluster, too: its nodes, RuntimeClasses, and pods that hang for want of a runtime",
    )
    add_gate_flags(parser)
    add_cluster_flags(parser, "read events of this namespace alone")
    add_output_flags(parser, FORMATS, several=True)
    return parser


def run(options: argparse.Namespace) -> int:
    """Check and print; returns the exit code."""
    from helmguard.cli.flags_gate import read_gate
    from helmguard.cli.progress import progress
    from helmguard.node.check_nodes import check_nodes
    from helmguard.node_facts.read_nodes import read_nodes

    output = read_output_options(options)
    gate = read_gate(options)
    paths = options.paths or ([] if options.live else ["/"])
    with progress(quiet=output.quiet) as report:
        report("reading the nodes' facts")
        nodes = read_nodes(paths)
        cluster = _cluster(options) if options.live else None
        found = check_nodes(nodes, planned=options.containerd, cluster=cluster, gate=gate)
    return print_nodes(found, output)


def _cluster(options: argparse.Namespace) -> ClusterFacts:
    from helmguard.cli.request import read_kube_options
    from helmguard.node.cluster_side import read_cluster_side

    return read_cluster_side(read_kube_options(options))


def print_nodes(report: NodeReport, output: OutputOptions) -> int:
    """Write the check, to stdout and to each file that is asked for, and return its exit code."""
    from helmguard.cli.outputs import write_outputs
    from helmguard.masking.masker import Masker
    from helmguard.report.node_exit_code import node_exit_code

    masker = Masker(show=output.show_secrets)
    write_outputs(output, lambda name: _rendered(report, name, output, masker))
    return node_exit_code(report)


def _rendered(report: NodeReport, name: str, output: OutputOptions, masker: Masker) -> str:
    if name == "text":
        from helmguard.report.node_page import render_nodes

        return render_nodes(report, output.page(), masker, quiet=output.quiet)
    if name in ("json", "yaml"):
        from helmguard.cli.document_output import document_text
        from helmguard.report.node_json import node_report_to_dict

        return document_text(node_report_to_dict(report, masker=masker), name)
    if name == "markdown":
        from helmguard.report.node_markdown import node_markdown

        return node_markdown(report, masker)
    from helmguard.report.node_ci import node_ci_text

    return node_ci_text(report, name, masker)
