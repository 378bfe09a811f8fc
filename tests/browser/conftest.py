"""One browser for all tests of the page, and the pages as files; skipped where there is no Chromium."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from check_reports import REPORTS, live_plan
from chromium import Browser, Tab, browser, find_chromium, tab

from helmguard.masking.masker import Masker
from helmguard.report.check_masker import check_masker
from helmguard.report.html.page import render_html, render_plan_html

Pages = Callable[[str], Path]


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    program = find_chromium()
    if program is None:
        pytest.skip("there is no Chromium on PATH (HELMGUARD_CHROMIUM names one elsewhere)")
    with browser(program, tmp_path_factory.mktemp("profile")) as running:
        yield running


@pytest.fixture
def page(chromium: Browser) -> Iterator[Tab]:
    with tab(chromium) as shown:
        yield shown


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Pages:
    """The file of a report of ``check_reports``, or of the plan of a recorded upgrade."""
    folder = tmp_path_factory.mktemp("pages")

    def file_of(name: str) -> Path:
        file = folder / f"{name.replace('/', '-')}.html"
        if not file.exists():
            file.write_text(_text(name), encoding="utf-8")
        return file

    return file_of


def _text(name: str) -> str:
    if name in REPORTS:
        report = REPORTS[name]()
        return render_html(report, check_masker(report))
    plan = live_plan(name)
    return render_plan_html(plan, Masker.for_plan(plan))
