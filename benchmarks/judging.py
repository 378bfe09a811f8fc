"""Measures which share of a plan's time the rules take, all packs together, against a real API server.

    .venv/bin/python benchmarks/judging.py
    .venv/bin/python benchmarks/judging.py --objects 2000 --helm 3 --rounds 5

The plan is made in this process (reading, rendering by helm, live objects, prediction, comparison, judging
and the page), so that judging can be timed inside it; the share holds on other machines, seconds do not.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from releases import InstalledRelease, control_plane, install  # noqa: E402 - the path is set above

from helmguard.cli.plan import build_parser  # noqa: E402
from helmguard.cli.request import read_plan_request  # noqa: E402
from helmguard.masking.masker import Masker  # noqa: E402
from helmguard.planner import judge_online  # noqa: E402
from helmguard.planner.online import plan_online  # noqa: E402
from helmguard.report.page import Page  # noqa: E402
from helmguard.report.terminal import render_terminal  # noqa: E402


class Stopwatch:
    """Adds up the time that a function takes, each time it is called."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self.seconds = 0.0

    def __call__(self, *words: Any, **named: Any) -> Any:
        start = time.perf_counter()
        try:
            return self._function(*words, **named)
        finally:
            self.seconds += time.perf_counter() - start


def main() -> int:
    """Install, measure, print."""
    options = _options()
    with control_plane(options.keep) as place:
        for major in options.helm:
            for objects in options.objects:
                release = install(place, major, objects)
                shares = [_share(release) for _ in range(options.rounds + 1)][1:]
                print(
                    f"helm {major}, {objects} objects: judging takes {min(shares):.1%}, "
                    f"{statistics.median(shares):.1%}, {max(shares):.1%} of a plan (min, median, max)"
                )
    return 0


def _share(release: InstalledRelease) -> float:
    judged = Stopwatch(judge_online.judged)
    original, judge_online.judged = judge_online.judged, judged  # type: ignore[assignment]
    try:
        start = time.perf_counter()
        options = build_parser().parse([*release.words, "--helm-bin", release.helm, "--no-config"])
        plan = plan_online(read_plan_request(options))
        page = Page(width=100, colour=False, unicode=True, context=None, show_noise=False, debug=False)
        render_terminal(plan, page, Masker.for_plan(plan))
        return judged.seconds / (time.perf_counter() - start)
    finally:
        judge_online.judged = original


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--objects", type=int, nargs="+", default=[20, 500, 2000])
    parser.add_argument("--helm", nargs="+", choices=("3", "4"), default=["3"], help="major versions")
    parser.add_argument("--rounds", type=int, default=5, help="counted plans, after one that is not")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="leave the control plane there, and use it")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
