"""What this operation deletes, with what hangs on it; and what stays behind when it leaves the manifest."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from helmguard.model.json_value import JSONObject
from helmguard.model.resource_key import ResourceKey
from helmguard.predict.deletions import keep_policy
from helmguard.predict.ownership import release_of
from helmguard.rules.context.deleted_exposure import (
    address_of,
    hosts_of,
    is_exposure,
    unserved,
)
from helmguard.rules.context.deleted_protection import (
    PROTECTIONS,
    covered_workloads,
    covers_all,
    successor_of,
)
from helmguard.rules.context.deleted_references import deleted_references
from helmguard.rules.context.deleted_rights import lost_rights
from helmguard.rules.context.deletion_records import (
    DeletedExposure,
    DeletedNamespace,
    DeletedProtection,
    DeletedRights,
    DeletedStorage,
    Deletion,
    Deletions,
    KeepPolicy,
    NewState,
)
from helmguard.rules.context.leaving import Leaving, kept_objects, leaving_objects
from helmguard.rules.context.manifest_maps import mapping
from helmguard.rules.context.record import UNKNOWN
from helmguard.rules.context.references import is_own, live_key, own_names
from helmguard.rules.context.renames import Pairs, is_told, keys_of, replacements
from helmguard.rules.context.volumes import claim_templates_of, reclaim_policy_of, when_deleted_of
from helmguard.rules.facts import Facts
from helmguard.rules.kubectl import keep_command


def deletions_of(facts: Facts) -> Deletions:
    """What this operation deletes."""
    going = list(leaving_objects(facts))
    pairs = replacements(facts)
    new_state = tuple(_new_state(facts, pairs))
    kept = tuple(_kept(leaving) for leaving in kept_objects(facts))
    if not going:
        return Deletions(kept=kept, new_state=new_state)
    heads = _heads(going, pairs, facts)
    old = _documents(facts, new=False)
    new = _documents(facts, new=True)
    return Deletions(
        storage=tuple(_storage(going, heads, facts)),
        namespaces=tuple(_namespaces(going, heads, new, facts)),
        referenced=tuple(deleted_references(going, heads, facts)),
        rights=tuple(_rights(going, heads, old, new)),
        protections=tuple(_protections(going, heads, old, new, facts)),
        exposures=tuple(_exposures(going, heads, new, facts)),
        gates=tuple(Deletion(**heads[one.key]) for one in going if (one.key.group, one.key.kind) in _GATES),
        kept=kept,
        not_kept=tuple(_kept(one) for one in going if _has_dead_policy(one) and not _other_owner(one, facts)),
        new_state=new_state,
    )


_Heads = dict[ResourceKey, dict[str, Any]]
_Documents = dict[ResourceKey, JSONObject]
_GATES = {
    ("admissionregistration.k8s.io", "ValidatingWebhookConfiguration"),
    ("admissionregistration.k8s.io", "MutatingWebhookConfiguration"),
    ("apiregistration.k8s.io", "APIService"),
}


def _documents(facts: Facts, *, new: bool) -> _Documents:
    """Of a manifest; hooks count as objects of the new one."""
    found = {hook.key: hook.body for hook in facts.around.hooks} if new else {}
    for resource in facts.resources:
        body = resource.prediction.new if new else resource.prediction.previous
        if body is not None and resource.action != "hook":
            found[resource.prediction.key] = body
    return found


def _heads(going: list[Leaving], pairs: Pairs, facts: Facts) -> _Heads:
    """What every record of a deletion begins with."""
    names, kinds, moved = keys_of(pairs.names), keys_of(pairs.kinds), keys_of(pairs.namespaces)
    told = {pair[0].key for pair in pairs.names if is_told(pair[0], pair[1])}
    return {
        leaving.key: {
            "ref": str(leaving.key),
            "kind": leaving.key.kind,
            "group": leaving.key.group,
            "namespace": leaving.key.namespace,
            "name": leaving.key.name,
            "cause": leaving.resource.cause or "chart",
            "old": leaving.document,
            "live": UNKNOWN if leaving.live is None else leaving.live,
            "keep": keep_command(leaving.key),
            "told_by": _told_by(leaving, facts, told, kinds, moved),
            "successor": str(names.get(leaving.key, "")),
        }
        for leaving in going
    }


def _told_by(
    leaving: Leaving,
    facts: Facts,
    renamed: set[ResourceKey],
    kinds: dict[ResourceKey, ResourceKey],
    moved: dict[ResourceKey, ResourceKey],
) -> str:
    """The rule that has more to say about the deletion."""
    if _other_owner(leaving, facts):
        return "drift-deleted-upstream"
    if _has_dead_policy(leaving):
        return "keep-not-live"
    if leaving.key in moved:
        return "namespace-changed"
    if leaving.key in kinds:
        return "kind-changed"
    return "rename-as-delete-create" if leaving.key in renamed else ""


def _other_owner(leaving: Leaving, facts: Facts) -> bool:
    owner = release_of(leaving.live) if leaving.live is not None else ""
    return owner not in ("", f"{facts.release.namespace}/{facts.release.name}")


def _has_dead_policy(leaving: Leaving) -> bool:
    """Somebody meant to keep it, and Helm does not."""
    return leaving.live is not None and (
        leaving.live_policy is not None or leaving.manifest_policy is not None
    )


def _kept(leaving: Leaving) -> KeepPolicy:
    key = leaving.key
    return KeepPolicy(
        ref=str(key),
        kind=key.kind,
        group=key.group,
        namespace=key.namespace,
        name=key.name,
        live_policy=leaving.live_policy,
        manifest_policy=leaving.manifest_policy,
        command=keep_command(key),
    )


_STORAGE = {("", "PersistentVolumeClaim"), ("", "PersistentVolume"), ("apps", "StatefulSet")}


def _storage(going: list[Leaving], heads: _Heads, facts: Facts) -> Iterator[DeletedStorage]:
    for leaving in going:
        if (leaving.key.group, leaving.key.kind) in _STORAGE:
            policy, lacks = reclaim_policy_of(leaving, facts)
            yield DeletedStorage(
                **heads[leaving.key],
                claim_templates=claim_templates_of(leaving.body),
                when_deleted=when_deleted_of(leaving.body),
                reclaim_policy=policy,
                lacks=lacks,
            )


def _namespaces(
    going: list[Leaving], heads: _Heads, new: _Documents, facts: Facts
) -> Iterator[DeletedNamespace]:
    own = own_names(facts)
    for leaving in going:
        if (leaving.key.group, leaving.key.kind) != ("", "Namespace"):
            continue
        name = leaving.key.name
        found = facts.cluster.namespace_contents.get(name)
        foreign = None
        if found is not None:
            keys = [(live_key(body), body) for body in found]
            foreign = tuple(
                str(key)
                for key, body in keys
                if not is_own(key, body, own) and not _is_in_every_namespace(key)
            )
        yield DeletedNamespace(
            **heads[leaving.key],
            contents=UNKNOWN if foreign is None else foreign,
            own=tuple(str(key) for key in new if key.namespace == name),
            is_home=name == facts.release.namespace,
            lacks=() if foreign is not None else (f"cluster.namespaceContents.{name}",),
        )


def _is_in_every_namespace(key: ResourceKey) -> bool:
    """What Kubernetes puts there, or makes for other objects; events."""
    if key.kind in ("Event", "Endpoints", "EndpointSlice", "PodMetrics", "ControllerRevision"):
        return True
    return (key.kind, key.name) in (("ServiceAccount", "default"), ("ConfigMap", "kube-root-ca.crt"))


def _rights(going: list[Leaving], heads: _Heads, old: _Documents, new: _Documents) -> Iterator[DeletedRights]:
    for key, losses in lost_rights(old, new, (one.key for one in going)).items():
        yield DeletedRights(**heads[key], losses=losses)


def _protections(
    going: list[Leaving], heads: _Heads, old: _Documents, new: _Documents, facts: Facts
) -> Iterator[DeletedProtection]:
    touched = [
        resource.prediction.key
        for resource in facts.resources
        if resource.prediction.new is not None and resource.action != "unchanged"
    ]
    pods = _pods_around(facts)
    for leaving in going:
        key = leaving.key
        if (key.group, key.kind) not in PROTECTIONS:
            continue
        staying = covered_workloads(key, leaving.document, new)
        head = {**heads[key], "successor": successor_of(key, leaving.document, new, touched)}
        yield DeletedProtection(
            **head,
            protects=tuple(map(str, staying)),
            protected=tuple(map(str, covered_workloads(key, leaving.document, old))),
            pods=max((_replicas(new[one]) for one in staying), default=0),
            covers_all=covers_all(key, leaving.document),
            pods_around=UNKNOWN if pods is None else len(covered_workloads(key, leaving.document, pods)),
            lacks=() if pods is not None else ("cluster.pods",),
        )


def _pods_around(facts: Facts) -> _Documents | None:
    """Live pods that are not the release's, None where they were not read."""
    pods = facts.cluster.lists.get("pods")
    if pods is None:
        return None
    own = own_names(facts)
    live = {live_key(pod): pod for pod in pods}
    return {key: pod for key, pod in live.items() if not is_own(key, pod, own)}


def _replicas(body: JSONObject) -> int:
    replicas = mapping(body.get("spec")).get("replicas", 1)
    return replicas if isinstance(replicas, int) else 1


def _exposures(
    going: list[Leaving], heads: _Heads, new: _Documents, facts: Facts
) -> Iterator[DeletedExposure]:
    served = {host for key, body in new.items() for host in hosts_of(key, body)}
    for leaving in going:
        if not is_exposure(leaving.key, leaving.body):
            continue
        hosts = hosts_of(leaving.key, leaving.document)
        lost = unserved(hosts, served)
        ingresses = facts.cluster.lists.get("ingresses")
        yield DeletedExposure(
            **heads[leaving.key],
            hosts=hosts,
            lost=lost,
            address=address_of(leaving.live or {}),
            gone=UNKNOWN if ingresses is None else unserved(lost, _served_around(ingresses, facts)),
            lacks=("cluster.ingresses",) if ingresses is None else (),
        )


def _served_around(ingresses: tuple[JSONObject, ...], facts: Facts) -> Iterator[str]:
    own = own_names(facts)
    for body in ingresses:
        key = live_key(body)
        if not is_own(key, body, own):
            yield from hosts_of(key, body)


_STATEFUL = {
    ("", "PersistentVolumeClaim"),
    ("", "Namespace"),
    ("apiextensions.k8s.io", "CustomResourceDefinition"),
    ("apps", "StatefulSet"),
}


def _new_state(facts: Facts, pairs: Pairs) -> Iterator[NewState]:
    """Objects with state that Helm would delete again with the release; claims of sets only where told so."""
    every = (*pairs.names, *pairs.kinds, *pairs.namespaces)
    replaced = {resource.prediction.key: leaving.key for leaving, resource, _ in every}
    for resource in facts.resources:
        prediction = resource.prediction
        key, body = prediction.key, prediction.new
        is_new = prediction.previous is None and body is not None and prediction.source != "crds/"
        if not is_new or body is None or (key.group, key.kind) not in _STATEFUL or resource.action == "hook":
            continue
        yield NewState(
            ref=str(key),
            kind=key.kind,
            when_deleted=when_deleted_of(body),
            replaces=str(replaced.get(key, "")),
            policy=keep_policy(body),
        )
