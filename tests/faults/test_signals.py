"""Ctrl-C, SIGTERM and SIGKILL at each stage."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from at_work import await_end
from requests_seen import by_helmguard, ending_a_record, writes_of
from web import LARGE, SMALL, Web, follow, states, told, upgrade
from which_helm import with_helm_3, with_helm_4

QUESTION = "Only 'yes' is accepted:"


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["SIGINT", "SIGTERM"]
)
@with_helm_3
def test_at_the_question(number: signal.Signals, code: int, web: Web, chart: Path) -> None:
    with web.start("upgrade", "web", chart, "--set", "size=large") as run:
        run.await_words(QUESTION)
        run.send(number)
        ended = run.end().expect(code)
    if number is signal.SIGINT:
        assert "interrupted; nothing was changed" in ended.err
    assert (web.sizes, web.statuses) == (SMALL, {1: "deployed"})


@pytest.mark.parametrize(
    ("helm_binary", "number", "code"),
    [("helm3", signal.SIGTERM, 143), ("helm4", signal.SIGINT, 130)],
    indirect=["helm_binary"],
    ids=["h3-SIGTERM", "h4-SIGINT"],
)
def test_while_helm_writes(number: signal.Signals, code: int, web: Web, chart: Path) -> None:
    """Helm is asked to stop and marks the revision as failed; what was done until then is told."""
    hold = web.api.hold(writes_of("configmaps", "b"))
    with web.start(*upgrade(chart)) as run:
        hold.await_request()
        run.send(number)
        run.await_words("helm was asked to stop")
        document = told(web, run.end(), code)
    hold.lose()
    assert document["execution"]["end"] == "stopped"
    assert states(document)["a"] == "done"
    assert web.statuses == {1: "deployed", 2: "failed"}
    follow(web, document)
    assert web.sizes == SMALL


@with_helm_4
def test_twice_while_helm_writes(web: Web, chart: Path) -> None:
    """The first time helm begins to mark the revision as failed; the second time it is killed at that."""
    hold = web.api.hold(writes_of("configmaps", "b"))
    marking = web.api.hold(ending_a_record)
    with web.start(*upgrade(chart)) as run:
        hold.await_request()
        run.send(signal.SIGINT)
        marking.await_request()
        run.send(signal.SIGINT)
        run.await_words("helm was killed")
        hold.lose()
        marking.lose()
        document = told(web, run.end(), 130)
    assert document["execution"]["end"] == "killed"
    assert web.statuses == {1: "deployed", 2: "pending-upgrade"}
    follow(web, document)
    assert web.sizes == SMALL


@with_helm_4
def test_while_it_verifies(web: Web, chart: Path) -> None:
    reads = by_helmguard("GET", "/configmaps")
    hold = web.api.hold(lambda asked: reads(asked) and len(web.api.paths(ending_a_record)) == 2)
    with web.start(*upgrade(chart)) as run:
        hold.await_request()
        run.send(signal.SIGINT)
        document = told(web, run.end(), 130)
    assert document["execution"]["end"] == "succeeded"
    assert document["execution"]["unverified"] == "interrupted"
    assert (web.sizes, web.statuses[2]) == (LARGE, "deployed")


@with_helm_3
def test_while_helm_rolls_back(web: Web, chart: Path) -> None:
    """A rollback has no clean way to stop: its end is waited for."""
    web.helm.run("upgrade", "web", chart, "--set", "size=large")
    hold = web.api.hold(writes_of("configmaps", "b"))
    with web.start("rollback", "web", "--yes", "-o", "json") as run:
        hold.await_request()
        run.send(signal.SIGTERM)
        run.await_words("helm rollback has no clean way to stop")
        hold.release()
        document = told(web, run.end(), 143)
    assert document["execution"]["end"] == "succeeded"
    assert document["verification"]["ok"]
    assert web.sizes == SMALL
    assert web.statuses[3] == "deployed"


@with_helm_3
def test_helmguard_is_killed_while_helm_writes(web: Web, chart: Path) -> None:
    """Helm goes on to its end, and is not cut off by a pipe that nobody reads."""
    hold = web.api.hold(writes_of("configmaps", "b"))
    with web.start(*upgrade(chart)) as run:
        hold.await_request()
        helm = run.helm()
        run.send(signal.SIGKILL)
        run.end().expect(-signal.SIGKILL)
        hold.release()
        await_end(helm)
    assert web.sizes == LARGE
    assert web.statuses == {1: "superseded", 2: "deployed"}
    web.run("status", "web").expect(0)


@with_helm_4
def test_while_nothing_answers(web: Web, chart: Path) -> None:
    """An API server that hangs keeps no signal from helm, and none from helmguard when it reads back."""
    writing = web.api.hold(writes_of("configmaps", "b"))
    with web.start(*upgrade(chart)) as run:
        writing.await_request()
        reading = web.api.hold(by_helmguard("GET"))
        reading.await_request()
        asked = len(web.api.paths(by_helmguard("GET")))
        run.send(signal.SIGINT)
        run.await_words("helm was asked to stop")
        web.api.await_requests(by_helmguard("GET"), asked + 1)
        run.send(signal.SIGTERM)
        document = told(web, run.end(), 130)
    assert document["execution"]["end"] == "stopped"
    assert document["execution"]["readBackError"] == "interrupted while it was being read"
    assert set(states(document).values()) == {"unknown"}
    assert web.statuses[2] == "failed"
