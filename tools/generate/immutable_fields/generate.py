#!/usr/bin/env python3
"""Writes rules/data/immutable-fields.json: what an API server refuses to change, accepts, or ignores.

    tests/cluster/cluster up DIR
    python3 tools/generate/immutable_fields/generate.py --cluster DIR

Every probe of ``probes/`` is run against that server; the table is described in docs/data-tables.md. The
test suite runs the same probes, compares the table with what the server says, and both with what helmguard
foretells.
"""

from __future__ import annotations

import argparse
import json
import sys
import uuid
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "cluster"), str(Path(__file__).parent)]

from controlplane import state  # noqa: E402
from controlplane.client import ControlPlane  # noqa: E402
from immutable_probes import read_probes  # noqa: E402
from immutable_runs import Outcome, run_probes  # noqa: E402

TABLE = ROOT / "rules" / "data" / "immutable-fields.json"
ABOUT = (
    "Changes of single fields of live objects, and what the API server makes of them: refused, accepted, or "
    "no-op (accepted, and the old value kept). Written by tools/generate/immutable_fields, never by hand. "
    "The fields are described in docs/data-tables.md."
)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what the API server refuses to change.")
    parser.add_argument("--cluster", type=Path, required=True, help="folder of a running test cluster")
    folder = parser.parse_args().cluster
    found = state.load(folder)
    if found is None:
        raise SystemExit(f"no test cluster was started in {folder}")
    server = ControlPlane(folder, found)
    namespace = f"probe-{uuid.uuid4().hex[:8]}"
    server.create("/api/v1/namespaces", {"metadata": {"name": namespace}})
    try:
        server.wait_for(
            f"/api/v1/namespaces/{namespace}/serviceaccounts/default", lambda one: one is not None
        )
        outcomes = run_probes(read_probes(), server, namespace)
    finally:
        server.delete(f"/api/v1/namespaces/{namespace}")
    TABLE.write_text(table_text(server.get("/version")["gitVersion"], outcomes))


def row(outcome: Outcome) -> dict[str, Any]:
    """A row of the table."""
    probe = outcome.probe
    refused = outcome.result == "refused"
    if refused and probe.remedy is None:
        raise SystemExit(
            f"{probe.kind} {probe.field} ({probe.change}) is refused and has no remedy: {outcome.message}"
        )
    return {
        "group": probe.group,
        "version": probe.api_version.rpartition("/")[2],
        "kind": probe.kind,
        "field": probe.field,
        "change": probe.change,
        "result": outcome.result,
        "status": outcome.status,
        "message": outcome.message,
        "remedy": probe.remedy if refused else None,
        "note": outcome.note,
    }


def sort_key(one: dict[str, Any]) -> tuple[str, ...]:
    """The order of the table's rows."""
    return tuple(one[name] for name in ("group", "kind", "field", "change"))


def table_text(server_version: str, outcomes: list[Outcome]) -> str:
    """The table as it is written: one row a line."""
    rows = sorted(map(row, outcomes), key=sort_key)
    lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in rows)
    head = f'{{\n"about": {json.dumps(ABOUT)},\n"server": {json.dumps(server_version)},\n"rows": [\n'
    return f"{head}{lines}\n]\n}}\n"


if __name__ == "__main__":
    main()
