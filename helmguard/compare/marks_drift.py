"""Helm's ownership marks on a live object, against those of its release."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.compare.field_owners import foreign_owner
from helmguard.compare.find_field import find_field
from helmguard.model.field_change import MISSING, Cause, FieldChange
from helmguard.model.field_path import FieldPath
from helmguard.model.live_state import Present
from helmguard.model.prediction import ResourcePrediction
from helmguard.predict.ownership import wrong_marks


def marks_drift(prediction: ResourcePrediction, release: str, namespace: str) -> Iterator[FieldChange]:
    """The marks of an object of the manifest that name another release, or nobody; ``new`` is the right one.

    The cause says what Helm's next run does: sets it back, leaves it, or fails over it.
    """
    if not isinstance(prediction.live, Present) or prediction.new is None:
        return
    live = prediction.live.body
    for mark in wrong_marks(live, release, namespace):
        path: FieldPath = ("metadata", f"{mark.kind}s", mark.name)
        before = MISSING if mark.value is None else mark.value
        after = find_field(prediction.predicted, path)
        cause: Cause = "drift reverted" if after == mark.wanted else "drift kept"
        owner = None if before is MISSING else foreign_owner(live, path)
        if owner is not None and prediction.error:
            cause = "conflict"
        yield FieldChange(
            path,
            before,
            after,
            cause,
            new=mark.wanted,
            manager=str(owner) if owner else "",
            since=owner.time if owner else "",
            bookkeeping=True,
        )
