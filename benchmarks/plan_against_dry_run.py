"""Measures ``helmguard plan`` against ``helm upgrade --dry-run=server`` of the same command, side by side.

See README.md. Nothing here judges: it prints ratios, which hold on other machines, beside the seconds, which
do not.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path

from measured_run import Peak, Run, peak_of_helmguard, run
from releases import InstalledRelease, control_plane, helm_path, install

_PLAN_EXIT_CODES = (0, 2, 3)


def main() -> int:
    """Install, measure, print."""
    options = _options()
    os.environ["PYTHONPATH"] = str(Path(__file__).parent.parent)
    with control_plane(options.keep) as place:
        print(_machine(options.helm))
        for major in options.helm:
            for objects in options.objects:
                release = install(place, major, objects)
                _print(f"helm {major}", release, *_measured(release, options.rounds))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--objects", type=int, nargs="+", default=[20, 500, 2000], help="sizes of the releases"
    )
    parser.add_argument("--helm", nargs="+", choices=("3", "4"), default=["3", "4"], help="major versions")
    parser.add_argument("--rounds", type=int, default=5, help="counted runs of each, after one that is not")
    parser.add_argument(
        "--keep",
        type=Path,
        metavar="DIR",
        help="leave the control plane and the releases there, and use them",
    )
    return parser.parse_args()


def _measured(release: InstalledRelease, rounds: int) -> tuple[list[Run], list[Run], Peak]:
    """helmguard's and helm's runs, taken in turn, so that a change of the machine's load meets both."""
    plan_words = ["plan", *release.words, "--helm-bin", release.helm]
    plan = [sys.executable, "-m", "helmguard", *plan_words]
    dry_run = [release.helm, "upgrade", *release.words, "--dry-run=server"]
    ours, helms = [], []
    for number in range(rounds + 1):
        our_run, helm_run = run(plan, _PLAN_EXIT_CODES), run(dry_run)
        if number:
            ours.append(our_run)
            helms.append(helm_run)
    return ours, helms, peak_of_helmguard(plan_words)


def _print(
    helm: str, release: InstalledRelease, ours: Sequence[Run], helms: Sequence[Run], peak: Peak
) -> None:
    ratios = [our_run.wall / helm_run.wall for our_run, helm_run in zip(ours, helms, strict=True)]
    print(f"{helm}, {release.objects} objects, {release.changed} changed")
    print(f"  ratio helmguard/helm  {_spread(ratios, 3)}")
    print(f"  helmguard plan        {_spread([one.wall for one in ours], 2)} s")
    print(f"  processor time of it  {_spread([one.cpu for one in ours], 2)} s (with the helm it runs)")
    print(f"  helm dry run          {_spread([one.wall for one in helms], 2)} s")
    print(f"  peak memory           {peak.own:.0f} MiB helmguard, {peak.children:.0f} MiB the helm it runs")
    sys.stdout.flush()


def _spread(numbers: Sequence[float], digits: int) -> str:
    low, middle, high = min(numbers), statistics.median(numbers), max(numbers)
    return f"min {low:.{digits}f}  median {middle:.{digits}f}  max {high:.{digits}f}"


def _machine(majors: Sequence[str]) -> str:
    helms = ", ".join(Path(helm_path(major)).parent.name.rsplit("-", 1)[0] for major in majors)
    return f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}, {helms}"


if __name__ == "__main__":
    sys.exit(main())
