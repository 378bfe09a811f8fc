"""Numbers and exit codes of many releases, without a cluster."""

from __future__ import annotations

from collections import Counter

import pytest

from helmguard.model.unread_release import UnreadRelease
from helmguard.report.drift_overview import overview_verdict, render_overview
from helmguard.report.drift_rows import DriftRow, exit_code_of_all, row_of, summary_of_all
from helmguard.report.page import Page
from helmguard.report.styles import to_text

QUIET = DriftRow("shop", "web", 3, "deployed", Counter(objects=4), 0, 0)
DRIFTED = DriftRow("shop", "api", 2, "deployed", Counter(objects=2, objectsAdrift=1, missing=1), 0, 2)
FAILING = DriftRow("ops", "db", 1, "deployed", Counter(objects=1, objectsAdrift=1, conflicts=2), 0, 3)
UNSURE = DriftRow("ops", "log", 1, "deployed", Counter(objects=1, notRead=1), 1, 2)
UNREAD = row_of(UnreadRelease("ops", "old", "the record's gzip data is corrupt"))


@pytest.mark.parametrize(
    ("rows", "code", "verdict"),
    [
        ([], 0, "There is no release: nothing was compared. Exit 0."),
        ([QUIET], 0, "No drift in 1 release. Exit 0."),
        ([QUIET, DRIFTED], 2, "Drift in 1 of 2 releases. Exit 2."),
        (
            [QUIET, DRIFTED, FAILING],
            3,
            "Drift in 2 of 3 releases; the next upgrade of 1 will fail or be refused. Exit 3.",
        ),
        ([QUIET, UNSURE], 2, "No drift found; 1 not fully known. Exit 2."),
        ([QUIET, UNREAD], 2, "No drift found; 1 not fully known. Exit 2."),
        (
            [UNREAD, FAILING],
            3,
            "Drift in 1 of 2 releases; the next upgrade of 1 will fail or be refused; 1 not fully known."
            " Exit 3.",
        ),
        ([UNREAD], 1, "None of 1 release could be read. Exit 1."),
    ],
)
def test_the_gravest_decides(rows: list[DriftRow], code: int, verdict: str) -> None:
    assert exit_code_of_all(rows) == code
    assert to_text([overview_verdict(rows)], colour=False) == verdict + "\n"


def test_numbers_add_up() -> None:
    summary = summary_of_all([QUIET, DRIFTED, FAILING, UNREAD])
    chosen = ("releases", "withDrift", "refused", "notKnown", "objects", "missing", "conflicts", "kept")
    assert [summary[name] for name in chosen] == [4, 2, 1, 1, 7, 1, 2, 0]


def test_the_table_shows_what_there_is_to_see() -> None:
    rows = [QUIET, DRIFTED, FAILING, UNREAD]
    page = render_overview(rows, [], Page(width=80))
    assert page.splitlines()[1:6] == [
        "NAMESPACE  RELEASE  REV  STATUS    MISSING  FAILS  UNKNOWN",
        "shop       api      2    deployed  1        -      -",
        "ops        db       1    deployed  -        2      -",
        "ops        old      ?    ?         -        -      1",
        "  ? ops/old  the record's gzip data is corrupt",
    ]
    assert "and 1 release without drift" in page
    assert "web" not in page
    assert "web" in render_overview(rows, [], Page(width=80, show_noise=True))
    assert render_overview(rows, [], Page(), quiet=True).count("\n") == 1
