"""How hard pods are locked in, before against after: security contexts, privileges, tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any

import msgspec

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.plan import ResourceChange
from helmguard.model.resource_key import ResourceKey
from helmguard.rules.context.hardening import Facet, facets_of
from helmguard.rules.context.manifest_maps import mapping
from helmguard.rules.context.pod_security import broken_rules, violated_levels
from helmguard.rules.context.pod_templates import after_of, before_of, is_workload, template_of
from helmguard.rules.context.privileges import Power, powers_of
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.facts import Facts


class PodRecord(Record, frozen=True):
    """A workload, and whether its namespace takes its pods."""

    ref: Annotated[str, "the workload: `Deployment/web`"]
    kind: Annotated[str, "its kind"] = "Deployment"
    namespace: Annotated[str, "its namespace"] = ""
    name: Annotated[str, "its name"] = ""
    action: Annotated[str, "what Helm will do: an action of docs/plan-format.md"] = "update"
    violates: Annotated[
        tuple[str, ...], "levels of the Pod Security Standards that refuse its pods after Helm"
    ] = ()
    enforced: Annotated[
        str | Unknown,
        "the level that its namespace enforces: `baseline`, `restricted`, or `privileged` for none",
    ] = UNKNOWN
    lacks: Annotated[tuple[str, ...], "the fact without which `enforced` is not known"] = ()


class Weakening(PodRecord, frozen=True):
    """Something that locked a container in and does no more."""

    container: Annotated[str, "the container's name"] = ""
    what: Annotated[
        str,
        "`runAsNonRoot`, `runAsUser`, `readOnlyRootFilesystem`, `allowPrivilegeEscalation`, "
        "`seccompProfile`, `appArmorProfile`, `capabilities.add` or `capabilities.drop`",
    ] = "runAsNonRoot"
    before: Annotated[JSONValue, "its value now, null for none"] = None
    after: Annotated[JSONValue, "its value after Helm, null for none"] = None
    cause: Annotated[str, "why it changes: a cause of docs/plan-format.md"] = "chart"
    value: Annotated[str, "the values path that the change was traced to, empty where it was not"] = ""
    had_already: Annotated[
        str, "another container of the pod with the same image that was as weak before, empty for none"
    ] = ""


class Privilege(PodRecord, frozen=True):
    """A way out of its pod that a workload has."""

    container: Annotated[str, "the container's name, empty for the whole pod"] = ""
    what: Annotated[
        str,
        "`privileged`, `hostNetwork`, `hostPID`, `hostIPC`, `hostPath`, `procMount`, `hostProcess`; `policy` "
        "where its namespace refuses the pods for whatever they ask",
    ] = "privileged"
    path: Annotated[str, "the node's path of a hostPath volume"] = ""
    read_only: Annotated[bool, "each container mounts that path read-only"] = False
    is_new: Annotated[bool, "no pod of the release has it now"] = True
    cause: Annotated[str, "why it comes: a cause of docs/plan-format.md"] = "chart"
    broken: Annotated[tuple[str, ...], "what the gravest violated level refuses, in its own words"] = ()


class TokenMount(Record, frozen=True):
    """Pods that are given a token of the API server anew, or no more."""

    ref: Annotated[str, "the workload: `Deployment/web`"]
    account: Annotated[str, "its ServiceAccount"] = "default"
    field: Annotated[str, "what says so after Helm: the pod's field or the account's"] = ""
    before: Annotated[bool, "they get a token now"] = False
    after: Annotated[bool, "they get a token after Helm"] = True


class Security(Record, frozen=True):
    """Candidates: what changes about how pods are locked in, and nothing else."""

    weakened: Annotated[tuple[Weakening, ...], "what locked containers in and does no more"] = ()
    privileges: Annotated[
        tuple[Privilege, ...],
        "ways out of pods that are new, and of pods that are made anew where the namespace refuses them",
    ] = ()
    tokens: Annotated[tuple[TokenMount, ...], "pods that get a token and did not, or the other way"] = ()


class _Pods(msgspec.Struct, frozen=True):
    """One workload whose pods this operation makes or replaces; ``old`` is None where there were none."""

    resource: ResourceChange
    old: JSONObject | None
    new: JSONObject

    @property
    def key(self) -> ResourceKey:
        return self.resource.prediction.key


def security_of(facts: Facts) -> Security:
    """What changes about how pods are locked in."""
    pods = [one for one in _pods(facts) if one.resource.action != "unchanged" and one.old != one.new]
    namespaces = _enforced_levels(facts) if pods else UNKNOWN
    return Security(
        weakened=tuple(_weakened(pods, namespaces)),
        privileges=tuple(_privileges(pods, facts, namespaces)),
        tokens=tuple(_tokens(pods, facts)),
    )


def _pods(facts: Facts) -> Iterator[_Pods]:
    for resource in facts.resources:
        key = resource.prediction.key
        if resource.action in _STAYS or not is_workload(key):
            continue
        old, new = template_of(before_of(resource), key), template_of(after_of(resource), key)
        if new is not None:
            yield _Pods(resource, old, new)


_STAYS = ("hook", "delete", "keep")
_Levels = Mapping[str, str] | Unknown
_ENFORCE = "pod-security.kubernetes.io/enforce"


def _enforced_levels(facts: Facts) -> _Levels:
    """The level of each namespace that is known, by its name."""
    live = facts.cluster.lists.get("allNamespaces")
    found: dict[str, str] = {}
    for body in live or ():
        metadata = mapping(body, "metadata")
        found[str(metadata.get("name"))] = _level(metadata)
    for resource in facts.resources:
        key, after = resource.prediction.key, after_of(resource)
        if (key.group, key.kind) == ("", "Namespace") and after is not None:
            found[key.name] = _level(mapping(after, "metadata"))
    return found if found or live is not None else UNKNOWN


def _level(metadata: JSONObject) -> str:
    return str(mapping(metadata, "labels").get(_ENFORCE) or "privileged")


def _head(pods: _Pods, levels: _Levels) -> dict[str, Any]:
    key = pods.key
    level = UNKNOWN if isinstance(levels, Unknown) else levels.get(key.namespace or "", UNKNOWN)
    return {
        "ref": str(key),
        "kind": key.kind,
        "namespace": key.namespace or "",
        "name": key.name,
        "action": pods.resource.action,
        "violates": violated_levels(pods.new),
        "enforced": level,
        "lacks": ("cluster.allNamespaces",) if level is UNKNOWN else (),
    }


def _weakened(pods: Iterable[_Pods], levels: _Levels) -> Iterator[Weakening]:
    for one in pods:
        if one.old is None:
            continue
        facets = {facet.container: facet for facet in facets_of(one.old)}
        for after in facets_of(one.new):
            old = facets.get(after.container)
            for what, was, will in after.weaker_than(old) if old is not None else ():
                cause, value = _cause(one.resource, what)
                yield Weakening(
                    **_head(one, levels),
                    container=after.container,
                    what=what,
                    before=was,
                    after=will,
                    cause=cause,
                    value=value,
                    had_already=_had_already(after, what, will, facets),
                )


def _had_already(after: Facet, what: str, will: JSONValue, before: Mapping[str, Facet]) -> str:
    for name, other in before.items():
        if name != after.container and other.image == after.image and other.says(what) == will:
            return name
    return ""


def _cause(resource: ResourceChange, what: str) -> tuple[str, str]:
    """The cause of the change that names the field, else of any change of a security context."""
    last = what.partition(".")[0]
    found = None
    for change in resource.changes:
        if "securityContext" in change.path:
            if last in change.path:
                return change.cause, change.value_path
            found = change
    return (found.cause, found.value_path) if found else (resource.cause or "chart", "")


def _privileges(pods: Iterable[_Pods], facts: Facts, levels: _Levels) -> Iterator[Privilege]:
    had: set[Power] | None = None
    for one in pods:
        head = _head(one, levels)
        refused = head["enforced"] in head["violates"]
        before = {power.everywhere for power in powers_of(one.old)} if one.old is not None else set()
        broken = broken_rules(one.new, _gravest(head)) if head["violates"] else ()
        told = False
        for power in powers_of(one.new):
            had = had if had is not None else set(_powers_that_go(facts))
            is_new = power.everywhere not in before and power.everywhere not in had
            if not is_new and not refused:
                continue
            told = True
            yield Privilege(
                **head,
                container=power.container,
                what=power.what,
                path=power.path,
                read_only=power.read_only,
                is_new=is_new,
                cause=_cause_of_power(one.resource, power),
                broken=broken,
            )
        if not told and (refused or _is_warned_of(one.resource)):
            yield Privilege(**head, what="policy", is_new=False, broken=broken)


def _gravest(head: Mapping[str, Any]) -> str:
    return "baseline" if head["enforced"] == "baseline" else "restricted"


def _powers_that_go(facts: Facts) -> Iterator[Power]:
    """What workloads that leave the manifest have: a rename brings nothing new."""
    for resource in facts.resources:
        key = resource.prediction.key
        if resource.action in ("delete", "keep") and is_workload(key):
            template = template_of(before_of(resource), key)
            yield from (power.everywhere for power in (powers_of(template) if template is not None else ()))


def _is_warned_of(resource: ResourceChange) -> bool:
    """The API server's dry run says what the admission of the pods will say."""
    confirmation = resource.prediction.confirmation
    warnings = confirmation.warnings if confirmation is not None else ()
    return any("would violate PodSecurity" in warning for warning in warnings)


def _cause_of_power(resource: ResourceChange, power: Power) -> str:
    for change in resource.changes:
        if power.what in change.path or (power.what == "hostPath" and "volumes" in change.path):
            return change.cause
    return resource.cause or "chart"


def _tokens(pods: Iterable[_Pods], facts: Facts) -> Iterator[TokenMount]:
    before, after = _accounts(facts, old=True), _accounts(facts, old=False)
    for one in _pods(facts) if before != after else pods:
        if one.old is None:
            continue
        mounted, _, _ = _mounts(one.old, one.key, before)
        mounts, field, account = _mounts(one.new, one.key, after)
        if mounts != mounted:
            yield TokenMount(str(one.key), account, field, mounted, mounts)


def _mounts(pod: JSONObject, key: ResourceKey, accounts: Mapping[Any, Any]) -> tuple[bool, str, str]:
    """Whether pods get a token, which field says so, and the account; the pod's own field counts first."""
    spec = mapping(pod, "spec")
    account = str(spec.get("serviceAccountName") or spec.get("serviceAccount") or "default")
    own = spec.get("automountServiceAccountToken")
    if isinstance(own, bool):
        return own, "spec.template.spec.automountServiceAccountToken", account
    said = accounts.get((key.namespace, account))
    return said is not False, f"ServiceAccount/{account} automountServiceAccountToken", account


def _accounts(facts: Facts, *, old: bool) -> dict[Any, Any]:
    found = {}
    for resource in facts.resources:
        key = resource.prediction.key
        if (key.group, key.kind) == ("", "ServiceAccount"):
            body = before_of(resource) if old else after_of(resource)
            if body is not None:
                found[(key.namespace, key.name)] = body.get("automountServiceAccountToken")
    return found
