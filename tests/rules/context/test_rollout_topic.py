"""What the context says about rollouts, replicas, budgets, configuration and what containers lose."""

from __future__ import annotations

from typing import Any

import pytest
from facts_of import facts
from topic_objects import TEMPLATE, change, deployment, resource, thing

from helmguard.model.cluster_facts import ClusterFacts
from helmguard.model.live_state import Unreadable
from helmguard.rules.context.container_changes import qos_class
from helmguard.rules.context.record import UNKNOWN
from helmguard.rules.context.rollout import Rollout, rollout_of

IMAGE = change(*TEMPLATE)


def rollout(*resources: Any, **more: Any) -> Rollout:
    """The topic for such objects."""
    return rollout_of(facts(*resources, **more))


def test_pods_that_restart_are_counted_and_those_that_wait_are_named() -> None:
    web = resource(deployment(replicas=4), deployment(replicas=4, minReadySeconds=30), IMAGE)
    held = deployment("db", 3, kind="StatefulSet", updateStrategy={"type": "OnDelete"})
    found = rollout(web, resource(deployment("db", 3, kind="StatefulSet"), held, IMAGE))

    assert [(one.ref, one.pods, one.steps, one.least_seconds, one.held) for one in found.restarts] == [
        ("Deployment/web", 4, 2, 60, ""),
        ("StatefulSet/db", 3, 0, 0, "OnDelete"),
    ]
    assert found.pods_replaced == 4


RECREATE = {"strategy": {"type": "Recreate"}}
ALL_AWAY = {"strategy": {"rollingUpdate": {"maxUnavailable": "100%"}}}
NO_SURGE = {"strategy": {"rollingUpdate": {"maxSurge": 0, "maxUnavailable": 1}}}


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (deployment(replicas=3), deployment(replicas=3, **RECREATE), [(False, True, 3)]),
        (deployment(), deployment(**NO_SURGE), [(False, True, 1)]),
        (deployment(replicas=2), deployment(replicas=2, **NO_SURGE), []),
        (deployment(replicas=3), deployment(replicas=3, **ALL_AWAY), [(False, True, 3)]),
        (deployment(**RECREATE), deployment(**RECREATE, paused=False), [(True, True, 1)]),
        (deployment(**RECREATE), deployment(), [(True, False, 1)]),
        (deployment(replicas=0), deployment(**RECREATE), []),
        (deployment(kind="StatefulSet"), deployment(kind="StatefulSet", x=1), []),
    ],
)
def test_a_strategy_that_takes_all_pods_away(before: Any, after: Any, expected: list[Any]) -> None:
    found = rollout(resource(before, after, IMAGE)).downtimes

    assert [(one.was_so, one.is_so, one.pods) for one in found] == expected
    assert all(one.restarts for one in found)


def test_a_claim_tells_why_a_deployment_recreates_its_pods() -> None:
    claim = {"volumes": [{"name": "d", "persistentVolumeClaim": {"claimName": "data"}}]}
    found = rollout(resource(deployment(pod=claim), deployment(pod=claim, **RECREATE))).downtimes[0]

    assert (found.mounts_claim, found.after) == (True, "Recreate")


CLAIM = {"volumes": [{"name": "d", "persistentVolumeClaim": {"claimName": "data"}}]}


def pvc(*modes: str) -> dict[str, Any]:
    """A claim."""
    return thing("PersistentVolumeClaim", "v1", "data", spec={"accessModes": list(modes)})


def test_a_rolling_deployment_shares_its_volume() -> None:
    web = resource(deployment(pod=CLAIM), deployment(pod=CLAIM, x=1), IMAGE)
    away = resource(deployment(pod=CLAIM), deployment(pod=CLAIM, **NO_SURGE), IMAGE)
    live = ClusterFacts(lists={"persistentVolumeClaims": (pvc("ReadWriteMany"),)})

    assert rollout(away).shared_volumes == ()
    assert rollout(web).shared_volumes[0].modes is UNKNOWN
    assert rollout(web, cluster=live).shared_volumes[0].modes == ("ReadWriteMany",)
    own = rollout(web, resource(None, pvc("ReadWriteOnce"))).shared_volumes[0]
    assert (own.modes, own.is_new, own.restarts) == (("ReadWriteOnce",), False, True)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (deployment(), deployment(pod=CLAIM)),
        (deployment(pod=CLAIM, **RECREATE), deployment(pod=CLAIM)),
        (deployment(pod=CLAIM), deployment(pod=CLAIM, replicas=2)),
        (None, deployment(pod=CLAIM, replicas=2)),
    ],
)
def test_sharing_is_new(before: Any, after: Any) -> None:
    assert rollout(resource(before, after)).shared_volumes[0].is_new


def budget(**spec: Any) -> dict[str, Any]:
    """A budget for the pods of Deployment web."""
    return thing(
        "PodDisruptionBudget", "policy/v1", spec={"selector": {"matchLabels": {"app": "web"}}, **spec}
    )


@pytest.mark.parametrize(
    ("spec", "pods", "allowed"),
    [
        ({"minAvailable": 2}, 2, 0),
        ({"minAvailable": "50%"}, 3, 1),
        ({"maxUnavailable": "25%"}, 3, 1),
        ({"maxUnavailable": 0}, 3, 0),
        ({"minAvailable": 5}, 3, 0),
    ],
)
def test_percentages_of_a_budget_are_rounded_up(spec: Any, pods: int, allowed: int) -> None:
    web = deployment(replicas=pods)
    found = rollout(resource(web, web), resource(None, budget(**spec))).budgets[0]

    assert (found.pods, found.allowed, found.covers) == (pods, allowed, ("Deployment/web",))


def test_a_budget_that_allows_as_much_as_before_is_no_candidate() -> None:
    web, same = deployment(replicas=2), budget(minAvailable=2)
    assert rollout(resource(web, web), resource(same, same)).budgets == ()

    fewer = rollout(resource(deployment(replicas=3), web), resource(same, same)).budgets[0]
    assert (fewer.allowed_before, fewer.allowed) == (1, 0)


def test_an_autoscaler_keeps_more_pods_than_the_manifest_says() -> None:
    target = {"kind": "Deployment", "name": "web"}
    hpa = thing(
        "HorizontalPodAutoscaler", "autoscaling/v2", spec={"scaleTargetRef": target, "minReplicas": 3}
    )
    web = deployment(replicas=1)
    objects = resource(web, web), resource(None, budget(minAvailable=1)), resource(hpa, hpa)

    assert rollout(*objects).budgets[0].allowed == 2


REPLICAS = ("spec", "replicas")


def test_another_number_of_replicas_is_told_with_its_cause() -> None:
    falls = change(*REPLICAS, cause="drift reverted", before=7, after=3)
    found = rollout(resource(deployment(replicas=7), deployment(replicas=3), falls)).replicas[0]

    assert (found.live, found.before, found.after, found.cause) == (7, 7, 3, "drift reverted")
    assert found.scaled_by is UNKNOWN


def test_where_the_live_number_is_not_known_the_manifest_tells() -> None:
    lost = deployment(replicas=3)
    del lost["spec"]["replicas"]
    hidden = resource(deployment(replicas=3), lost, live=Unreadable("forbidden"))
    found = rollout(hidden).replicas[0]

    assert (found.live, found.before, found.after, found.old, found.new) == (UNKNOWN, 3, 1, 3, None)


def test_the_same_number_and_failures_are_no_candidates() -> None:
    same = resource(deployment(replicas=3), deployment(replicas=3, x=1))
    fails = resource(deployment(replicas=7), deployment(replicas=3), action="fail")

    assert rollout(same, fails).replicas == ()


def config(kind: str = "ConfigMap", action: str = "update", cause: str = "chart") -> Any:
    """A ConfigMap or Secret whose entry ``a`` changes."""
    body = thing(kind, "v1", "conf", data={"a": "1", "b": "1"})
    return resource(body, body, change("data", "a", cause=cause), action=action)


def volume(**mount: Any) -> dict[str, Any]:
    """A pod that mounts ConfigMap conf."""
    return {
        "pod": {"volumes": [{"name": "v", "configMap": {"name": "conf"}}]},
        "container": {"volumeMounts": [{"name": "v", "mountPath": "/c", **mount}]},
    }


def variable(key: str, field: str = "configMapKeyRef") -> dict[str, Any]:
    """A container with an entry in its environment."""
    return {"container": {"env": [{"name": "X", "valueFrom": {field: {"name": "conf", "key": key}}}]}}


@pytest.mark.parametrize(
    ("more", "how"),
    [
        ({"container": {"envFrom": [{"configMapRef": {"name": "conf"}}]}}, "env"),
        (variable("a"), "env"),
        (variable("b"), None),
        (variable("a", "secretKeyRef"), None),
        (volume(), "volume"),
        (volume(subPath="a"), "subPath"),
        (volume(subPath="b"), None),
        ({}, None),
    ],
)
def test_how_pods_use_what_changes(more: Any, how: str | None) -> None:
    web = deployment(**more)
    found = rollout(config(), resource(web, web)).config_uses

    assert [one.how for one in found] == ([how] if how else [])


def test_a_workload_that_restarts_or_comes_notices_the_change() -> None:
    web = deployment(**variable("a"))
    assert rollout(config(), resource(web, deployment(x=1, **variable("a")), IMAGE)).config_uses == ()
    assert rollout(config(), resource(None, web)).config_uses == ()
    assert rollout(config(action="unchanged"), resource(web, web)).config_uses == ()


def test_reloaders_random_content_and_secrets_are_marked() -> None:
    web = deployment(**variable("a", "secretKeyRef"))
    web["metadata"]["annotations"] = {"reloader.stakater.com/auto": "true"}
    found = rollout(config("Secret", cause="unstable"), resource(web, web)).config_uses[0]

    assert (found.ref, found.reloader, found.unstable) == ("Secret/conf", True, True)


PROBE = {"httpGet": {"port": 80}, "periodSeconds": 10, "failureThreshold": 3}


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ({}, [(True, 30, 0)]),
        ({"readinessProbe": {**PROBE, "failureThreshold": 9}}, [(False, 30, 90)]),
        ({"readinessProbe": {**PROBE, "failureThreshold": 8}}, []),
        ({"readinessProbe": {**PROBE, "timeoutSeconds": 2}}, []),
    ],
)
def test_probes_that_go_or_wait_three_times_as_long(after: Any, expected: list[Any]) -> None:
    before = deployment(container={"readinessProbe": PROBE})
    found = rollout(resource(before, deployment(container=after))).probes

    assert [(one.removed, one.patience_before, one.patience_after) for one in found] == expected


def test_a_probe_of_another_program_is_marked() -> None:
    before = deployment(container={"readinessProbe": PROBE, "image": "docker.io/a:1@sha256:0"})

    assert rollout(resource(before, deployment(container={"image": "b:1"}))).probes[0].image_changes
    assert (
        not rollout(resource(before, deployment(container={"image": "docker.io/a:2"})))
        .probes[0]
        .image_changes
    )


def limits(**given: Any) -> dict[str, Any]:
    """A Deployment whose container has these resources."""
    return deployment(container={"resources": given})


def test_what_of_the_resources_is_gone_or_lower() -> None:
    before = limits(limits={"memory": "512Mi", "cpu": "1"}, requests={"memory": "512Mi", "cpu": "1"})
    gone = rollout(resource(before, limits(limits={"memory": "512Mi"}))).resources[0]
    lower = rollout(resource(before, limits(limits={"memory": "0.25Gi", "cpu": 1}))).resources[0]

    assert gone.removed == ("limits.cpu 1", "requests.cpu 1", "requests.memory 512Mi")
    assert (gone.qos_before, gone.qos_after, gone.memory_lowered) == ("Guaranteed", "Burstable", "")
    assert lower.memory_lowered == "512Mi to 0.25Gi"


def test_a_vertical_autoscaler_sets_the_requests() -> None:
    target = {"kind": "Deployment", "name": "web"}
    vpa = thing("VerticalPodAutoscaler", "autoscaling.k8s.io/v1", spec={"targetRef": target})
    web = resource(limits(requests={"cpu": 1}), limits())
    off = thing(
        "VerticalPodAutoscaler",
        "autoscaling.k8s.io/v1",
        spec={"targetRef": target, "updatePolicy": {"updateMode": "Off"}},
    )

    assert rollout(web, resource(vpa, vpa)).resources[0].autoscaled
    assert not rollout(web, resource(off, off)).resources[0].autoscaled


@pytest.mark.parametrize(
    ("resources", "expected"),
    [
        ({}, "BestEffort"),
        ({"requests": {"cpu": "10m"}}, "Burstable"),
        ({"limits": {"cpu": "1", "memory": "1Gi"}}, "Guaranteed"),
        ({"limits": {"cpu": "1", "memory": "1Gi"}, "requests": {"cpu": "1000m"}}, "Guaranteed"),
        ({"limits": {"cpu": "1", "memory": "1Gi"}, "requests": {"cpu": "50m"}}, "Burstable"),
        ({"limits": {"memory": "1Gi"}, "requests": {"memory": "1Gi"}}, "Burstable"),
    ],
)
def test_classes_of_service_as_a_real_server_gave_them(resources: Any, expected: str) -> None:
    assert qos_class({"spec": {"containers": [{"name": "web", "resources": resources}]}}) == expected


def test_less_time_to_end() -> None:
    stop = {"lifecycle": {"preStop": {"exec": {"command": ["sleep", "5"]}}}}
    before = deployment(container=stop, pod={"terminationGracePeriodSeconds": 60})
    found = rollout(resource(before, deployment())).shutdowns[0]

    assert (found.before, found.after, found.hooks_removed) == (60, 30, ("web",))
    assert rollout(
        resource(before, deployment(container=stop, pod={"terminationGracePeriodSeconds": 60}, x=1))
    )
    assert rollout(resource(deployment(), deployment(labels={"x": "y"}))).shutdowns == ()


def test_a_daemon_set_that_tolerates_everything() -> None:
    everything = {"tolerations": [{"operator": "Exists"}]}
    before = deployment("agent", kind="DaemonSet")
    before["status"] = {"desiredNumberScheduled": 5}
    after = deployment("agent", kind="DaemonSet", pod=everything)
    after["status"] = before["status"]
    found = rollout(resource(before, after, IMAGE), resource(None, deployment("new", kind="DaemonSet")))

    assert [
        (one.ref, one.created, one.pods, one.unavailable, one.tolerates_all, one.tolerated_all)
        for one in found.daemon_sets
    ] == [("DaemonSet/agent", False, 5, 1, True, False), ("DaemonSet/new", True, 0, 0, False, False)]


def test_the_cause_of_a_strategy_is_that_of_its_type() -> None:
    left_over = change("spec", "strategy", "rollingUpdate", "maxSurge", cause="drift reverted")
    asked = change("spec", "strategy", "type", cause="values")
    web = resource(deployment(replicas=3), deployment(replicas=3, **RECREATE), left_over, asked)

    assert rollout(web).downtimes[0].cause == "values"


def test_what_both_manifests_hold_is_told_of_objects_that_could_not_be_read() -> None:
    ready = {"readinessProbe": {"httpGet": {"port": 80}}, "resources": {"limits": {"memory": "1Gi"}}}
    before = deployment(replicas=9, container=ready, pod={"terminationGracePeriodSeconds": 90})
    unread = resource(before, deployment(replicas=2), action="unknown", live=Unreadable("no right"))
    found = rollout(unread)
    for told in (found.probes, found.resources, found.shutdowns, found.replicas):
        assert [one.ref for one in told] == ["Deployment/web"]
    new = resource(None, deployment(), action="unknown", live=Unreadable("no right"))
    assert rollout(new).shutdowns == ()
