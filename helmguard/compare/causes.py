"""Why each field of an object changes."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from helmguard.compare.attribution import attribute
from helmguard.compare.bookkeeping import is_bookkeeping, is_controllers, is_ownership_mark, is_version_mark
from helmguard.compare.context import CompareContext
from helmguard.compare.declared import holds
from helmguard.compare.differences import Difference, differences
from helmguard.compare.documents import Documents
from helmguard.compare.field_owners import FieldOwner, foreign_owner, owners_of
from helmguard.compare.unstable import is_unstable
from helmguard.model.field_change import MISSING, Cause, FieldChange
from helmguard.model.field_path import FieldPath
from helmguard.model.json_value import JSONValue
from helmguard.model.prediction import ResourcePrediction

ALSO_LIVE = "was also changed live"
ADOPTED = "Helm adopts the object"
_FORCED = "taken over by force"


class _Reason(msgspec.Struct, frozen=True):
    cause: Cause
    owner: FieldOwner | None = None
    value_path: str = ""
    note: str = ""


def live_changes(
    prediction: ResourcePrediction, documents: Documents, context: CompareContext
) -> Iterator[FieldChange]:
    """The fields in which the object after Helm differs from the live one, each with its cause."""
    for difference in differences(documents.live, documents.predicted, documents.schema):
        reason = _reason(difference, prediction, documents, context)
        previous, new = documents.in_manifests(difference.path)
        yield FieldChange(
            path=difference.path,
            before=difference.before,
            after=difference.after,
            cause=reason.cause,
            previous=MISSING if difference.order_only else previous,
            new=MISSING if difference.order_only else new,
            manager=str(reason.owner) if reason.owner else "",
            since=reason.owner.time if reason.owner else "",
            value_path=reason.value_path,
            note="only the order of the items changes" if difference.order_only else reason.note,
            bookkeeping=is_bookkeeping(difference.path),
        )


def _reason(
    difference: Difference, prediction: ResourcePrediction, documents: Documents, context: CompareContext
) -> _Reason:
    path = difference.path
    if is_ownership_mark(path):
        cause: Cause = "chart" if prediction.previous is None else "drift reverted"
        return _Reason(cause, note="Helm's ownership mark")
    if is_controllers(path):
        return _Reason("server")
    if is_unstable(path, context.unstable.get(prediction.key, frozenset())):
        return _Reason("unstable")
    if documents.manifests_agree(path):
        return _reason_without_manifest_change(difference, prediction, documents, context)
    previous, new = documents.in_manifests(path)
    owner = foreign_owner(documents.body, path)
    if not _is_drifted(difference.before, previous, owner, documents, path):
        owner = None
    if owner and context.force_conflicts and MISSING not in (difference.before, difference.after):
        return _Reason("conflict", owner, note=_FORCED)
    found = attribute(prediction.key, path, previous, new, context)
    note = _note(difference, new, documents) or (ALSO_LIVE if owner else found.note)
    return _Reason(found.cause, owner, found.value_path, note)


def _reason_without_manifest_change(
    difference: Difference, prediction: ResourcePrediction, documents: Documents, context: CompareContext
) -> _Reason:
    path, after = difference.path, difference.after
    _, new = documents.in_manifests(path)
    owner = foreign_owner(documents.body, path)
    if prediction.previous is None:
        return _Reason("chart", owner, note=ADOPTED) if new is not MISSING else _Reason("server")
    delivered = MISSING not in (new, after) and holds(new, after, documents.schema, path)
    if difference.order_only or delivered:
        if owner is not None and context.force_conflicts and difference.before is not MISSING:
            return _Reason("conflict", owner, note=_FORCED)
        return _Reason("drift reverted", owner, note=_origin_of_drift(difference, owner, documents))
    if after is MISSING and new in (MISSING, None):
        dropped = _dropped_parent(path, documents)
        if owner is None and dropped is not None:
            found = attribute(prediction.key, dropped, *documents.in_manifests(dropped), context)
            return _Reason(found.cause, None, found.value_path, "goes with what the manifest drops")
        origin = _origin_of_drift(difference, owner, documents)
        if owner is not None or origin:
            return _Reason("drift reverted", owner, note=origin)
    if after is MISSING and new is not MISSING:
        return _Reason("server", owner, note="the manifest declares it, the cluster will not have it")
    return _Reason("server", owner)


def _dropped_parent(path: FieldPath, documents: Documents) -> FieldPath | None:
    """The innermost map or list item above the field that only the previous manifest has."""
    for length in range(len(path) - 1, 0, -1):
        previous, new = documents.in_manifests(path[:length])
        if previous is not MISSING:
            return path[:length] if new is MISSING else None
    return None


def _origin_of_drift(difference: Difference, owner: FieldOwner | None, documents: Documents) -> str:
    if difference.before is MISSING:
        return "was removed live"
    if owner is None and any(found.is_helm for found in owners_of(documents.body, difference.path)):
        return "left by an earlier run of Helm"
    return ""


def _is_drifted(
    before: JSONValue, previous: JSONValue, owner: FieldOwner | None, documents: Documents, path: FieldPath
) -> bool:
    """Whether the live value is not the previous manifest's; a field it did not have, if somebody set it."""
    if previous is MISSING:
        return before is not MISSING and owner is not None and not owner.is_controller
    return not holds(previous, before, documents.schema, path)


def _note(difference: Difference, new: JSONValue, documents: Documents) -> str:
    path, after = difference.path, difference.after
    if is_version_mark(path) and "template" in path:
        return "version label inside the pod template"
    if after is MISSING:
        return ""
    if new is MISSING:
        return "dropped from the manifest: the server's default takes over"
    if not difference.order_only and not holds(new, after, documents.schema, path):
        return "the cluster stores another value than the chart says"
    return ""
