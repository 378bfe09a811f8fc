"""Helm is killed at each stage of its run: helmguard tells how far it came, and the way out works."""

from __future__ import annotations

from pathlib import Path

import pytest
from requests_seen import Matches, ending_a_record, storing_a_record, writes_of
from web import SMALL, Web, follow, states, told, upgrade

PENDING = {1: "deployed", 2: "pending-upgrade"}


@pytest.mark.parametrize(
    ("moment", "handled", "skip", "revisions", "done"),
    [
        (storing_a_record, False, 0, {1: "deployed"}, ""),
        (storing_a_record, True, 0, PENDING, ""),
        (writes_of("configmaps", "a"), False, 0, PENDING, ""),
        (writes_of("configmaps", "b"), False, 0, PENDING, "a"),
        (writes_of("configmaps", "b"), True, 0, PENDING, "ab"),
        (ending_a_record, False, 0, PENDING, "abc"),
        (ending_a_record, True, 0, {1: "superseded", 2: "pending-upgrade"}, "abc"),
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
def test_helm_is_killed(
    moment: Matches, handled: bool, skip: int, revisions: dict[int, str], done: str, web: Web, chart: Path
) -> None:
    hold = web.api.hold(moment, handled=handled, skip=skip)
    with web.start(*upgrade(chart)) as run:
        hold.await_request()
        run.kill_helm()
        hold.lose()
        document = told(web, run.end(), 1)
    assert document["execution"]["end"] == "killed"
    assert web.statuses == revisions
    assert states(document) == {name: "done" if name in done else "not done" for name in SMALL}
    if 2 in revisions:
        follow(web, document)
        assert web.sizes == SMALL
