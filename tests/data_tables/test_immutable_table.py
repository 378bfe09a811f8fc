"""The table of immutable fields: its shape, and that the API server and the prediction agree with it."""

from __future__ import annotations

import json
import os
import re
import sys
import uuid
from pathlib import Path
from typing import Any

import pytest
from controlplane.client import ControlPlane

from helmguard.predict.api_server.stored_object import Stored, store

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tools" / "generate" / "immutable_fields"), str(ROOT / "tests" / "predict")]

from agreement import gist  # noqa: E402
from generate import TABLE, row, sort_key  # noqa: E402
from immutable_probes import REMEDIES, at, read_probes  # noqa: E402
from immutable_runs import Outcome, run_probes  # noqa: E402

SHARED = Path(os.environ.get("HELMGUARD_SHARED", ROOT.parent / "shared")) / "immutable-fields.json"
FIELDS = ["group", "version", "kind", "field", "change", "result", "status", "message", "remedy", "note"]
_OTHER_OBJECT = "for Helm, another name or kind is another object"
NOT_FORETOLD = {
    ("ConfigMap", "kind", "another kind"): _OTHER_OBJECT,
    ("ConfigMap", "metadata.name", "another name"): _OTHER_OBJECT,
    ("ConfigMap", "metadata.namespace", "another namespace"): _OTHER_OBJECT,
    ("ConfigMap", "metadata.resourceVersion", "an old one"): "a conflict of writes, no refusal of a value",
    (
        "PersistentVolumeClaim",
        "spec.resources.requests.storage",
        "larger, bound, the class forbids expansion",
    ): "the storage class decides, which is another object",
    (
        "Service",
        "spec.ipFamilyPolicy",
        "RequireDualStack on a single-stack cluster",
    ): "the API server's own address ranges decide",
    (
        "Service",
        "spec.ports[].nodePort",
        "out of the range of node ports",
    ): "the API server's flag --service-node-port-range decides",
}
"""What one object and its definition do not tell, and why."""


def rows() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(TABLE.read_text())["rows"]
    return found


def test_shape_of_the_table() -> None:
    table = json.loads(TABLE.read_text())
    assert list(table) == ["about", "server", "rows"]
    for one in table["rows"]:
        assert list(one) == FIELDS
        refused = one["result"] == "refused"
        assert one["result"] in ("refused", "accepted", "no-op")
        assert refused == (one["status"] >= 400) == bool(one["message"]) == (one["remedy"] is not None), one
        assert one["remedy"] is None or one["remedy"] in REMEDIES
    assert table["rows"] == sorted(table["rows"], key=sort_key)


def test_each_probe_is_one_row() -> None:
    measured = [sort_key(one) for one in rows()]
    probed = [(probe.group, probe.kind, probe.field, probe.change) for probe in read_probes()]
    assert sorted(probed) == measured
    assert len(set(measured)) == len(measured)


RESULTS = {"rejected": "refused", "allowed": "accepted", "no-op": "no-op"}
MEASURED_OTHERWISE = {("ConfigMap", "metadata.generateName"): "the server stores it: read back in 1.36.3"}


def test_a_recorded_table_says_the_same() -> None:
    """Each row of a table that was measured apart from this one has a row with its field and result here."""
    if not SHARED.exists():
        pytest.skip(f"no recorded table: {SHARED}")
    missing = []
    for one in json.loads(SHARED.read_text())["probes"]:
        found = any(
            ours["kind"] == one["kind"]
            and ours["result"] == RESULTS[one["result"]]
            and _overlap(ours["field"], one["field"])
            for ours in rows()
        )
        if found == ((one["kind"], one["field"]) in MEASURED_OTHERWISE):
            missing.append((one["kind"], one["field"], one["result"]))
    assert missing == []


def _overlap(ours: str, theirs: str) -> bool:
    """Whether one field is the other or lies in it; the recorded names carry words after the path."""
    theirs = RENAMED.get(theirs, theirs)
    one, other = (re.split(r"[ (=,\[:<]|->", field)[0].rstrip(".") for field in (ours, theirs))
    return f"{one}.".startswith(f"{other}.") or f"{other}.".startswith(f"{one}.")


RENAMED = {
    "schema tightened (required field)": "spec.versions",
    "spec.minAvailable->maxUnavailable both": "spec.maxUnavailable",
    "spec.persistentVolumeSource (hostPath.path)": "spec.hostPath.path",
    "spec.persistentVolumeSource (type switch)": "spec",
}


@pytest.fixture(scope="module")
def outcomes(control_plane: ControlPlane) -> list[Outcome]:
    name = f"probe-{uuid.uuid4().hex[:8]}"
    control_plane.create("/api/v1/namespaces", {"metadata": {"name": name}})
    try:
        account = f"/api/v1/namespaces/{name}/serviceaccounts/default"
        control_plane.wait_for(account, lambda found: found is not None)
        return run_probes(read_probes(), control_plane, name)
    finally:
        control_plane.remove(f"/api/v1/namespaces/{name}")


@pytest.mark.cluster
def test_the_table_is_what_the_server_says(outcomes: list[Outcome]) -> None:
    assert sorted(map(row, outcomes), key=sort_key) == rows()


@pytest.mark.cluster
def test_the_prediction_says_the_same(outcomes: list[Outcome]) -> None:
    wrong = []
    for one in outcomes:
        foretold = store(one.document, one.live, None)
        identity = (one.probe.kind, one.probe.field, one.probe.change)
        agrees = _foretold(one, foretold) == one.result and gist(foretold.error) == gist(one.said)
        if agrees == (identity in NOT_FORETOLD):
            wrong.append((*identity, one.result, one.said, foretold.error))
    assert wrong == []


def _foretold(outcome: Outcome, foretold: Stored) -> str:
    if foretold.error:
        return "refused"
    changed = [path for path in outcome.changes if at(outcome.live, path) != at(outcome.document, path)]
    kept = all(at(foretold.body, path) == at(outcome.live, path) for path in changed)
    return "no-op" if kept else "accepted"
