"""``helmguard check``."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

from helmguard.cli.flags_cluster import add_cluster_flags
from helmguard.cli.flags_gate import add_gate_flags
from helmguard.cli.flags_nodes import add_node_flags, read_node_facts
from helmguard.cli.flags_output import OutputOptions, add_output_flags, read_output_options
from helmguard.cli.parser import Parser
from helmguard.cli.plan_formats import PLAN_FORMATS

if TYPE_CHECKING:
    from helmguard.check.request import CheckRequest
    from helmguard.masking.masker import Masker
    from helmguard.model.chart_map import MappedChart
    from helmguard.model.check_report import CheckReport

_EXAMPLES = """\
  helmguard check                                      # the working tree against origin's branch
  helmguard check --base origin/main --head my-branch
  helmguard check --base ./before --head ./after       # two folders, no git
  helmguard check --base origin/main -o markdown=comment.md -o sarif=helmguard.sarif
  helmguard check --chart oci://registry.example.com/charts/app=../charts/app-{version}.tgz --offline
  helmguard check --live --kube-context staging        # compared with what the cluster holds
  helmguard check --helm-bin helm4 --base-helm-bin helm3

exit codes: 0 nothing changes, and everything was read; 1 error: no answer; 2 something changes or is not
known; 3 refused: a finding at or above the gate (--fail-on), or Helm will fail; 130 interrupted"""


def build_parser() -> Parser:
    """The command's flags."""
    parser = Parser(
        "check",
        "Show what merging a change does to each Helm release that a repository declares.",
        _EXAMPLES,
    )
    group = parser.add_argument_group("the change")
    group.add_argument(
        "--base",
        default="",
        metavar="REF|DIR",
        help="the side before: a git ref or a folder; by default the branch that CI names, else origin's",
    )
    group.add_argument(
        "--head", default="", metavar="REF|DIR", help="the side after; by default the working tree"
    )
    group.add_argument(
        "--no-merge-base",
        action="store_true",
        help="compare with the base as it is, not with the commit where the head left it",
    )
    group.add_argument(
        "--repository", default="", metavar="DIR", help="folder in the repository; by default this one"
    )
    group.add_argument(
        "--release",
        action="append",
        default=[],
        metavar="GLOB",
        help="only releases with this name, namespace/name or identity; repeatable",
    )
    group.add_argument(
        "--tool",
        action="append",
        default=[],
        choices=("flux", "argo", "kustomize", "helmfile", "chart", "config"),
        help="only releases that this brings to the cluster; repeatable",
    )
    group.add_argument(
        "--run-helmfile",
        action="store_true",
        help="let helmfile build its templated files: this runs what the files say, hooks included",
    )
    _add_chart_flags(parser)
    group = parser.add_argument_group("the live side")
    group.add_argument("--live", action="store_true", help="compare with the cluster's objects, too")
    group.add_argument("--bundle", default="", metavar="DIR", help="take a release's live side from a bundle")
    add_gate_flags(parser)
    add_node_flags(parser)
    add_cluster_flags(parser, "only releases that are installed in this namespace")
    parser.add_argument(
        "--jobs",
        "-j",
        type=_jobs,
        default=0,
        metavar="N",
        help="releases to work on at a time; by default one a core",
    )
    add_output_flags(parser, PLAN_FORMATS, several=True)
    return parser


def _add_chart_flags(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("charts and rendering")
    group.add_argument(
        "--chart",
        action="append",
        default=[],
        type=_mapped_chart,
        metavar="URL[:VERSION]=PATH",
        help="take a chart from this folder or archive, {chart} and {version} filled in; repeatable "
        "(of a repository: URL#CHART)",
    )
    group.add_argument(
        "--offline", action="store_true", help="fetch nothing: tree, chart map and cache hold the charts"
    )
    group.add_argument(
        "--cache",
        default="",
        metavar="DIR",
        help="keep fetched charts and renderings here between runs (renderings hold what values hold)",
    )
    group.add_argument(
        "--kube-version", default="", type=_kube_version, metavar="VERSION", help="the cluster's version"
    )
    group.add_argument(
        "--api-versions",
        "-a",
        action="append",
        default=[],
        metavar="VERSION",
        help="API version that the cluster serves beside Kubernetes' own; repeatable",
    )
    group.add_argument(
        "--base-helm-bin",
        default="",
        metavar="FILE",
        help="another helm for the base: its version may differ",
    )


def _jobs(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of releases")
    return int(text)


def _kube_version(text: str) -> str:
    if text and not re.fullmatch(r"v?\d+\.\d+(\.\d+)?([-+][0-9A-Za-z.+-]+)?", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"{text!r} is no version of Kubernetes (1.36 or v1.36.2)")
    return text


def _mapped_chart(text: str) -> MappedChart:
    """``oci://host/chart:1.2.3=path``, ``https://host/charts#name=path``."""
    from helmguard.model.chart_map import MappedChart

    address, equals, path = text.partition("=")
    if not equals or not path or "://" not in address:
        raise argparse.ArgumentTypeError(f"{text!r}: write it as URL[#CHART][:VERSION]=PATH")
    scheme, _, rest = address.partition("://")
    rest, _, chart = rest.partition("#")
    holder = chart or rest.rpartition("/")[2]
    version = holder.partition(":")[2] if "/" in rest or chart else ""
    if version:
        chart, rest = chart.removesuffix(f":{version}"), rest.removesuffix(f":{version}")
    return MappedChart(f"{scheme}://{rest}", chart, version, path, source="--chart")


def run(options: argparse.Namespace) -> int:
    """Check and print; returns the exit code."""
    from helmguard.cli.progress import progress

    output = read_output_options(options)
    request = read_check_request(options)
    with progress(quiet=output.quiet) as report:
        from helmguard.check.check import check_repository

        found = check_repository(request, report)
    return print_check(found, output)


def read_check_request(options: argparse.Namespace) -> CheckRequest:
    """What the flags ask for.

    Raises:
        ConfigError: the configuration cannot be used.
        UsageError: flags contradict each other.
    """
    from helmguard.check.request import CheckRequest
    from helmguard.cli.flags_gate import read_gate
    from helmguard.cli.request import read_kube_options

    return CheckRequest(
        start=Path(options.repository or "."),
        base=options.base,
        head=options.head,
        merge_base=not options.no_merge_base,
        charts=tuple(options.chart),
        offline=options.offline,
        cache=Path(options.cache) if options.cache else None,
        releases=tuple(options.release),
        namespace=options.namespace,
        tools=tuple(options.tool),
        kube_version=options.kube_version,
        api_versions=tuple(options.api_versions),
        helm_binary=options.helm_bin,
        base_helm_binary=options.base_helm_bin,
        run_helmfile=options.run_helmfile,
        live=options.live,
        bundle=options.bundle,
        kube=read_kube_options(options),
        jobs=options.jobs,
        debug=options.debug,
        gate=read_gate(options, Path(options.repository or ".")),
        nodes=read_node_facts(options),
    )


def print_check(report: CheckReport, output: OutputOptions) -> int:
    """Write the check, to stdout and to each file that is asked for, and return its exit code."""
    from helmguard.cli.outputs import write_outputs
    from helmguard.report.check_exit_code import check_exit_code
    from helmguard.report.check_masker import check_masker

    masker = check_masker(report, show=output.show_secrets)
    write_outputs(output, lambda name: _rendered(report, name, output, masker))
    return check_exit_code(report)


def _rendered(report: CheckReport, name: str, output: OutputOptions, masker: Masker) -> str:
    if name == "text":
        from helmguard.report.check_page import render_check

        return render_check(report, output.page(), masker, quiet=output.quiet)
    if name in ("json", "yaml"):
        from helmguard.cli.document_output import document_text
        from helmguard.report.check_json import check_to_dict

        return document_text(check_to_dict(report, masker=masker), name)
    if name == "markdown":
        from helmguard.report.check_markdown import check_markdown

        return check_markdown(report, masker)
    if name == "html":
        from helmguard.report.html.page import render_html

        return render_html(report, masker)
    from helmguard.cli.plan_formats import ci_text

    return ci_text(report, name, masker)
