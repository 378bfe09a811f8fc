"""The ``helmguard`` program: finds the command and imports only that one."""

from __future__ import annotations

import gc
import importlib
import signal
import sys
import threading
from collections.abc import Sequence
from types import FrameType, ModuleType
from typing import NoReturn

from helmguard.cli.error_output import run_guarded, tell_failed_thread
from helmguard.cli.standard_streams import prepare_streams
from helmguard.version import __version__

COMMANDS: dict[str, str] = {
    "plan": "show what an upgrade, install or rollback will do, and what is dangerous about it",
    "upgrade": "plan an upgrade or install, pass the gate, let helm run it, and verify",
    "apply": "execute a saved plan, if it still holds, and verify",
    "rollback": "plan a rollback, pass the gate, let helm run it, and verify",
    "show": "show a plan that plan --out saved",
    "verify": "compare a release with the cluster, and look at its workloads, hooks and the packs' steps",
    "status": "explain the state of a release, and print the safe way out of it, checked by a dry run",
    "history": "show a release's revisions, and what changed from each to the next",
    "check": "show what merging a change of a GitOps repository does to each release it concerns",
    "drift": "show what the cluster has that a release, or every release, does not say",
    "node": "check the layer below: a node's container runtime, CDI specs and driver",
    "values": "show the effective values of an upgrade, where each comes from, and what changes",
    "tui": "review releases, revisions and plans in the terminal; approve and run them with --allow-changes",
    "bundle": "write all that a plan reads from the cluster into a folder, to plan without the cluster",
    "rules": "list, explain, test and start the rules that find dangers",
    "demo": "plan the GPU operator upgrade that turns the driver back on, from data inside helmguard",
    "doctor": "check helm, the cluster and permissions; --install-helm fetches a helm",
    "completion": "print a shell completion script",
}
"""Command name and its one-line help. Each is a module of this package with ``build_parser`` and ``run``."""

_FLAGS_WITH_VALUE = frozenset(
    [
        "-n",
        "--namespace",
        "--kubeconfig",
        "--kube-context",
        "--kube-token",
        "--kube-as-user",
        "--kube-as-group",
        "--kube-apiserver",
        "--kube-ca-file",
        "--kube-tls-server-name",
        "--registry-config",
        "--repository-cache",
        "--repository-config",
        "--burst-limit",
        "--qps",
        "--helm-bin",
        "--config",
        "-o",
        "--output",
    ]
)


def run() -> None:
    """Run with the process's arguments and exit."""
    prepare_streams()
    # A plan of thousands of objects makes millions of containers and hardly a cycle: with the usual
    # thresholds a seventh of its time went into looking for garbage.
    gc.set_threshold(100_000, 50, 50)
    signal.signal(signal.SIGTERM, _terminate)
    threading.excepthook = tell_failed_thread
    sys.exit(main(sys.argv[1:]))


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    words = list(arguments)
    return run_guarded(lambda: _run(words), debug="--debug" in words)


def _terminate(number: int, _: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)


def _run(words: list[str]) -> int:
    position = _command_position(words)
    if position is None:
        return _without_command(words)
    name = words.pop(position)
    if name == "help":
        return _run([*words, "--help"])
    if name not in COMMANDS:
        return _unknown_command(name)
    return _run_command(name, words)


def command_module(name: str) -> ModuleType:
    """The module of a command, imported on demand."""
    return importlib.import_module(f"helmguard.cli.{name}")


def _run_command(name: str, words: Sequence[str]) -> int:
    module = command_module(name)
    options = module.build_parser().parse(words)
    code: int = module.run(options)
    return code


def _command_position(words: Sequence[str]) -> int | None:
    """Helm's global flags may stand before the command: skip them and their values."""
    index = 0
    while index < len(words):
        word = words[index]
        if not word.startswith("-"):
            return index
        index += 2 if word in _FLAGS_WITH_VALUE else 1
    return None


def _without_command(words: Sequence[str]) -> int:
    if "--version" in words or "-V" in words:
        print(f"helmguard {__version__}")
        return 0
    asked = not words or "-h" in words or "--help" in words
    print(_overview(), file=sys.stdout if asked else sys.stderr)
    return 0 if asked else 1


def _unknown_command(name: str) -> int:
    import difflib

    nearest = difflib.get_close_matches(name, COMMANDS, n=1)
    hint = f" Did you mean {nearest[0]!r}?" if nearest else ""
    print(f"Error: unknown command {name!r} for helmguard.{hint}", file=sys.stderr)
    print("Run 'helmguard --help' for the commands.", file=sys.stderr)
    return 1


def _overview() -> str:
    width = max(len(name) for name in COMMANDS)
    commands = "\n".join(f"  {name:<{width}}  {text}" for name, text in COMMANDS.items())
    return f"""\
helmguard shows what a Helm upgrade or rollback will really do, before it happens.

Usage:
  helmguard COMMAND [flags]

Commands:
{commands}

Examples:
  helmguard demo
  helmguard plan gpu-operator ./gpu-operator -n gpu-operator --set toolkit.enabled=true
  helmguard plan gpu-operator -n gpu-operator --rollback 3
  helmguard upgrade web ./web -n shop -f prod.yaml
  helmguard status web -n shop
  helmguard check --base origin/main
  helmguard tui web -n shop
  helmguard node check gpu-a.tar.gz --containerd 2.3.0
  helmguard values web ./web -f prod.yaml --reuse-values -o json

Exit codes of upgrade, rollback and apply: 0 done and as planned, 1 error, 3 refused, 4 not as planned.
Exit codes of verify: 0 all is well, 4 not; of status: 0 whole, 2 something to know, 3 a way out is needed.
Exit codes of node check: 0 nothing found, 2 findings below the gate or something not known, 3 refused.
Exit codes of plan and drift: 0 nothing to do, 1 error, 2 changes or something not known, 3 refused:
findings at or above the gate (--fail-on, default danger), or Helm will fail; 130 interrupted.
Helm's global flags (-n, --kubeconfig, --kube-context, ...) may stand anywhere.
Run 'helmguard COMMAND --help' for a command's flags."""
