"""``helmguard completion``."""

from __future__ import annotations

import argparse

from helmguard.cli.parser import Parser

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
        own = command_module(name).build_parser()
        # add_help is off here since the parent brings its own -h.
        commands.add_parser(name, help=text, description=own.description, parents=[own], add_help=False)
    return whole
