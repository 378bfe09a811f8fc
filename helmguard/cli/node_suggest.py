"""``helmguard node suggest``."""

from __future__ import annotations

import argparse
from typing import Final

from helmguard.cli.flags_output import add_output_flags, read_output_options
from helmguard.cli.parser import Parser

FORMATS: Final = ("text", "json", "yaml")

_EXAMPLES = """\
  helmguard node suggest                                # the node that this runs on
  helmguard node suggest gpu-a.tar.gz                   # facts that node collect wrote
  helmguard node suggest gpu-a.tar.gz --containerd 2.3.0
  helmguard node suggest ./config.toml --containerd 1.7.29
  helmguard node suggest --cdi --set-as-default
  helmguard node suggest --runtime crun --runtime-path /usr/bin/crun
  helmguard node suggest facts -o json

exit codes: 0 right as it is; 1 error: no answer; 2 something is suggested; 3 nothing can be, and
why is told; 130 interrupted"""


def build_parser() -> Parser:
    """The action's flags."""
    parser = Parser(
        "node suggest",
        "Print what would make a node right for pods of a runtime: the drop-in or the edits of containerd's\n"
        "files, commands, and the RuntimeClass. Nothing is applied; all was tried on a copy of the files.",
        _EXAMPLES,
        arguments="[PATH]...",
    )
    group = parser.add_argument_group("the node")
    group.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="archive of node collect, folder with archives, root of a node's files, config.toml, or - for "
        "facts as JSON lines; without any this node",
    )
    group.add_argument(
        "--containerd",
        default="",
        metavar="VERSION",
        help="suggest for this version of containerd; without it for the installed one",
    )
    group = parser.add_argument_group("the runtime")
    group.add_argument(
        "--runtime",
        default="nvidia",
        metavar="NAME",
        help="the runtime, as RuntimeClasses call their handler",
    )
    group.add_argument(
        "--runtime-path",
        default="",
        metavar="FILE",
        help="its program on the node; without it NVIDIA's is looked for",
    )
    group.add_argument(
        "--set-as-default", action="store_true", help="all pods of the node get it that name no RuntimeClass"
    )
    group.add_argument("--cdi", action="store_true", help="turn CDI on, too, and write the CDI spec")
    parser.add_argument("--debug", action="store_true", help="show the stack trace of an error")
    add_output_flags(parser, FORMATS, changes=False)
    return parser


def run(options: argparse.Namespace) -> int:
    """Suggest and print; returns the exit code."""
    from helmguard.cli.document_output import document_text
    from helmguard.cli.standard_streams import write_stdout
    from helmguard.containerd.suggest import Asked, suggest
    from helmguard.masking.masker import Masker
    from helmguard.node_facts.read_nodes import read_nodes
    from helmguard.report.node_suggestion import (
        render_suggestions,
        suggestion_exit_code,
        suggestion_to_dict,
    )

    output = read_output_options(options)
    asked = Asked(options.runtime, options.runtime_path, options.set_as_default, options.cdi)
    nodes = read_nodes(options.paths or ["/"])
    found = [suggest(node, options.containerd, asked) for node in nodes]
    masker = Masker(show=output.show_secrets)
    if output.format == "text":
        write_stdout(render_suggestions(found, output.page(), masker))
    else:
        write_stdout(document_text(suggestion_to_dict(found, masker), output.format))
    return suggestion_exit_code(found)
