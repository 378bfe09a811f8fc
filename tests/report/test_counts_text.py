"""What a plan amounts to, in words."""

from __future__ import annotations

from msgspec.structs import replace
from sample_plans import body, resource, seed_story

from helmguard.report.counts_text import object_counts


def words(*resources: object) -> list[str]:
    plan = replace(seed_story(), resources=resources, hooks=())
    return [text for text, _ in object_counts(plan)]


def test_what_helm_does_not_come_to_is_not_unchanged_where_nothing_is() -> None:
    new = body("v1", "ConfigMap", "new", "shop")
    there = body("v1", "ConfigMap", "there", "shop")
    not_reached = resource("unchanged", None, new, previous=None)
    kept = resource("unchanged", there, there)
    gone = resource("unchanged", None, there, previous=there, new=None)
    assert words(not_reached) == ["1 not created"]
    assert words(not_reached, kept, gone) == ["1 not created", "2 unchanged"]
    assert words(kept) == ["1 unchanged"]
    assert words() == ["0 unchanged"]
