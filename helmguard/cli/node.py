"""``helmguard node ACTION``: finds the action and imports only that one."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Sequence
from types import ModuleType
from typing import NoReturn

from helmguard.cli.parser import Parser
from helmguard.errors import UsageError

ACTIONS: dict[str, str] = {
    "collect": "write a node's facts into an archive: containerd's files, runtimes, CDI specs, driver",
    "check": "show what containerd makes of its files on each node, and what is wrong with it",
    "suggest": "print the drop-in and commands that would make a node right for GPU pods",
    "manifest": "print a read-only DaemonSet that collects the facts of a cluster's nodes",
    "gather": "read back what the DaemonSet's pods collected, an archive for each node",
}
"""Action and its one-line help. Each is a module ``node_ACTION`` with ``build_parser`` and ``run``."""

_EXAMPLES = """\
  helmguard node check                                 # the node that this runs on
  helmguard node collect --root /host -o gpu-a.tar.gz
  helmguard node check gpu-a.tar.gz --containerd 2.3.0
  helmguard node suggest gpu-a.tar.gz
  helmguard node manifest --image registry.example.com/helmguard:1.0 | kubectl apply -n node-facts -f -
  helmguard node gather -n node-facts -o facts && helmguard node check facts

'helmguard node ACTION --help' tells an action's flags and exit codes."""

_SWITCHES = ("--debug", "--kube-insecure-skip-tls-verify", "-q", "--quiet", "-h", "--help")


class NodeParser(Parser):
    """Reads the action, and lets that one's own parser read the rest."""

    def parse(self, words: Sequence[str]) -> argparse.Namespace:
        """The action's options; which action it is stands in ``action``."""
        position = _action_position(words)
        if position is None:
            if "-h" in words or "--help" in words:
                return super().parse(["--help"])
            self.error("the action is missing")
        rest = [*words]
        action = rest.pop(position)
        if action not in ACTIONS:
            self._unknown(action)
        options: argparse.Namespace = action_module(action).build_parser().parse(rest)
        options.action = action
        return options

    def _unknown(self, action: str) -> NoReturn:
        import difflib

        nearest = difflib.get_close_matches(action, ACTIONS, n=1)
        hint = f" Did you mean {nearest[0]!r}?" if nearest else ""
        raise UsageError(f"unknown action {action!r} for helmguard node.{hint}", remedy=self._remedy())


def build_parser() -> NodeParser:
    """The command's own flags; each action has its own."""
    width = max(len(name) for name in ACTIONS)
    actions = "\n".join(f"  {name:<{width}}  {text}" for name, text in ACTIONS.items())
    parser = NodeParser(
        "node",
        f"Check the layer below Kubernetes: a node's container runtime, CDI specs and driver.\n\n{actions}",
        _EXAMPLES,
        arguments="ACTION",
    )
    parser.add_argument("action", choices=tuple(ACTIONS), metavar="ACTION", help=", ".join(ACTIONS))
    parser.add_argument("--debug", action="store_true", help="show the stack trace of an error")
    return parser


def run(options: argparse.Namespace) -> int:
    """Let the action run."""
    code: int = action_module(options.action).run(options)
    return code


def action_module(name: str) -> ModuleType:
    """The module of an action, imported on demand."""
    return importlib.import_module(f"helmguard.cli.node_{name}")


def _action_position(words: Sequence[str]) -> int | None:
    """Flags of the cluster may stand before the action, as they may before any command."""
    index = 0
    while index < len(words):
        word = words[index]
        if not word.startswith("-"):
            return index
        index += 1 if word in _SWITCHES or "=" in word else 2
    return None
