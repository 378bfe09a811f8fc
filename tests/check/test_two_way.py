"""What the two renderings alone say."""

from __future__ import annotations

from msgspec.structs import replace
from sample_plans import config, resource, web_plan

from helmguard.check.two_way import LIVE_SIDE, as_two_way
from helmguard.model.live_state import Unreadable
from helmguard.model.plan import Plan
from helmguard.model.prediction import Failure

UNREAD = Unreadable("not read")


def plan() -> Plan:
    gone = resource("unchanged", config({"a": "1"}), None, new=None, state=UNREAD)
    return web_plan(resources=(gone,))


def test_what_only_the_old_side_has_goes() -> None:
    found = as_two_way(plan())
    [gone] = found.resources
    assert (gone.action, gone.confirmed, found.unknown) == ("delete", "unknown", (LIVE_SIDE,))


def test_nothing_goes_where_the_new_side_does_not_render() -> None:
    [kept] = as_two_way(replace(plan(), failure=Failure("parse error", "before"))).resources
    assert kept.action == "unchanged" and "does not render" in kept.prediction.why
