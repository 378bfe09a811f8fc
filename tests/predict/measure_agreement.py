"""Run many random cases against a running test cluster and show where prediction and server differ.

``python tests/predict/measure_agreement.py DIR --cases 1000 --seed 1 [--kinds Service,Secret] [--shrink]``,
where DIR is the folder of a control plane that ``tests/cluster/cluster up DIR`` started. Each finding is
written as a line of JSON to ``--out``.
"""

from __future__ import annotations

import argparse
import json
import sys
import traceback
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import IO

_HERE = Path(__file__).parent
sys.path[:0] = [str(_HERE.parents[1]), str(_HERE.parent / "cluster"), str(_HERE)]

from agreement import Case, Disagreement, disagreements, random_case  # noqa: E402
from agreement_server import connect, name_of, prepare  # noqa: E402
from controlplane.client import ControlPlane  # noqa: E402
from kinds import CUSTOM_SCHEMAS, VARIANTS, Place, place_of  # noqa: E402
from shrinking import shrunk  # noqa: E402


def main() -> int:
    """Returns 1 where anything differed."""
    options = _options()
    server = connect(options.cluster)
    namespace = f"agreement-{options.seed}"
    prepare(server, namespace, CUSTOM_SCHEMAS)
    kinds = options.kinds.split(",") if options.kinds else sorted(VARIANTS)
    counts: Counter[tuple[str, str]] = Counter()
    findings = 0
    with options.out.open("a") as out:
        for number in range(options.start, options.start + options.cases):
            kind = kinds[number % len(kinds)]
            place = place_of(kind, namespace)
            dice = Random(f"{options.seed} {number} {kind}")
            case = random_case(dice, place, name_of(kind, f"o{options.seed}-{number}"))
            try:
                compared, found = disagreements(case, place, server)
            except Exception:  # a crash is a finding too
                print("CRASH", kind, number, traceback.format_exc()[-600:])
                out.write(
                    json.dumps({"number": number, "case": asdict(case), "crash": traceback.format_exc()})
                    + "\n"
                )
                findings += 1
                continue
            counts[(kind, "writes")] += compared
            counts[(kind, "objects")] += bool(compared)
            for problem in found:
                findings += 1
                counts[(kind, problem.what)] += 1
                _tell(number, case, problem, place, server, options.shrink, out)
    print({" ".join(key): count for key, count in sorted(counts.items())})
    print(
        "writes", sum(count for (_, what), count in counts.items() if what == "writes"), "findings", findings
    )
    return 1 if findings else 0


def _tell(
    number: int,
    case: Case,
    problem: Disagreement,
    place: Place,
    server: ControlPlane,
    shrink: bool,
    out: IO[str],
) -> None:
    if shrink:
        case, problem = shrunk(case, problem, place, server)
    out.write(
        json.dumps(
            {
                "number": number,
                "mode": problem.mode,
                "what": problem.what,
                "case": asdict(case),
                "predicted": str(problem.predicted),
                "real": str(problem.real),
                "live": problem.live,
            }
        )
        + "\n"
    )
    out.flush()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cluster", type=Path)
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", default="")
    parser.add_argument("--shrink", action="store_true")
    parser.add_argument("--out", type=Path, default=Path("findings.jsonl"))
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
