"""The objects of two plans: where Helm will do another thing to one than was planned."""

from __future__ import annotations

import re
from collections.abc import Iterator

from helmguard.model.field_path import format_path
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.plan_difference import PlanDifference
from helmguard.saved_plan.stale_words import maps, said, texts

_OF_THE_SERVER = re.compile(
    r"metadata\.(uid|resourceVersion|generation|creationTimestamp|managedFields|selfLink)\b|status\b"
)
"""Fields that the API server writes by itself, whatever Helm does."""
_ITEM = re.compile(r"\[[^\"\]][^\]]*\]")
"""An item of a list in a path: ``[0]``, ``[name=web]``."""
_CREATED = ("create", "recreate")
_NOT_SERVED = re.compile(r"no matches for kind|ensure CRDs are installed|does not serve|not served")

_Key = tuple[str, str, str, str, str]


def object_differences(planned: JSONObject, now: JSONObject) -> Iterator[PlanDifference]:
    """One for each object that comes or goes, or has another action or error, and each field that differs."""
    unstable = {name for plan in (planned, now) for name in texts(plan, "unstable")}
    one, other = _by_key(planned), _by_key(now)
    for key in dict.fromkeys([*one, *other]):
        name = f"{key[1]}/{key[3]}"
        if key not in one or key not in other:
            sides = (_doing(each[key]) if key in each else "not among the objects" for each in (one, other))
            yield PlanDifference("live object", name, *sides)
        else:
            yield from _of_one(name, one[key], other[key], unstable)
    yield from _made_up(planned, now)


def _made_up(planned: JSONObject, now: JSONObject) -> Iterator[PlanDifference]:
    """Fields that one chart makes up anew each time and the other does not: its value is not shown at all.

    Only those that both objects hold: a name that is made up is another one each time.
    """
    places, places_now = set(texts(planned, "unstable")), set(texts(now, "unstable"))
    for place in sorted(places ^ places_now):
        others = places_now if place in places else places
        if any(_is_below(place, one) or _is_below(one, place) for one in others):
            continue
        if _holds(planned, place) and _holds(now, place):
            sides = ("made up anew each time", "not made up")
            yield PlanDifference("live object", place, *(sides if place in places else sides[::-1]))


def _holds(plan: JSONObject, place: str) -> bool:
    name, _, path = place.partition(" ")
    wanted = _ITEM.sub("[]", path)
    return any(
        _is_below(_ITEM.sub("[]", found), wanted)
        for resource in maps(plan, "resources")
        if f"{resource.get('kind')}/{resource.get('name')}" == name
        for found, _ in _leaves(resource.get("after"), "")
    )


def _by_key(plan: JSONObject) -> dict[_Key, JSONObject]:
    found: dict[_Key, JSONObject] = {}
    for resource in maps(plan, "resources"):
        group = str(resource.get("apiVersion") or "").rpartition("/")[0]
        place = (str(resource.get(name) or "") for name in ("kind", "namespace", "name"))
        hook = ",".join(texts(resource, "hookEvents"))
        found[(group, *place, hook)] = resource  # type: ignore[index]
    return found


def _of_one(name: str, one: JSONObject, other: JSONObject, unstable: set[str]) -> Iterator[PlanDifference]:
    doing, again = _doing(one), _doing(other)
    if doing != again:
        served = _NOT_SERVED.search(f"{doing} {again}")
        yield PlanDifference("served APIs" if served else "live object", name, doing, again)
    if doing == again and one.get("action") in _CREATED:
        yield from _created(name, one.get("after"), other.get("after"), unstable)
        return
    fields, fields_now = _fields(one, name, unstable), _fields(other, name, unstable)
    for path in dict.fromkeys([*fields, *fields_now]):
        if _differ(fields.get(path), fields_now.get(path)):
            sides = (_said(each.get(path)) for each in (fields, fields_now))
            yield PlanDifference("live object", f"{name} {path}", *sides)


def _doing(resource: JSONObject) -> str:
    """The action, and what stands in its way."""
    parts = [str(resource.get("action"))]
    if resource.get("error"):
        parts.append(f"fails: {resource['error']}")
    if resource.get("unknown"):
        parts.append(f"({resource['unknown']})")
    elif resource.get("confirmed") == "unknown":
        parts.append("(live state not known)")
    return " ".join(parts)


def _fields(resource: JSONObject, name: str, unstable: set[str]) -> dict[str, JSONObject]:
    """What Helm changes, and what it leaves although the manifest says otherwise; by path.

    Fields that no manifest names and Helm leaves are others' own affair.
    """
    found: dict[str, JSONObject] = {}
    ignored = [item for item in maps(resource, "ignored") if item.get("countsAs") == "change"]
    for change in (*maps(resource, "changes"), *ignored):
        path = str(change.get("path"))
        if not _is_idle(path, change, name, unstable):
            found[path] = _of_change(path, change, name, unstable)
    for change in maps(resource, "drift"):
        path = str(change.get("path"))
        declared = change.get("new") is not None or change.get("previous") is not None
        if declared and not _is_idle(path, change, name, unstable):
            found.setdefault(path, _of_change(path, change, name, unstable))
    return found


def _is_idle(path: str, change: JSONObject, name: str, unstable: set[str]) -> bool:
    if change.get("cause") == "unstable" or f"{name} {path}" in unstable:
        return True
    return _OF_THE_SERVER.match(path) is not None


def _of_change(path: str, change: JSONObject, name: str, unstable: set[str]) -> JSONObject:
    """What counts of a change. What the API server fills in may be another value each time."""
    cause = change.get("cause")
    if cause == "server":
        return {"cause": cause}
    absent = texts(change, "absent")
    counts: JSONObject = {"cause": cause, "said": _change_words(change, absent)}
    for side in ("before", "after"):
        value = "not there" if side in absent else change.get(side)
        counts[side] = (
            _stable_leaves(value, path, name, unstable) if isinstance(value, dict | list) else value
        )
    return counts


def _change_words(change: JSONObject, absent: list[str]) -> str:
    before, after = (
        "not there" if side in absent else said(change.get(side)) for side in ("before", "after")
    )
    left_alone = change.get("cause") in ("drift kept", "converged")
    both = before if left_alone and before == after else f"{before} -> {after}"
    return f"{both} ({change.get('cause')})"


def _differ(one: JSONObject | None, other: JSONObject | None) -> bool:
    """Whether two changes of a field are not the same; their words may be."""
    if one is None or other is None:
        return one is not other
    return any(one.get(name) != other.get(name) for name in ("cause", "before", "after"))


def _said(change: JSONObject | None) -> str:
    if change is None:
        return "not changed"
    return str(change.get("said") or "filled in by the API server")


def _created(name: str, one: JSONValue, other: JSONValue, unstable: set[str]) -> Iterator[PlanDifference]:
    """What a new object will hold, admission's part included."""
    fields, fields_now = (_stable_leaves(each, "", name, unstable) for each in (one, other))
    for path in dict.fromkeys([*fields, *fields_now]):
        if fields.get(path) != fields_now.get(path) and not _OF_THE_SERVER.match(path):
            yield PlanDifference(
                "live object", f"{name} {path}", said(fields.get(path)), said(fields_now.get(path))
            )


def _stable_leaves(value: JSONValue, path: str, name: str, unstable: set[str]) -> dict[str, JSONValue]:
    """What a value holds, by path, without what templates make up; there, items of lists may have names."""
    places = [_ITEM.sub("[]", place) for place in unstable if place.startswith(f"{name} ")]
    return {
        found: leaf
        for found, leaf in _leaves(value, path)
        if not any(_is_below(f"{name} {_ITEM.sub('[]', found)}", place) for place in places)
    }


def _is_below(path: str, place: str) -> bool:
    return path == place or path.startswith((f"{place}.", f"{place}["))


def _leaves(value: JSONValue, path: str) -> Iterator[tuple[str, JSONValue]]:
    if isinstance(value, dict) and value:
        for name, inner in value.items():
            step = format_path((name,))
            yield from _leaves(
                inner, f"{path}{step}" if step.startswith("[") or not path else f"{path}.{step}"
            )
    elif isinstance(value, list) and value:
        for index, inner in enumerate(value):
            yield from _leaves(inner, f"{path}[{index}]")
    else:
        yield path, value
