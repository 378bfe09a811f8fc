"""Jobs that a controller removes once they have ended: that they are gone is as it should be."""

from __future__ import annotations

from msgspec.structs import replace

from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import Absent
from helmguard.model.plan import Plan


def removes_itself(body: JSONObject) -> bool:
    """Whether a controller removes the object once its work is done."""
    ttl = (body.get("spec") or {}).get("ttlSecondsAfterFinished")
    return body.get("kind") == "Job" and ttl is not None


def without_ended_jobs(drift: Plan) -> Plan:
    """The drift of a release without such Jobs that are not there, and without what is unknown of them."""
    gone = {
        resource.prediction.key
        for resource in drift.resources
        if isinstance(resource.prediction.live, Absent) and removes_itself(resource.prediction.new or {})
    }
    if not gone:
        return drift
    names = set(map(str, gone))
    kept = tuple(resource for resource in drift.resources if resource.prediction.key not in gone)
    unknown = tuple(each for each in drift.unknown if each.what not in names)
    return replace(drift, resources=kept, unknown=unknown)
