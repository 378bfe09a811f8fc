"""A release's revisions as a time line."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from helmguard.masking.masker import Masker
from helmguard.model.release_state import RevisionRef
from helmguard.model.revision_changes import HistoryEntry, ReleaseHistory, RevisionChanges
from helmguard.report.page import Page, Pen
from helmguard.report.styles import Span, to_text, width_of
from helmguard.report.time_line_rows import (
    LIVE,
    comparison_title,
    not_compared,
    release_headline,
    revision_before,
    time_line_rows,
)

_NOW = "2026-11-30T12:00:00Z"
_FAILED = 'Upgrade "web" failed: timed out waiting for the condition, and this goes on for a while longer'


def _entry(
    version: int, status: str, hours: int, description: str = "Upgrade complete", **more: object
) -> HistoryEntry:
    day, hour = divmod(30 * 24 + 12 - hours, 24)
    updated = f"2026-11-{day:02}T{hour:02}:00:00Z"
    ref = RevisionRef(version, status, updated, description, f"web-1.{version}.0", "2.0", "ssa")
    charts = (f"web 1.{version - 1}.0", f"web 1.{version}.0")
    changes = None if version == 2 else RevisionChanges(version - 1, chart=charts)
    entry = HistoryEntry(version, version, ref, status, changes, objects=3, storage_name=f"v{version}")
    return replace(entry, **more)  # type: ignore[arg-type]


_HISTORY = ReleaseHistory(
    "web",
    "shop",
    "v4.3.1",
    (
        HistoryEntry(1, 1),
        _entry(2, "superseded", 300),
        HistoryEntry(3, 3, damage="it is no gzip data", storage_name="sh.helm.release.v1.web.v3"),
        _entry(4, "deployed", 5, "Rollback to 2", rollback_to=2, label_status="superseded"),
        _entry(5, "failed", 2, _FAILED),
        HistoryEntry(0, 0, damage="no version", storage_name="odd"),
    ),
)


def _text(width: int, *, unicode: bool = True, **more: object) -> list[str]:
    pen = Pen(Page(width=width, unicode=unicode), Masker())
    rows = time_line_rows(_HISTORY, _NOW, pen, **more)  # type: ignore[arg-type]
    return to_text([line for row in rows for line in row.lines], colour=False).rstrip("\n").split("\n")


def test_newest_first_and_everything_has_a_line() -> None:
    assert _text(78, brief=True, live=(Span("drift: none"),), compared=(4, 5), marked=(2,)) == [
        "  L  live  drift: none",
        "  ?  ? record odd cannot be read, and Helm skips it: no version",
        '» 5  ✗ failed      2 h ago      ssa  Upgrade "web" failed: timed out waiting …',
        "» 4  ● deployed (labelled superseded)  5 h ago      ssa  Rollback to 2 · char…",
        "  3  ? record sh.helm.release.v1.web.v3 cannot be read, and Helm skips it: it…",
        "+ 2  ○ superseded  12 days ago  ssa  the first that is stored: 3 objects",
        "  1  not stored any more",
    ]


def test_where_there_is_room_nothing_is_left_out() -> None:
    text = "\n".join(_text(78))
    assert " ".join(_FAILED.split()[-4:]) in " ".join(text.split())
    assert "web-1.5.0  app 2.0" in text
    assert "chart web 1.3.0 → web 1.4.0" in text
    assert "it is no gzip data" in " ".join(text.split())


@pytest.mark.parametrize("width", [40, 60, 78, 118])
@pytest.mark.parametrize("brief", [True, False])
def test_lines_fit(width: int, brief: bool) -> None:
    pen = Pen(Page(width=width), Masker())
    rows = time_line_rows(_HISTORY, _NOW, pen, brief=brief, live=(Span("not compared yet " * 9),))
    assert all(width_of(line) <= width for row in rows for line in row.lines)
    assert all(len(row.lines) == 1 for row in rows) or not brief
    assert [row.version for row in rows] == [LIVE, None, 5, 4, None, 2, None]
    assert len({row.key for row in rows}) == len(rows)


def test_ascii_alone() -> None:
    assert "\n".join(_text(60, unicode=False, live=(Span("x"),), compared=(5,))).isascii()


def test_the_headline_says_what_is_the_case() -> None:
    pen = Pen(Page(width=120), Masker())
    assert to_text([release_headline(_HISTORY, pen)], colour=False) == (
        "web · namespace shop · revision 5 ✗ failed · chart web-1.5.0, app 2.0 · 3 revisions · "
        "2 records not readable\n"
    )


def test_titles_of_comparisons() -> None:
    pen = Pen(Page(width=80), Masker())

    def title(before: int, after: int) -> str:
        return "".join(span.text for span in comparison_title(before, after, _HISTORY, pen))

    assert title(2, 4) == "revision 2 → 4 (stored)"
    assert title(4, LIVE) == "revision 4 and live"
    assert title(4, 5).startswith('revision 4 → 5 (stored) · Upgrade "web" failed')


def test_a_first_revision_that_failed_says_why() -> None:
    pen = Pen(Page(width=80), Masker())
    assert not_compared(2, _HISTORY, pen).count("\n") == 0
    assert not_compared(5, _HISTORY, pen).endswith(_FAILED)


def test_the_revision_before_is_one_that_can_be_read() -> None:
    assert {version: revision_before(_HISTORY, version) for version in (5, 4, 2)} == {5: 4, 4: 2, 2: None}
