"""The API server has too much to do and answers 429: what it says is obeyed, and nothing is done twice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from faults import FULL_QUEUE
from requests_seen import by_helmguard, ending_a_record, storing_a_record, writes_of
from web import LARGE, SMALL, Web, follow, states, told, upgrade
from which_helm import with_helm_3, with_helm_4

AT_ONCE = replace(FULL_QUEUE, headers={"Retry-After": "0"})


@with_helm_4
def test_a_storm_before_and_after(web: Web, chart: Path) -> None:
    """Each reading of helmguard's is refused once, and asked again."""
    refused: set[str] = set()

    def first_time(asked: object) -> bool:
        path = getattr(asked, "path", "")
        is_first = path not in refused
        refused.add(path)
        return is_first and "helmguard/" in getattr(asked, "agent", "")

    web.api.answer(first_time, AT_ONCE)
    document = told(web, web.run(*upgrade(chart)), 0)
    assert document["verification"]["ok"]
    assert web.sizes == LARGE


@with_helm_3
def test_a_storm_while_helm_writes(web: Web, chart: Path) -> None:
    web.api.answer(storing_a_record, AT_ONCE, times=2)
    web.api.answer(writes_of("configmaps", "b"), AT_ONCE, times=2)
    web.api.answer(ending_a_record, AT_ONCE, times=2)
    told(web, web.run(*upgrade(chart)), 0)
    assert web.statuses == {1: "superseded", 2: "deployed"}


@with_helm_4
def test_a_storm_without_end(web: Web, chart: Path) -> None:
    web.api.answer(writes_of("configmaps", "b"), AT_ONCE)
    document = told(web, web.run(*upgrade(chart)), 1)
    assert states(document)["b"] == "not done"
    assert "too many requests" in document["execution"]["message"]
    follow(web, document)
    assert web.sizes == SMALL


@with_helm_3
def test_a_storm_without_end_before_helm(web: Web, chart: Path) -> None:
    """Nothing is known of the objects: that is told, and with ``--fail-on-unknown`` it is refused."""
    web.api.answer(by_helmguard("GET", "/configmaps"), AT_ONCE)
    document = web.run(*upgrade(chart, "--fail-on-unknown")).expect(3).json
    assert document["outcome"] == "refused"
    unknown = {each["what"]: each["why"] for each in document["plan"]["unknown"]}
    assert "too many requests" in unknown["ConfigMap/a"]
    assert (web.sizes, web.statuses) == (SMALL, {1: "deployed"})
