"""The terminal interface: how soon it is there, how long large releases take, and what holds up the keyboard.

Each part runs the real program in a pseudo-terminal of 200 x 60 (its output is read and dropped).

- start: ``helmguard tui`` until the first useful screen, beside commands that show the same: ``helmguard
  demo`` for the demo; with ``--kubeconfig``, ``helm list -A`` for the list and ``helmguard history`` for one
  release.
- session: a script of keys on releases in memory (2,000 objects of which 400 change, a ConfigMap of 10,000
  lines, 5,000 releases). Tells for each step how long it took, and the worst lateness of the event loop.
"""

from __future__ import annotations

import argparse
import asyncio
import fcntl
import json
import os
import pty
import select
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from loop_lag import LagProbe
from measured_run import run

_HERE = Path(__file__).parent
_HELMGUARD = [sys.executable, "-m", "helmguard"]
_PATIENCE = 60
_AIM = 0.1
"""Seconds that the event loop may be late."""


def until_seen(command: Sequence[str], wanted: bytes, keys: bytes = b"q") -> float:
    """Seconds from the start of the command in a pseudo-terminal until it has written ``wanted``."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 200, 0, 0))
    start, seen = time.perf_counter(), b""
    state = tempfile.TemporaryDirectory()  # What is remembered here would filter what is waited for.
    process = subprocess.Popen(
        command,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        close_fds=True,
        env={**os.environ, "XDG_STATE_HOME": state.name},
    )
    os.close(theirs)
    took = 0.0
    try:
        while process.poll() is None and time.perf_counter() - start < _PATIENCE:
            if select.select([ours], [], [], 0.5)[0]:
                seen += os.read(ours, 65536)
            if not took and wanted in seen:
                took = time.perf_counter() - start
            if took:
                os.write(ours, keys)
    except OSError:
        process.wait(_PATIENCE)  # It has closed the terminal.
    finally:
        process.kill()
        process.wait()
        state.cleanup()
    os.close(ours)
    if not took:
        raise RuntimeError(f"{' '.join(command)} never wrote {wanted!r}; it wrote {seen[-2000:]!r}")
    return took


def measure_start(rounds: int, kubeconfig: str, helm: str, release: str) -> None:
    """Print the ratios."""
    pairs: list[tuple[str, Callable[[], float], Callable[[], float]]] = [
        (
            "tui --demo / demo",
            lambda: until_seen([*_HELMGUARD, "tui", "--demo"], b"BLOCKER"),
            lambda: run([*_HELMGUARD, "demo"], (0, 3)).wall,
        )
    ]
    if kubeconfig:
        flags = ["--kubeconfig", kubeconfig]
        namespace, _, name = release.partition("/")
        pairs += [
            (
                "tui / helm list -A",
                lambda: until_seen([*_HELMGUARD, "tui", *flags], name.encode()),
                lambda: run([helm, "list", "-A", *flags]).wall,
            ),
            (
                "tui RELEASE / history",
                lambda: until_seen([*_HELMGUARD, "tui", name, "-n", namespace, *flags], b"superseded"),
                lambda: run([*_HELMGUARD, "history", name, "-n", namespace, *flags]).wall,
            ),
        ]
    for what, ours, theirs in pairs:
        ours(), theirs()  # warm
        found = [(ours(), theirs()) for _ in range(rounds)]
        ratios = sorted(mine / other for mine, other in found)
        middle = statistics.median(mine for mine, _ in found)
        print(
            f"{what:24} min {ratios[0]:.2f}  median {statistics.median(ratios):.2f}  max {ratios[-1]:.2f}"
            f"   ({middle:.2f} s here)"
        )


def measure_session() -> bool:
    """Print the steps; whether no wake-up was later than the aim."""
    with TemporaryDirectory() as folder:
        answer = Path(folder) / "answer.json"
        command = [sys.executable, str(Path(__file__)), "--in-terminal", str(answer)]
        _run_in_terminal(command)
        told = json.loads(answer.read_text())
    for step in told["steps"]:
        lag = told["lags"].get(step["name"], {"seconds": 0, "busy": 0, "lines": []})
        late, busy = lag["seconds"] * 1000, lag["busy"] * 1000
        print(f"{step['name']:48} {step['ms']:7.0f} ms   loop late {late:4.0f} ms ({busy:.0f} at work)")
        if lag["seconds"] > _AIM:
            print("    " + "\n    ".join(lag["lines"]))
    worst = max(lag["seconds"] for lag in told["lags"].values())
    print(f"worst lateness of the event loop: {worst * 1000:.0f} ms (aim: {_AIM * 1000:.0f})")
    return worst <= _AIM


def _run_in_terminal(command: Sequence[str]) -> None:
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 200, 0, 0))
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True)
    os.close(theirs)
    said = b""
    while True:
        try:
            said = (said + os.read(ours, 65536))[-4000:]
        except OSError:
            break
    if process.wait():
        raise RuntimeError(f"the session ended with {process.returncode}: {said.decode(errors='replace')}")


def session(answer: Path) -> None:
    """In the terminal: press the keys, and write down how it went."""
    sys.path[:0] = [str(_HERE.parent), str(_HERE.parent / "tests" / "tui")]
    from given_histories import large_release, long_map_release, web_release
    from given_source import NOW, GivenSource
    from settled import press, settled

    from helmguard.tui.app import HelmguardApp
    from helmguard.tui.options import TuiOptions

    many = GivenSource.many()
    source = GivenSource(large_release(), long_map_release(), web_release(), more=many._more)
    app = HelmguardApp(source, TuiOptions(), clock=lambda: NOW)
    steps: list[dict[str, Any]] = []
    probe = LagProbe()

    async def step(pilot: Any, name: str, keys: Sequence[str], each: bool = False) -> None:
        probe.step = name
        start = time.perf_counter()
        if keys:
            await press(pilot, keys)
        else:
            await settled(pilot)
        took = (time.perf_counter() - start) * 1000
        steps.append({"name": name, "ms": took / (len(keys) if each else 1)})

    async def script(pilot: Any) -> None:
        watcher = asyncio.create_task(probe.watch())
        await step(pilot, "list 5,003 releases", [])
        await step(pilot, "filter, for each letter", ["slash", *"dashboard"], each=True)
        await step(pilot, "clear the filter", ["escape"])
        await step(pilot, "move in the list, for each key", ["j"] * 30, each=True)
        await step(pilot, "sort", ["s"])
        await step(pilot, "find a release in the palette", [":", *"estate"])
        await step(pilot, "open 2,000 objects, compare two revisions", ["enter"])
        await step(pilot, "move between changes, for each key", ["tab", *["n"] * 40], each=True)
        await step(pilot, "scroll the tree, for each key", ["pagedown"] * 20, each=True)
        await step(pilot, "to the end and back", ["G", "g"])
        await step(pilot, "search the tree, for each letter", ["slash", *"field-7"], each=True)
        await step(pilot, "next hit, for each key", ["enter", *["n"] * 10], each=True)
        await step(pilot, "clear the search", ["escape"])
        await step(pilot, "all YAML side by side", ["y"])
        await step(pilot, "move between YAML changes, for each key", ["n"] * 20, each=True)
        await step(pilot, "back", ["escape"])
        await step(pilot, "compare with live", ["l"])
        await step(pilot, "the form", ["p", *"./estate"])
        await step(pilot, "plan 2,000 objects", ["enter"])
        await step(pilot, "move between changes of the plan, for each key", ["n"] * 40, each=True)
        await step(pilot, "switch the value mode", ["m"])
        await step(pilot, "back to the list", ["escape", "escape", "escape"])
        await step(pilot, "find the long ConfigMap", [":", *"dashboards"])
        await step(pilot, "open a ConfigMap of 10,000 lines", ["enter"])
        await step(pilot, "its YAML side by side", ["y"])
        await step(pilot, "move between its changes, for each key", ["n"] * 40, each=True)
        await step(pilot, "wrap, and to the end", ["w", "G"])
        watcher.cancel()
        lags = {
            name: {"seconds": lag.seconds, "busy": lag.busy, "lines": lag.lines}
            for name, lag in probe.worst.items()
        }
        answer.write_text(json.dumps({"steps": steps, "lags": lags}))
        app.exit(0)

    app.run(auto_pilot=script)


def main() -> int:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("part", nargs="?", choices=["start", "session"], help="one part alone")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--kubeconfig", default="", help="a cluster to start with, too")
    parser.add_argument("--helm", default="helm")
    parser.add_argument("--release", default="", metavar="NAMESPACE/NAME", help="one with two revisions")
    parser.add_argument("--in-terminal", default="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.in_terminal:
        session(Path(options.in_terminal))
        return 0
    if options.part != "session":
        measure_start(options.rounds, options.kubeconfig, options.helm, options.release)
    return 0 if options.part == "start" or measure_session() else 1


if __name__ == "__main__":
    sys.exit(main())
