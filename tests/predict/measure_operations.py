"""Run many random operations with both Helms on a running test cluster, and show what was not foretold.

``python tests/predict/measure_operations.py DIR --histories 100 --seed 1``, where DIR is the folder of a
control plane that ``tests/cluster/cluster up DIR`` started.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from pathlib import Path
from random import Random

_HERE = Path(__file__).parent
_FOLDERS = ("cluster", "cli", "e2e", "field_reports", "predict")
sys.path[:0] = [str(_HERE.parents[1]), *(str(_HERE.parent / name) for name in _FOLDERS)]

from agreement_server import connect, prepare  # noqa: E402
from controlplane.helm import Helm  # noqa: E402
from kinds import CUSTOM_SCHEMAS  # noqa: E402
from random_releases import random_history  # noqa: E402


def main() -> int:
    """Returns 1 where anything was not foretold."""
    options = _options()
    server = connect(options.cluster)
    binaries = _binaries()
    counts: Counter[str] = Counter()
    for number in range(options.start, options.start + options.histories):
        namespace = f"ops-{options.seed}-{number}"
        prepare(server, namespace, CUSTOM_SCHEMAS)
        with tempfile.TemporaryDirectory() as folder:
            helms = [Helm(binary, Path(folder), server.kubeconfig, namespace) for binary in binaries]
            os.environ.update(helms[0].environment())
            try:
                for step in random_history(Random(f"{options.seed} {number}"), helms, server, Path(folder)):
                    counts["operations"] += 1
                    counts["failed"] += step.failed
                    if step.untrue:
                        counts["wrong"] += 1
                        print(number, " ".join(Path(word).name for word in step.words))
                        print("   ", "\n    ".join(line[:900] for line in step.untrue[:4]), flush=True)
            except Exception:
                counts["crashed"] += 1
                print(number, traceback.format_exc()[-700:], flush=True)
        for kind in CUSTOM_SCHEMAS:
            server.delete(
                f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{kind.lower()}s.{namespace}.test"
            )
        server.delete(f"/api/v1/namespaces/{namespace}")
    print(dict(counts))
    return 1 if counts["wrong"] or counts["crashed"] else 0


def _binaries() -> list[Path]:
    program = [sys.executable, str(_HERE.parent / "cluster" / "cluster"), "helm"]
    return [
        Path(subprocess.run([*program, major], capture_output=True, text=True, check=True).stdout.strip())
        for major in ("3", "4")
    ]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cluster", type=Path)
    parser.add_argument("--histories", type=int, default=30)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
