"""A plan beside what the real Helm then did: every object, the failure, and what was changed before it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from typing import Any

from controlplane.client import ControlPlane
from live_state import comparable, live_object, unequal

JSON = dict[str, Any]

_APPEARS = ("create", "recreate")
_STAYS_AS_IT_IS = ("unchanged", "keep")
_CHANGES = ("update", "replace")

_POD_TEMPLATE = re.compile(r"spec\.template: Invalid value: \{.*?\}(?=: field is immutable)")
"""A Job's template, which the API server prints with all fields of its own internal type."""


def snapshot(cluster: ControlPlane, plan: JSON) -> list[JSON | None]:
    """Every object of the plan as it is live, in the plan's order."""
    return [live_object(cluster, resource) for resource in plan["resources"]]


def untrue(
    plan: JSON,
    before: list[JSON | None],
    after: list[JSON | None],
    done: subprocess.CompletedProcess[str],
) -> list[str]:
    """What the plan foretold and did not come, one line each; empty for a plan that came true.

    ``before`` and ``after`` are snapshots from around the operation ``done``.
    """
    found = list(_failure(plan, done))
    changed = []
    for resource, old, new in zip(plan["resources"], before, after, strict=True):
        if resource["hook"]:
            continue
        name = f"{resource['kind']}/{resource['name']}"
        if comparable(old) != comparable(new):
            changed.append(name)
        found += [f"{name}: {line}" for line in _object(resource, old, new)]
    found += _applied_before(plan, changed)
    return found


def _failure(plan: JSON, done: subprocess.CompletedProcess[str]) -> Iterator[str]:
    failure = plan["failure"]
    if (failure is None) != (done.returncode == 0):
        yield f"foretold failure: {failure}; helm ended with {done.returncode}: {done.stderr}"
    elif failure is not None and _squeezed(failure["message"]) not in _squeezed(done.stderr):
        yield f"foretold failure {failure['message']!r}; helm said {done.stderr!r}"


def _object(resource: JSON, old: JSON | None, new: JSON | None) -> Iterator[str]:
    action = resource["action"]
    if resource["unknown"]:
        yield f"not predictable: {resource['unknown']}"
    yield from (f"before {line}" for line in unequal(comparable(resource["before"]), comparable(old)))
    yield from (f"after {line}" for line in unequal(comparable(resource["after"]), comparable(new)))
    if action in _APPEARS and (old is not None or new is None):
        yield f"{action}, but it was {_there(old)} and is {_there(new)}"
    if action == "delete" and (old is None or new is not None):
        yield f"delete, but it was {_there(old)} and is {_there(new)}"
    if action in _CHANGES and comparable(old) == comparable(new):
        yield f"{action}, but nothing changed"
    if action in _STAYS_AS_IT_IS and comparable(old) != comparable(new):
        yield f"{action}, but it changed"


def _applied_before(plan: JSON, changed: list[str]) -> Iterator[str]:
    if plan["failure"] is None:
        return
    foretold = [f"{key['kind']}/{key['name']}" for key in plan["failure"]["appliedBefore"]]
    if sorted(foretold) != sorted(changed):
        yield f"foretold to be changed before the failure: {foretold}; really: {changed}"


def _there(body: JSON | None) -> str:
    return "absent" if body is None else "there"


def _squeezed(text: str) -> str:
    return _POD_TEMPLATE.sub("spec.template: Invalid value: {}", " ".join(text.replace("\\n", " ").split()))
