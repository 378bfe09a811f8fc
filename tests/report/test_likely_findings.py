"""Losses that only a live object could avert are told one by one, in each output."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from helmguard.model.finding import Finding, Place, Waiver
from helmguard.report.likely_findings import is_likely, likely_text

LOSS = Finding(
    rule="delete-pvc",
    severity="blocker",
    title="is deleted, and the data on its volume with it",
    where=Place("object", "PersistentVolumeClaim/data"),
    result="unknown",
    missing=("it.live",),
)


def test_the_text_says_what_is_missing() -> None:
    assert likely_text(LOSS) == f"{LOSS.title}: not certain without the live object"
    assert is_likely(LOSS)


@pytest.mark.parametrize(
    "other",
    [
        {"result": "fires"},
        {"severity": "warning"},
        {"rule": "drift-reverted"},
        {"missing": ("cluster.pods",)},
        {"waived": Waiver("accepted in writing")},
    ],
)
def test_anything_else_is_not_told_by_itself(other: dict[str, object]) -> None:
    assert not is_likely(replace(LOSS, **other))
