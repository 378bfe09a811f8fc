"""``helmguard history``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from helmguard.cli.document_output import document_text
from helmguard.cli.flags_cluster import add_cluster_flags
from helmguard.cli.flags_output import OutputOptions, add_output_flags, read_output_options
from helmguard.cli.parser import Parser
from helmguard.cli.standard_streams import write_stdout

if TYPE_CHECKING:
    from helmguard.masking.masker import Masker
    from helmguard.model.revision_changes import ReleaseHistory

_EXAMPLES = """\
  helmguard history web -n shop              # each revision, and what changed from the one before
  helmguard history web -n shop --max 3      # the last three
  helmguard history web -n shop -o json      # with every changed value, object and field

It reads the stored records alone: nothing is written to the cluster.
exit codes: 0 done, 1 error, 130 interrupted"""


def build_parser() -> Parser:
    """The command's flags."""
    parser = Parser(
        "history",
        "Show a release's revisions, and what changed from each to the next: values, chart, objects.",
        _EXAMPLES,
        arguments="RELEASE",
    )
    parser.add_argument("release", metavar="RELEASE", help="name of the release")
    parser.add_argument(
        "--max", type=_count, default=0, metavar="N", help="show the last N revisions; default all"
    )
    add_cluster_flags(parser)
    add_output_flags(parser, ("text", "json", "yaml", "markdown"))
    return parser


def run(options: argparse.Namespace) -> int:
    """Read and print; returns the exit code."""
    from helmguard.cli.progress import progress
    from helmguard.cli.release_request import read_release_request

    output = read_output_options(options)
    with progress(quiet=output.quiet) as report:
        from helmguard.release_state.history_online import HistoryRequest, history_online

        request = HistoryRequest(read_release_request(options, judged=False), options.max)
        history = history_online(request, report)
    from helmguard.cli.release_masker import release_masker

    write_stdout(_rendered(history, output, release_masker(history, show=output.show_secrets)))
    return 0


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no number of revisions")
    return int(text)


def _rendered(history: ReleaseHistory, output: OutputOptions, masker: Masker) -> str:
    if output.format == "text":
        from helmguard.report.history_page import render_history

        return render_history(history, output.page(), masker)
    if output.format == "markdown":
        from helmguard.report.history_markdown import history_markdown

        return history_markdown(history, masker)
    from helmguard.report.history_json import history_to_dict

    document = history_to_dict(history, masker)
    return document_text(document, output.format)
