"""``helmguard completion``."""

from __future__ import annotations

import argparse
from typing import TypeAlias

from helmguard.cli.parser import Parser

Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

_EXAMPLES = """\
  source <(helmguard completion bash)
  helmguard completion zsh > ~/.zfunc/_helmguard
  helmguard completion tcsh > ~/.helmguard.tcsh"""


def build_parser() -> Parser:
    """The command's flags."""
    parser = Parser("completion", "Print a shell completion script.", _EXAMPLES, arguments="SHELL")
    parser.add_argument("shell", choices=("bash", "zsh", "tcsh"), help="the shell to complete in")
    parser.add_argument("--debug", action="store_true", help="show the stack trace of an error")
    return parser


def run(options: argparse.Namespace) -> int:
    """Print the script of shtab for all commands."""
    import shtab

    print(shtab.complete(_whole_parser(), shell=options.shell))
    return 0


def _whole_parser() -> argparse.ArgumentParser:
    from helmguard.cli.main import COMMANDS, command_module

    whole = argparse.ArgumentParser(prog="helmguard", description="Helm release safety and diff tool")
    commands = whole.add_subparsers(parser_class=argparse.ArgumentParser)
    for name, text in COMMANDS.items():
        if name == "node":
            _add_node(commands, text)
        else:
            _add(commands, name, text, command_module(name).build_parser())
    return whole


def _add_node(commands: Subparsers, text: str) -> None:
    """Its actions have flags of their own."""
    from helmguard.cli.node import ACTIONS, action_module

    node = commands.add_parser("node", help=text, description=text)
    actions = node.add_subparsers(parser_class=argparse.ArgumentParser)
    for name, about in ACTIONS.items():
        _add(actions, name, about, action_module(name).build_parser())


def _add(commands: Subparsers, name: str, text: str, own: argparse.ArgumentParser) -> None:
    # add_help is off here since the parent brings its own -h.
    commands.add_parser(name, help=text, description=own.description, parents=[own], add_help=False)
