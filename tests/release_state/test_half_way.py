"""Whether each change of a revision that did not end well is in the cluster, as a table."""

from __future__ import annotations

import pytest
from state_samples import config_map, key, live, objects

from helmguard.compare.context import CompareContext
from helmguard.model.live_state import Absent, KindNotServed, LiveState, Unreadable
from helmguard.model.release_state import Progress
from helmguard.model.resource_key import ResourceKey
from helmguard.release_state.half_way import progress_of


def progress(before: str, after: str, states: dict[ResourceKey, LiveState]) -> Progress:
    return progress_of(
        2, 1, objects(before), objects(after), states, ("rel", "ns"), CompareContext().type_of, 4
    )


@pytest.mark.parametrize(
    ("before", "after", "state", "change", "expected", "missing"),
    [
        ("", config_map("a", k="1"), live("a", k="1"), "create", "applied", []),
        ("", config_map("a", k="1"), Absent(), "create", "not applied", []),
        ("", config_map("a", k="1"), live("a", {}, k="1"), "create", "not applied", []),
        ("", config_map("a", k="1"), Unreadable("rights"), "create", "unknown", []),
        (config_map("a", k="1"), "", Absent(), "delete", "applied", []),
        (config_map("a", k="1"), "", live("a", k="1"), "delete", "not applied", []),
        (config_map("a", k="1"), "", KindNotServed("v1", "ConfigMap"), "delete", "not applied", []),
        (config_map("a", k="1"), config_map("a", k="2"), live("a", k="2"), "update", "applied", []),
        (config_map("a", k="1"), config_map("a", k="2"), live("a", k="1"), "update", "not applied", ["k"]),
        (config_map("a", k="1"), config_map("a", k="2"), live("a", k="9"), "update", "partly", ["k"]),
        (config_map("a", k="1"), config_map("a", k="2"), Absent(), "update", "not applied", []),
        (
            config_map("a", k="1", m="1"),
            config_map("a", k="2", m="2"),
            live("a", k="2", m="1"),
            "update",
            "partly",
            ["m"],
        ),
        (config_map("a", k="1", m="1"), config_map("a", k="1"), live("a", k="1"), "update", "applied", []),
        (
            config_map("a", k="1", m="1"),
            config_map("a", k="1"),
            live("a", k="1", m="default"),
            "update",
            "applied",
            [],
        ),
        (
            config_map("a", k="1", m="1"),
            config_map("a", k="1"),
            live("a", k="1", m="1"),
            "update",
            "not applied",
            ["m"],
        ),
    ],
)
def test_whether_a_change_is_in_the_cluster(
    before: str, after: str, state: LiveState, change: str, expected: str, missing: list[str]
) -> None:
    found = progress(before, after, {key("a"): state})
    (item,) = found.objects
    assert (item.change, item.state) == (change, expected)
    assert [path[-1] for path in item.missing] == missing


def test_what_a_revision_does_not_change_is_counted() -> None:
    both = config_map("a", k="1")
    found = progress(both, both + config_map("b", k="1"), {key("a"): Absent(), key("b"): Absent()})
    assert (found.unchanged, [str(item.key) for item in found.objects]) == (1, ["ConfigMap/b"])
