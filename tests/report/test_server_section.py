"""What a page, a comment and the JSON say of the API server's answers to dry runs."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from sample_plans import config, resource, web_plan

from helmguard.masking.masker import Masker
from helmguard.model.field_change import MISSING
from helmguard.model.plan import DryRunReport, LocalDifference, Plan, ResourceChange
from helmguard.model.prediction import Confirmation
from helmguard.report.markdown import render_markdown
from helmguard.report.page import Page
from helmguard.report.plan_json import plan_to_dict
from helmguard.report.terminal import render_terminal


def _confirmed(name: str, confirmation: Confirmation, *differs: LocalDifference) -> ResourceChange:
    plain = resource("update", config({"a": "1"}, name), config({"a": "2"}, name))
    return replace(
        plain,
        prediction=replace(plain.prediction, confirmation=confirmation),
        confirmed="server" if confirmation.by_server else "local",
        local_differs=differs,
    )


@pytest.fixture
def plan() -> Plan:
    injected = LocalDifference(("data", "mesh"), MISSING, "on")
    return web_plan(
        resources=(
            _confirmed("one", Confirmation(by_server=True, warnings=("old field",))),
            _confirmed("two", Confirmation(by_server=True, warnings=("old field",)), injected),
            _confirmed("three", Confirmation(why="a hook may change its definition before")),
            _confirmed("four", Confirmation(why="forbidden", lacks_right=True)),
            _confirmed("five", Confirmation(by_server=True, local_error="predicted refusal")),
        ),
        dry_run=DryRunReport("auto", asked=4, answered=3, why="not confirmed: forbidden"),
    )


def _page(plan: Plan, page: Page) -> str:
    return render_terminal(plan, page, Masker.for_plan(plan, salt=b"fixed"))


def test_the_page(plan: Plan) -> None:
    page = _page(plan, Page(width=160))
    section = page[page.index("Server ") :].split("\n\n")[0].splitlines()
    assert section == [
        "Server   3 of 4 writes answered by the API server's dry run",
        "  ? not confirmed: forbidden",
        "  ! ConfigMap/one, ConfigMap/two  old field",
        "  ~ ConfigMap/two  stored otherwise than predicted: data.mesh",
        "  ~ ConfigMap/five  accepted, though a refusal was predicted: predicted refusal",
        "  - ConfigMap/three  not confirmed: a hook may change its definition before",
    ]


def test_debug_shows_both_values(plan: Plan) -> None:
    page = _page(plan, Page(width=160, debug=True))
    assert 'data.mesh  predicted, stored: unset → "on"' in page


def test_that_the_server_was_not_asked_is_said(plan: Plan) -> None:
    unasked = _page(replace(plan, dry_run=DryRunReport("never")), Page(width=160))
    assert "not asked: what policies, webhooks and quotas answer is not predictable" in unasked


def test_the_comment(plan: Plan) -> None:
    comment = render_markdown(plan, Masker.for_plan(plan, salt=b"fixed"))
    assert (
        "#### API server\n\n- not confirmed: forbidden\n- ConfigMap/one, ConfigMap/two old field" in comment
    )


def test_the_json(plan: Plan) -> None:
    document = plan_to_dict(plan)
    assert document["serverDryRun"] == {
        "mode": "auto",
        "asked": 4,
        "answered": 3,
        "why": "not confirmed: forbidden",
    }
    entries = {entry["name"]: entry for entry in document["resources"]}
    assert entries["two"]["localDiffers"] == [
        {"path": "data.mesh", "local": None, "server": "on", "absent": ["local"]}
    ]
    assert entries["one"]["warnings"] == ["old field"]
    assert "localError" not in entries["one"]
    assert entries["five"]["localError"] == "predicted refusal"
    assert entries["three"]["confirmedWhy"] == "a hook may change its definition before"
