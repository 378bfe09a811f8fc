"""``helmguard drift``."""

from __future__ import annotations

import argparse

from helmguard.cli.flags_cluster import add_cluster_flags
from helmguard.cli.flags_gate import add_gate_flags
from helmguard.cli.flags_output import OutputOptions, add_output_flags, read_output_options
from helmguard.cli.parser import Parser
from helmguard.errors import UsageError

_EXAMPLES = """\
  helmguard drift web -n shop                      # one release, in full
  helmguard drift -n shop                          # every release of a namespace
  helmguard drift -A -o json                       # every release, for a cron job
  helmguard drift -A --filter '^web' -l team=shop  # as helm list's
  helmguard drift --bundle ./web-bundle            # without the cluster
  helmguard drift -A --config ops/helmguard.yaml   # with what is ignored and waived there

It reports and never corrects: nothing is written to the cluster.
exit codes: 0 no drift, 1 error, 2 drift or something not known, 3 the next upgrade will fail
(a conflict, a kind no longer served, a pending release), or a finding is at or above the gate (--fail-on);
130 interrupted"""


def build_parser() -> Parser:
    """The command's flags."""
    parser = Parser(
        "drift",
        "Show what the cluster has that a release does not say, and what the next upgrade would do about it.",
        _EXAMPLES,
        arguments="[RELEASE]",
    )
    parser.add_argument("release", nargs="?", default="", metavar="RELEASE", help="name of the release")
    parser.add_argument("-A", "--all-namespaces", action="store_true", help="the releases of all namespaces")
    parser.add_argument(
        "--filter", default="", metavar="REGEX", help="only releases whose name matches, as helm list's"
    )
    parser.add_argument(
        "-l",
        "--selector",
        default="",
        metavar="LABELS",
        help="only releases with these labels, as helm list's",
    )
    parser.add_argument(
        "--bundle",
        default="",
        metavar="DIR",
        help="compare inside a bundle (folder or .tar.gz), not the cluster",
    )
    parser.add_argument(
        "--server-side",
        default="",
        metavar="HOW",
        help="true, false or auto: how the next upgrade applies (Helm 4)",
    )
    parser.add_argument(
        "--force-conflicts", action="store_true", help="the next upgrade takes fields from others (Helm 4)"
    )
    add_gate_flags(parser)
    add_cluster_flags(parser)
    add_output_flags(parser, ("text", "json", "yaml", "markdown"))
    return parser


def run(options: argparse.Namespace) -> int:
    """Compare and print; returns the exit code."""
    output = read_output_options(options)
    if options.release or options.bundle:
        _refuse_list_flags(options)
        return _run_one(options, output)
    from helmguard.cli.drift_many import run_many

    return run_many(options, output)


def _run_one(options: argparse.Namespace, output: OutputOptions) -> int:
    from helmguard.cli.drift_request import read_drift_overrides, read_drift_request
    from helmguard.cli.progress import progress

    with progress(quiet=output.quiet) as report:
        if options.bundle:
            overrides = read_drift_overrides(options)
            from helmguard.planner.drift_offline import drift_from_bundle

            plan = drift_from_bundle(options.bundle, overrides, report)
        else:
            request = read_drift_request(options)
            from helmguard.planner.drift_online import drift_online

            plan = drift_online(request, report)
    from helmguard.cli.print_plan import print_plan

    return print_plan(plan, output)


def _refuse_list_flags(options: argparse.Namespace) -> None:
    what = f"release {options.release!r}" if options.release else "a bundle"
    for flag, given in (
        ("--all-namespaces", options.all_namespaces),
        ("--filter", options.filter),
        ("--selector", options.selector),
    ):
        if given:
            raise UsageError(
                f"{flag} chooses among releases, and {what} is named already",
                remedy=f"Leave {flag} out, or name no release.",
            )
