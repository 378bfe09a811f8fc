"""Whether a plan still holds: made again from the same chart and values, it must do the same. Pure.

Both sides are plans' JSON (docs/plan-format.md). What one of them reads and what changes nothing in what Helm
will do, or in what was judged, is passed over: a status, fields and annotations that others keep and Helm
leaves, versions of objects, times, the order of notes, values that templates make up anew each time, and a
patch version of Kubernetes. docs/saved-plan-format.md has the list.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.plan import Plan
from helmguard.model.plan_difference import PlanDifference
from helmguard.report.plan_json import plan_to_dict
from helmguard.saved_plan.stale_objects import object_differences
from helmguard.saved_plan.stale_words import maps, said, texts, without_marks

if TYPE_CHECKING:
    from helmguard.saved_plan.read import SavedPlan

_ABSENT = "not there"
_METHODS = {"csa": "client-side", "ssa": "server-side"}


def what_differs(saved: SavedPlan, plan: Plan) -> tuple[PlanDifference, ...]:
    """What of a saved plan no longer holds, given the same plan made anew, before anything is accepted."""
    return differences(saved.plan, plan_to_dict(plan))


def differences(planned: JSONObject, now: JSONObject) -> tuple[PlanDifference, ...]:
    """What of ``planned`` is no longer so; empty where the plan holds.

    Secrets count as changed or unchanged within each plan: their marks are made anew for each.
    """
    before, after = without_marks(planned), without_marks(now)
    found = (
        *_release(before, after),
        *_engine(before, after),
        *_chart(before, after),
        *_values(before, after),
        *_manifests(before, after),
        *_hooks(before, after),
        *object_differences(before, after),
        *_definitions(before, after),
        *_failure(before, after),
        *_rules(before, after),
        *_unknown(before, after),
    )
    return tuple(dict.fromkeys(found)) or tuple(_verdict(before, after))


def _release(planned: JSONObject, now: JSONObject) -> Iterator[PlanDifference]:
    """The revisions, and the state of the last one."""
    one, other = _map(planned, "release"), _map(now, "release")
    for name, words in (
        ("name", "release"),
        ("namespace", "namespace"),
        ("lastRevision", "last revision"),
        ("fromRevision", "current revision"),
        ("toRevision", "new revision"),
        ("status", "status of the last revision"),
        ("damaged", "damaged records"),
    ):
        yield from _compared("revision", words, one.get(name), other.get(name))
    if planned.get("operation") != now.get("operation"):
        yield from _compared("revision", "operation", planned.get("operation"), now.get("operation"))
    uid, uid_now = _fingerprint(planned, "namespaceUid"), _fingerprint(now, "namespaceUid")
    if uid and uid_now and uid != uid_now:
        name = str(one.get("namespace") or "")
        yield PlanDifference(
            "cluster", f"namespace {name}", f"the one with uid {uid}", f"the one with uid {uid_now}"
        )
    digest, again = _fingerprint(planned, "currentManifest"), _fingerprint(now, "currentManifest")
    if digest != again:
        number = one.get("fromRevision")
        what = f"manifest of revision {number}" if number else "manifest of the current revision"
        yield PlanDifference("revision", what, said(digest), said(again))


def _engine(planned: JSONObject, now: JSONObject) -> Iterator[PlanDifference]:
    one, other = _map(planned, "engine"), _map(now, "engine")
    yield from _compared("helm", "version", one.get("helm"), other.get("helm"))
    methods = [_METHODS.get(str(each.get("applyMethod")), each.get("applyMethod")) for each in (one, other)]
    yield from _compared("helm", "apply method", *methods)
    kubernetes, again = (_minor(str(each.get("kubernetes") or "")) for each in (one, other))
    if kubernetes != again:
        yield PlanDifference(
            "served APIs", "Kubernetes version", said(one.get("kubernetes")), said(other.get("kubernetes"))
        )


def _chart(planned: JSONObject, now: JSONObject) -> Iterator[PlanDifference]:
    one, other = (_map(_map(plan, "release"), "newChart") for plan in (planned, now))
    for name in ("name", "version", "digest"):
        yield from _compared("chart", name, one.get(name), other.get(name))


def _values(planned: JSONObject, now: JSONObject) -> Iterator[PlanDifference]:
    one, other = _map(planned, "values"), _map(now, "values")
    yield from _compared("values", "mode", one.get("mode"), other.get("mode"))
    if _fingerprint(planned, "values") != _fingerprint(now, "values"):
        digests = (_fingerprint(planned, "values"), _fingerprint(now, "values"))
        yield PlanDifference("values", "values that the new revision stores", *map(said, digests))
    yield from _by_name("values", _value_changes(one), _value_changes(other), "does not change")


def _value_changes(values: JSONObject) -> dict[str, JSONValue]:
    return {
        str(change.get("path")): {name: change.get(name) for name in ("before", "after", "cause")}
        for change in maps(values, "changes")
    }


def _manifests(planned: JSONObject, now: JSONObject) -> Iterator[PlanDifference]:
    """The manifest and the hooks as a whole, where no template makes up a value in them anew each time."""
    unstable = {text.partition(" ")[0] for plan in (planned, now) for text in texts(plan, "unstable")}
    objects = {
        f"{each.get('kind')}/{each.get('name')}"
        for each in maps(planned, "resources")
        if not each.get("hook")
    }
    if not unstable & objects:
        digests = (_fingerprint(plan, "manifest") for plan in (planned, now))
        yield from _compared("manifest", "new manifest", *digests)
    if unstable <= objects:
        digests = (_fingerprint(plan, "hooks") for plan in (planned, now))
        yield from _compared("manifest", "new hooks", *digests)


def _hooks(planned: JSONObject, now: JSONObject) -> Iterator[PlanDifference]:
    yield from _by_name("hook", _hook_runs(planned), _hook_runs(now), "does not run")


def _hook_runs(plan: JSONObject) -> dict[str, JSONValue]:
    kept = ("order", "weight", "deletePolicies", "leftOver", "apiVersion")
    return {
        f"{hook.get('event')} {hook.get('kind')}/{hook.get('name')}": {name: hook.get(name) for name in kept}
        for hook in maps(plan, "hooks")
    }


def _definitions(planned: JSONObject, now: JSONObject) -> Iterator[PlanDifference]:
    yield from _by_name("live object", _definition_states(planned), _definition_states(now), _ABSENT)


def _definition_states(plan: JSONObject) -> dict[str, JSONValue]:
    kept = ("state", "added", "removed", "changed", "appliedBy")
    return {
        f"CustomResourceDefinition/{each.get('name')}": {name: each.get(name) for name in kept}
        for each in maps(plan, "definitions")
    }


def _failure(planned: JSONObject, now: JSONObject) -> Iterator[PlanDifference]:
    one, other = _failure_words(planned), _failure_words(now)
    if one != other:
        yield PlanDifference("failure", "", one or "Helm will not fail", other or "Helm will not fail")


def _failure_words(plan: JSONObject) -> str:
    failure = plan.get("failure")
    if not isinstance(failure, dict):
        return ""
    return f"Helm will fail ({failure.get('stage')}): {failure.get('message')}"


def _rules(planned: JSONObject, now: JSONObject) -> Iterator[PlanDifference]:
    for name in ("failOn", "failOnUnknown"):
        yield from _compared("rules", f"gate ({name})", planned.get(name), now.get(name))
    one, other = _findings(planned), _findings(now)
    for place in dict.fromkeys([*one, *other]):
        if one.get(place) != other.get(place):
            yield PlanDifference("rules", place, one.get(place, "no finding"), other.get(place, "no finding"))


def _findings(plan: JSONObject) -> dict[str, str]:
    """What each finding counts for: its words may tell ages. What is for information refuses nothing."""
    found = {}
    for finding in maps(plan, "findings"):
        if finding.get("severity") == "info":
            continue
        place = _map(finding, "where")
        name = " ".join(str(part) for part in (place.get("name"), place.get("field")) if part)
        counts = "not known" if finding.get("result") == "unknown" else str(finding.get("severity"))
        waived = ", waived" if finding.get("waived") else ""
        found[f"{finding.get('rule')} {name}".strip()] = f"{counts}{waived}"
    return found


def _unknown(planned: JSONObject, now: JSONObject) -> Iterator[PlanDifference]:
    one, other = ({str(each.get("what")) for each in maps(plan, "unknown")} for plan in (planned, now))
    for what in sorted(one ^ other):
        sides = ("not known", "known") if what in one else ("known", "not known")
        yield PlanDifference("unknown", what, *sides)


def _verdict(planned: JSONObject, now: JSONObject) -> Iterator[PlanDifference]:
    """Should nothing else have told it."""
    yield from _compared("verdict", "exit code", planned.get("exitCode"), now.get("exitCode"))


def _by_name(
    what: str, one: Mapping[str, JSONValue], other: Mapping[str, JSONValue], absent: str
) -> Iterator[PlanDifference]:
    for name in dict.fromkeys([*one, *other]):
        if one.get(name) == other.get(name):
            continue
        sides = (said(each[name]) if name in each else absent for each in (one, other))
        yield PlanDifference(what, name, *sides)


def _compared(what: str, name: str, one: JSONValue, other: JSONValue) -> Iterator[PlanDifference]:
    if one != other:
        yield PlanDifference(what, name, said(one), said(other))


def _fingerprint(plan: JSONObject, name: str) -> JSONValue:
    return _map(plan, "fingerprint").get(name)


def _map(document: Mapping[str, Any], name: str) -> JSONObject:
    value = document.get(name)
    return value if isinstance(value, dict) else {}


def _minor(version: str) -> str:
    """``1.36`` of ``v1.36.3+k3s1``."""
    return ".".join(version.lstrip("v").split(".")[:2])
