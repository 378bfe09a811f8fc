"""Somebody else is at work on the same release: before, at the question, and while helm runs."""

from __future__ import annotations

from pathlib import Path

from at_work import helm_at_work
from requests_seen import storing_a_record, writes_of
from web import LARGE, SMALL, Web, states, told, upgrade
from which_helm import with_helm_3, with_helm_4

QUESTION = "Only 'yes' is accepted:"
HUGE = ("--set", "size=huge")


@with_helm_4
def test_a_helm_is_at_work_before(web: Web, chart: Path) -> None:
    hold = web.api.hold(writes_of("configmaps", "b"))
    through = web.helm_through
    with helm_at_work(through, "upgrade", "web", chart, *HUGE) as other:
        hold.await_request()
        document = web.run(*upgrade(chart)).expect(3).json
        assert document["outcome"] == "refused"
        assert "another operation" in document["plan"]["failure"]["message"]
        hold.release()
        other.end().expect(0)
    assert web.statuses == {1: "superseded", 2: "deployed"}
    assert set(web.sizes.values()) == {"huge"}


@with_helm_3
def test_a_helm_was_at_work_at_the_question(web: Web, chart: Path) -> None:
    with web.start("upgrade", "web", chart, "--set", "size=large") as run:
        run.await_words(QUESTION)
        web.helm.run("upgrade", "web", chart, *HUGE)
        run.answer("yes")
        ended = run.end().expect(3)
    assert "revision" in ended.out
    assert (web.statuses[2], web.sizes["a"]) == ("deployed", "huge")


@with_helm_4
def test_a_second_helmguard_at_the_question(web: Web, chart: Path) -> None:
    """Both ask, the second is answered first: the first one does nothing."""
    with (
        web.start("upgrade", "web", chart, "--set", "size=large") as first,
        web.start("upgrade", "web", chart, *HUGE) as second,
    ):
        first.await_words(QUESTION)
        second.await_words(QUESTION)
        second.answer("yes")
        second.end().expect(0)
        first.answer("yes")
        first.end().expect(3)
    assert web.statuses == {1: "superseded", 2: "deployed"}
    assert set(web.sizes.values()) == {"huge"}


@with_helm_4
def test_a_helm_is_faster_after_the_last_look(web: Web, chart: Path) -> None:
    """Helm refuses; the revision that is there is somebody else's, and so are the objects."""
    hold = web.api.hold(storing_a_record)
    with web.start(*upgrade(chart)) as run:
        hold.await_request()
        web.helm.run("upgrade", "web", chart, *HUGE)
        hold.release()
        document = told(web, run.end(), 1)
    execution = document["execution"]
    assert (execution["revision"], execution["status"]) == (None, None)
    assert execution["others"] == ["revision 2 (deployed) was stored by somebody else"]
    assert states(document) == dict.fromkeys(SMALL, "otherwise")
    assert set(web.sizes.values()) == {"huge"}


@with_helm_4
def test_a_rollback_comes_in_between(web: Web, chart: Path) -> None:
    """Helm lets a rollback begin while an upgrade is under way. Both end well; the objects are a mixture."""
    hold = web.api.hold(writes_of("configmaps", "b"))
    with web.start(*upgrade(chart)) as run:
        hold.await_request()
        web.helm.run("rollback", "web", "1")
        run.await_words("somebody else has stored revision 3 of this release meanwhile")
        hold.release()
        document = told(web, run.end(), 4)
    assert web.statuses == {1: "superseded", 2: "deployed", 3: "deployed"}
    assert web.sizes == {"a": "small", "b": "large", "c": "large"}
    assert document["execution"]["others"] == ["revision 3 (deployed) was stored by somebody else"]
    assert [each["name"] for each in document["verification"]["differences"]] == ["a"]
    assert "somebody else is at work" in document["verification"]["trouble"][0]


@with_helm_3
def test_an_object_is_changed_by_hand_at_the_question(web: Web, chart: Path) -> None:
    """And what does not matter does not stop it."""
    settings = f"/api/v1/namespaces/{web.namespace}/configmaps"
    with web.start("upgrade", "web", chart, "--set", "size=large") as run:
        run.await_words(QUESTION)
        web.cluster.patch(f"{settings}/a", {"metadata": {"annotations": {"seen": "today"}}})
        run.answer("yes")
        run.end().expect(0)
    assert web.sizes == LARGE
    with web.start("upgrade", "web", chart, *HUGE) as run:
        run.await_words(QUESTION)
        web.cluster.patch(f"{settings}/a", {"data": {"size": "tiny"}})
        run.answer("yes")
        ended = run.end().expect(3)
    assert "ConfigMap/a" in ended.out
    assert web.sizes == {**LARGE, "a": "tiny"}
