"""What the context says about workloads: replicas, strategy, restarts and their reasons."""

from __future__ import annotations

from typing import Any

import pytest
from facts_of import facts

from helmguard.model.cluster_facts import ClusterFacts
from helmguard.model.field_change import FieldChange
from helmguard.model.live_state import Absent, LiveState, Present, Unreadable
from helmguard.model.plan import ResourceChange
from helmguard.model.prediction import ResourcePrediction
from helmguard.model.resource_key import ResourceKey
from helmguard.rules.context.record import UNKNOWN
from helmguard.rules.context.rollout_steps import scaled, steps, strategy_of
from helmguard.rules.context.workloads import Workload, workloads_of


def deployment(image: str = "web:1", replicas: int | None = 3, **spec: Any) -> dict[str, Any]:
    """A Deployment as the API server gives it, as far as the topic asks."""
    template = {
        "metadata": {"labels": {"app": "web"}},
        "spec": {"containers": [{"name": "web", "image": image}]},
    }
    given = {} if replicas is None else {"replicas": replicas}
    return {"kind": "Deployment", "spec": {**given, "template": template, **spec}}


def change(*path: str, cause: str = "chart") -> FieldChange:
    """A field that changes."""
    return FieldChange(path, "old", "new", cause)  # type: ignore[arg-type]


def resource(
    *changes: FieldChange,
    live: dict[str, Any] | LiveState | None = None,
    after: dict[str, Any] | None = None,
    action: str = "update",
    kind: str = "Deployment",
    group: str = "apps",
    name: str = "web",
) -> ResourceChange:
    """One object of the plan; ``live`` is its body, or its state."""
    state: LiveState = Absent() if live is None else Present(live) if isinstance(live, dict) else live
    prediction = ResourcePrediction(
        key=ResourceKey(group, kind, "shop", name),
        api_version=f"{group}/v1" if group else "v1",
        action=action,  # type: ignore[arg-type]
        previous=None,
        new=after,
        live=state,
        predicted=after,
    )
    return ResourceChange(prediction, changes)


def workload(one: ResourceChange, *others: ResourceChange, **more: Any) -> Workload:
    """The first of the changed workloads."""
    return workloads_of(facts(one, *others, **more)).changed[0]


IMAGE = change("spec", "template", "spec", "containers", "image")


def test_an_image_restarts_the_pods_and_names_the_field() -> None:
    found = workload(resource(IMAGE, live=deployment(), after=deployment("web:2", 6)))

    assert (found.restarts, found.restart_reasons) == (True, ("spec.containers.image",))
    assert (found.old_replicas, found.new_replicas, found.is_live) == (3, 6, True)
    assert (found.new_strategy.max_surge, found.new_strategy.max_unavailable, found.steps) == (2, 1, 2)
    assert [(one.name, one.old["image"], one.new["image"]) for one in found.containers] == [
        ("web", "web:1", "web:2")
    ]


@pytest.mark.parametrize(
    ("changes", "after", "action"),
    [
        ((change("spec", "replicas"),), deployment(), "update"),
        ((IMAGE,), deployment(paused=True), "update"),
        ((IMAGE,), deployment(updateStrategy={"type": "OnDelete"}), "update"),
        ((IMAGE,), deployment(), "fail"),
    ],
)
def test_nothing_restarts(changes: tuple[FieldChange, ...], after: dict[str, Any], action: str) -> None:
    found = workload(resource(*changes, live=deployment(), after=after, action=action))

    assert (found.restarts, found.restart_reasons, found.steps) == (False, (), 0)


def test_a_replaced_object_takes_its_pods_along() -> None:
    found = workload(resource(live=deployment(), after=deployment(), action="replace"))

    assert (found.restarts, found.restart_reasons) == (True, ("the object is replaced",))
    assert not found.only_bookkeeping


TEMPLATE_LABEL = ("spec", "template", "metadata", "labels", "helm.sh/chart")
CHECKSUM = ("spec", "template", "metadata", "annotations", "checksum/config")
ROLLME = ("spec", "template", "metadata", "annotations", "rollme")


@pytest.mark.parametrize(
    ("changes", "only"),
    [
        ((change(*TEMPLATE_LABEL),), True),
        ((change(*TEMPLATE_LABEL), IMAGE), False),
        ((change(*CHECKSUM),), True),
        ((change(*ROLLME),), False),
        ((change(*ROLLME, cause="unstable"),), True),
    ],
)
def test_labels_that_carry_a_version_are_bookkeeping(changes: tuple[FieldChange, ...], only: bool) -> None:
    assert workload(resource(*changes, live=deployment(), after=deployment())).only_bookkeeping is only


def test_a_checksum_is_no_bookkeeping_where_configuration_changes() -> None:
    config = resource(change("data", "a"), live={}, after={}, kind="ConfigMap", group="", name="c")
    labels = resource(
        change("metadata", "labels", "x"), live={}, after={}, kind="ConfigMap", group="", name="c"
    )
    web = resource(change(*CHECKSUM), live=deployment(), after=deployment())

    assert workload(web, config).only_bookkeeping is False
    assert workload(web, labels).only_bookkeeping is True


def test_what_cannot_be_read_is_told_from_the_manifests() -> None:
    found = workload(resource(IMAGE, live=Unreadable("forbidden"), after=deployment("web:2")))

    assert (found.is_live, found.live_pods) == (UNKNOWN, UNKNOWN)
    assert (found.old_replicas, found.new_replicas) == (None, 3)


@pytest.mark.parametrize(
    ("given", "pods", "surge", "away"),
    [
        ({}, 1, 1, 0),
        ({}, 4, 1, 1),
        ({}, 0, 0, 0),
        ({"rollingUpdate": {"maxSurge": 0, "maxUnavailable": "25%"}}, 1, 0, 1),
        ({"rollingUpdate": {"maxSurge": "34%", "maxUnavailable": 0}}, 3, 2, 0),
        ({"rollingUpdate": {"maxUnavailable": "100%"}}, 3, 1, 3),
        ({"type": "Recreate"}, 3, 0, 3),
    ],
)
def test_surge_is_rounded_up_and_unavailable_down(given: Any, pods: int, surge: int, away: int) -> None:
    found = strategy_of("Deployment", {"spec": {"strategy": given}}, pods)

    assert (found.max_surge, found.max_unavailable) == (surge, away)


def test_a_daemon_set_rounds_up_and_a_stateful_set_moves_one_by_one() -> None:
    rolling = {"spec": {"updateStrategy": {"rollingUpdate": {"maxUnavailable": "10%", "partition": 2}}}}

    assert strategy_of("DaemonSet", rolling, 5).max_unavailable == 1
    assert strategy_of("DaemonSet", {}, 5).max_unavailable == 1
    found = strategy_of("StatefulSet", rolling, 5)
    assert (found.max_unavailable, found.partition, steps(found, 5)) == (1, 2, 3)
    assert steps(strategy_of("StatefulSet", {"spec": {"updateStrategy": {"type": "OnDelete"}}}, 5), 5) == 0
    assert steps(strategy_of("Deployment", {"spec": {"strategy": {"type": "Recreate"}}}, 5), 5) == 1


def test_what_is_no_number_and_no_share_scales_to_nothing() -> None:
    assert [scaled(value, 10, up=True) for value in ("x%", None, True, "3", 2)] == [0, 0, 0, 3, 2]


def autoscaler(target: str, least: int) -> dict[str, Any]:
    """A HorizontalPodAutoscaler."""
    spec = {"scaleTargetRef": {"kind": "Deployment", "name": target}, "minReplicas": least, "maxReplicas": 9}
    return {
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "h", "namespace": "shop"},
        "spec": spec,
    }


def scaler(action: str, body: dict[str, Any] | None) -> ResourceChange:
    """An autoscaler of the release."""
    return resource(
        live=None, after=body, action=action, kind="HorizontalPodAutoscaler", group="autoscaling", name="h"
    )


def test_the_autoscaler_of_the_manifest_and_that_of_the_cluster_are_found() -> None:
    web = resource(IMAGE, live=deployment(), after=deployment("web:2"))
    around = ClusterFacts(lists={"horizontalPodAutoscalers": (autoscaler("web", 2),)})

    own = workload(web, scaler("create", autoscaler("web", 4)))
    foreign = workload(web, cluster=around)

    assert (own.scaled_by.min, own.scaled_by.found, own.scaled_by.created) == (4, "manifest", True)  # type: ignore[union-attr]
    assert (foreign.scaled_by.min, foreign.scaled_by.found) == (2, "cluster")  # type: ignore[union-attr]
    assert workload(web).scaled_by is UNKNOWN
    assert workload(web, cluster=ClusterFacts(lists={"horizontalPodAutoscalers": ()})).scaled_by is None
    assert workload(web, scaler("delete", None), cluster=around).scaled_by is None


def test_objects_that_stay_and_kinds_without_pods_are_left_out() -> None:
    stays = resource(live=deployment(), after=deployment(), action="unchanged")
    config = resource(change("data", "a"), live={}, after={}, kind="ConfigMap", group="", name="c")

    assert workloads_of(facts(stays, config)).changed == ()


def test_a_cron_job_has_its_template_deeper() -> None:
    job = {"spec": {"jobTemplate": {"spec": {"parallelism": 2, "template": {"spec": {}}}}}}
    found = workload(resource(live=job, after=job, kind="CronJob", group="batch"))

    assert (found.new_pod, found.new_replicas, found.restarts) == ({"spec": {}}, 2, False)
