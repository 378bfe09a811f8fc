"""Field managers beside Helm that own fields of the new manifest."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from helmguard.compare.bookkeeping import is_ownership_mark
from helmguard.compare.declared import holds
from helmguard.compare.field_owners import HELM_MANAGERS, FieldOwner, fields_of_others
from helmguard.compare.find_field import find_field
from helmguard.model.field_change import MISSING
from helmguard.model.field_path import FieldPath, format_path
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import Present
from helmguard.predict.schema.builtin_types import builtin_type
from helmguard.predict.schema.value_type import ANY
from helmguard.rules.context.other_tools import marks_of
from helmguard.rules.context.record import Record
from helmguard.rules.facts import Facts
from helmguard.rules.kubectl import kubectl_target


class ForeignManager(Record, frozen=True):
    """One manager's fields of one object, as far as the new manifest names them."""

    ref: Annotated[str, "the object: `Deployment/web`"]
    target: Annotated[str, "how kubectl is told of it: `-n shop deployment.apps/web`"] = ""
    manager: Annotated[str, "`kubectl-edit`, `argocd-controller`"] = ""
    applies: Annotated[bool, "it applies server-side: it will own the fields until it lets go of them"] = (
        False
    )
    since: Annotated[str, "when it last wrote to the object, as the API gives it"] = ""
    equal: Annotated[tuple[str, ...], "fields that hold the new manifest's value"] = ()
    differs: Annotated[tuple[str, ...], "fields that hold another one"] = ()
    marked: Annotated[bool, "the object bears another tool's mark, which owned-by-other-tool tells"] = False


def foreign_managers(facts: Facts) -> Iterator[ForeignManager]:
    """Managers that are neither Helm nor a controller, by object."""
    for resource in facts.resources:
        prediction = resource.prediction
        new, live = prediction.new, prediction.live
        if new is None or not isinstance(live, Present) or resource.action == "hook":
            continue
        if not _has_others(live.body):
            continue
        found: dict[FieldOwner, tuple[list[str], list[str]]] = {}
        told: set[FieldPath] = set()
        schema = builtin_type(prediction.api_version, prediction.key.kind) or ANY
        for field in fields_of_others(live.body, schema):
            if is_ownership_mark(field.path) or any(
                field.path[:n] in told for n in range(1, len(field.path))
            ):
                continue
            declared = find_field(new, field.path)
            if declared is MISSING or declared is None:
                continue
            same = holds(declared, field.value, schema, ())
            if same:
                told.add(field.path)
            equal, differs = found.setdefault(field.owner, ([], []))
            (equal if same else differs).append(format_path(field.path))
        for owner, (equal, differs) in found.items():
            yield ForeignManager(
                ref=str(prediction.key),
                target=kubectl_target(prediction.key),
                manager=str(owner),
                applies=owner.operation == "Apply",
                since=owner.time,
                equal=tuple(dict.fromkeys(equal)),
                differs=tuple(dict.fromkeys(differs)),
                marked=any(True for _ in marks_of(live.body, prediction.key)),
            )


def _has_others(body: JSONObject) -> bool:
    """Most objects are Helm's and the controllers' alone: they are not gone into."""
    entries = (body.get("metadata") or {}).get("managedFields") or ()
    return any(
        entry.get("manager") not in HELM_MANAGERS
        and entry.get("subresource") != "status"
        and not FieldOwner(str(entry.get("manager")), "", "", "").is_controller
        for entry in entries
        if isinstance(entry, dict)
    )
