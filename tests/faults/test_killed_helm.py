"""Helm is killed at each stage of its run: helmguard tells how far it came, and the way out works."""

from __future__ import annotations

from pathlib import Path

import pytest
from fault_charts import settings_chart, with_hook, with_server
from requests_seen import Asked, Matches, by_helm, ending_a_record, storing_a_record, writes_of
from web import LARGE, SMALL, Web, follow, states, told, upgrade
from which_helm import with_helm_3, with_helm_4

PENDING = {1: "deployed", 2: "pending-upgrade"}


@pytest.mark.parametrize(
    ("moment", "handled", "revisions", "done"),
    [
        (storing_a_record, False, {1: "deployed"}, ""),
        (storing_a_record, True, PENDING, ""),
        (writes_of("configmaps", "a"), False, PENDING, ""),
        (writes_of("configmaps", "b"), False, PENDING, "a"),
        (writes_of("configmaps", "b"), True, PENDING, "ab"),
        (ending_a_record, False, PENDING, "abc"),
        (ending_a_record, True, {1: "superseded", 2: "pending-upgrade"}, "abc"),
    ],
    ids=[
        "before the record",
        "after the record",
        "before the first object",
        "before the second object",
        "after the second object",
        "before the old record is ended",
        "before the new record is ended",
    ],
)
@with_helm_3
def test_helm_is_killed(
    moment: Matches, handled: bool, revisions: dict[int, str], done: str, web: Web, chart: Path
) -> None:
    hold = web.api.hold(moment, handled=handled)
    with web.start(*upgrade(chart)) as run:
        hold.await_request()
        run.kill_helm()
        hold.lose()
        document = told(web, run.end(), 1)
    assert document["execution"]["end"] == "killed"
    assert web.statuses == revisions
    assert states(document) == {name: "done" if name in done else "not done" for name in SMALL}


@pytest.mark.parametrize(
    ("moment", "handled"),
    [(storing_a_record, True), (writes_of("configmaps", "b"), False), (ending_a_record, True)],
    ids=["early", "half way", "late"],
)
@with_helm_4
def test_the_way_out_of_a_killed_upgrade(moment: Matches, handled: bool, web: Web, chart: Path) -> None:
    hold = web.api.hold(moment, handled=handled)
    with web.start(*upgrade(chart)) as run:
        hold.await_request()
        run.kill_helm()
        hold.lose()
        document = told(web, run.end(), 1)
    follow(web, document)
    assert web.sizes == SMALL


@with_helm_3
def test_helm_is_killed_while_a_hook_runs(web: Web, chart: Path, tmp_path: Path) -> None:
    hook = with_hook(tmp_path / "hook", "pre-upgrade")
    hold = web.api.hold(by_helm("GET", "/jobs.*watch="))
    with web.start(*upgrade(hook)) as run:
        hold.await_request()
        run.kill_helm()
        document = told(web, run.end(), 1)
    assert web.statuses == PENDING
    assert states(document) == {**dict.fromkeys(SMALL, "not done"), "migrate": "otherwise"}
    follow(web, document)
    assert web.sizes == SMALL


@with_helm_4
def test_helm_is_killed_while_it_waits(web: Web, tmp_path: Path) -> None:
    chart = with_server(tmp_path / "chart")
    web.helm.run("install", "web", chart)

    def waits(asked: Asked) -> bool:
        reads = asked.method == "GET" and "Helm/" in asked.agent and "/deployments" in asked.path
        return reads and web.api.paths(writes_of("deployments")) != []

    hold = web.api.hold(waits)
    with web.start(*upgrade(chart, "--set", "replicas=1", "--wait")) as run:
        hold.await_request()
        run.kill_helm()
        document = told(web, run.end(), 1)
    assert web.statuses == PENDING
    assert states(document) == {"a": "done", "server": "done"}
    follow(web, document)
    assert web.sizes == {"a": "small"}


@with_helm_4
def test_helm_is_killed_while_it_installs(web: Web, tmp_path: Path) -> None:
    """Helm creates objects of a kind side by side. What was created is removed with the release."""
    chart = settings_chart(tmp_path / "chart")
    hold = web.api.hold(writes_of("configmaps"), skip=1)
    with web.start(*upgrade(chart, "--install")) as run:
        hold.await_request()
        run.kill_helm()
        hold.lose()
        document = told(web, run.end(), 1)
    assert web.statuses == {1: "pending-install"}
    assert sorted(states(document).values()) == ["done", "not done", "not done"]
    follow(web, document)
    assert (web.sizes, web.statuses) == ({}, {})


@with_helm_4
def test_helm_is_killed_while_it_rolls_back(web: Web, chart: Path) -> None:
    """The way out is to finish what was begun."""
    web.helm.run("upgrade", "web", chart, "--set", "size=large")
    hold = web.api.hold(writes_of("configmaps", "b"))
    with web.start("rollback", "web", "--yes", "-o", "json") as run:
        hold.await_request()
        assert web.sizes == {**LARGE, "a": "small"}
        run.kill_helm()
        hold.lose()
        document = told(web, run.end(), 1)
    assert web.statuses == {1: "superseded", 2: "deployed", 3: "pending-rollback"}
    assert states(document) == {"a": "done", "b": "not done", "c": "not done"}
    follow(web, document)
    assert web.sizes == SMALL
