"""Helm's ownership marks on a live object, against those of its release."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from helmguard.compare.field_owners import foreign_owner
from helmguard.compare.find_field import find_field
from helmguard.model.field_change import MISSING, Cause, FieldChange
from helmguard.model.field_path import FieldPath
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import Present
from helmguard.model.prediction import ResourcePrediction
from helmguard.predict.ownership import MANAGED_BY, RELEASE_NAME, RELEASE_NAMESPACE


def ownership_marks(release: str, namespace: str) -> Mapping[FieldPath, str]:
    """The marks that Helm writes on every object of a release."""
    return {
        ("metadata", "labels", MANAGED_BY): "Helm",
        ("metadata", "annotations", RELEASE_NAME): release,
        ("metadata", "annotations", RELEASE_NAMESPACE): namespace,
    }


def bears_marks(body: JSONObject, release: str, namespace: str) -> bool:
    """Whether the live object says that it belongs to the release."""
    return all(
        find_field(body, path) == wanted for path, wanted in ownership_marks(release, namespace).items()
    )


def marks_drift(prediction: ResourcePrediction, release: str, namespace: str) -> Iterator[FieldChange]:
    """The marks of an object of the manifest that name another release, or nobody; ``new`` is the right one.

    The cause says what Helm's next run does: sets it back, leaves it, or fails over it.
    """
    if not isinstance(prediction.live, Present) or prediction.new is None:
        return
    live = prediction.live.body
    for path, wanted in ownership_marks(release, namespace).items():
        before = find_field(live, path)
        if before == wanted:
            continue
        after = find_field(prediction.predicted, path)
        cause: Cause = "drift reverted" if after == wanted else "drift kept"
        owner = None if before is MISSING else foreign_owner(live, path)
        if owner is not None and prediction.error:
            cause = "conflict"
        yield FieldChange(
            path,
            before,
            after,
            cause,
            new=wanted,
            manager=str(owner) if owner else "",
            since=owner.time if owner else "",
            bookkeeping=True,
        )
