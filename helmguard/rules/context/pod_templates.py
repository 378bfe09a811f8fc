"""Where the kinds that run pods keep their pod template, and what an object is before and after Helm."""

from __future__ import annotations

from typing import Any

from helmguard.model.field_path import FieldPath
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import Present, Unreadable
from helmguard.model.plan import ResourceChange
from helmguard.model.resource_key import ResourceKey
from helmguard.rules.context.manifest_maps import mapping
from helmguard.rules.facts import Facts

_TEMPLATES: dict[tuple[str, str], FieldPath] = {
    ("apps", "Deployment"): ("spec", "template"),
    ("apps", "StatefulSet"): ("spec", "template"),
    ("apps", "DaemonSet"): ("spec", "template"),
    ("apps", "ReplicaSet"): ("spec", "template"),
    ("", "ReplicationController"): ("spec", "template"),
    ("batch", "Job"): ("spec", "template"),
    ("batch", "CronJob"): ("spec", "jobTemplate", "spec", "template"),
    ("", "Pod"): (),
}
RESTARTING = frozenset(["Deployment", "StatefulSet", "DaemonSet"])
"""Kinds whose controller replaces pods when the template changes."""


def is_workload(key: ResourceKey) -> bool:
    """Whether the kind runs pods by itself."""
    return (key.group, key.kind) in _TEMPLATES


def template_path(key: ResourceKey) -> FieldPath:
    """Where the pod template stands in an object of a workload's kind."""
    return _TEMPLATES[(key.group, key.kind)]


def template_of(document: JSONObject | None, key: ResourceKey) -> JSONObject | None:
    """The pod template (``metadata``, ``spec``) of a workload's object, None where there is none."""
    here: Any = document
    for step in template_path(key):
        here = here.get(step) if isinstance(here, dict) else None
    return here if isinstance(here, dict) else None


def before_of(resource: ResourceChange) -> JSONObject | None:
    """The object now: live where that is known, else what the previous manifest says."""
    live = resource.prediction.live
    if isinstance(live, Present):
        return live.body
    return resource.prediction.previous if isinstance(live, Unreadable) else None


def after_of(resource: ResourceChange) -> JSONObject | None:
    """The object after Helm: predicted, or what the new manifest says where nothing could be predicted."""
    if resource.action == "delete":
        return None
    return resource.prediction.predicted or resource.prediction.new


def is_written(resource: ResourceChange) -> bool:
    """Whether Helm writes an object that was there; of one that was not read, what both manifests hold is."""
    if resource.action == "unknown":
        return resource.prediction.previous is not None and resource.prediction.new is not None
    return resource.action in ("update", "adopt", "replace")


def nothing_read(facts: Facts) -> bool:
    """Whether the release has objects, and not one of them could be read."""
    known = [one.prediction.live for one in facts.resources if one.prediction.previous is not None]
    return bool(known) and all(isinstance(live, Unreadable) for live in known)


def labels_of(template: JSONObject | None) -> dict[str, str]:
    """The labels that pods of a template bear."""
    found = mapping(template, "metadata", "labels")
    return {name: str(value) for name, value in found.items() if value is not None}
