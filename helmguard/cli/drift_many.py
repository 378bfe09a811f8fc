"""``helmguard drift`` of several releases: each is reduced to what is printed before the next is compared."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from helmguard.cli.document_output import document_text
from helmguard.cli.drift_request import read_releases_request
from helmguard.cli.flags_output import OutputOptions
from helmguard.cli.progress import progress
from helmguard.cli.standard_streams import write_stdout
from helmguard.masking.masker import Masker
from helmguard.model.plan import Plan
from helmguard.model.unread_release import UnreadRelease
from helmguard.report.drift_rows import DriftRow, exit_code_of_all, row_of

_Reduce: TypeAlias = Callable[[Plan], Any]
_Print: TypeAlias = Callable[[list[DriftRow], list[Any], list[UnreadRelease]], str]


def run_many(options: argparse.Namespace, output: OutputOptions) -> int:
    """Compare every release asked for, print, and give the exit code of all."""
    request = read_releases_request(options)
    from helmguard.planner.drift_many import drift_of_releases

    reduce, printed = _json(output) if output.format in ("json", "yaml") else _page(output)
    with progress(quiet=output.quiet) as report:
        rows, details, unread = _collect(drift_of_releases(request, report), reduce)
    write_stdout(printed(rows, details, unread))
    return exit_code_of_all(rows)


def _collect(
    found: Iterable[Plan | UnreadRelease], reduce: _Reduce
) -> tuple[list[DriftRow], list[Any], list[UnreadRelease]]:
    rows: list[DriftRow] = []
    details: list[Any] = []
    unread: list[UnreadRelease] = []
    for release in found:
        row = row_of(release)
        rows.append(row)
        if isinstance(release, UnreadRelease):
            unread.append(release)
            continue
        reduced = reduce(release)
        if reduced is not None:
            details.append(reduced)
    return rows, details, unread


def _json(output: OutputOptions) -> tuple[_Reduce, _Print]:
    from helmguard.report.drift_many_json import release_to_dict, releases_to_dict

    def printed(rows: list[DriftRow], details: list[Any], unread: list[UnreadRelease]) -> str:
        document = releases_to_dict(details, unread, rows)
        return document_text(document, output.format)

    return lambda plan: release_to_dict(plan, show_secrets=output.show_secrets), printed


def _page(output: OutputOptions) -> tuple[_Reduce, _Print]:
    from helmguard.report.drift_markdown import release_details, releases_markdown
    from helmguard.report.drift_overview import render_overview
    from helmguard.report.drift_page import drift_lines
    from helmguard.report.page import Pen

    page = output.page()

    def reduce(plan: Plan) -> Any:
        if output.quiet or row_of(plan).is_quiet:
            return None
        masker = Masker.for_plan(plan, show=output.show_secrets)
        if output.format == "markdown":
            return release_details(plan, masker)
        return list(drift_lines(plan, Pen(page, masker)))

    def printed(rows: list[DriftRow], details: list[Any], _: list[UnreadRelease]) -> str:
        if output.format == "markdown":
            return releases_markdown(rows, details)
        return render_overview(rows, details, page, quiet=output.quiet)

    return reduce, printed
