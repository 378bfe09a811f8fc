"""``helmguard node collect``."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from helmguard.cli.parser import Parser

if TYPE_CHECKING:
    from collections.abc import Iterator

    from helmguard.model.node_facts import NodeFacts

_EXAMPLES = """\
  helmguard node collect                                # on the node: node-facts-NAME.tar.gz
  helmguard node collect -o gpu-a.tar.gz
  helmguard node collect --root /host --name gpu-a -o - # in a pod: one line of JSON
  ssh gpu-a sudo helmguard node collect -o - | helmguard node check -

It reads and changes nothing. Credentials of registries and private keys are dropped before anything is kept;
docs/node-facts-format.md lists what is collected. As another user than root less can be read; what could not
be is told.

exit codes: 0 the facts were written, 1 error"""


def build_parser() -> Parser:
    """The action's flags."""
    parser = Parser(
        "node collect",
        "Write a node's facts into an archive: containerd's files with all they import, runtimes, CDI\n"
        "specs, the kubelet's cgroup driver, NVIDIA's driver, signs of managed nodes.",
        _EXAMPLES,
    )
    parser.add_argument(
        "--root",
        default="/",
        metavar="DIR",
        help="where the node's file system is (default /; in a pod /host)",
    )
    parser.add_argument("--name", default="", metavar="NAME", help="the node's name (default: its host name)")
    parser.add_argument(
        "--config",
        default="",
        metavar="PATH",
        help="containerd's main file on the node, where its unit or distribution names another",
    )
    parser.add_argument(
        "-o",
        "--output",
        default="",
        metavar="FILE",
        help="archive to write (default node-facts-NAME.tar.gz), - for one line of JSON on stdout",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="say nothing but errors")
    parser.add_argument("--debug", action="store_true", help="show the stack trace of an error")
    return parser


def run(options: argparse.Namespace) -> int:
    """Collect and write; 0, or 1 for an error."""
    from datetime import UTC, datetime
    from pathlib import Path

    from msgspec.structs import replace

    from helmguard.cli.standard_streams import write_stdout
    from helmguard.node_facts.archive import facts_to_dict, write_archive
    from helmguard.node_facts.collect import collect_node

    facts = collect_node(Path(options.root), name=options.name, config=options.config)
    facts = replace(facts, collected=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))
    if options.output == "-":
        import json

        write_stdout(json.dumps(facts_to_dict(facts), separators=(",", ":")) + "\n")
    else:
        path = Path(options.output or f"node-facts-{_file_name(facts.name)}.tar.gz")
        write_archive(facts, path)
        if not options.quiet:
            print(f"wrote {path}", file=sys.stderr)
    if not options.quiet:
        for line in _summary(facts):
            print(line, file=sys.stderr)
    return 0


def _file_name(name: str) -> str:
    return "".join(character if character.isalnum() or character in "-._" else "_" for character in name)


def _summary(facts: NodeFacts) -> Iterator[str]:
    """What was read, and what was not."""
    from helmguard.report.escaping import escape_line
    from helmguard.report.plural import plural

    containerd, driver = facts.containerd, facts.driver
    no_driver = "not loaded" if driver.kernel_known else "not known"
    dropped = sum(file.dropped for file in facts.files.values())
    lines = [
        f"{facts.name}: {plural(len(facts.files), 'file')}, {plural(len(facts.paths), 'path')}"
        + (f", {plural(dropped, 'credential')} dropped" if dropped else ""),
        f"  containerd {containerd.version or 'of unknown version'}, {containerd.config_path}"
        + ("" if containerd.config_path in facts.files else " (not there)"),
        f"  kubelet's cgroup driver {facts.kubelet.cgroup_driver or 'not known'}",
        f"  NVIDIA's driver {driver.kernel_version or no_driver}",
    ]
    lines += [f"  not read: {one.what}: {one.why}" for one in facts.unread]
    for line in lines:
        yield escape_line(line)
