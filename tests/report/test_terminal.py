"""The page: snapshots, and what holds for every plan."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from msgspec.structs import replace
from sample_plans import ALL, change, deployment, resource, ssa_conflict, web_plan

from helmguard.compare.causes import ALSO_LIVE
from helmguard.masking.masker import Masker
from helmguard.model.finding import Finding, Place, Waiver
from helmguard.model.plan import Plan
from helmguard.report.display_width import display_width
from helmguard.report.page import Page, Pen
from helmguard.report.review_outline import Outline
from helmguard.report.styles import to_text
from helmguard.report.terminal import render_terminal

SNAPSHOTS = Path(__file__).parent / "snapshots"
ANSI = re.compile(r"\x1b\[[0-9;]*m")
PAGES: dict[str, Page] = {
    "80": Page(width=80),
    "200": Page(width=200),
    "ascii": Page(width=100, unicode=False),
    "context": Page(width=100, context=2),
    "noise": Page(width=120, show_noise=True),
}


def render(plan: Plan, page: Page) -> str:
    return render_terminal(plan, page, Masker.for_plan(plan, salt=b"fixed"))


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("name", ALL)
def test_snapshots(name: str, page: str) -> None:
    """Set HELMGUARD_UPDATE_SNAPSHOTS to write them anew, then read the diff."""
    shown = render(ALL[name], PAGES[page])
    file = SNAPSHOTS / f"{name}-{page}.txt"
    if os.environ.get("HELMGUARD_UPDATE_SNAPSHOTS"):
        file.write_text(shown, encoding="utf-8")
    assert shown == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("width", [80, 81, 97, 120, 200])
@pytest.mark.parametrize("name", ALL)
def test_every_line_fits(name: str, width: int) -> None:
    for line in render(ALL[name], Page(width=width)).splitlines():
        assert display_width(line) <= width
        assert line == line.rstrip()


@pytest.mark.parametrize("name", ALL)
def test_plain_pages_hold_no_control_characters(name: str) -> None:
    for line in render(ALL[name], Page(width=80)).split("\n"):
        assert line.isprintable()


@pytest.mark.parametrize("name", ALL)
def test_colours_add_nothing_but_colour(name: str) -> None:
    coloured = render(ALL[name], Page(width=90, colour=True))
    assert ANSI.search(coloured)
    assert ANSI.sub("", coloured) == render(ALL[name], Page(width=90))


@pytest.mark.parametrize("name", ALL)
def test_ascii_pages_are_ascii(name: str) -> None:
    assert render(ALL[name], Page(width=80, unicode=False)).isascii()


@pytest.mark.parametrize("name", ALL)
def test_the_last_line_is_the_verdict_and_quiet_shows_it_alone(name: str) -> None:
    masker = Masker.for_plan(ALL[name])
    quiet = render_terminal(ALL[name], Page(width=200), masker, quiet=True)
    page = render_terminal(ALL[name], Page(width=200), masker)
    assert quiet.count("\n") == 1
    assert page.endswith(f"\n\n{quiet}")
    assert re.search(r"Exit \d\.\n$", quiet)


@pytest.mark.parametrize("name", ALL)
def test_the_same_plan_gives_the_same_page(name: str) -> None:
    assert render(ALL[name], Page()) == render(ALL[name], Page())


def test_a_failure_without_a_finding_has_an_item_of_its_own() -> None:
    page = render(replace(ssa_conflict(), findings=()), Page(width=100))
    assert "✗ WILL FAIL  Deployment/web" in page
    assert "already changed and not rolled back: ConfigMap/web, Service/web" in page


def test_why_helm_4_patches_client_side_is_in_one_pair_of_brackets() -> None:
    plan = web_plan()
    engine = replace(plan.engine, apply_method="csa", why="the last revision was applied client-side")
    page = render_terminal(replace(plan, engine=engine), Page(width=160), Masker.for_plan(plan))
    assert "will patch client-side, three-way (the last revision was applied client-side)" in page


def test_a_conflict_taken_over_by_force_is_no_absence_of_drift() -> None:
    taken = change("spec.replicas", 7, 3, "conflict", previous=3, new=3, manager="kubectl (scale)")
    plan = web_plan(resources=(resource("update", deployment(replicas=7), deployment(replicas=3), taken),))
    page = render_terminal(plan, Page(), Masker.for_plan(plan))
    assert "Drift    1 taken over by force (above)" in page


def test_a_live_change_that_the_chart_overwrites_is_no_absence_of_drift() -> None:
    over = replace(change("spec.replicas", 7, 6, "values", manager="kubectl (scale)"), note=ALSO_LIVE)
    plan = web_plan(resources=(resource("update", deployment(replicas=7), deployment(replicas=6), over),))
    assert "Drift    1 overwritten (above)" in render_terminal(plan, Page(), Masker.for_plan(plan))
    outline = Outline(plan)
    rows = [line for row in outline.rows(Pen(Page(), Masker.for_plan(plan))) for line in row.lines]
    assert "Drift     1 overwritten (above)" in to_text(rows, colour=False)


def test_values_of_a_rollback_are_not_set_by_the_user() -> None:
    seed = ALL["seed"]
    changes = tuple(replace(one, cause="values") for one in seed.values.changes)
    plan = replace(seed, operation="rollback", values=replace(seed.values, changes=changes))
    page = render_terminal(plan, Page(), Masker.for_plan(plan))
    assert f"{len(changes)} changed by the rollback" in page
    assert "set by you" not in re.sub(r"(?s).*\nValues ", "", page).split("\n")[0]


def test_waived_findings_come_last_and_say_why() -> None:
    place = Place("object", "Deployment/web")
    waived = Finding(
        "grave", "blocker", "grave", place, consequence="text", waived=Waiver("known and agreed")
    )
    page = render(web_plan(findings=(waived, Finding("light", "warning", "light", place))), Page(width=100))
    assert page.index("WARNING") < page.index("WAIVED BLOCKER") < page.index("known and agreed")
    assert "consequence" not in page and "Exit 0." in page


def test_noise_is_counted_and_not_shown() -> None:
    page = render(ALL["actions"], Page(width=120))
    assert "1 with version labels only" in page
    assert "ConfigMap/labels" not in page
    assert "ConfigMap/labels" in render(ALL["actions"], Page(width=120, show_noise=True))


def test_a_very_narrow_terminal_does_no_harm() -> None:
    for plan in ALL.values():
        assert render(plan, Page(width=5))
