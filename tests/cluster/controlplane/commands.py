"""The `cluster` command: see ../README.md."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from controlplane import lifecycle, state
from controlplane.binaries import BINARIES, Group, in_group
from controlplane.build import cached, ensure
from controlplane.cache import cache_root
from controlplane.errors import ClusterError

DESCRIPTION: Final = "Builds and runs the real Helm and the real control plane of helmguard's tests."


def build(only: Group | None) -> None:
    for binary in in_group(only):
        print(ensure(binary))


def up(folder: Path, rollout: bool) -> None:
    print(lifecycle.up(folder.resolve(), rollout=rollout).kubeconfig)


def down(folder: Path) -> None:
    lifecycle.down(folder.resolve())


def helm(major: str) -> None:
    print(ensure(BINARIES[f"helm{major}"]))


def env(folder: Path | None) -> None:
    """Lines for a shell's `eval`: the cache, each Helm that is built, and the cluster in `folder`."""
    values = {"HELMGUARD_TEST_CACHE": str(cache_root())}
    for binary in in_group("helm"):
        path = cached(binary)
        if path is not None:
            values[binary.label.upper()] = str(path)
    if folder is not None:
        started = state.load(folder.resolve())
        if started is None:
            raise ClusterError(f"no test cluster was started in {folder}")
        values["HELMGUARD_TEST_CLUSTER"] = str(folder.resolve())
        values["KUBECONFIG"] = started.kubeconfig
    for name, value in values.items():
        print(f"export {name}={shlex.quote(value)}")


def parse(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="cluster", description=DESCRIPTION)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("build", help="build what the cache lacks and print each binary's path")
    command.add_argument("--only", choices=("helm", "core", "rollout"))
    command = commands.add_parser("up", help="start a control plane in DIR and print its kubeconfig's path")
    command.add_argument("folder", metavar="DIR", type=Path)
    command.add_argument("--rollout", action="store_true", help="with scheduler and kwok, so that pods run")
    command = commands.add_parser("down", help="stop the control plane in DIR")
    command.add_argument("folder", metavar="DIR", type=Path)
    command = commands.add_parser("helm", help="print the path of a Helm binary, built if need be")
    command.add_argument("major", choices=("3", "4"))
    command = commands.add_parser("env", help="print the settings as lines for a shell's eval")
    command.add_argument("folder", metavar="DIR", type=Path, nargs="?")
    return parser.parse_args(words)


def main(words: Sequence[str]) -> int:
    chosen = parse(words)
    try:
        match chosen.command:
            case "build":
                build(chosen.only)
            case "up":
                up(chosen.folder, chosen.rollout)
            case "down":
                down(chosen.folder)
            case "helm":
                helm(chosen.major)
            case "env":
                env(chosen.folder)
    except ClusterError as error:
        print(f"cluster: {error}", file=sys.stderr)
        return 1
    return 0
