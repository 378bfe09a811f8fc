"""The page of a check: snapshots, and what holds for every one."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from check_reports import REPORTS, checked, declared, hostile, noise_plan, without_a_cluster
from msgspec.structs import replace
from sample_plans import web_plan

from helmguard.model.check_report import CheckedRelease, CheckReport
from helmguard.model.declared_release import Controller
from helmguard.model.finding import Finding, Place
from helmguard.model.plan import Unknown
from helmguard.report.check_cells import release_names
from helmguard.report.check_markdown import check_markdown
from helmguard.report.check_masker import check_masker
from helmguard.report.check_page import render_check
from helmguard.report.display_width import display_width
from helmguard.report.page import Page

SNAPSHOTS = Path(__file__).parent / "snapshots"
ANSI = re.compile(r"\x1b\[[0-9;]*m")
PAGES: dict[str, Page] = {
    "80": Page(width=80),
    "120": Page(width=120),
    "200": Page(width=200),
    "ascii": Page(width=100, unicode=False),
    "noise": Page(width=120, show_noise=True),
}


def render(report: CheckReport, page: Page, *, quiet: bool = False) -> str:
    return render_check(report, page, check_masker(report, salt=b"fixed"), quiet=quiet)


@pytest.mark.parametrize(
    ("name", "page"),
    [("no-cluster", page) for page in PAGES]
    + [("cluster", "80"), ("nothing", "80"), ("same", "80"), ("hostile", "80")],
)
def test_snapshots(name: str, page: str) -> None:
    """Set HELMGUARD_UPDATE_SNAPSHOTS to write them anew, then read the diff."""
    shown = render(REPORTS[name](), PAGES[page])
    file = SNAPSHOTS / f"check-{name}-{page}.txt"
    if os.environ.get("HELMGUARD_UPDATE_SNAPSHOTS"):
        file.write_text(shown, encoding="utf-8")
    assert shown == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("width", [80, 81, 97, 120, 200])
@pytest.mark.parametrize("name", REPORTS)
def test_every_line_fits(name: str, width: int) -> None:
    for line in render(REPORTS[name](), Page(width=width)).splitlines():
        assert display_width(line) <= width
        assert line == line.rstrip() and line.isprintable()


@pytest.mark.parametrize("name", REPORTS)
def test_colours_add_nothing_but_colour(name: str) -> None:
    coloured = render(REPORTS[name](), Page(width=90, colour=True))
    assert ANSI.search(coloured)
    assert ANSI.sub("", coloured) == render(REPORTS[name](), Page(width=90))


@pytest.mark.parametrize("name", REPORTS)
def test_the_last_line_is_the_verdict_and_quiet_shows_it_alone(name: str) -> None:
    quiet = render(REPORTS[name](), Page(width=400), quiet=True)
    assert quiet.count("\n") == 1 and re.search(r"Exit \d\.\n$", quiet)
    assert render(REPORTS[name](), Page(width=400)).endswith(f"\n\n{quiet}")


def test_no_secret_is_told() -> None:
    page = render(hostile(), Page(width=120, show_noise=True))
    assert "hunter" not in page and "(secret" in page


def test_what_is_gravest_comes_first() -> None:
    page = render(without_a_cluster(), Page(width=120))
    names = ["gpu-operator/gpu-operator", "shop/old", "plex/media", "shop/hooks"]
    found = [page.index(f" {name} ") for name in names]
    assert found == sorted(found)


def test_rules_without_facts_are_one_line_for_all_releases() -> None:
    page = render(without_a_cluster(), Page(width=200))
    assert page.count("cannot be answered without") == 1
    assert page.count("live objects  not read") == 1


def test_noise_and_same_are_a_line_each() -> None:
    page = render(without_a_cluster(), Page(width=120))
    assert "= 1 release differs only in chart labels, checksums and the like: shop/labels" in page
    assert "= 2 releases render the same as before: shop/quiet, shop/still" in page
    assert "ConfigMap/labels" not in page
    assert "ConfigMap/labels" in render(without_a_cluster(), Page(width=120, show_noise=True))


def test_what_is_not_known_of_a_release_without_a_section_is_told_all_the_same() -> None:
    unknown = (Unknown("values", "Secret shop/web is not in the repository"),)
    for state, plan in (("same", None), ("noise", noise_plan())):
        release = checked(state, declared("web", unknown=unknown), plan)  # type: ignore[arg-type]
        page = render(CheckReport("main", "HEAD", (release,), 1), Page(width=120))
        assert "? values  Secret shop/web is not in the repository (shop/web)" in page
        assert "Exit 2." in page


@pytest.mark.parametrize(
    ("report", "verdict"),
    [
        (CheckReport("a", "b"), "Nothing to do: no release is concerned. Exit 0."),
        (
            CheckReport("a", "b", (checked("unknown", declared("web"), why="it does not render"),)),
            "Not certain: no change found, but 1 release could not be compared. Exit 2.",
        ),
        (
            CheckReport("a", "b", (checked("noise", declared("web"), web_plan()),), live="cluster"),
            "1 release changes in labels only; no finding at or above the gate (danger). Exit 2.",
        ),
        (
            CheckReport("a", "b", (checked("removed", declared("web")), checked("same", declared("c")))),
            "1 release goes; no finding at or above the gate (danger). Exit 2.",
        ),
        (
            CheckReport("a", "b", unknown=(Unknown("x", "y"),), fail_on_unknown=True),
            "Refused: 1 thing of the repository could not be read, which refuses too. Exit 3.",
        ),
        (
            CheckReport("a", "b", untouched=(Unknown("x", "y"),), fail_on_unknown=True),
            "Nothing to do: no release is concerned. Exit 0.",
        ),
    ],
)
def test_verdicts(report: CheckReport, verdict: str) -> None:
    assert render(report, Page(), quiet=True) == f"{verdict}\n"


def test_each_side_rendered_by_another_helm_is_said() -> None:
    report = replace(without_a_cluster(), base_helm="3.22.0")
    page = " ".join(render(report, Page(width=200)).split())
    assert "Helm 3.22.0 → 4.3.1: each side is rendered by its own" in page


def test_several_releases_of_one_name_are_told_apart() -> None:
    names = ["clusters/a › HelmRelease shop/web", "clusters/b › HelmRelease shop/web", "chart web (x)"]
    releases = [checked("changed", declared("web", identity=name), noise_plan()) for name in names]
    other = checked("changed", declared("api"), noise_plan())
    report = CheckReport("a", "b", (*releases, other), 4)
    assert list(release_names(report).values()) == [
        "shop/web (clusters/a)",
        "shop/web (clusters/b)",
        "shop/web (chart web (x))",
        "shop/api",
    ]
    twins = [
        declared("web", identity=f"clusters/a › {kind} shop/web") for kind in ("HelmRelease", "Application")
    ]
    report = CheckReport("a", "b", tuple(checked("same", one) for one in twins), 2)
    assert len(set(release_names(report).values())) == 2


def test_releases_that_look_alike_are_shown_once() -> None:
    def release(name: str, severity: str = "warning") -> CheckedRelease:
        place = Place("object", f"Deployment/{name}")
        finding = Finding("r", severity, f"{name} gets another image", place)  # type: ignore[arg-type]
        return checked("changed", declared(name), web_plan(findings=(finding,)))

    report = CheckReport("a", "b", (release("web"), release("api-server"), release("cron", "info")), 3)
    page = render(report, Page(width=120))
    assert "1 more release looks alike but for its name: shop/api-server" in page
    assert "web gets another image" in page and "api-server gets another image" not in page
    assert "cron gets another image" in page
    assert "api-server gets another image" in render(report, Page(width=120, show_noise=True))


def test_what_a_controller_does_with_several_releases_is_said_once() -> None:
    both = Controller("Flux", remarks=("upgrades with Helm 4", "retries"))
    releases = [
        checked("changed", declared("web", controller=both), web_plan()),
        checked("changed", declared("api", controller=replace(both, remarks=both.remarks[:1])), noise_plan()),
    ]
    page = render(CheckReport("a", "b", tuple(releases), 2), Page(width=120))
    assert page.count("upgrades with Helm 4") == 1
    assert "Flux, 2 releases: upgrades with Helm 4" in page and "  Flux: retries" in page


def test_releases_that_could_not_be_compared_for_one_reason_are_told_together() -> None:
    why, remedy = "its chart is neither in the chart map nor in the cache", "Run once without --offline"
    names = ("plex", "radarr", "sonarr", "bazarr", "qui", "seerr", "tautulli")
    releases = [checked("unknown", declared(name), why=why, remedy=remedy) for name in names]
    releases.append(checked("unknown", declared("other"), why="its chart does not render"))
    report = CheckReport("main", "HEAD", tuple(releases), read=8)
    for shown in (
        render(report, Page(width=120)),
        check_markdown(report, check_masker(report, salt=b"fixed")),
    ):
        assert shown.count(why) == shown.count(remedy) == 1
        assert "7 releases not compared: shop/plex, shop/radarr, shop/sonarr" in shown
        assert shown.count("shop/tautulli") == 1 and shown.count("shop/other") == 2
