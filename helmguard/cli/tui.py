"""``helmguard tui``."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from helmguard.cli.durations import duration, seconds
from helmguard.cli.flags_cluster import add_cluster_flags
from helmguard.cli.flags_gate import add_gate_flags
from helmguard.cli.flags_nodes import add_node_flags
from helmguard.cli.flags_saved_plan import add_open_flags
from helmguard.cli.parser import Parser
from helmguard.errors import HelmguardError, UsageError

if TYPE_CHECKING:
    from helmguard.tui.options import TuiOptions
    from helmguard.tui.sources.source import Source

_EXAMPLES = """\
  helmguard tui                              # every release you may see
  helmguard tui web -n shop                  # the revisions of one
  helmguard tui web -n shop --allow-changes  # approve and run upgrades and rollbacks, too
  helmguard tui --plan web.hgplan            # review a saved plan
  helmguard tui --bundle ./web-bundle        # without the cluster
  helmguard tui --demo                       # without cluster and helm

Without --allow-changes nothing can be changed. ? shows the keys of each screen.
exit codes: 0 left; 1 error; after a run as helmguard upgrade: 1 helm failed, 4 not as planned"""


def build_parser() -> Parser:
    """The command's flags."""
    parser = Parser(
        "tui",
        "Review releases, revisions and plans in the terminal; approve and run them with --allow-changes.",
        _EXAMPLES,
        arguments=("[RELEASE]", "--plan FILE", "--bundle DIR", "--demo"),
    )
    parser.add_argument("release", nargs="?", default="", metavar="RELEASE", help="open this release")
    parser.add_argument("--plan", default="", metavar="FILE", help="review what plan --out wrote")
    parser.add_argument("--bundle", default="", metavar="DIR", help="show a bundle (folder or .tar.gz)")
    parser.add_argument("--demo", action="store_true", help="show the story that helmguard ships")
    parser.add_argument(
        "--allow-changes", action="store_true", help="let helm run what you approve; else review only"
    )
    parser.add_argument("--audit-log", default="", metavar="FILE", help="append what was decided and done")
    parser.add_argument(
        "--verify-timeout",
        type=duration,
        default="5m",
        metavar="DURATION",
        help="how long to wait for rollouts after a run (default 5m)",
    )
    parser.add_argument("--test-pod", action="store_true", help="verification may run a pod")
    add_open_flags(parser, "for what is sealed")
    add_gate_flags(parser)
    add_node_flags(parser)
    add_cluster_flags(parser)
    group = parser.add_argument_group("output")
    group.add_argument("--theme", default="", metavar="NAME", help="colours: see the command palette")
    group.add_argument("--no-color", "--no-colour", action="store_true", dest="no_color", help="no colour")
    group.add_argument("--ascii", action="store_true", help="draw with ASCII alone")
    group.add_argument("--show-secrets", action="store_true", help="x may reveal secrets")
    return parser


def run(options: argparse.Namespace) -> int:
    """Show the interface until it is left; returns the exit code."""
    _refuse_together(options)
    # It is drawn on standard error, and what is said at the end belongs on a terminal, too.
    # textual-serve shows the interface in a browser, through pipes, and says so by this variable.
    is_served = bool(os.environ.get("TEXTUAL_DRIVER"))
    streams = {"input": sys.stdin, "output": sys.stdout, "error": sys.stderr}
    elsewhere = [name for name, stream in streams.items() if not stream.isatty()]
    if elsewhere and not is_served:
        raise HelmguardError(
            f"the terminal interface needs a terminal, and standard {' and '.join(elsewhere)} "
            f"{'is' if len(elsewhere) == 1 else 'are'} none",
            remedy="Use helmguard plan, history or status, which print; -o json is for programs.",
        )
    if os.environ.get("TERM") == "dumb" and not is_served:
        raise HelmguardError(
            "the terminal interface needs a terminal that can place its cursor, and TERM is dumb",
            remedy="Start it in another terminal, or use helmguard plan, history or status, which print.",
        )
    source, tui = source_of(options), read_tui_options(options)
    if options.no_color:
        os.environ["NO_COLOR"] = "1"
    from helmguard.tui.app import HelmguardApp

    return HelmguardApp(source, tui).run_to_end()


def _refuse_together(options: argparse.Namespace) -> None:
    given = [name for name in ("plan", "bundle", "demo") if getattr(options, name)]
    if options.release and given:
        raise UsageError(f"RELEASE and --{given[0]} exclude each other", remedy="Leave one of them out.")
    if len(given) > 1:
        raise UsageError(f"--{given[0]} and --{given[1]} exclude each other", remedy="Leave one of them out.")


def read_tui_options(options: argparse.Namespace) -> TuiOptions:
    """What the flags say."""
    from helmguard.cli.flags_output import speaks_unicode
    from helmguard.tui.options import TuiOptions

    return TuiOptions(
        release=options.release,
        namespace=options.namespace,
        all_namespaces=not options.namespace,
        allow_changes=options.allow_changes,
        show_secrets=options.show_secrets,
        unicode=not options.ascii and speaks_unicode(),
        theme=options.theme,
        common_words=tuple(common_words(options)),
        audit_log=options.audit_log,
        verify_seconds=seconds(options.verify_timeout),
        test_pod=options.test_pod,
    )


def common_words(options: argparse.Namespace) -> list[str]:
    """The flags about cluster, helm and gate that were given: every plan made in the interface has them."""
    parser = Parser("tui", "", "")
    add_gate_flags(parser)
    add_node_flags(parser)
    add_cluster_flags(parser)
    words: list[str] = []
    for action in parser.flags():
        value = getattr(options, action.dest, action.default)
        flag = max(action.option_strings, key=len)
        if action.dest in ("help", "namespace", "debug") or value == action.default:
            continue
        if action.nargs == 0:
            words.append(flag)
        else:
            words += [f"{flag}={each}" for each in (value if isinstance(value, list) else [value])]
    return words


def source_of(options: argparse.Namespace) -> Source:
    """Where the releases come from."""
    if options.demo or options.bundle:
        return _bundled(options)
    if options.plan:
        return _saved(options)
    from helmguard.cli.flags_gate import read_gate
    from helmguard.cli.request import read_kube_options
    from helmguard.tui.sources.cluster import ClusterSource

    return ClusterSource(
        read_kube_options(options),
        gate=read_gate(options),
        helm_binary=options.helm_bin,
        common_words=tuple(common_words(options)),
        all_namespaces=not options.namespace,
    )


def _bundled(options: argparse.Namespace) -> Source:
    from helmguard.cli.flags_gate import read_gate
    from helmguard.cli.request import refuse_cluster_flags
    from helmguard.planner.demo import demo_bundle
    from helmguard.tui.sources.bundle import BundleSource

    refuse_cluster_flags(options)
    path, label = (demo_bundle(), "demo") if options.demo else (options.bundle, "")
    return BundleSource(path, label, gate=read_gate(options), common_words=tuple(common_words(options)))


def _saved(options: argparse.Namespace) -> Source:
    from helmguard.cli.flags_gate import read_gate
    from helmguard.cli.flags_saved_plan import read_open_keys
    from helmguard.cli.request import read_kube_options
    from helmguard.tui.sources.saved import SavedPlanSource

    return SavedPlanSource(
        options.plan,
        read_open_keys(options),
        kube=read_kube_options(options),
        gate=read_gate(options),
        helm_binary=options.helm_bin,
    )
