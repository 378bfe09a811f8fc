"""The API server is lost, for a while or for good, before helm runs, while it runs, and after it."""

from __future__ import annotations

from pathlib import Path

from faults import BROKEN
from requests_seen import ending_a_record, writes_of
from web import LARGE, SMALL, Web, follow, run_told, states, told, upgrade
from which_helm import with_helm_3, with_helm_4

QUESTION = "Only 'yes' is accepted:"


@with_helm_3
def test_it_stops_while_helm_writes(web: Web, chart: Path) -> None:
    """Nothing can be read back, so nothing is claimed of what the cluster holds."""
    hold = web.api.hold(writes_of("configmaps", "b"))
    with web.start(*upgrade(chart)) as run:
        hold.await_request()
        web.api.stop()
        document = told(web, run.end(), 1)
    assert document["execution"]["readBackError"] is not None
    assert set(states(document).values()) == {"unknown"}
    assert "ConfigMap/a" in document["execution"]["helmTried"]
    web.api.start()
    (status,) = document["execution"]["next"]
    assert "pending-upgrade" in run_told(web, status).out


@with_helm_3
def test_it_stops_and_is_back_before_helm_ends(web: Web, chart: Path) -> None:
    hold = web.api.hold(writes_of("configmaps", "b"))
    with web.start(*upgrade(chart)) as run:
        hold.await_request()
        web.api.stop()
        web.api.start()
        web.api.heal()
        document = told(web, run.end(), 1)
    assert (states(document)["a"], states(document)["b"]) == ("done", "not done")
    follow(web, document)
    assert web.sizes == SMALL


@with_helm_4
def test_it_stops_before_the_question_is_answered(web: Web, chart: Path) -> None:
    with web.start("upgrade", "web", chart, "--set", "size=large") as run:
        run.await_words(QUESTION)
        web.api.stop()
        run.answer("yes")
        ended = run.end()
    assert "nothing was changed" in ended.expect(1).err
    assert (web.sizes, web.statuses) == (SMALL, {1: "deployed"})


@with_helm_3
def test_it_is_not_there_at_all(web: Web, chart: Path) -> None:
    web.api.stop()
    web.run(*upgrade(chart)).expect_error("cannot reach the Kubernetes API server", "nothing was changed")
    assert web.statuses == {1: "deployed"}


@with_helm_4
def test_an_answer_is_lost_and_the_object_was_written(web: Web, chart: Path) -> None:
    """Helm takes it for a failure; the object is found as it was to be."""
    web.api.lose(writes_of("configmaps", "b"), handled=True, times=1)
    document = told(web, web.run(*upgrade(chart)), 1)
    assert states(document)["b"] == "done"
    follow(web, document)
    assert web.sizes == SMALL


@with_helm_3
def test_the_answer_to_the_last_record_is_lost(web: Web, chart: Path) -> None:
    """Helm says that it failed, and the release is deployed."""
    web.api.lose(ending_a_record, handled=True, skip=1)
    document = told(web, web.run(*upgrade(chart)), 1)
    assert document["execution"]["status"] == "deployed"
    assert states(document) == dict.fromkeys(LARGE, "done")


@with_helm_4
def test_it_is_broken_for_one_object(web: Web, chart: Path) -> None:
    web.api.answer(writes_of("configmaps", "b"), BROKEN)
    document = told(web, web.run(*upgrade(chart)), 1)
    assert "no leader" in document["execution"]["message"]
    assert states(document)["b"] == "not done"


@with_helm_4
def test_it_stops_when_helm_is_done(web: Web, chart: Path) -> None:
    """The upgrade succeeded, and nobody knows whether it is as planned: that is no success."""
    web.api.lose(lambda asked: "helmguard/" in asked.agent and len(web.api.paths(ending_a_record)) == 2)
    document = told(web, web.run(*upgrade(chart)), 4)
    assert document["execution"]["end"] == "succeeded"
    assert document["execution"]["unverified"]
    assert web.statuses[2] == "deployed"
