"""The rule context of a plan as JSON, secrets masked: what ``--show-context`` prints."""

from __future__ import annotations

from helmguard.masking.masker import Masker
from helmguard.masking.secret_names import is_secret_name
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.plan import Plan
from helmguard.rules.context.root import VERSION

_SIDES = ("before", "after", "old", "new", "live")
_OBJECT = ("apiVersion", "kind", "metadata")


def context_to_dict(plan: Plan, masker: Masker) -> JSONObject:
    """``helmguard.context/v1``: every topic; see docs/rule-context.md."""
    topics = {topic: _masked(value, masker, secret=False) for topic, value in plan.context.items()}
    return {"formatVersion": f"helmguard.context/v{VERSION}", **topics}


def _masked(value: JSONValue, masker: Masker, *, secret: bool) -> JSONValue:
    """``secret``: the value is told about a Secret, so that each side of a change of it is one."""
    if masker.shows_secrets:
        return value
    if isinstance(value, list):
        return [_masked(item, masker, secret=secret) for item in value]
    if not isinstance(value, dict):
        return masker.tree(value)
    if all(name in value for name in _OBJECT):
        return masker.object(value)
    about_secret = secret or value.get("kind") == "Secret"
    path = value.get("path")
    found: JSONObject = {}
    for name, inner in value.items():
        if isinstance(path, str) and name in _SIDES:
            found[name] = masker.tree(inner, secret=about_secret or _names_secret(path))
        elif is_secret_name(name):
            found[name] = masker.tree(inner, secret=True)
        else:
            found[name] = _masked(inner, masker, secret=about_secret)
    return found


def _names_secret(path: str) -> bool:
    """Whether a step of a values or field path is the name of a secret."""
    return any(is_secret_name(step.partition("[")[0]) for step in path.split("."))
