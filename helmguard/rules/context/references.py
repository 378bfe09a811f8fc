"""The reference graph: which objects, in the manifests and around the release, name which others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal

from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import Absent, Present
from helmguard.model.resource_key import ResourceKey, group_of
from helmguard.rules.context.manifest_maps import mapping, maps_in
from helmguard.rules.context.named_objects import Edge, edges_of, made_by
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.facts import Facts

Where = Literal["new", "hook", "old", "around"]
"""Which document holds a reference: the new manifest's, a hook's, the old manifest's, a live object's."""


class Reference(Record, frozen=True):
    """One object that names another."""

    from_ref: Annotated[str, "who names it: `Deployment/web`"]
    from_kind: Annotated[str, "its kind"]
    from_name: Annotated[str, "its name"]
    from_namespace: Annotated[str | None, "its namespace, null for cluster-scoped kinds"]
    where: Annotated[
        Where, "`new` or `old` manifest, `hook`, or `around`: a live object that is not the release's"
    ]
    kind: Annotated[str, "the kind that is named"]
    group: Annotated[str, "its API group"]
    namespace: Annotated[str | None, "its namespace, null for cluster-scoped kinds"]
    name: Annotated[str, "its name"]
    ref: Annotated[str, "`Kind/name`"]
    how: Annotated[str, "the field that names it"]
    entry: Annotated[str, "the key of the ConfigMap or Secret that is wanted, empty for the whole"] = ""
    optional: Annotated[bool, "the object works without it"] = False


class UnmetReference(Reference, frozen=True):
    """A reference of the new manifest or a hook to an object that neither holds."""

    before: Annotated[bool, "the same object named it before, too"] = False
    leaves: Annotated[bool, "this operation deletes what is named"] = False
    live: Annotated[bool | Unknown, "what is named is in the cluster now"] = UNKNOWN
    maker: Annotated[str, "the object that has a controller make it (a Certificate), empty for none"] = ""
    lacks: Annotated[tuple[str, ...], "the facts without which `live` is not known"] = ()


class References(Record, frozen=True):
    """References that this operation may break. Those that are met on both sides are in no list."""

    unmet: Annotated[
        tuple[UnmetReference, ...], "of the new manifest and its hooks, to what neither holds"
    ] = ()


def references_of(facts: Facts) -> References:
    """What of the new manifest and its hooks names something that is in neither."""
    return References(unmet=tuple(_unmet(facts)))


def references_in(facts: Facts, where: Where) -> Iterator[tuple[ResourceKey, Edge]]:
    """Every reference of the new or old manifest or the hooks, with the object that makes it.

    Those of live objects around the release: ``references_around``.
    """
    for key, body in _documents(facts, where):
        for edge in edges_of(body, key.namespace):
            yield key, edge


def references_around(
    facts: Facts, lists: Iterable[str], targets: frozenset[ResourceKey]
) -> tuple[list[Reference], tuple[str, ...]]:
    """Who, of the live objects that are not the release's, names one of the targets.

    A pod stands for the workload that made it, once. Returns the references, and which of the lists
    (``pods``, of ``FACT_KINDS``) were not read.
    """
    found: list[Reference] = []
    read = {name: facts.cluster.lists[name] for name in lists if name in facts.cluster.lists}
    own = own_names(facts) if read else frozenset()
    for items in read.values():
        for body in items:
            key = live_key(body)
            if is_own(key, body, own):
                continue
            found += [
                reference(_maker(key, body), edge, "around")
                for edge in edges_of(body, key.namespace)
                if edge.target in targets
            ]
    once = {(one.from_ref, one.ref): one for one in reversed(found)}
    return list(reversed(once.values())), tuple(f"cluster.{name}" for name in lists if name not in read)


def reference(key: ResourceKey, edge: Edge, where: Where) -> Reference:
    """A reference as rules see it."""
    return Reference(**_fields(key, edge, where))


def live_key(body: JSONObject) -> ResourceKey:
    """The key of a live object of a list."""
    metadata = mapping(body.get("metadata"))
    namespace = metadata.get("namespace")
    return ResourceKey(
        group_of(str(body.get("apiVersion") or "")),
        str(body.get("kind")),
        str(namespace) if namespace else None,
        str(metadata.get("name")),
    )


def _maker(key: ResourceKey, body: JSONObject) -> ResourceKey:
    """The workload that made a pod; the object itself where it is none, or nothing made it."""
    owners = maps_in(mapping(body.get("metadata")).get("ownerReferences")) if key.kind == "Pod" else iter(())
    for _, owner in owners:
        kind, name = str(owner.get("kind")), str(owner.get("name"))
        if kind == "ReplicaSet":
            kind, name = _MADE_FOR[kind], name.rpartition("-")[0]
        return ResourceKey(group_of(str(owner.get("apiVersion") or "")), kind, key.namespace, name)
    return key


OwnNames = frozenset[tuple[str, str | None, str]]
"""Kind, namespace and name of the release's objects."""


def own_names(facts: Facts) -> OwnNames:
    """What ``is_own`` looks in."""
    keys = [resource.prediction.key for resource in facts.resources]
    keys += [hook.key for hook in (*facts.around.hooks, *facts.around.previous_hooks)]
    return frozenset((key.kind, key.namespace, key.name) for key in keys)


def is_own(key: ResourceKey, body: JSONObject, names: OwnNames) -> bool:
    """Whether a live object is one of the release's, or was made for one by its controller.

    ReplicaSets and the Jobs of a CronJob are known by their names: the controller's, and a hash or number.
    """
    if (key.kind, key.namespace, key.name) in names:
        return True
    for _, owner in maps_in(mapping(body.get("metadata")).get("ownerReferences")):
        kind, name = str(owner.get("kind")), str(owner.get("name"))
        parent = _MADE_FOR.get(kind)
        if (kind, key.namespace, name) in names:
            return True
        if parent is not None and (parent, key.namespace, name.rpartition("-")[0]) in names:
            return True
    return False


_COMING: tuple[Where, ...] = ("new", "hook")
_MADE_FOR = {"ReplicaSet": "Deployment", "Job": "CronJob"}


def _documents(facts: Facts, where: Where) -> Iterator[tuple[ResourceKey, JSONObject]]:
    if where == "hook":
        yield from ((hook.key, hook.body) for hook in facts.around.hooks)
        return
    for resource in facts.resources:
        if resource.action == "hook":
            continue
        prediction = resource.prediction
        body = prediction.new if where == "new" else prediction.previous
        if body is not None:
            yield prediction.key, body


def _unmet(facts: Facts) -> Iterator[UnmetReference]:
    coming = {key for key, _ in _documents(facts, "new")} | {key for key, _ in _documents(facts, "hook")}
    states = {resource.prediction.key: resource.prediction for resource in facts.resources}
    makers: dict[ResourceKey, str] | None = None
    before: set[tuple[ResourceKey, ResourceKey]] | None = None
    for where in _COMING:
        for key, edge in references_in(facts, where):
            target = edge.target
            if target in coming or _is_builtin(target):
                continue
            if makers is None or before is None:
                makers = makers_of(facts)
                before = {(one, old.target) for one, old in references_in(facts, "old")}
            state = states.get(target)
            live, lacks = _is_live(target, facts)
            if state is not None:
                live = isinstance(state.live, Present) if isinstance(state.live, Present | Absent) else live
            yield UnmetReference(
                **_fields(key, edge, where),
                before=(key, target) in before,
                leaves=state is not None and state.action == "delete",
                live=live,
                maker=makers.get(target, ""),
                lacks=lacks if live is UNKNOWN else (),
            )


def makers_of(facts: Facts) -> dict[ResourceKey, str]:
    """Objects that a controller will make for one of the new manifest or a hook, and for which."""
    return {
        made: str(key)
        for where in _COMING
        for key, body in _documents(facts, where)
        for made in made_by(body, key.namespace)
    }


def _is_builtin(key: ResourceKey) -> bool:
    """Made by Kubernetes itself, in every namespace or in every cluster."""
    match key.kind:
        case "ServiceAccount":
            return key.name == "default"
        case "ConfigMap":
            return key.name == "kube-root-ca.crt"
        case "PriorityClass":
            return key.name.startswith("system-")
        case "Service":
            return (key.namespace, key.name) == ("default", "kubernetes")
        case "ClusterRole":
            return key.name in ("cluster-admin", "admin", "edit", "view") or key.name.startswith("system:")
        case _:
            return False


LIST_OF_KIND = {
    ("", "ConfigMap"): "configMaps",
    ("", "Secret"): "secrets",
    ("", "ServiceAccount"): "serviceAccounts",
    ("", "Service"): "services",
    ("", "PersistentVolumeClaim"): "persistentVolumeClaims",
    ("", "PersistentVolume"): "persistentVolumes",
    ("scheduling.k8s.io", "PriorityClass"): "priorityClasses",
    ("node.k8s.io", "RuntimeClass"): "runtimeClasses",
    ("storage.k8s.io", "StorageClass"): "storageClasses",
    ("networking.k8s.io", "IngressClass"): "ingressClasses",
    ("rbac.authorization.k8s.io", "Role"): "roles",
    ("rbac.authorization.k8s.io", "ClusterRole"): "clusterRoles",
    ("apps", "Deployment"): "deployments",
    ("apps", "StatefulSet"): "statefulSets",
    ("apps", "DaemonSet"): "daemonSets",
}
"""Which list of ``FACT_KINDS`` says whether an object of a kind is there."""


def _is_live(key: ResourceKey, facts: Facts) -> tuple[bool | Unknown, tuple[str, ...]]:
    """A namespace that was not read tells nothing; all Services of the cluster do."""
    name = LIST_OF_KIND.get((key.group, key.kind))
    if name is None:
        return UNKNOWN, ()
    around = facts.cluster
    if key.namespace is not None and key.namespace not in around.namespaces:
        whole = around.lists.get("allServices") if name == "services" else None
        if whole is None:
            return UNKNOWN, ("cluster.allServices" if name == "services" else f"cluster.{name}",)
        return any(live_key(body) == key for body in whole), ()
    items = around.lists.get(name)
    if items is None:
        return UNKNOWN, (f"cluster.{name}",)
    return any(live_key(body) == key for body in items), ()


def _fields(key: ResourceKey, edge: Edge, where: Where) -> dict[str, Any]:
    target = edge.target
    return {
        "from_ref": str(key),
        "from_kind": key.kind,
        "from_name": key.name,
        "from_namespace": key.namespace,
        "where": where,
        "kind": target.kind,
        "group": target.group,
        "namespace": target.namespace,
        "name": target.name,
        "ref": str(target),
        "how": edge.how,
        "entry": edge.entry,
        "optional": edge.optional,
    }
