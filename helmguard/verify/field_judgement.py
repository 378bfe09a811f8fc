"""Which differing fields count against an operation, and which only tell what happened after it.

docs/verification.md states the rule for users.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

import msgspec

from helmguard.compare.bookkeeping import is_controllers
from helmguard.compare.equal_trees import same_tree
from helmguard.compare.field_owners import FieldOwner, owners_of
from helmguard.compare.find_field import find_field
from helmguard.model.field_change import MISSING
from helmguard.model.field_path import FieldPath, format_path
from helmguard.model.json_value import JSONObject, JSONValue

Verdict = Literal["counts", "remark", "nothing"]

_INJECTED = "caBundle"
_CONTROLLER_METADATA = ("finalizers", "ownerReferences")
RESTARTED = "kubectl.kubernetes.io/restartedAt"
"""What ``kubectl rollout restart`` puts into a pod template: it starts the pods anew, and sets nothing."""
_WEBHOOK_SERVERS = frozenset(["pilot-discovery", "kyverno", "webhook"])
"""Programs that write into their own webhook configurations, by the names of their binaries."""
_HAND_TOOLS = (
    "kubectl",
    "curl",
    "k9s",
    "lens",
    "mozilla",
    "dashboard",
    "rancher",
    "oc",
    "python",
    "okhttp",
    "terraform",
    "pulumi",
    "ansible",
    "argocd",
    "kustomize-controller",
    "helm-controller",
    "openapi-generator",
)
"""Beginnings of the names of managers that write what a person put down, in lower case."""


class Sides(msgspec.Struct, frozen=True):
    """One object: the manifest and the object before in comparable form; the bodies with managedFields.

    ``unstable`` are fields, as they are written, that the templates render differently each time, ``ignored``
    those that the configuration ignores.
    """

    manifest: JSONObject
    before: JSONObject
    before_body: JSONObject
    actual_body: JSONObject
    unstable: Collection[str] = frozenset()
    ignored: Collection[str] = frozenset()


class Judgement(msgspec.Struct, frozen=True):
    verdict: Verdict
    owner: FieldOwner | None = None
    note: str = ""


def judge_field(path: FieldPath, predicted: JSONValue, actual: JSONValue, sides: Sides) -> Judgement:
    """What to make of a field whose actual value is not the predicted one; MISSING for an absent field."""
    if is_controllers(path) or _is_within(path, sides.unstable):
        return Judgement("nothing")
    if _is_within(path, sides.ignored):
        return Judgement("remark", None, "ignored by the configuration")
    declared = find_field(sides.manifest, path)
    owner = last_foreign_owner(sides.actual_body, path) if actual is not MISSING else None
    if path[-1] == _INJECTED and declared in (MISSING, None, ""):
        return Judgement("remark", owner, "injected")
    if predicted is MISSING and declared is MISSING:
        return _judge_added(path, actual, owner, sides)
    if owner is not None and is_controller(owner) and _wrote_since(owner, path, actual, sides):
        return Judgement("remark", owner, "changed since")
    return Judgement("counts", owner)


def is_controller(owner: FieldOwner) -> bool:
    """Whether the manager fills fields as its work, and no person stands behind its writing."""
    return owner.is_controller or owner.manager in _WEBHOOK_SERVERS


def last_foreign_owner(body: JSONObject, path: FieldPath) -> FieldOwner | None:
    """The latest owner of the field beside Helm."""
    return next((owner for owner in owners_of(body, path) if not owner.is_helm), None)


def _judge_added(path: FieldPath, actual: JSONValue, owner: FieldOwner | None, sides: Sides) -> Judgement:
    """A field that neither the manifest nor the prediction holds."""
    controllers = owner is not None and not is_hand_tool(owner)
    if same_tree(find_field(sides.before, path), actual):
        # It was there before and was to go.
        since = owner is not None and controllers and _wrote_since(owner, path, actual, sides)
        return Judgement("remark" if since else "counts", owner, "added again since" if since else "")
    if owner is None:
        return Judgement("remark", None, "filled in by the API server or by admission")
    if controllers or (path[0] == "metadata" and path[1:2] and path[1] in _CONTROLLER_METADATA):
        return Judgement("remark", owner, "added since")
    return Judgement("remark", owner, "restarted since") if is_restart(path) else Judgement("counts", owner)


def is_restart(path: FieldPath) -> bool:
    """Whether it is the mark of a restart by hand."""
    return path[-1] == RESTARTED


def is_hand_tool(owner: FieldOwner) -> bool:
    return owner.manager.lower().startswith(_HAND_TOOLS)


def _wrote_since(owner: FieldOwner, path: FieldPath, actual: JSONValue, sides: Sides) -> bool:
    """Whether the owner wrote the value after Helm: it is not the one from before, or its entry is newer."""
    if not same_tree(find_field(sides.before, path), actual):
        return True
    return owner not in owners_of(sides.before_body, path)


def _is_within(path: FieldPath, fields: Collection[str]) -> bool:
    return bool(fields) and any(format_path(path[:length]) in fields for length in range(1, len(path) + 1))
