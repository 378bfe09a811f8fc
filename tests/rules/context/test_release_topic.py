"""What rules learn about the release: its history, what a run prunes, who else reconciles it."""

from __future__ import annotations

from typing import Any

import pytest
from facts_of import facts, release, resource
from msgspec.structs import replace

from helmguard.model.apply_options import ApplyOptions
from helmguard.model.live_state import Present
from helmguard.model.resource_key import ResourceKey
from helmguard.model.surroundings import LeftField, Orphan, PastRevision, Surroundings
from helmguard.planner.apply_options import history_max, waits
from helmguard.rules.context.release import operation_of, release_of
from helmguard.rules.context.unstable import unstable_of
from helmguard.rules.facts import Facts

KEY = ResourceKey("", "ConfigMap", "shop", "extra")


def past(*statuses: str, method: str = "") -> tuple[PastRevision, ...]:
    return tuple(
        PastRevision(number, status, "", "", f"web-{number}.0.0", apply_method=method)
        for number, status in enumerate(statuses, start=1)
    )


def with_history(*statuses: str, limit: int | None = None, **more: Any) -> Facts:
    options = ApplyOptions(history_max=limit)
    around = Surroundings(options=options, history=past(*statuses), **more)
    return facts(around=around, release=release(last_revision=len(statuses)))


@pytest.mark.parametrize(
    ("statuses", "limit", "pruned"),
    [
        (["superseded"] * 9 + ["deployed"], None, [1]),
        (["superseded"] * 8 + ["deployed"], None, []),
        (["superseded"] * 9 + ["deployed"], 0, []),
        (["superseded", "superseded", "deployed"], 1, [1, 2]),
        (["deployed", "failed", "failed"], 2, [2, 3]),
        (["failed", "deployed"], 2, [1]),
    ],
)
def test_records_that_a_run_deletes(statuses: list[str], limit: int | None, pruned: list[int]) -> None:
    assert [one.revision for one in release_of(with_history(*statuses, limit=limit)).pruned] == pruned


@pytest.mark.parametrize(
    ("statuses", "good"),
    [
        (["superseded", "deployed"], 1),
        (["superseded", "failed", "pending-upgrade"], 1),
        (["deployed", "failed"], 1),
        (["failed", "failed"], None),
        (["deployed"], None),
        ([], None),
    ],
)
def test_the_revision_that_one_can_go_back_to(statuses: list[str], good: int | None) -> None:
    assert release_of(with_history(*statuses)).last_good == good


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("2026-11-30T14:09:20.123456789Z", "2026-11-30T14:09:20Z"),
        ("2026-11-30T14:09:20.5+09:00", "2026-11-30T14:09:20+09:00"),
        ("2026-11-30T14:09:20Z", "2026-11-30T14:09:20Z"),
        ("", ""),
    ],
)
def test_times_to_the_second(written: str, told: str) -> None:
    around = Surroundings(history=(PastRevision(1, "deployed", written, "", "web-1.0.0"),))
    found = release_of(facts(around=around, release=release(changed=written)))
    assert (found.since, found.history[0].updated) == (told, told)


@pytest.mark.parametrize(("method", "major"), [("", 3), ("csa", 4), ("ssa", 4)])
def test_which_helm_wrote_a_record(method: str, major: int) -> None:
    around = Surroundings(history=past("deployed", method=method))
    assert release_of(facts(around=around)).history[0].helm_major == major


def test_what_of_a_failed_revision_stays() -> None:
    around = Surroundings(
        orphans=(Orphan(KEY, "v1", (2,)), Orphan(replace(KEY, name="older"), "v1", (1,))),
        left_fields=(LeftField(KEY, ("data", "a"), "1", 2),),
    )
    found = release_of(facts(around=around, release=release(last_revision=2)))
    assert found.not_applied == ("ConfigMap/extra stays", "ConfigMap/extra data.a stays: revision 2 added it")


@pytest.mark.parametrize(
    ("labels", "flux"),
    [
        ({"helm.toolkit.fluxcd.io/name": "web", "helm.toolkit.fluxcd.io/namespace": "apps"}, "apps/web"),
        ({"helm.toolkit.fluxcd.io/name": "web"}, "shop/web"),
        ({"kustomize.toolkit.fluxcd.io/name": "all"}, ""),
        ({}, ""),
    ],
)
def test_a_release_of_flux(labels: dict[str, str], flux: str) -> None:
    one = resource()
    live = replace(one.prediction, live=Present({"metadata": {"labels": labels}}))
    assert release_of(facts(replace(one, prediction=live))).flux == flux


def test_drift_is_an_operation_of_its_own() -> None:
    assert operation_of(facts(release=release(to_revision=None))).kind == "drift"
    assert operation_of(facts()).kind == "upgrade"


@pytest.mark.parametrize(
    ("words", "waiting", "limit"),
    [
        ((), False, None),
        (("--wait",), True, None),
        (("--wait=watcher",), True, None),
        (("--wait=false",), False, None),
        (("--wait=hookOnly",), False, None),
        (("--wait-for-jobs",), False, None),
        (("--history-max", "3"), False, 3),
        (("--history-max=0", "--wait"), True, 0),
    ],
)
def test_flags_among_helms_words(words: tuple[str, ...], waiting: bool, limit: int | None) -> None:
    assert (waits(words), history_max(words)) == (waiting, limit)


def test_unstable_fields() -> None:
    names = ("Deployment/web spec.template.metadata.annotations.rolled", "Secret/s data.password")
    first, second = unstable_of(facts(unstable=names))
    assert (first.ref, first.kind, first.restarts) == ("Deployment/web", "Deployment", True)
    assert (second.ref, second.path, second.restarts) == ("Secret/s", "data.password", False)
