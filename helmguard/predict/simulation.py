"""The cluster as Helm changes it, object by object, and what is noted about each on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from helmguard.model.action import Action
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.live_state import Absent, LiveState, Present, Unreadable
from helmguard.model.prediction import Confirmation, ResourcePrediction
from helmguard.model.resource_key import ResourceKey
from helmguard.predict.inputs import OperationInputs
from helmguard.predict.json_equality import json_equal
from helmguard.predict.preconditions import ReleaseObject

if TYPE_CHECKING:
    from helmguard.predict.requests import AskedWrite, UnsentWrite

_UNREAD = Unreadable("the object's live state was not read")
_INFLUENTIAL = frozenset(
    [
        "Namespace",
        "CustomResourceDefinition",
        "ValidatingAdmissionPolicy",
        "ValidatingAdmissionPolicyBinding",
        "MutatingAdmissionPolicy",
        "MutatingAdmissionPolicyBinding",
        "ValidatingWebhookConfiguration",
        "MutatingWebhookConfiguration",
        "ResourceQuota",
        "LimitRange",
    ]
)
_BOOKKEEPING = ("managedFields", "resourceVersion", "generation")


class Simulation(msgspec.Struct):
    """``bodies`` is what the cluster holds right now (None: absent), ``changed`` the keys written so far.

    ``influences`` are those of them that have a say in what the API server makes of later writes.
    ``asked`` are the writes whose outcome the API server could be asked for, by the object they write;
    ``unsent`` those for which Helm sends nothing, ``confirmations`` what it said, or why it was not asked.
    """

    inputs: OperationInputs
    previous: dict[ResourceKey, ReleaseObject]
    target: dict[ResourceKey, ReleaseObject]
    bodies: dict[ResourceKey, JSONObject | None] = {}
    results: dict[ResourceKey, ResourcePrediction] = {}
    changed: list[ResourceKey] = []
    created: list[ResourceKey] = []
    influences: list[ResourceKey] = []
    asked: dict[ResourceKey, AskedWrite] = {}
    unsent: dict[ResourceKey, UnsentWrite] = {}
    confirmations: dict[ResourceKey, Confirmation] = {}

    def live_state(self, key: ResourceKey) -> LiveState:
        """What was live before the operation."""
        return self.inputs.live.get(key, _UNREAD)

    def body(self, key: ResourceKey) -> JSONObject | None:
        """What is live now."""
        if key in self.bodies:
            return self.bodies[key]
        state = self.live_state(key)
        return state.body if isinstance(state, Present) else None

    def is_readable(self, key: ResourceKey) -> bool:
        """Whether it is known if the object is there."""
        return key in self.bodies or isinstance(self.live_state(key), Present | Absent)

    def is_deleted(self, key: ResourceKey) -> bool:
        """Whether the operation has deleted the object before, with another one."""
        noted = self.results.get(key)
        return noted is not None and noted.action == "delete"

    def put(self, key: ResourceKey, body: JSONObject | None) -> None:
        """Write or delete the object; what stays the same is not counted as changed."""
        if not same_object(self.body(key), body) and key not in self.changed:
            self.changed.append(key)
            if key.kind in _INFLUENTIAL and _has_new_say(self.body(key), body):
                self.influences.append(key)
        self.bodies[key] = body

    def note(
        self,
        key: ResourceKey,
        action: Action,
        why: str,
        *,
        engine: str = "",
        error: str = "",
        unknown: str = "",
    ) -> None:
        """Record what happens to an object; a later note on the same object replaces an earlier one."""
        earlier = self.results.get(key)
        item = self.target.get(key) or self.previous.get(key)
        new = self.target.get(key)
        old = self.previous.get(key)
        if (
            earlier is not None
            and action == "unchanged"
            and earlier.action in ("create", "recreate", "update")
        ):
            action, why = earlier.action, earlier.why
        self.results[key] = ResourcePrediction(
            key=key,
            api_version=item.api_version if item else self._live_version(key),
            action=action,
            previous=old.body if old else None,
            new=new.body if new else None,
            live=self.live_state(key),
            predicted=self.body(key),
            why=why,
            error=error or (earlier.error if earlier else ""),
            unknown=unknown or (earlier.unknown if earlier else ""),
            source=item.source if item else "",
            engine=engine or (earlier.engine if earlier else ""),
        )

    def _live_version(self, key: ResourceKey) -> str:
        state = self.live_state(key)
        body = state.body if isinstance(state, Present) else self.body(key)
        return str((body or {}).get("apiVersion", ""))


def _has_new_say(before: JSONObject | None, after: JSONObject | None) -> bool:
    """Whether later writes may fare otherwise for it; only of a Namespace do the labels count."""
    if before is None or after is None or after.get("kind") == "Namespace":
        return True
    return _without_metadata(before) != _without_metadata(after)


def _without_metadata(body: JSONObject) -> JSONObject:
    return {name: value for name, value in body.items() if name not in ("metadata", "status")}


def same_object(left: JSONObject | None, right: JSONObject | None) -> bool:
    """Whether two states of an object agree in all but the API server's bookkeeping."""
    if left is right:
        return True
    if left is None or right is None:
        return False
    one, other = _comparable(left), _comparable(right)
    return json_equal(one, other) or bool(_without_empty(one) == _without_empty(other))


def _comparable(body: JSONObject) -> JSONObject:
    metadata = {key: value for key, value in (body.get("metadata") or {}).items() if key not in _BOOKKEEPING}
    for name in ("labels", "annotations"):
        if not metadata.get(name):
            metadata.pop(name, None)
    return {**body, "metadata": metadata, "status": None}


def _without_empty(value: JSONValue) -> JSONValue:
    """Null counts as absent."""
    if isinstance(value, dict):
        return {key: _without_empty(below) for key, below in value.items() if below is not None}
    if isinstance(value, list):
        return [_without_empty(item) for item in value]
    return (type(value).__name__, value) if isinstance(value, bool) else value
