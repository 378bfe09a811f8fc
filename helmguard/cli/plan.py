"""``helmguard plan``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from helmguard.cli.flags_cluster import add_cluster_flags
from helmguard.cli.flags_gate import add_gate_flags
from helmguard.cli.flags_nodes import add_node_flags
from helmguard.cli.flags_output import add_output_flags, read_output_options
from helmguard.cli.flags_saved_plan import add_save_flags, read_sealing
from helmguard.cli.flags_upgrade import add_upgrade_flags
from helmguard.cli.flags_values import add_value_flags
from helmguard.cli.parser import Parser
from helmguard.cli.plan_formats import PLAN_FORMATS

if TYPE_CHECKING:
    from helmguard.planner.request import PlanRequest
    from helmguard.planner.session import Report
    from helmguard.saved_plan.sealing import Sealing
    from helmguard.saved_plan.write import WrittenPlan

_EXAMPLES = """\
  helmguard plan web ./web -n shop -f prod.yaml
  helmguard plan gpu-operator ./gpu-operator -n gpu-operator --set toolkit.enabled=true
  helmguard plan web oci://registry.example.com/charts/web --version 1.4.0 --reuse-values -o json
  helmguard plan web -n shop --rollback          # to the revision before
  helmguard plan web -n shop --rollback 3
  helmguard plan --bundle ./web-bundle           # without the cluster
  helmguard plan web ./web -n shop -f prod.yaml --out web.hgplan   # then: show, apply
  helmguard plan web ./web -n shop --fail-on blocker --config ci/helmguard.yaml
  helmguard plan gpu-operator ./gpu-operator -n gpu-operator --reuse-values --node-facts ./nodes
  helmguard plan web ./web -n shop -o html=plan.html -o json=plan.json   # and the page on the terminal

exit codes: 0 all was read, and nothing will happen; 1 error: no plan; 2 something changes or is not known;
3 refused: a finding at or above the gate (--fail-on), or Helm will fail; 130 interrupted"""


def build_parser() -> Parser:
    """The command's flags: helm upgrade's own, and how to show the result."""
    from helmguard.helm.flags import add_render_flags

    parser = Parser(
        "plan",
        "Show what an upgrade, install or rollback will do.",
        _EXAMPLES,
        arguments=("RELEASE CHART [flags]", "RELEASE --rollback [REVISION] [flags]", "--bundle DIR [flags]"),
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
        help="plan a rollback, to the revision before if none is given",
    )
    parser.add_argument(
        "--bundle",
        default="",
        metavar="DIR",
        help="plan from a bundle (folder or .tar.gz), not the cluster",
    )
    add_gate_flags(parser)
    add_node_flags(parser)
    add_render_way_flags(parser)
    add_server_dry_run_flag(parser)
    add_value_flags(parser)
    add_render_flags(parser)
    add_upgrade_flags(parser)
    add_cluster_flags(parser)
    add_save_flags(parser)
    add_output_flags(parser, PLAN_FORMATS, several=True)
    parser.add_argument(
        "--show-context",
        action="store_true",
        help="print what the rules look at instead of the plan, as JSON (docs/rule-context.md)",
    )
    return parser


def add_render_way_flags(parser: argparse.ArgumentParser, *, judges: bool = True) -> None:
    """Flags about the way of rendering, and one that helm-diff's users type."""
    parser.add_argument(
        "--detailed-exitcode",
        action="store_true",
        help="accepted: the exit code is always detailed" if judges else argparse.SUPPRESS,
    )
    parser.add_argument(
        "--render",
        choices=("auto", "dry-run", "template"),
        default="auto",
        help="how to render; auto (default) takes helm template only where it gives what Helm will use",
    )


def add_server_dry_run_flag(parser: argparse.ArgumentParser) -> None:
    """``--server-dry-run``."""
    parser.add_argument(
        "--server-dry-run",
        choices=("auto", "always", "never"),
        default=None,
        help="ask the API server about Helm's writes, changing nothing: auto (default) as far as your rights "
        "go, always to be told what it did not confirm",
    )


def run(options: argparse.Namespace) -> int:
    """Plan and print; returns the exit code. Wrong flags are told before anything large is imported."""
    from helmguard.cli.progress import progress

    output = read_output_options(options)
    sealing = read_sealing(options)
    written = None
    with progress(quiet=output.quiet) as report:
        if options.bundle:
            if options.out:
                from helmguard.saved_plan.write import refuse_bundle

                refuse_bundle()
            from helmguard.cli.request import read_bundle_overrides

            overrides = read_bundle_overrides(options)
            from helmguard.planner.offline import plan_from_bundle

            plan = plan_from_bundle(options.bundle, overrides, report)
        else:
            from helmguard.cli.request import read_plan_request

            request = read_plan_request(options)
            if options.out:
                written = _save(request, options.out, sealing, report)
                plan = written.plan
            else:
                from helmguard.planner.online import plan_online

                plan = plan_online(request, report)
    from helmguard.cli.print_plan import print_plan

    code = print_plan(plan, output)
    if written is not None and not output.quiet:
        _tell_saved(written)
    return code


def _save(request: PlanRequest, path: str, sealing: Sealing | None, report: Report) -> WrittenPlan:
    """Plan from a chart and files that are read once, and put them into the file with the plan."""
    from helmguard.planner.frozen_request import frozen_request
    from helmguard.planner.online import plan_online
    from helmguard.saved_plan.archive import refuse_other_file
    from helmguard.saved_plan.write import write_saved_plan

    refuse_other_file(Path(path))
    report("reading the chart and the values files")
    with frozen_request(request) as frozen:
        plan = plan_online(frozen, report)
        report("saving the plan")
        return write_saved_plan(plan, frozen, path, sealing=sealing)


def _tell_saved(written: WrittenPlan) -> None:
    from helmguard.report.saved_plan import about_texts

    _, _, *needs = about_texts(written.header)
    print("\n".join([f"Saved to {written.path}.", *needs]), file=sys.stderr)


def revision_number(text: str) -> int:
    """A revision as typed; 0 is the one before the last, as for helm."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a revision number")
    return int(text)
