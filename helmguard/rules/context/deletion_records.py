"""Deletions as rules see them: what goes, what hangs on it, what stays behind."""

from __future__ import annotations

from typing import Annotated

from helmguard.model.json_value import JSONValue
from helmguard.rules.context.deleted_rights import RightLoss
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.context.references import Reference


class Deletion(Record, frozen=True):
    """An object that leaves the manifest and that Helm deletes, as far as is known."""

    ref: Annotated[str, "its name on the page: `Kind/name`"]
    kind: Annotated[str, "its kind"]
    group: Annotated[str, "its API group"] = ""
    namespace: Annotated[str | None, "null for cluster-scoped kinds"] = None
    name: Annotated[str, "its name"] = ""
    cause: Annotated[str, "why it leaves the manifest: `chart`, `values`, `default`, `lost override`"] = (
        "chart"
    )
    old: Annotated[JSONValue, "its document in the previous manifest"] = None
    live: Annotated[JSONValue | Unknown, "the object in the cluster now"] = UNKNOWN
    keep: Annotated[str, "the command that makes Helm keep it"] = ""
    told_by: Annotated[str, "the rule that tells more about this deletion, empty for none"] = ""
    successor: Annotated[str, "the new object that does its work under another name, empty for none"] = ""


class DeletedStorage(Deletion, frozen=True):
    """A claim, a volume or a StatefulSet."""

    claim_templates: Annotated[tuple[str, ...], "names of a StatefulSet's volumeClaimTemplates"] = ()
    when_deleted: Annotated[
        str, "`Retain` or `Delete`: what becomes of its claims, empty without templates"
    ] = ""
    reclaim_policy: Annotated[
        str | Unknown, "of the claim's volume: `Delete`, `Retain`; empty where no volume is bound"
    ] = UNKNOWN
    lacks: Annotated[tuple[str, ...], "the facts without which the policy is not known"] = ()


class DeletedNamespace(Deletion, frozen=True):
    """A Namespace."""

    contents: Annotated[
        tuple[str, ...] | Unknown, "objects in it that are not this release's; not what every namespace has"
    ] = UNKNOWN
    own: Annotated[tuple[str, ...], "objects of the new manifest that are to be in it"] = ()
    is_home: Annotated[bool, "the release's own namespace: its records are in it"] = False
    lacks: Annotated[tuple[str, ...], "the facts without which its contents are not known"] = ()


class DeletedReferenced(Deletion, frozen=True):
    """An object of a kind that others name."""

    is_tls: Annotated[bool, "a Secret of a certificate or an authority"] = False
    users: Annotated[
        tuple[Reference, ...], "what of the new manifest, its hooks and kept objects still names it"
    ] = ()
    around: Annotated[tuple[Reference, ...] | Unknown, "live objects beside the release that name it"] = (
        UNKNOWN
    )
    lacks: Annotated[tuple[str, ...], "the facts without which those are not known"] = ()
    maker: Annotated[str, "the object that has a controller make it again, empty for none"] = ""


class DeletedRights(Deletion, frozen=True):
    """A Role, ClusterRole or binding by which somebody loses rights."""

    losses: Annotated[
        tuple[RightLoss, ...], "who loses what that nothing else in the new manifest grants"
    ] = ()


class DeletedProtection(Deletion, frozen=True):
    """A NetworkPolicy, a budget, a scaler, a quota or the like."""

    protects: Annotated[tuple[str, ...], "workloads of the new manifest that it covers"] = ()
    protected: Annotated[tuple[str, ...], "workloads of the previous manifest that it covers"] = ()
    pods: Annotated[int, "the most replicas of a workload that stays, by the new manifest"] = 0
    covers_all: Annotated[bool, "it covers whatever runs in its namespace, or in the cluster"] = False
    pods_around: Annotated[int | Unknown, "live pods beside the release that its selector finds"] = UNKNOWN
    lacks: Annotated[tuple[str, ...], "the facts without which those are not known"] = ()


class DeletedExposure(Deletion, frozen=True):
    """An Ingress, a route or a Service of type LoadBalancer."""

    hosts: Annotated[tuple[str, ...], "its hosts; `*` for any"] = ()
    lost: Annotated[tuple[str, ...], "hosts that nothing in the new manifest serves"] = ()
    address: Annotated[str, "its live address, empty where none is published"] = ""
    gone: Annotated[
        tuple[str, ...] | Unknown, "hosts that no live object beside the release serves either"
    ] = UNKNOWN
    lacks: Annotated[tuple[str, ...], "the facts without which those are not known"] = ()


class KeepPolicy(Record, frozen=True):
    """An object that left the manifest, and bears a keep policy: live, in the manifest, or both."""

    ref: Annotated[str, "its name on the page: `Kind/name`"]
    kind: Annotated[str, "its kind"]
    group: Annotated[str, "its API group"] = ""
    namespace: Annotated[str | None, "null for cluster-scoped kinds"] = None
    name: Annotated[str, "its name"] = ""
    live_policy: Annotated[str | None, "the live annotation, null where it is missing"] = None
    manifest_policy: Annotated[str | None, "that of the previous manifest"] = None
    command: Annotated[str, "the command that makes Helm keep it"] = ""


class NewState(Record, frozen=True):
    """An object that holds state and is new to the release."""

    ref: Annotated[str, "its name on the page: `Kind/name`"]
    kind: Annotated[str, "`PersistentVolumeClaim`, `CustomResourceDefinition`, `Namespace`, `StatefulSet`"]
    when_deleted: Annotated[str, "a StatefulSet's: `Delete` where its claims go with it"] = ""
    replaces: Annotated[str, "the object that goes for it: a rename or a move; empty for none"] = ""
    policy: Annotated[str | None, "its keep policy in the new manifest, null where it has none"] = None


class Deletions(Record, frozen=True):
    """What this operation deletes, by what it takes to judge it."""

    storage: Annotated[tuple[DeletedStorage, ...], "claims, volumes and StatefulSets"] = ()
    namespaces: Annotated[tuple[DeletedNamespace, ...], "namespaces"] = ()
    referenced: Annotated[
        tuple[DeletedReferenced, ...], "ConfigMaps, Secrets, Services, classes and others that objects name"
    ] = ()
    rights: Annotated[tuple[DeletedRights, ...], "roles and bindings, where somebody loses rights"] = ()
    protections: Annotated[tuple[DeletedProtection, ...], "policies, budgets, scalers, quotas"] = ()
    exposures: Annotated[tuple[DeletedExposure, ...], "what is reached from outside"] = ()
    gates: Annotated[tuple[Deletion, ...], "webhook configurations and APIServices"] = ()
    kept: Annotated[
        tuple[KeepPolicy, ...], "what left the manifest and stays: the live object says `keep`"
    ] = ()
    not_kept: Annotated[
        tuple[KeepPolicy, ...], "what goes in spite of a keep policy that does not count"
    ] = ()
    new_state: Annotated[tuple[NewState, ...], "claims, definitions, namespaces and sets that are new"] = ()
