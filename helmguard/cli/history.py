"""``helmguard history``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from helmguard.cli.document_output import document_text
from helmguard.cli.flags_cluster import add_cluster_flags
from helmguard.cli.flags_output import OutputOptions, add_output_flags, read_output_options
from helmguard.cli.parser import Parser
from helmguard.cli.standard_streams import write_stdout
from helmguard.errors import UsageError

if TYPE_CHECKING:
    from helmguard.masking.masker import Masker
    from helmguard.model.revision_changes import ReleaseHistory
    from helmguard.release_state.compare_online import CompareRequest

_EXAMPLES = """\
  helmguard history web -n shop              # each revision, and what changed from the one before
  helmguard history web -n shop --max 3      # the last three
  helmguard history web -n shop -o json      # with every changed value, object and field
  helmguard history web 1 3 -n shop          # revision 3 beside revision 1, field by field
  helmguard history web 1 -n shop            # the last revision beside revision 1
  helmguard history web 1 live -n shop       # what is in the cluster beside revision 1

It reads the stored records, and with 'live' the objects: nothing is written to the cluster.
exit codes: 0 done, 1 error, 130 interrupted; with revisions 0 no difference, 2 differences or something
not known; with 'live' those of helmguard drift"""


def build_parser() -> Parser:
    """The command's flags."""
    parser = Parser(
        "history",
        "Show a release's revisions, and what changed from each to the next: values, chart, objects.",
        _EXAMPLES,
        arguments="RELEASE [REVISION [REVISION|live]]",
    )
    parser.add_argument("release", metavar="RELEASE", help="name of the release")
    parser.add_argument(
        "revisions",
        nargs="*",
        default=[],
        metavar="REVISION",
        help="compare two revisions; the second is a number, 'live', or by default the last one",
    )
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
    if options.revisions:
        return _compare(options, output)
    with progress(quiet=output.quiet) as report:
        from helmguard.release_state.history_online import HistoryRequest, history_online

        request = HistoryRequest(read_release_request(options, judged=False), options.max)
        history = history_online(request, report)
    from helmguard.cli.release_masker import release_masker

    write_stdout(_rendered(history, output, release_masker(history, show=output.show_secrets)))
    return 0


def _compare(options: argparse.Namespace, output: OutputOptions) -> int:
    from helmguard.cli.print_plan import print_plan
    from helmguard.cli.progress import progress

    with progress(quiet=output.quiet) as report:
        request = read_compare_request(options)
        from helmguard.release_state.compare_online import compare_online

        plan = compare_online(request, report)
    return print_plan(plan, output)


def read_compare_request(options: argparse.Namespace) -> CompareRequest:
    """Which two sides of which release.

    Raises:
        UsageError: they are no revisions, or more than two.
    """
    from helmguard.cli.release_request import read_release_request
    from helmguard.release_state.compare_online import LIVE, CompareRequest

    first, *others = options.revisions
    if len(others) > 1:
        raise UsageError(f"two revisions can be compared, {len(others) + 1} are given")
    if options.max:
        raise UsageError("--max limits the list of revisions, and two to compare are named already")
    second = others[0] if others else "0"
    return CompareRequest(
        read_release_request(options, judged=False),
        before=_revision(first),
        after=LIVE if second == LIVE else _revision(second, least=0),
    )


def _revision(text: str, least: int = 1) -> int:
    if not text.isdecimal() or int(text) < least:
        raise UsageError(
            f"{text!r} is no number of a revision",
            remedy="Give a number that helmguard history shows; the second may be 'live'.",
        )
    return int(text)


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
