"""``helmguard node gather``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from helmguard.cli.durations import duration, seconds
from helmguard.cli.flags_cluster import add_cluster_flags
from helmguard.cli.parser import Parser
from helmguard.errors import NodeFactsError

if TYPE_CHECKING:
    from helmguard.node.gather import Gathering

_EXAMPLES = """\
  helmguard node gather -n node-facts -o facts
  helmguard node check facts
  helmguard node gather -n node-facts -o - | helmguard node check -
  helmguard node gather -n node-facts -o facts --timeout 5m

exit codes: 0 the facts of all nodes that should run a pod, 1 error, 2 those of some are missing"""


def build_parser() -> Parser:
    """The action's flags."""
    parser = Parser(
        "node gather",
        "Read back what the DaemonSet of helmguard node manifest collected: an archive for each node.",
        _EXAMPLES,
        arguments="-n NS -o DIR",
    )
    group = parser.add_argument_group("what to gather")
    group.add_argument(
        "-o",
        "--output",
        default="node-facts",
        metavar="DIR",
        help="folder for the archives (default node-facts); - writes JSON lines to stdout",
    )
    group.add_argument(
        "-l",
        "--selector",
        default="",
        metavar="SELECTOR",
        help="labels of the pods; else those that node manifest gives them",
    )
    group.add_argument(
        "--timeout",
        type=duration,
        default="60s",
        metavar="TIME",
        help="wait so long for pods that have printed nothing yet (default 60s; 0 looks once)",
    )
    group.add_argument("-q", "--quiet", action="store_true", help="name only the nodes without facts")
    add_cluster_flags(parser, "namespace of the DaemonSet")
    return parser


def run(options: argparse.Namespace) -> int:
    """Read the logs and write the archives; 0, or 2 where nodes are missing."""
    from helmguard.cli.progress import progress
    from helmguard.cli.request import read_kube_options
    from helmguard.cluster.connect import connect
    from helmguard.node.gather import DEFAULT_SELECTOR, gather

    with progress(quiet=options.quiet) as report:
        connection = connect(read_kube_options(options))
        report("reading the pods' logs")
        found = gather(
            connection,
            connection.namespace,
            options.selector or DEFAULT_SELECTOR,
            timeout=seconds(options.timeout),
            report=report,
        )
    _write(found, options.output)
    _tell(found, options)
    return 2 if found.missing or not found.nodes else 0


def _write(found: Gathering, output: str) -> None:
    from helmguard.node_facts.archive import facts_to_dict, write_archive

    if output == "-":
        import json

        from helmguard.cli.standard_streams import write_stdout

        lines = (json.dumps(facts_to_dict(one), ensure_ascii=True) for one in found.found)
        write_stdout("".join(f"{line}\n" for line in lines))
        return
    folder = Path(output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NodeFactsError(
            f"the folder {output} cannot be made: {error.strerror}", remedy="Name another folder with -o."
        ) from None
    for one in found.found:
        write_archive(one, folder / f"node-facts-{one.name}.tar.gz")


def _tell(found: Gathering, options: argparse.Namespace) -> None:
    lines: list[str] = []
    if not options.quiet:
        where = "" if options.output == "-" else f" in {options.output}"
        lines.append(f"facts of {len(found.found)} of {len(found.nodes)} nodes{where}")
    lines += [f"{one.name}: {one.why}" for one in found.missing]
    if not options.quiet:
        if found.others:
            lines.append(f"without a pod, by selector or taint: {', '.join(found.others)}")
        lines += [f"not read: {what}: {why}" for what, why in found.unread.items()]
    for line in lines:
        print(line, file=sys.stderr)
