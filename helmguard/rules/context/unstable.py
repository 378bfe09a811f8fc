"""Fields that the templates render differently each time: what a real run writes is not known."""

from __future__ import annotations

from typing import Annotated

from helmguard.rules.context.record import Record
from helmguard.rules.facts import Facts


class UnstableField(Record, frozen=True):
    """One field that differs between two renderings of the same values."""

    ref: Annotated[str, "the object: `Deployment/web`"]
    kind: Annotated[str, "`Deployment`"] = ""
    path: Annotated[str, "the field: `spec.template.metadata.annotations.rolled`"] = ""
    restarts: Annotated[bool, "it is part of a pod template: each upgrade restarts the pods"] = False


_WORKLOADS = ("Deployment", "StatefulSet", "DaemonSet")


def unstable_of(facts: Facts) -> tuple[UnstableField, ...]:
    """The plan's unstable fields."""
    return tuple(_field(name) for name in facts.unstable)


def _field(name: str) -> UnstableField:
    ref, _, path = name.partition(" ")
    kind = ref.partition("/")[0]
    return UnstableField(ref, kind, path, kind in _WORKLOADS and path.startswith("spec.template."))
