"""The parts that decide without a cluster, as tables."""

from __future__ import annotations

from typing import Any

import pytest
from state_samples import config_map, key, live, objects

from helmguard.model.live_state import KindNotServed
from helmguard.model.release import DamagedRecord, History, Revision
from helmguard.release_state.candidates import Commands, candidates
from helmguard.release_state.condition import condition_of, exit_code_of, once_good, started_from
from helmguard.release_state.deletions_check import uninstall_deletions
from helmguard.release_state.record_remarks import kept_revisions, record_growth, record_remarks
from helmguard.release_state.still_running import RecordWrites, last_writer, still_running
from helmguard.release_state.story import story_of, summary_of
from helmguard.report.ages import age_in_words, seconds_between

NOW = "2026-11-30T12:00:00Z"


def revision(version: int, status: str, description: str = "", **other: Any) -> Revision:
    label = other.pop("label", status)
    return Revision(
        "rel",
        "ns",
        version,
        status,
        label,
        {},
        None,
        other.pop("manifest", ""),
        description=description,
        **other,
    )


def history(*statuses: str, damaged: tuple[int, ...] = ()) -> History:
    """``deployed``, ``failed``, or ``superseded/deployed`` for a label that says another status."""
    revisions = []
    for number, words in enumerate(statuses, start=1):
        status, _, label = words.partition("/")
        if status != "-":
            revisions.append(revision(number, status, label=label or status))
    records = tuple(DamagedRecord(f"sh.helm.release.v1.rel.v{number}", number, "cut") for number in damaged)
    return History("rel", "ns", tuple(revisions), records)


@pytest.mark.parametrize(
    ("statuses", "damaged", "condition", "exit_code"),
    [
        (("deployed",), (), "deployed", 0),
        (("superseded", "deployed"), (), "deployed", 0),
        (("deployed", "failed"), (), "last-failed", 2),
        (("deployed", "superseded"), (), "last-not-deployed", 2),
        (("failed",), (), "no-deployed", 3),
        (("superseded", "superseded", "failed"), (), "no-deployed", 3),
        (("superseded",), (), "no-deployed", 3),
        (("pending-install",), (), "pending", 3),
        (("deployed", "pending-upgrade"), (), "pending", 3),
        (("superseded", "deployed", "pending-rollback"), (), "pending", 3),
        (("uninstalled",), (), "uninstalled", 2),
        (("superseded", "uninstalling"), (), "uninstalling", 3),
        (("superseded",), (2,), "last-unreadable", 3),
        (("-", "deployed"), (1,), "deployed", 0),
        (("deployed",), (3,), "deployed", 0),
        ((), (1, 2), "unreadable", 3),
    ],
)
def test_conditions(
    statuses: tuple[str, ...], damaged: tuple[int, ...], condition: str, exit_code: int
) -> None:
    found = condition_of(history(*statuses, damaged=damaged))
    assert (found, exit_code_of(found, attention=False)) == (condition, exit_code)
    assert exit_code_of(found, attention=True) == max(2, exit_code)


@pytest.mark.parametrize(
    ("revisions", "expected"),
    [
        ([revision(1, "failed")], None),
        ([revision(1, "deployed"), revision(2, "failed")], 1),
        ([revision(1, "deployed"), revision(2, "failed"), revision(3, "pending-upgrade")], 1),
        ([revision(1, "superseded"), revision(2, "deployed"), revision(3, "pending-rollback")], 2),
        # A failed rollback leaves nothing deployed; it started from the one before it.
        (
            [
                revision(1, "superseded"),
                revision(2, "superseded"),
                revision(3, "failed", 'Rollback "rel" failed: x'),
            ],
            2,
        ),
        ([revision(1, "superseded"), revision(2, "failed", "x"), revision(3, "failed", "x")], 1),
        ([revision(1, "uninstalled"), revision(2, "pending-install")], None),
    ],
)
def test_what_an_operation_started_from(revisions: list[Revision], expected: int | None) -> None:
    found = started_from(History("rel", "ns", tuple(revisions)), revisions[-1])
    assert (found.version if found else None) == expected


def test_revisions_that_were_good_once() -> None:
    """A failed rollback marks a failed revision as superseded: its description tells."""
    found = once_good(
        History(
            "rel",
            "ns",
            (
                revision(1, "superseded", "Install complete"),
                revision(2, "deployed", "Upgrade complete"),
                revision(3, "superseded", 'Upgrade "rel" failed: field is immutable'),
                revision(4, "superseded", "Upgrade complete"),
                revision(5, "failed", 'Rollback "rel" failed: x'),
            ),
        )
    )
    assert [each.version for each in found] == [2, 4, 1]


@pytest.mark.parametrize(
    ("written", "seconds", "verdict"),
    [
        ("2026-11-30T11:59:20Z", 40, "likely"),
        ("2026-11-30T11:55:00Z", 300, "perhaps"),
        ("2026-11-30T11:00:01Z", 3599, "perhaps"),
        ("2026-11-30T11:00:00.123456789Z", 3599, "perhaps"),
        ("2026-11-30T11:00:00Z", 3600, "unlikely"),
        ("2026-11-30T13:30:00+01:00", 0, "likely"),
        ("", None, "not known"),
        ("yesterday", None, "not known"),
    ],
)
def test_whether_a_helm_is_at_work(written: str, seconds: int | None, verdict: str) -> None:
    found = still_running(revision(2, "pending-upgrade"), RecordWrites("helm", written), (), (), NOW)
    assert (found.verdict, found.seconds) == (verdict, seconds)


def test_what_helm_wrote_later_counts() -> None:
    """To an object, by the same manager whatever its case; not by another one, nor to a status."""

    def body(manager: str, time: str, subresource: str = "") -> dict[str, Any]:
        entry = {"manager": manager, "time": time, "subresource": subresource}
        return {"kind": "ConfigMap", "metadata": {"name": "a", "managedFields": [entry]}}

    record = RecordWrites("Helm", "2026-11-30T10:00:00Z")
    for manager, subresource, seconds in (("helm", "", 60), ("kubectl", "", 7200), ("helm", "status", 7200)):
        bodies = [body(manager, "2026-11-30T11:59:00Z", subresource)]
        found = still_running(revision(2, "pending-upgrade"), record, bodies, (), NOW)
        assert found.seconds == seconds


def test_the_last_writer_of_a_record() -> None:
    entries = [
        {"manager": "Helm", "time": "2026-11-30T10:00:00Z"},
        {"manager": "x", "time": "2026-11-29T10:00:00Z"},
    ]
    assert last_writer({"managedFields": entries}) == RecordWrites("Helm", "2026-11-30T10:00:00Z")
    assert last_writer({"creationTimestamp": NOW}) == RecordWrites(time=NOW)
    assert last_writer({}) == RecordWrites()


def test_ages_in_words() -> None:
    ages = {0: "0 s", 59: "59 s", 60: "1 min", 7199: "119 min", 7200: "2 h", 172800: "2 days"}
    assert {seconds: age_in_words(seconds) for seconds in ages} == ages
    assert seconds_between(NOW, "2026-11-30T11:00:00Z") == 0


@pytest.mark.parametrize(
    ("statuses", "limit", "removed", "pruned"),
    [
        (("superseded", "deployed"), 10, None, ()),
        (("superseded", "deployed"), 2, 1, ()),
        (("deployed", "failed"), 2, 2, ()),
        (("deployed",), 1, None, ()),
        (("superseded", "superseded", "deployed"), 0, None, ()),
        (("superseded", "-", "-", "deployed"), 10, None, (2, 3)),
    ],
)
def test_how_many_revisions_are_kept(
    statuses: tuple[str, ...], limit: int, removed: int | None, pruned: tuple[int, ...]
) -> None:
    found = kept_revisions(history(*statuses), limit)
    assert (found.next_removed, found.pruned) == (removed, pruned)


@pytest.mark.parametrize(
    ("sizes", "driver", "share", "left", "told"),
    [
        ((100, 200), "", 200, 10483, set()),
        ((900_000, 900_000), "", 900_000, None, {"record-size"}),
        ((900_000, 950_000), "configmap", 950_000, 1, {"record-size"}),
        ((950_000, 900_000), "", 900_000, None, {"record-size"}),
        ((900_000, 950_000), "sql", 950_000, None, set()),
        ((0, 0), "sql", None, None, set()),
    ],
)
def test_the_size_of_the_record(
    sizes: tuple[int, int], driver: str, share: int | None, left: int | None, told: set[str]
) -> None:
    first, second = (
        revision(1, "superseded", stored_size=sizes[0]),
        revision(2, "deployed", stored_size=sizes[1]),
    )
    stored = History("rel", "ns", (first, second))
    growth = record_growth(stored, driver)
    assert (growth.size, growth.revisions_left) == (share, left)
    assert {each.kind for each in record_remarks(stored, growth, kept_revisions(stored, 10))} == told


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        (("deployed",), []),
        (("superseded", "deployed", "failed"), ["rollback 2", "rollback 1", "rollback 3", "upgrade"]),
        (("superseded", "deployed", "pending-upgrade"), ["rollback 2", "rollback 1", "rollback 3"]),
        (("pending-install",), ["rollback 1", "uninstall"]),
        (("failed",), ["rollback 1", "uninstall", "upgrade"]),
        (("superseded", "superseded", "failed"), ["rollback 2", "rollback 1", "rollback 3", "upgrade"]),
        (("superseded", "uninstalling"), ["uninstall", "rollback 2"]),
        (("uninstalled",), ["rollback 1", "upgrade"]),
    ],
)
def test_ways_that_are_worth_a_check(statuses: tuple[str, ...], expected: list[str]) -> None:
    stored = history(*statuses)
    found = candidates(condition_of(stored), stored, Commands("rel", "ns"))
    assert [f"{way.kind} {way.revision or ''}".strip() for way in found] == expected


def test_commands_name_the_cluster_and_accept_what_is_on_purpose() -> None:
    commands = Commands("rel", "ns", ("--kube-context", "my cluster"))
    assert commands.rollback(3) == (
        "helmguard rollback rel 3 -n ns --kube-context 'my cluster'",
        "helm rollback rel 3 -n ns --kube-context 'my cluster'",
    )
    assert commands.rollback(3, ["rollback-to-failed"])[0].endswith(
        "--accept 'rollback-to-failed=it is to be finished'"
    )


@pytest.mark.parametrize(
    ("policy", "major", "goes"), [("", 3, True), ("keep", 3, False), ("delete", 4, False)]
)
def test_what_an_uninstall_deletes(policy: str, major: int, goes: bool) -> None:
    """Any value of the policy keeps an object: Helm puts it into neither list."""
    annotations = f", annotations: {{helm.sh/resource-policy: {policy}}}" if policy else ""
    manifest = f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a{annotations}}}\n"
    found = uninstall_deletions(objects(manifest), {key("a"): live("a")}, "rel", "ns", major)
    assert bool(found.requests) is goes
    foreign = uninstall_deletions(objects(config_map("a")), {key("a"): live("a", {})}, "rel", "ns", major)
    assert bool(foreign.requests) is (major < 4)
    gone = {key("a"): KindNotServed("v1", "ConfigMap")}
    assert uninstall_deletions(objects(config_map("a")), gone, "rel", "ns", major).unserved == (key("a"),)


def test_every_condition_has_its_words() -> None:
    for statuses, damaged, summary, story in (
        (
            ("deployed", "failed"),
            (),
            "revision 2 failed; revision 1 is still the deployed one",
            "compares with",
        ),
        (("failed",), (), "no revision is deployed: revision 1", "compares with revision 1"),
        (("uninstalled",), (), "uninstalled, with its history kept", "--install installs"),
        (("superseded", "uninstalling"), (), "the uninstall of revision 2 did not end", "refused"),
        (("superseded",), (2,), "the record of revision 2 cannot be read", "already exists"),
    ):
        stored = history(*statuses, damaged=damaged)
        condition = condition_of(stored)
        assert summary in summary_of(condition, stored, None)
        assert story in " ".join(story_of(condition, stored, None, None))
