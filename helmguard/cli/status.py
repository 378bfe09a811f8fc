"""``helmguard status``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from helmguard.cli.document_output import document_text
from helmguard.cli.flags_cluster import add_cluster_flags
from helmguard.cli.flags_gate import add_gate_flags
from helmguard.cli.flags_output import OutputOptions, add_output_flags, read_output_options
from helmguard.cli.parser import Parser
from helmguard.cli.standard_streams import write_stdout

if TYPE_CHECKING:
    from helmguard.masking.masker import Masker
    from helmguard.model.release_state import ReleaseState

_EXAMPLES = """\
  helmguard status web -n shop                 # what state it is in, and the safe way out
  helmguard status web -n shop -q              # the verdict alone
  helmguard status web -n shop -o json         # docs/status-and-history.md
  helmguard status web -n shop --no-dry-run    # ways out planned without asking the API server

It reads, and asks the API server with dry runs: nothing is written to the cluster.
exit codes: 0 deployed and whole; 1 error; 2 something to know (the last revision failed, drift, objects
left over, a record in trouble, uninstalled with its history); 3 it needs a way out (pending, no deployed
revision, an unfinished uninstall, a last record that cannot be read); 130 interrupted"""


def build_parser() -> Parser:
    """The command's flags."""
    parser = Parser(
        "status",
        "Explain the state of a release, and print the safe way out of it, checked by a dry run.",
        _EXAMPLES,
        arguments="RELEASE",
    )
    parser.add_argument("release", metavar="RELEASE", help="name of the release")
    parser.add_argument(
        "--no-dry-run", action="store_true", help="do not ask the API server about the ways out"
    )
    add_gate_flags(parser)
    add_cluster_flags(parser)
    add_output_flags(parser, ("text", "json", "yaml", "markdown"))
    return parser


def run(options: argparse.Namespace) -> int:
    """Read, print; returns the exit code."""
    from helmguard.cli.progress import progress
    from helmguard.cli.release_request import read_release_request

    output = read_output_options(options)
    request = read_release_request(options)
    with progress(quiet=output.quiet) as report:
        from helmguard.release_state.status_online import StatusRequest, status_online

        asked = StatusRequest(request, "never" if options.no_dry_run else "auto")
        state = status_online(asked, report)
    from helmguard.cli.release_masker import release_masker

    write_stdout(_rendered(state, output, release_masker(state, show=output.show_secrets)))
    return state.exit_code


def _rendered(state: ReleaseState, output: OutputOptions, masker: Masker) -> str:
    if output.format == "text":
        from helmguard.report.status_page import render_status

        return render_status(state, output.page(), masker, quiet=output.quiet)
    if output.format == "markdown":
        from helmguard.report.status_markdown import status_markdown

        return status_markdown(state, masker)
    from helmguard.report.status_json import status_to_dict

    document = status_to_dict(state, masker)
    return document_text(document, output.format)
