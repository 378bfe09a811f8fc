"""``helmguard verify``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from helmguard.cli.document_output import document_text
from helmguard.cli.durations import duration, seconds
from helmguard.cli.flags_cluster import add_cluster_flags
from helmguard.cli.flags_gate import add_gate_flags
from helmguard.cli.flags_output import OutputOptions, add_output_flags, read_output_options
from helmguard.cli.parser import Parser

if TYPE_CHECKING:
    from helmguard.masking.masker import Masker
    from helmguard.model.verification import Verification

_EXAMPLES = """\
  helmguard verify web -n shop                     # as it is now
  helmguard verify web -n shop --wait --timeout 10m
  helmguard verify gpu-operator -n gpu --test-pod  # may run a pod on each GPU node, and removes it
  helmguard verify web -n shop -o json             # helmguard.verification/v1 (docs/verification.md)

Nothing is written to the cluster but the pods of --test-pod.
exit codes: 0 all is well, 1 error, 4 an object differs, or a workload, hook or step is not done or failed;
130 interrupted"""


def build_parser() -> Parser:
    """The command's flags."""
    parser = Parser(
        "verify",
        "Compare a release with the cluster, and look at its workloads, hooks and the packs' steps.",
        _EXAMPLES,
        arguments="RELEASE",
    )
    parser.add_argument("release", metavar="RELEASE", help="name of the release")
    parser.add_argument(
        "--wait", action="store_true", help="wait for workloads and steps that are on their way"
    )
    parser.add_argument(
        "--timeout",
        type=duration,
        default="5m",
        metavar="DURATION",
        help="how long to wait, and how long test pods may take (default 5m)",
    )
    parser.add_argument(
        "--test-pod", action="store_true", help="let steps that have one run a pod; it is always removed"
    )
    parser.set_defaults(server_side="", force_conflicts=False)
    add_gate_flags(parser, judges=False)
    add_cluster_flags(parser)
    add_output_flags(parser, ("text", "json", "yaml", "markdown"))
    return parser


def run(options: argparse.Namespace) -> int:
    """Verify and print; returns the exit code."""
    from helmguard.cli.drift_request import read_drift_request
    from helmguard.cli.progress import progress

    output = read_output_options(options)
    request = read_drift_request(options)
    with progress(quiet=output.quiet) as report:
        from helmguard.verify.verify_release import verify_release

        verified = verify_release(
            request,
            wait=options.wait,
            timeout=seconds(options.timeout),
            test_pod=options.test_pod,
            progress=report,
        )
    from helmguard.cli.standard_streams import write_stdout
    from helmguard.masking.masker import Masker
    from helmguard.report.verification_json import verification_code

    masker = Masker.for_plan(verified.drift, show=output.show_secrets)
    verification = verified.verification
    write_stdout(_rendered(verification, output, masker))
    return verification_code(verification)


def _rendered(verification: Verification, output: OutputOptions, masker: Masker) -> str:
    if output.format == "text":
        from helmguard.report.verification_page import render_verification

        return render_verification(verification, output.page(), masker, quiet=output.quiet)
    if output.format == "markdown":
        from helmguard.report.verification_markdown import verification_markdown

        return verification_markdown(verification, masker)
    from helmguard.report.verification_json import verification_to_dict

    document = verification_to_dict(verification, masker)
    return document_text(document, output.format)
