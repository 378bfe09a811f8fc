"""The notes and hooks of a revision as texts."""

from __future__ import annotations

from typing import Any

from helmguard.manifest.hooks import hooks_of
from helmguard.masking.masker import Masker
from helmguard.model.release import Revision
from helmguard.report.page import Page, Pen
from helmguard.report.revision_texts import hooks_lines, notes_lines
from helmguard.report.side_by_side import SideRow
from helmguard.report.styles import to_text
from helmguard.report.values_side_by_side import value_side_rows
from helmguard.values.comparison import RecordedValues

_KEY = "first line of it\nsecond line of it"


def _revision(**more: Any) -> Revision:
    return Revision("web", "shop", 3, "deployed", "deployed", {}, None, "", **more)


def _hook(name: str, events: list[str], weight: int, **more: Any) -> dict[str, Any]:
    body = f"metadata:\n  name: {name}\nspec:\n  password: hunter2-hunter2\n"
    manifest = f"apiVersion: batch/v1\nkind: Job\n{body}"
    about = {"name": name, "kind": "Job", "path": "web/j.yaml", "manifest": manifest}
    return {**about, "events": events, "weight": weight, **more}


def test_notes_keep_their_lines_and_hide_a_secret_of_several() -> None:
    pen = Pen(Page(width=60), Masker([_KEY]))
    text = to_text(
        notes_lines(_revision(notes=f"1. Look:\n   kubectl get\x1b[31m\n{_KEY}\n"), pen), colour=False
    )

    assert text.startswith("1. Look:\n   kubectl get\\x1b[31m\n(secret")
    assert "second line" not in text
    assert "no notes" in to_text(notes_lines(_revision(), pen), colour=False)


def test_hooks_stand_in_the_order_in_which_they_run() -> None:
    entries = (
        _hook("late", ["pre-upgrade"], 5),
        _hook("early", ["pre-upgrade", "post-install"], -1, delete_policies=["hook-succeeded"],
              last_run={"phase": "Failed", "completed_at": "2026-11-30T10:00:00Z"}),
    )  # fmt: skip
    pen = Pen(Page(width=100), Masker())
    text = to_text(hooks_lines(_revision(hooks=entries), hooks_of(entries), pen), colour=False)

    assert text.split("\n")[:7] == [
        "2 hooks of revision 3",
        "",
        "pre-upgrade",
        "  Job/early  weight -1  deleted after success  failed 2026-11-30 10:00 UTC",
        "  Job/late  weight 5  replaced at the next run",
        "",
        "post-install",
    ]
    assert "hunter2" not in text and "password: (secret)" in text
    assert "no hooks" in to_text(hooks_lines(_revision(), [], pen), colour=False)


def test_values_of_two_revisions_are_masked_and_still_told_apart() -> None:
    def side(password: str, replicas: int) -> RecordedValues:
        config = {"password": password, "replicas": replicas}
        return RecordedValues(config, {"a": 1}, {"a": 1, **config})

    pen = Pen(Page(width=80), Masker())
    rows = list(value_side_rows(side("s3cret-one", 2), side("s3cret-two", 2), pen))

    assert next(row.left for row in rows if row.kind == "head") == "user-supplied values"
    assert [row.kind for row in rows] == ["head", "changed", "same", "head", "same", "changed", "same"]
    assert "s3cret" not in repr(rows)
    assert isinstance(rows[1], SideRow) and rows[1].left != rows[1].right
    empty = RecordedValues({}, {}, {})
    assert [row.left for row in value_side_rows(empty, empty, pen) if row.kind == "same"] == ["{}", "{}"]
