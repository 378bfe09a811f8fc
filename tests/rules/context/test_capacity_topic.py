"""What the context says about room, nodes, volumes, and what pods need by name."""

from __future__ import annotations

from typing import Any

import pytest
from facts_of import facts
from topic_objects import TEMPLATE, change, deployment, resource, thing

from helmguard.model.cluster_facts import ClusterFacts
from helmguard.model.live_state import Present
from helmguard.model.resource_key import ResourceKey
from helmguard.model.surroundings import HookObject, Surroundings
from helmguard.rules.context.capacity import Capacity, capacity_of
from helmguard.rules.context.quotas import pod_amounts
from helmguard.rules.context.record import UNKNOWN


def capacity(*resources: Any, around: Surroundings | None = None, **lists: Any) -> Capacity:
    """The topic for such objects, with what was read around them."""
    cluster = ClusterFacts(lists=lists, namespaces=("shop",))
    return capacity_of(facts(*resources, cluster=cluster, around=around or Surroundings()))


def asks(replicas: int = 1, strategy: dict[str, Any] | None = None, **requests: str) -> dict[str, Any]:
    """A Deployment whose container requests this."""
    more = {"strategy": strategy} if strategy else {}
    return deployment(replicas=replicas, container={"resources": {"requests": requests}}, **more)


def asking(before: dict[str, Any] | None, after: dict[str, Any]) -> Any:
    """A Deployment of which a field changes that says what it asks for."""
    return resource(before, after, *([change("spec", "template", "spec", "nodeSelector")] if before else []))


def quota(used: dict[str, str] | None = None, **hard: str) -> dict[str, Any]:
    """A ResourceQuota; underlines stand for dots."""
    limits = {name.replace("_", "."): value for name, value in hard.items()}
    status = {"hard": limits, "used": used or {}}
    return thing("ResourceQuota", "v1", "team", spec={"hard": limits}, status=status)


def test_two_pods_of_which_one_fits() -> None:
    new = resource(None, asks(2, cpu="500m"))
    found = capacity(new, resourceQuotas=(quota(requests_cpu="600m"),), limitRanges=()).demands[0]

    assert (found.namespace, found.workloads) == ("shop", ("Deployment/web",))
    assert [(one.quota, one.resource, one.hard, one.used, one.more) for one in found.exceeded] == [  # type: ignore[union-attr]
        ("ResourceQuota/team", "requests.cpu", "600m", "0", "1")
    ]


SURGE_ONLY = {"rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}


@pytest.mark.parametrize(
    ("hard", "strategy", "expected"),
    [
        ("2500m", SURGE_ONLY, []),
        ("2200m", SURGE_ONLY, [(True, True)]),
        ("2200m", {"rollingUpdate": {"maxSurge": 1, "maxUnavailable": 1}}, [(True, False)]),
        ("2200m", {"type": "Recreate"}, []),
    ],
)
def test_a_rollout_needs_room_for_more_pods(hard: str, strategy: Any, expected: list[Any]) -> None:
    before, after = asks(4, strategy, cpu="500m"), asks(4, {**strategy, "x": 1}, cpu="500m")
    full = quota({"requests.cpu": "2"}, requests_cpu=hard)
    rolls = resource(before, after, change(*TEMPLATE))
    found = capacity(rolls, resourceQuotas=(full,), limitRanges=()).demands[0].exceeded

    assert [(one.for_rollout_only, one.stuck) for one in found] == expected  # type: ignore[union-attr]


def test_growth_is_a_candidate_without_facts_and_a_mere_rollout_is_none() -> None:
    grown = capacity(asking(asks(cpu="1"), asks(cpu="2"))).demands[0]

    assert (grown.exceeded, grown.without_requests, grown.beyond_limits) == (UNKNOWN, UNKNOWN, UNKNOWN)
    assert capacity(asking(asks(cpu="2"), asks(cpu="1"))).demands == ()
    assert capacity(resource(asks(cpu="1"), asks(cpu="2"), change(*TEMPLATE))).demands == ()


def test_quotas_want_requests_and_ranges_give_them() -> None:
    new = resource(None, deployment())
    given = thing(
        "LimitRange", "v1", spec={"limits": [{"type": "Container", "defaultRequest": {"cpu": "50m"}}]}
    )
    counted = quota(requests_cpu="10")

    bare = capacity(new, resourceQuotas=(counted,), limitRanges=()).demands[0]
    filled = capacity(new, resourceQuotas=(counted,), limitRanges=(given,)).demands[0]
    assert bare.without_requests == ("Deployment/web: web requests.cpu",)
    assert filled.without_requests == ()


def test_a_container_beyond_a_limit_range() -> None:
    limit = {"type": "Container", "max": {"memory": "1Gi"}, "min": {"cpu": "100m"}}
    bounds = thing("LimitRange", "v1", spec={"limits": [limit]})
    new = resource(None, asks(memory="2Gi", cpu="50m"))
    found = capacity(new, resourceQuotas=(), limitRanges=(bounds,)).demands[0]

    assert found.beyond_limits == (
        "Deployment/web: web memory 2048Mi is above 1Gi",
        "Deployment/web: web cpu 50m is below 100m",
    )


def container(name: str, cpu: str, **more: Any) -> dict[str, Any]:
    """A container that requests this much."""
    return {"name": name, "resources": {"requests": {"cpu": cpu}}, **more}


@pytest.mark.parametrize(
    ("starting", "expected"),
    [
        ([container("i", "300m"), container("s", "50m", restartPolicy="Always")], 0.3),
        ([container("s", "50m", restartPolicy="Always"), container("i", "300m")], 0.35),
        ([container("s", "50m", restartPolicy="Always")], 0.15),
    ],
)
def test_init_containers_count_as_a_real_quota_counted_them(starting: Any, expected: float) -> None:
    spec = {"containers": [container("web", "100m")], "initContainers": starting}

    assert pod_amounts({"spec": spec})["requests.cpu"] == pytest.approx(expected)


def node(name: str = "a", **more: Any) -> dict[str, Any]:
    """A node with 4 cpu."""
    taints = more.pop("taints", [])
    return {
        "metadata": {"name": name, "labels": {"zone": "a", "size": "3", **more}},
        "spec": {"taints": taints},
        "status": {"allocatable": {"cpu": "4", "memory": "8Gi"}},
    }


def required(operator: str, *values: str, key: str = "zone") -> dict[str, Any]:
    """A required node affinity with one rule."""
    rule = {"key": key, "operator": operator, **({"values": list(values)} if values else {})}
    terms = {"nodeSelectorTerms": [{"matchExpressions": [rule]}]}
    return {"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}}


@pytest.mark.parametrize(
    ("pod", "fitting"),
    [
        ({"nodeSelector": {"zone": "a"}}, 1),
        ({"nodeSelector": {"zone": "b"}}, 0),
        (required("In", "a", "b"), 1),
        (required("In", "b"), 0),
        (required("NotIn", "a"), 0),
        (required("NotIn", "b"), 1),
        (required("Exists"), 1),
        (required("Exists", key="gpu"), 0),
        (required("DoesNotExist"), 0),
        (required("Gt", "2", key="size"), 1),
        (required("Lt", "2", key="size"), 0),
    ],
)
def test_nodes_whose_labels_fit(pod: Any, fitting: int) -> None:
    assert capacity(resource(None, deployment(pod=pod)), nodes=(node(),)).placements[0].fitting == fitting


TAINT = {"key": "gpu", "value": "yes", "effect": "NoSchedule"}


@pytest.mark.parametrize(
    ("toleration", "fitting"),
    [
        ({"operator": "Exists"}, 1),
        ({"key": "gpu", "operator": "Exists"}, 1),
        ({"key": "gpu", "value": "yes"}, 1),
        ({"key": "gpu", "value": "no"}, 0),
        ({"key": "gpu", "operator": "Exists", "effect": "NoExecute"}, 0),
        ({"key": "other", "operator": "Exists"}, 0),
    ],
)
def test_nodes_whose_taints_are_tolerated(toleration: Any, fitting: int) -> None:
    pod = {"tolerations": [toleration], "nodeSelector": {"zone": "a"}}
    found = capacity(resource(None, deployment(pod=pod)), nodes=(node(taints=[TAINT]),)).placements[0]

    assert found.fitting == fitting


def test_a_pod_that_is_too_big_or_asks_for_what_no_node_has() -> None:
    nodes = (node(),)
    assert capacity(resource(None, asks(cpu="5")), nodes=nodes).placements[0].fitting == 0
    assert capacity(resource(None, asks(cpu="4")), nodes=nodes).placements[0].fitting == 1
    gpu = deployment(container={"resources": {"limits": {"nvidia.com/gpu": "1"}}})
    assert capacity(resource(None, gpu), nodes=nodes).placements[0].fitting == 0


def test_only_what_is_narrower_asks_for_the_nodes() -> None:
    wide, narrow = deployment(), deployment(pod={"nodeSelector": {"zone": "a"}})
    linux = deployment(pod={"nodeSelector": {"kubernetes.io/os": "linux"}})
    tolerant = deployment(pod={"tolerations": [{"key": "gpu", "operator": "Exists"}]})

    assert capacity(asking(wide, narrow)).placements[0].fitting is UNKNOWN
    assert capacity(asking(tolerant, wide)).placements != ()
    for before, after in ((narrow, wide), (wide, tolerant), (None, linux), (None, wide)):
        assert capacity(asking(before, after)).placements == ()


def test_pods_that_grow_far_ask_for_the_nodes() -> None:
    gpu = deployment(container={"resources": {"limits": {"nvidia.com/gpu": "1"}}})
    for before, after in ((asks(cpu="1"), asks(cpu="3")), (deployment(), gpu)):
        assert capacity(asking(before, after)).placements[0].fitting is UNKNOWN
    for before, after in (
        (asks(cpu="1"), asks(cpu="2")),
        (deployment(), asks(cpu="1")),
        (None, asks(cpu="9")),
    ):
        assert capacity(asking(before, after)).placements == ()


def test_classes_that_are_not_there() -> None:
    classed = deployment(pod={"runtimeClassName": "nvidia", "priorityClassName": "gold"})
    own = resource(None, thing("PriorityClass", "scheduling.k8s.io/v1", "gold"))
    found = capacity(asking(deployment(), classed), own, runtimeClasses=()).placements[0]

    assert (found.runtime_class, found.runtime_class_exists) == ("nvidia", False)
    assert (found.priority_class, found.priority_class_exists) == ("gold", True)
    assert (
        capacity(resource(classed, deployment(pod=classed["spec"]["template"]["spec"], x=1))).placements == ()
    )


def claim(name: str = "data", **spec: Any) -> dict[str, Any]:
    """A PersistentVolumeClaim."""
    return thing("PersistentVolumeClaim", "v1", name, spec=spec)


def storage_class(name: str, *, default: bool = False) -> dict[str, Any]:
    """A StorageClass."""
    mark = {"storageclass.kubernetes.io/is-default-class": "true"} if default else {}
    return thing("StorageClass", "storage.k8s.io/v1", name, annotations=mark)


@pytest.mark.parametrize(
    ("spec", "exists"),
    [
        ({"storageClassName": "fast"}, True),
        ({"storageClassName": "slow"}, False),
        ({"storageClassName": ""}, True),
        ({}, False),
    ],
)
def test_whether_the_class_of_a_new_claim_is_there(spec: Any, exists: bool) -> None:
    found = capacity(resource(None, claim(**spec)), storageClasses=(storage_class("fast"),)).claims[0]

    assert (found.exists, found.classes) == (exists, ("fast",))


def test_claims_of_stateful_sets_and_classes_of_the_release() -> None:
    templates = [{"metadata": {"name": "data"}, "spec": {}}]
    db = deployment("db", kind="StatefulSet", volumeClaimTemplates=templates)
    own = resource(None, storage_class("fast", default=True))
    found = capacity(resource(None, db), own, storageClasses=()).claims[0]

    assert (found.ref, found.claim, found.exists) == ("StatefulSet/db", "data", True)
    assert capacity(resource(None, db)).claims[0].exists is UNKNOWN
    assert capacity(resource(db, {**db, "x": 1})).claims == ()


def test_volumes_made_by_hand() -> None:
    def volume(name: str, phase: str) -> dict[str, Any]:
        spec = {"storageClassName": "manual"}
        return thing("PersistentVolume", "v1", name, spec=spec, status={"phase": phase})

    new = resource(None, claim(storageClassName="manual"))
    volumes = (volume("a", "Available"), volume("b", "Bound"))

    assert capacity(new, storageClasses=(), persistentVolumes=volumes).claims[0].prepared == 1
    assert capacity(new, storageClasses=()).claims[0].prepared is UNKNOWN
    assert capacity(new, resource(None, volume("c", ""))).claims[0].prepared == 1


def test_the_mark_of_a_default_class() -> None:
    plain, marked = storage_class("fast"), storage_class("fast", default=True)
    others = (storage_class("standard", default=True), storage_class("slow"))
    found = capacity(resource(plain, marked), storageClasses=others).default_classes[0]

    assert (found.before, found.after, found.others) == (False, True, ("standard",))
    assert capacity(resource(marked, None)).default_classes[0].after is False
    assert capacity(resource(marked, marked)).default_classes == ()
    assert capacity(resource(plain, {**plain, "x": 1})).default_classes == ()


def needs(name: str, **more: Any) -> dict[str, Any]:
    """A Deployment whose container reads a Secret."""
    source = {"valueFrom": {"secretKeyRef": {"name": name, "key": "a", **more}}}
    return deployment(container={"env": [{"name": "A", **source}]})


def test_a_secret_that_nobody_defines() -> None:
    new = resource(deployment(), needs("db"))

    found = capacity(new, secrets=()).missing[0]
    assert (found.ref, found.user, found.live, found.maker) == ("Secret/db", "Deployment/web", False, "")
    assert capacity(new).missing[0].lacks == ("cluster.secrets",)
    assert capacity(new, secrets=(thing("Secret", "v1", "db"),)).missing[0].live is True


def test_optional_old_and_own_references_are_no_candidates() -> None:
    own = resource(None, thing("Secret", "v1", "db"))

    assert capacity(resource(None, needs("db", optional=True))).missing == ()
    assert capacity(resource(needs("db"), {**needs("db"), "x": 1})).missing == ()
    assert capacity(resource(None, needs("db")), own).missing == ()


def hook(body: dict[str, Any], group: str) -> HookObject:
    """A hook of the new revision."""
    key = ResourceKey(group, body["kind"], "shop", body["metadata"]["name"])
    return HookObject(key, body["apiVersion"], ("pre-install",), (), body, Present(body))


def test_what_a_job_or_an_operator_makes() -> None:
    new = resource(None, needs("webhook-certs"))
    args = {"args": ["create", "--secret-name=webhook-certs"]}
    operator = resource(None, deployment("operator", container=args))
    spec = {"template": {"spec": {"containers": [{"name": "c", **args}]}}}
    job = Surroundings(hooks=(hook(thing("Job", "batch/v1", "certs", spec=spec), "batch"),))
    rules = [{"resources": ["secrets"], "verbs": ["create"]}]
    rbac = "rbac.authorization.k8s.io"
    role = Surroundings(hooks=(hook(thing("Role", f"{rbac}/v1", "init", rules=rules), rbac),))

    assert capacity(new, operator).missing[0].maker == "a container whose arguments name it"
    assert capacity(new, around=job).missing[0].maker == "a container whose arguments name it"
    assert capacity(new, around=role).missing[0].maker.startswith("a hook with Role/init")
    assert capacity(new).missing[0].maker == ""
