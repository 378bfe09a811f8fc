"""Replays all recordings once and says where asking the API server makes a plan better, worse or other.

    python tests/confirmation/measure_replay.py CLUSTER_FOLDER RECORDINGS [NAME ...]

CLUSTER_FOLDER is that of a control plane started with ``tests/cluster/cluster up``: use one of its own, since
cluster-scoped objects are made and deleted.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import traceback
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "cluster"))
sys.path.insert(0, str(Path(__file__).parents[2]))

from controlplane.client import ControlPlane
from controlplane.state import load
from replaying import LEVELS, open_replay, scoring
from restoring import CannotRestoreError, remove, restore_trace


def main() -> int:
    """Returns 1 where a replay crashed."""
    options = _options()
    cluster = ControlPlane(options.cluster, load(options.cluster))
    score = scoring(options.recordings.parent)
    totals: dict[str, dict[str, int]] = {"never": {}, "always": {}}
    count = crashed = 0
    for trace in sorted(options.recordings.iterdir()):
        if not (trace / "live-after.json").exists() or (options.names and trace.name not in options.names):
            continue
        paths: list[str] = []
        try:
            paths += restore_trace(cluster, trace)
            count += 1
            _compare(cluster, trace, score, totals)
        except CannotRestoreError as error:
            print(f"{trace.name}: cannot be restored: {error}")
        except Exception:
            crashed += 1
            print(f"{trace.name}:")
            traceback.print_exc(limit=-3, file=sys.stdout)
        finally:
            remove(cluster, paths)
            sys.stdout.flush()
    print(count, "replayed,", crashed, "crashed", json.dumps(totals))
    return 1 if crashed else 0


def _compare(cluster: ControlPlane, trace: Path, score: Any, totals: dict[str, dict[str, int]]) -> None:
    replay = open_replay(cluster, trace)
    before = replay.versions()
    started = time.monotonic()
    plans = {mode: replay.plan(mode) for mode in ("never", "always")}  # type: ignore[arg-type]
    if replay.versions() != before:
        print(f"{trace.name}: THE CLUSTER HAS CHANGED")
    scored = {mode: replay.score(plan, score) for mode, plan in plans.items()}
    for mode, one in scored.items():
        for level in LEVELS:
            totals[mode][level] = totals[mode].get(level, 0) + bool(one.get(level))
    for level in LEVELS:
        if scored["never"].get(level) != scored["always"].get(level):
            print(f"{trace.name}: {level} {scored['never'].get(level)} -> {scored['always'].get(level)}")
    plan = plans["always"]
    for resource in plan.resources:
        confirmation = resource.prediction.confirmation
        for one in resource.local_differs:
            print(
                f"{trace.name}: {resource.prediction.key} {one.path}: {one.local!r} -> {one.server!r}"[:300]
            )
        if confirmation and confirmation.by_server and confirmation.error != confirmation.local_error:
            print(f"{trace.name}: local {confirmation.local_error!r}\n    server {confirmation.error!r}")
        if confirmation and not confirmation.by_server:
            print(f"{trace.name}: {resource.prediction.key} not asked: {confirmation.why}"[:300])
    seconds = time.monotonic() - started
    if seconds > 2:
        print(f"{trace.name}: {seconds:.1f} s")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cluster", type=Path)
    parser.add_argument("recordings", type=Path)
    parser.add_argument("names", nargs="*")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
