"""The list of releases: which are shown, in which order, and their lines."""

from __future__ import annotations

from collections import Counter

import pytest

from helmguard.cluster.release_list import ListedRelease
from helmguard.masking.masker import Masker
from helmguard.model.release_state import RevisionRef
from helmguard.report.drift_rows import DriftRow
from helmguard.report.page import Page, Pen
from helmguard.report.release_lines import (
    column_titles,
    list_summary,
    nothing_shown,
    release_columns,
    release_line,
)
from helmguard.report.release_rows import ReleaseRow, ReleasesView, release_row, shown_releases
from helmguard.report.styles import to_text, width_of

_NOW = 1_796_000_000
_LEFT_OUT = "only namespace shop: you may not list others"


def _row(name: str, status: str = "deployed", age: int = 7200, version: int = 1) -> ReleaseRow:
    namespace, _, release = name.partition("/")
    return release_row(ListedRelease(namespace, release, version, status, _NOW - age))


def _drift(objects: int = 0, *, not_known: int = 0, why: str = "", **counts: int) -> DriftRow:
    found = Counter({"objectsAdrift": objects, **counts})
    return DriftRow("a", "b", 1, "deployed", found, not_known, 0, why)


_ROWS = [
    _row("shop/web", "failed", 60),
    _row("shop/api", "deployed", 300_000),
    _row("pay/web", "pending-upgrade", 600),
    _row("pay/cache", "uninstalling", 30),
    _row("ops/old", "superseded", 900_000),
    _row("ops/grafana", "deployed", 10),
]


def _names(view: ReleasesView) -> list[str]:
    return [row.key for row in shown_releases(_ROWS, view)]


@pytest.mark.parametrize(
    ("view", "shown"),
    [
        (
            ReleasesView(),
            ["ops/grafana", "ops/old", "pay/cache", "pay/web", "shop/api", "shop/web"],
        ),
        (
            ReleasesView(sort="name"),
            ["shop/api", "pay/cache", "ops/grafana", "ops/old", "pay/web", "shop/web"],
        ),
        (
            ReleasesView(sort="status"),
            ["shop/web", "pay/cache", "pay/web", "ops/old", "ops/grafana", "shop/api"],
        ),
        (
            ReleasesView(sort="updated"),
            ["ops/grafana", "pay/cache", "shop/web", "pay/web", "shop/api", "ops/old"],
        ),
        (ReleasesView(status="failed"), ["shop/web"]),
        (ReleasesView(status="pending"), ["pay/cache", "pay/web"]),
        (ReleasesView(status="not deployed"), ["ops/old", "pay/cache", "pay/web", "shop/web"]),
        (ReleasesView(status="drifted"), []),
        (ReleasesView(namespace="pay"), ["pay/cache", "pay/web"]),
        (ReleasesView(namespace="pa"), []),
        (ReleasesView(search="WEB"), ["pay/web", "shop/web"]),
        (ReleasesView(search="pw"), ["pay/web", "shop/web"]),
        (ReleasesView(search="p/w"), ["shop/web", "pay/web"]),
        (ReleasesView(search="shop web"), ["shop/web"]),
        (ReleasesView(search="["), []),
        (ReleasesView(search="web", namespace="shop", status="failed"), ["shop/web"]),
    ],
)
def test_which_are_shown_and_in_which_order(view: ReleasesView, shown: list[str]) -> None:
    assert _names(view) == shown


def test_those_that_drift_are_found_once_drift_is_known() -> None:
    rows = [_row("a/none"), _row("a/two"), _row("a/unread"), _row("a/doubt"), _row("a/unasked")]
    for row, drift in zip(rows, [_drift(), _drift(2), _drift(why="gone"), _drift(not_known=1)], strict=False):
        row.drift = drift

    found = shown_releases(rows, ReleasesView(status="drifted"))

    assert [row.release.name for row in found] == ["doubt", "two", "unread"]
    columns = release_columns(rows, 90)
    pen = Pen(Page(width=90), Masker())
    lines = [to_text([release_line(row, columns, _NOW, pen)], colour=False) for row in rows]
    cells = [line.split("ago")[1].strip() for line in lines]
    assert cells == ["none", "~2", "not read", "none ?", ""]


@pytest.mark.parametrize("width", [30, 40, 60, 78, 118, 198])
@pytest.mark.parametrize("unicode", [True, False])
def test_a_line_fits_and_its_cells_stand_below_their_titles(width: int, unicode: bool) -> None:
    rows = [
        _row(f"{'n' * 30}/{'r' * 53}", "pending-rollback", version=120),
        _row("b/web", "failed"),
        _row("名前/サービス"),
    ]
    rows[1].chart, rows[1].chart_read = RevisionRef(1, "failed", "", "", "web-1.2.3", "4.5"), True
    pen = Pen(Page(width=width, unicode=unicode), Masker())
    columns = release_columns(rows, width)
    titles = column_titles(columns, "status", pen)
    lines = [release_line(row, columns, _NOW, pen) for row in rows]
    text = to_text([titles, *lines], colour=False).split("\n")

    assert len({width_of(line[:4]) for line in [*lines]}) == 1
    if width >= 78:
        assert all(width_of(line) <= width + 2 for line in [titles, *lines])
        assert text[0].index("STATUS") == text[2].index("failed") - 2
        assert "2 h ago" in text[2]
    if width >= 198:
        assert "web-1.2.3  app 4.5" in text[2]
    if not unicode:
        assert "\n".join(text).isascii()


def test_every_status_has_a_word_and_a_sign() -> None:
    pen = Pen(Page(width=78), Masker())
    rows = [_row("a/b", status) for status in ("deployed", "failed", "pending-install", "unheard-of", "")]
    columns = release_columns(rows, 78)
    lines = to_text([release_line(row, columns, _NOW, pen) for row in rows], colour=False).split("\n")

    found = [line.split("1  ", 1)[1].split("  ")[0] for line in lines if line]
    assert found == ["● deployed", "✗ failed", "◌ pending-install", "? unheard-of", "? not known"]


def test_the_summary_counts_and_names_what_filters() -> None:
    pen = Pen(Page(width=100), Masker())
    view = ReleasesView(search="we", status="failed", namespace="shop", sort="updated")

    said = to_text(
        [list_summary(_ROWS, 1, view, "only namespace shop: you may not list others", pen)], colour=False
    )

    assert said == (
        "6 releases, 1 shown · namespace shop · failed · like we · by updated · "
        "only namespace shop: you may not list others\n"
    )
    assert (
        to_text([list_summary(_ROWS, 6, ReleasesView(), "", pen)], colour=False)
        == "6 releases · by namespace\n"
    )


def test_an_empty_list_says_why_and_what_to_do() -> None:
    filtered = nothing_shown(_ROWS, ReleasesView(search="zzz", namespace="shop"), "", "kind-prod")
    assert (
        "None of 6 releases" in filtered and "0 shows all namespaces" in filtered and "/ and esc" in filtered
    )
    assert "d compares" in nothing_shown(_ROWS, ReleasesView(status="drifted"), "", "kind-prod")
    empty = nothing_shown([], ReleasesView(), "", "kind-prod")
    assert "no release in kind-prod" in empty and "HELM_DRIVER" in empty and "-n NAMESPACE" in empty
    left_out = nothing_shown([], ReleasesView(), "only namespace shop: you may not list secrets", "kind-prod")
    assert left_out.startswith("There is no release in namespace shop: you may not list secrets")


def test_hostile_names_are_inert() -> None:
    row = release_row(ListedRelease("a\x1b[31m", "b\u202e[red]", 1, "x\x07", _NOW))
    pen = Pen(Page(width=78), Masker())
    text = to_text([release_line(row, release_columns([row], 78), _NOW, pen)], colour=False)

    assert not any(ord(character) < 32 and character != "\n" for character in text)
    assert "\u202e" not in text
