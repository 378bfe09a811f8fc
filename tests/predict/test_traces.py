"""Plans of recorded operations against what the real Helm did to a real API server, one test a recording.

The id of each test ends in the recording's tags: ``-k rollback`` runs those of rollbacks.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from same_as_server import comparable
from trace_bundle import CHECKOUT, JSON, OWN_TRACES, copy_of_the_known, facts_of, shared_traces, traces_in

import helmguard

SHARED = shared_traces()
SCHEMA = Draft202012Validator(json.loads((CHECKOUT / "docs" / "plan.schema.json").read_text()))

_TIME = "time decides: the pod of a hook's Job fails while Helm waits for it"
_POLICY = "a ValidatingAdmissionPolicy decides; only a dry run on the server asks it"
_HOOK = "a hook's own work replaces the definition in the middle of the upgrade"
_CHART = "rendering fails, and the recording has no chart to render"

NOT_FORETOLD = {
    "hook-job-fails--h3": _TIME,
    "hook-job-fails--h4": _TIME,
    "vap-reject--h3": _POLICY,
    "vap-reject--h4": _POLICY,
    "real-gpu-operator-upgrade-no-reuse--h3": _HOOK,
    "real-gpu-operator-upgrade-no-reuse--h4": _HOOK,
    "real-gpu-operator-upgrade-rtr--h3": _HOOK,
    "real-gpu-operator-upgrade-rtr--mig-auto": _HOOK,
    "real-gpu-operator-upgrade-rtr--mig-ssa-fc": _HOOK,
    "real-gpu-operator-upgrade-reuse--h3": _CHART,
    "real-gpu-operator-upgrade-reuse--h4": _CHART,
}
"""Recordings whose outcome was not to be known beforehand, each with who decided it."""


def name_and_tags(trace: Path) -> str:
    return " ".join([trace.name, *facts_of(trace).get("tags", [])])


@pytest.mark.parametrize("trace", traces_in(OWN_TRACES), ids=name_and_tags)
def test_own_recording(trace: Path, tmp_path: Path) -> None:
    plan = planned(copy_of_the_known(trace, tmp_path / "known"))
    SCHEMA.validate(plan)
    assert list(untrue(plan, trace)) == []


@pytest.mark.parametrize("trace", traces_in(OWN_TRACES), ids=name_and_tags)
def test_only_the_known_is_read(trace: Path, tmp_path: Path) -> None:
    assert planned(copy_of_the_known(trace, tmp_path / "known")) == planned(trace)


@pytest.mark.skipif(SHARED is None, reason="the large recordings are not at hand (set HELMGUARD_SHARED)")
@pytest.mark.parametrize(
    "trace",
    [trace for name in ("traces", "traces-random") for trace in traces_in(SHARED / name)] if SHARED else [],
    ids=name_and_tags,
)
def test_large_recording(trace: Path, tmp_path: Path) -> None:
    plan = planned(copy_of_the_known(trace, tmp_path / "known"))
    score = scoring()
    scored = score.score_trace(str(trace), {facts_of(trace)["id"]: score.from_plan(plan)})
    wrong = [row for row in scored["resources"] if not row["values"]]
    right = scored["error_right"] and not wrong
    if trace.name in NOT_FORETOLD:
        assert not right, "foretold by now: take it off the list"
        return
    assert right, (plan["failure"], wrong)


def planned(folder: Path) -> JSON:
    """The plan's JSON, secrets in clear."""
    return helmguard.plan_bundle(folder).to_dict(show_secrets=True)


def untrue(plan: JSON, trace: Path) -> Iterator[str]:
    """What the plan foretold and did not come."""
    error = trace / "error.txt"
    failure = plan["failure"]
    if (failure is not None) != error.exists():
        yield f"foretold failure: {failure}"
    elif failure is not None and squeezed(failure["message"]) not in squeezed(error.read_text()):
        yield f"foretold {failure['message']!r}, helm said {error.read_text()!r}"
    before, after = (
        by_name(json.loads((trace / f"live-{when}.json").read_text())) for when in ("before", "after")
    )
    for resource in plan["resources"]:
        name = (resource["kind"], resource["name"])
        if not resource["hook"] and comparable(resource["after"]) != comparable(after[name]):
            yield f"{name}: foretold {comparable(resource['after'])}, is {comparable(after[name])}"
    changed = {name for name in after if comparable(before[name]) != comparable(after[name])}
    hooks = {(hook["kind"], hook["name"]) for hook in plan["hooks"]}
    foretold = {
        (entry["kind"], entry["name"])
        for entry in plan["resources"]
        if comparable(entry["before"]) != comparable(entry["after"])
    }
    if changed - hooks != foretold - hooks:
        yield f"foretold to change: {foretold}; changed: {changed}"


def by_name(entries: list[JSON]) -> dict[tuple[str, str], Any]:
    """Kind and name to object; None for an absent one and for one that is being deleted."""
    return {
        (entry["kind"], entry["name"]): None if is_leaving(entry["object"]) else entry["object"]
        for entry in entries
    }


def is_leaving(body: JSON | None) -> bool:
    return body is not None and "deletionTimestamp" in body["metadata"]


@cache
def scoring() -> ModuleType:
    """The scoring program beside the large recordings."""
    assert SHARED
    sys.path.insert(0, str(SHARED / "scoring"))
    try:
        spec = importlib.util.spec_from_file_location("trace_score", SHARED / "scoring" / "score.py")
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.pop(0)
    return module


def squeezed(text: str) -> str:
    """Without regard to line breaks, written out or not."""
    return " ".join(text.replace("\\n", " ").split())
