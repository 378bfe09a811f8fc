"""The form for a plan: filled in, read, and told what is wrong before anything is planned."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from given_source import GivenSource
from one_screen import text_of
from settled import press, settled
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from helmguard.tui.app import HelmguardApp
from helmguard.tui.dialogs.plan_form import PlanFormDialog
from helmguard.tui.form_troubles import form_troubles
from helmguard.tui.options import TuiOptions
from helmguard.tui.plan_form import PlanForm
from helmguard.tui.widgets.mode_choice import ModeChoice
from helmguard.tui.widgets.path_suggester import completed

WEB = PlanForm("web", "shop")


class Answer:
    """What the dialog answered: nothing yet, a form, or None for nothing to plan."""

    def __init__(self) -> None:
        self.given: list[PlanForm | None] = []


def in_form(
    check: Callable[[Pilot[int], PlanFormDialog, Answer], Awaitable[None]],
    form: PlanForm = WEB,
    *,
    last: PlanForm | None = None,
    can_execute: bool = True,
) -> None:
    """Run ``check`` in front of the form."""

    async def run() -> None:
        source = GivenSource(can_execute=can_execute)
        app = HelmguardApp(source, TuiOptions(common_words=("--fail-on=blocker",)))
        if last is not None:
            app.last_forms[last.namespace, last.release] = last
        async with app.run_test(size=(80, 24)) as pilot:
            dialog, answer = PlanFormDialog(form, hint="web 1.2.3"), Answer()
            app.push_screen(dialog, answer.given.append)
            await settled(pilot)
            await check(pilot, dialog, answer)

    asyncio.run(run())


def fill(dialog: PlanFormDialog, **fields: str) -> None:
    """Type into the fields."""
    for name, text in fields.items():
        widget = dialog.query_one(f"#{name}")
        if isinstance(widget, TextArea):
            widget.text = text
        else:
            assert isinstance(widget, Input)
            widget.value = text


def test_what_is_filled_in_is_the_form(tmp_path: Path) -> None:
    chart, first, second = tmp_path / "web", tmp_path / "a.yaml", tmp_path / "b.yaml"
    chart.mkdir()
    for file in (first, second):
        file.write_text("{}\n")

    async def check(pilot: Pilot[int], dialog: PlanFormDialog, answer: Answer) -> None:
        assert "web 1.2.3" in text_of(pilot)
        fill(
            dialog,
            chart=str(chart),
            version="1.3",
            files=f"{first}, {second}",
            sets="image.tag=2\n\n--set-string a='b c'\n",
            other="--atomic",
        )
        dialog.query_one(ModeChoice).focus()
        await press(pilot, ["down", "down", "ctrl+s"])
        assert answer.given == [
            PlanForm(
                "web",
                "shop",
                str(chart),
                "1.3",
                (str(first), str(second)),
                ("image.tag=2", "--set-string a='b c'"),
                "reuse",
                "--atomic",
            )
        ]

    in_form(check)


def test_what_is_wrong_stands_under_its_field_and_nothing_is_lost() -> None:
    async def check(pilot: Pilot[int], dialog: PlanFormDialog, answer: Answer) -> None:
        await press(pilot, ["enter"])
        assert "the chart is missing" in text_of(pilot)
        fill(dialog, chart="./no-such-chart", files="no-such.yaml", sets="--set 'a=b")
        await press(pilot, ["ctrl+s"])
        page = text_of(pilot)
        assert "./no-such-chart: no such file or folder" in page and "no-such.yaml: no such file" in page
        assert "no closing quotation" in page
        assert dialog.query_one("#chart", Input).has_focus and answer.given == []
        assert dialog.query_one("#sets", TextArea).text == "--set 'a=b"
        fill(dialog, chart="repo/web", files="", sets="a=b", other="--no-such-flag")
        await press(pilot, ["ctrl+s"])
        page = text_of(pilot)
        assert "--no-such-flag" in page and "no such file" not in page
        fill(dialog, other="")
        await press(pilot, ["enter"])
        assert answer.given == [PlanForm("web", "shop", "repo/web", sets=("a=b",))]

    in_form(check)


def test_escape_plans_nothing() -> None:
    async def check(pilot: Pilot[int], _: PlanFormDialog, answer: Answer) -> None:
        await press(pilot, ["escape"])
        assert answer.given == [None]

    in_form(check)


def test_what_was_planned_last_is_filled_in() -> None:
    last = PlanForm("web", "shop", "repo/web", sets=("a=b", "c=d"), mode="reuse", other="--atomic")

    async def check(pilot: Pilot[int], dialog: PlanFormDialog, answer: Answer) -> None:
        assert dialog.query_one("#sets", TextArea).text == "a=b\nc=d"
        assert "(*) reuse" in text_of(pilot)
        await press(pilot, ["ctrl+s"])
        assert answer.given == [last]

    in_form(check, last=last)


def test_a_rollback_has_nothing_but_its_revision() -> None:
    async def check(pilot: Pilot[int], dialog: PlanFormDialog, answer: Answer) -> None:
        assert "Plan a rollback of web in shop" in text_of(pilot) and "Chart" not in text_of(pilot)
        fill(dialog, revision="3")
        await press(pilot, ["enter"])
        assert answer.given == [PlanForm("web", "shop", rollback_to=3)]

    in_form(check, PlanForm("web", "shop", rollback_to=5))


def test_a_bundle_holds_its_chart() -> None:
    async def check(pilot: Pilot[int], _: PlanFormDialog, answer: Answer) -> None:
        await press(pilot, ["ctrl+s"])
        assert answer.given == [WEB]

    in_form(check, can_execute=False)


@pytest.mark.parametrize(
    ("form", "field", "said"),
    [
        (PlanForm("web", chart="r/web", other="--help"), "other", "--help has no place in the form"),
        (PlanForm("web", chart="r/web", other="--out=x"), "other", "--out has no place in the form"),
        (PlanForm("web", chart="r/web", other="--timeout"), "other", "expected one argument"),
        (PlanForm("web", chart="r/web", sets=("--version 1",)), "sets", "does not set a value"),
        (PlanForm("web", chart="--set"), "chart", "cannot begin with '-'"),
        (PlanForm("web", chart="r/web", values_files=("-",)), "files", "it is your keyboard"),
        (PlanForm("web", rollback_to=2, other="'"), "other", "no closing quotation"),
    ],
)
def test_what_cannot_be_read_is_told_at_its_field(form: PlanForm, field: str, said: str) -> None:
    (trouble,) = form_troubles(form, ("--fail-on=blocker",), offline=False)
    assert (trouble.field, said in trouble.error.message) == (field, True), trouble.error.message


def test_paths_are_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "charts" / "web").mkdir(parents=True)
    (tmp_path / "charts" / "values.yaml").write_text("")
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "charts" / "z\x1b[31m").write_text("")
    monkeypatch.chdir(tmp_path)
    assert completed("cha") == "charts/"
    assert completed("./charts/w") == "./charts/web/"
    assert completed(" charts/v") == " charts/values.yaml"
    assert completed(f"{tmp_path}/.h") == f"{tmp_path}/.hidden/"
    assert completed("charts/z") is None and completed("nothing") is None and completed("oci://cha") is None
    assert completed("") == "charts/"
