"""The token expires: from then on every request is answered with 401."""

from __future__ import annotations

from pathlib import Path

from faults import EXPIRED
from requests_seen import by_anyone, storing_a_record, writes_of
from web import SMALL, Web, run_told, states, told, upgrade
from which_helm import with_helm_3, with_helm_4


@with_helm_3
def test_while_helm_writes(web: Web, chart: Path) -> None:
    hold = web.api.hold(writes_of("configmaps", "b"))
    with web.start(*upgrade(chart)) as run:
        hold.await_request()
        web.api.answer(by_anyone(), EXPIRED)
        hold.lose()
        document = told(web, run.end(), 1)
    assert "nauthorized" in document["execution"]["message"]
    assert "credentials" in document["execution"]["readBackError"]
    assert set(states(document).values()) == {"unknown"}
    assert web.sizes["a"] == "large"
    web.api.heal()
    (status,) = document["execution"]["next"]
    assert "pending-upgrade" in run_told(web, status).out


@with_helm_4
def test_before_helm_stores_its_record(web: Web, chart: Path) -> None:
    hold = web.api.hold(storing_a_record)
    with web.start(*upgrade(chart)) as run:
        hold.await_request()
        web.api.answer(by_anyone(), EXPIRED)
        hold.lose()
        document = told(web, run.end(), 1)
    assert document["execution"]["readBackError"]
    assert (web.sizes, web.statuses) == (SMALL, {1: "deployed"})


@with_helm_3
def test_at_the_question(web: Web, chart: Path) -> None:
    with web.start("upgrade", "web", chart, "--set", "size=large") as run:
        run.await_words("Only 'yes' is accepted:")
        web.api.answer(by_anyone(), EXPIRED)
        run.answer("yes")
        ended = run.end()
    assert "nothing was changed" in ended.expect(1).err
    assert "credentials" in ended.err
    assert (web.sizes, web.statuses) == (SMALL, {1: "deployed"})
