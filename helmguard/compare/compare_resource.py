"""The field changes of one object, each with its cause."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from helmguard.compare.causes import live_changes
from helmguard.compare.conflict import conflicts, is_conflict_error
from helmguard.compare.context import CompareContext
from helmguard.compare.created import cause_of_appearance, cause_of_disappearance, created_fields
from helmguard.compare.documents import Documents
from helmguard.compare.drift import drift_kept
from helmguard.compare.local_differences import local_differences
from helmguard.compare.silent_changes import changes_between_manifests, silent_changes
from helmguard.model.field_change import FieldChange
from helmguard.model.live_state import Absent, Present
from helmguard.model.plan import ResourceChange
from helmguard.model.prediction import ResourcePrediction


def compare_resource(prediction: ResourcePrediction, context: CompareContext) -> ResourceChange:
    """The field changes, and where the API server's answer differs from the prediction without it."""
    change = _compared(prediction, context)
    differs = tuple(local_differences(prediction, context))
    return replace(change, local_differs=differs) if differs else change


def _compared(prediction: ResourcePrediction, context: CompareContext) -> ResourceChange:
    """What Helm changes on the object and what somebody else's changes it leaves.

    ``changes`` of an object that is created are the new manifest's fields in short form; a deleted or kept
    object has none. Where the live object could not be read they are the changes between the manifests, and
    ``confirmed`` is ``unknown``.
    """
    if prediction.action in ("create", "recreate"):
        cause = cause_of_appearance(prediction, context)
        changes = tuple(created_fields(prediction, cause))
        return ResourceChange(prediction, changes, cause=cause, confirmed=_confirmed(prediction))
    if prediction.action in ("delete", "keep"):
        gone = cause_of_disappearance(prediction, context)
        return ResourceChange(prediction, cause=gone, confirmed=_confirmed(prediction))
    if prediction.action == "hook":
        return ResourceChange(prediction, confirmed=_confirmed(prediction))
    documents = Documents.of(prediction, context)
    if isinstance(prediction.live, Absent):
        return ResourceChange(prediction, confirmed=_confirmed(prediction))
    if not isinstance(prediction.live, Present) or prediction.predicted is None:
        guesses = tuple(changes_between_manifests(prediction, documents, context))
        return ResourceChange(prediction, guesses, confirmed="unknown")
    if prediction.key in context.not_reached or prediction.new is None:
        changes = tuple(live_changes(prediction, documents, context))
        return ResourceChange(prediction, changes, confirmed=_confirmed(prediction))
    return ResourceChange(
        prediction,
        _changes(prediction, documents, context),
        () if is_conflict_error(prediction.error) else tuple(drift_kept(documents)),
        confirmed=_confirmed(prediction),
    )


def _changes(
    prediction: ResourcePrediction, documents: Documents, context: CompareContext
) -> tuple[FieldChange, ...]:
    changes = list(live_changes(prediction, documents, context))
    seen = {change.path for change in changes}
    if is_conflict_error(prediction.error):
        changes += [change for change in conflicts(documents) if change.path not in seen]
    elif prediction.action != "fail" and prediction.previous is not None:
        changes += silent_changes(documents, seen)
    return tuple(changes)


def _confirmed(prediction: ResourcePrediction) -> Literal["server", "local", "unknown"]:
    """An object that the server confirmed may still hold values that it will choose anew."""
    if prediction.confirmation is not None and prediction.confirmation.by_server:
        return "server"
    return "unknown" if prediction.unknown else "local"
