"""Kinds and API versions of the manifests that the API server does not serve, or will not for long."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec.structs import replace

from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import Absent, KindNotServed, Present
from helmguard.model.plan import ResourceChange
from helmguard.model.prediction import ResourcePrediction
from helmguard.model.resource_key import ResourceKey, group_of
from helmguard.predict.preconditions import no_match_text
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.facts import Facts
from helmguard.rules.failure_effects import failure_effects
from helmguard.rules.kubectl import kubectl_target
from helmguard.rules.lifecycle import Lifecycle, lifecycles


class Api(Record, frozen=True):
    """An object of a manifest and how its apiVersion and kind stand to the API server."""

    ref: Annotated[str, "the object's name on the page"]
    kind: Annotated[str, "`CronJob`"]
    group: Annotated[str, "its API group"] = ""
    api_version: Annotated[str, "the apiVersion that its document names: `batch/v1beta1`"] = ""
    namespace: Annotated[str | None, "its namespace, null for cluster-scoped kinds"] = None
    name: Annotated[str, "its name"] = ""
    target: Annotated[str, "how kubectl is told of it: `-n shop cronjob.batch/c`"] = ""
    manifest: Annotated[str, "which manifest names it: `new` or `stored` (the revision that is deployed)"] = (
        "new"
    )
    in_other: Annotated[bool, "the other of the two manifests names it with the same apiVersion"] = False
    served: Annotated[bool | Unknown, "whether the API server serves it"] = UNKNOWN
    known_by: Annotated[
        str,
        "what tells so: `reading` (it was asked for the object), `discovery`, `lifecycle` (the table of "
        "built-in APIs and the server's version), `definition` (there is none of its kind), `helm` (its "
        "error); empty where nothing does",
    ] = ""
    custom: Annotated[bool, "a kind of some CustomResourceDefinition, not one of Kubernetes' own"] = False
    in_crds: Annotated[bool, "the new chart's crds/ holds a definition of its kind"] = False
    in_templates: Annotated[bool, "the new manifest holds a definition of its kind"] = False
    introduced_in: Annotated[str, "the Kubernetes release that brought it, empty where that is not known"] = (
        ""
    )
    deprecated_in: Annotated[str, "the Kubernetes release that deprecated it: `1.21`; empty for none"] = ""
    removed_in: Annotated[str, "the Kubernetes release that removed it, or will; empty for none"] = ""
    replacement: Annotated[str, "what takes its place: `batch/v1 CronJob`; empty for nothing"] = ""
    text: Annotated[str, "what Helm says about it"] = ""
    effects: Annotated[tuple[str, ...], "what the failure leaves behind, said where Helm stops"] = ()


class MovedGroup(Record, frozen=True):
    """An object that leaves the manifest under one API group and enters it under another, with one name."""

    ref: Annotated[str, "the new object's name on the page"]
    kind: Annotated[str, "`Ingress`"]
    group: Annotated[str, "the new API group"] = ""
    old: Annotated[str, "the apiVersion in the old manifest: `extensions/v1beta1`"] = ""
    new: Annotated[str, "the apiVersion in the new manifest: `networking.k8s.io/v1`"] = ""
    target: Annotated[str, "how kubectl is told of the old object"] = ""
    builtin: Annotated[bool, "both groups are Kubernetes' own, which may be two names of one object"] = False


class Apis(Record, frozen=True):
    """API versions and kinds of the objects in either manifest. Hooks are not among them."""

    unserved: Annotated[
        tuple[Api, ...], "objects whose apiVersion and kind are not served, or nobody knows whether they are"
    ] = ()
    deprecated: Annotated[
        tuple[Api, ...], "objects of the new manifest whose API the server's version deprecates"
    ] = ()
    moved: Annotated[tuple[MovedGroup, ...], "objects whose API group changes"] = ()


def apis_of(facts: Facts) -> Apis:
    """How the kinds of both manifests stand to the API server."""
    return Apis(
        unserved=tuple(unserved_objects(facts)),
        deprecated=tuple(_deprecated(facts)),
        moved=tuple(_moved(facts)),
    )


def unserved_objects(facts: Facts) -> Iterator[Api]:
    """Objects of kinds that are not served, as far as that is known; in the order of the plan."""
    look = _Look(facts)
    for resource in facts.resources:
        prediction = resource.prediction
        if resource.action == "hook" or prediction.source == "crds/":
            continue
        bodies = (("new", prediction.new), ("stored", prediction.previous))
        versions = {manifest: str(body.get("apiVersion")) for manifest, body in bodies if body is not None}
        for manifest, body in bodies:
            if body is None:
                continue
            api_version = versions[manifest]
            served, known_by = look.served(prediction, api_version)
            if served is not True:
                api = look.api(prediction, body, api_version, manifest, served, known_by)
                yield replace(api, in_other=len(versions) == 2 and len(set(versions.values())) == 1)


class _Look:
    """What is known about served kinds; each apiVersion and kind is looked up once."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._table = lifecycles()
        self._kubernetes = facts.engine.kubernetes
        self._seen: dict[tuple[str, str], tuple[bool | Unknown, str]] = {}
        self._stored = {
            (resource.prediction.previous.get("apiVersion"), resource.prediction.key.kind)
            for resource in facts.resources
            if resource.prediction.previous is not None
        }
        failure = facts.failure
        no_match = failure is not None and "no matches for kind" in failure.message
        self._failing = failure.resource if failure is not None and no_match else None

    def served(self, prediction: ResourcePrediction, api_version: str) -> tuple[bool | Unknown, str]:
        key, live = prediction.key, prediction.live
        if self._comes_first(api_version, key.kind):
            return True, "definition"
        if isinstance(live, KindNotServed) and api_version == prediction.api_version:
            return False, "reading"
        if isinstance(live, Present) and live.body.get("apiVersion") == api_version:
            return True, "reading"
        if (api_version, key.kind) not in self._seen:
            self._seen[api_version, key.kind] = self._by_kind(api_version, key.kind)
        served, known_by = self._seen[api_version, key.kind]
        if served is UNKNOWN and self._is_custom(api_version) and isinstance(live, Absent):
            # The reader found no object; with no definition of the kind anywhere there is no such kind.
            if (api_version, key.kind) in self._stored:
                return UNKNOWN, ""
            return False, "definition"
        if served is UNKNOWN and key == self._failing:
            return False, "helm"
        return served, known_by

    def _by_kind(self, api_version: str, kind: str) -> tuple[bool | Unknown, str]:
        discovery, around = self._facts.discovery, self._facts.around
        if discovery is not None:
            if discovery.find(api_version, kind) is not None:
                return True, "discovery"
            return (UNKNOWN, "") if api_version in discovery.unavailable else (False, "discovery")
        if (api_version, kind) in around.live_kinds:
            return True, "definition"
        entry = self._table.get((api_version, kind))
        if entry is None:
            return UNKNOWN, ""
        return entry.is_served(self._kubernetes), "lifecycle"

    def _comes_first(self, api_version: str, kind: str) -> bool:
        """An install applies the definitions of crds/ before it looks up any kind of the manifest."""
        around, group = self._facts.around, group_of(api_version)
        if self._facts.operation != "install" or around.options.skip_crds:
            return False
        return any(state.kind == kind and state.name.endswith(f".{group}") for state in around.definitions)

    def _is_custom(self, api_version: str) -> bool:
        group = group_of(api_version)
        return "." in group and not any(group_of(known) == group for known, _ in self._table)

    def api(
        self,
        prediction: ResourcePrediction,
        body: JSONObject,
        api_version: str,
        manifest: str,
        served: bool | Unknown,
        known_by: str,
    ) -> Api:
        key, failure = prediction.key, self._facts.failure
        is_first = failure is not None and failure.resource == key
        text = no_match_text(api_version, key, body)
        if manifest == "stored":
            text = f"unable to build kubernetes objects from current release manifest: {text}"
        if is_first and failure is not None and "no matches for kind" in failure.message:
            text = failure.message
        entry = self._table.get((api_version, key.kind), _NO_ENTRY)
        return Api(
            ref=str(key),
            kind=key.kind,
            group=group_of(api_version),
            api_version=api_version,
            namespace=key.namespace,
            name=key.name,
            target=kubectl_target(key),
            manifest=manifest,
            served=served,
            known_by=known_by,
            custom=self._is_custom(api_version),
            in_crds=any(
                state.kind == key.kind and state.name.endswith(f".{key.group}")
                for state in self._facts.around.definitions
            ),
            in_templates=(group_of(api_version), key.kind) in self._defined_by_templates(),
            introduced_in=entry.introduced_in,
            deprecated_in=entry.deprecated_in,
            removed_in=entry.removed_in,
            replacement=entry.replacement,
            text=text,
            effects=tuple(failure_effects(self._facts)) if is_first else (),
        )

    def _defined_by_templates(self) -> set[tuple[str, str]]:
        return {
            (str(spec.get("group")), str((spec.get("names") or {}).get("kind")))
            for resource in self._facts.resources
            if resource.prediction.key.kind == "CustomResourceDefinition"
            and resource.prediction.source != "crds/"
            and resource.prediction.new
            for spec in [resource.prediction.new.get("spec") or {}]
        }


_NO_ENTRY = Lifecycle()


def unserved_keys(facts: Facts) -> frozenset[ResourceKey]:
    """Objects that are known to be of a kind that is not served: their failure is told as that."""
    refs = {api.ref for api in unserved_objects(facts) if api.served is False}
    if not refs:
        return frozenset()
    return frozenset(one.prediction.key for one in facts.resources if str(one.prediction.key) in refs)


def _deprecated(facts: Facts) -> Iterator[Api]:
    table, kubernetes = lifecycles(), facts.engine.kubernetes
    for resource in facts.resources:
        prediction = resource.prediction
        body = prediction.new
        if body is None or resource.action == "hook":
            continue
        api_version = str(body.get("apiVersion") or prediction.api_version)
        entry = table.get((api_version, prediction.key.kind))
        if entry is None or not entry.is_deprecated(kubernetes) or entry.is_removed(kubernetes):
            continue
        yield Api(
            ref=str(prediction.key),
            kind=prediction.key.kind,
            group=group_of(api_version),
            api_version=api_version,
            namespace=prediction.key.namespace,
            name=prediction.key.name,
            target=kubectl_target(prediction.key),
            served=True,
            known_by="lifecycle",
            introduced_in=entry.introduced_in,
            deprecated_in=entry.deprecated_in,
            removed_in=entry.removed_in,
            replacement=entry.replacement,
        )


def _moved(facts: Facts) -> Iterator[MovedGroup]:
    """A pair of one kind, namespace and name, of which one leaves the manifest and the other enters it."""
    leaving: Mapping[tuple[str, str | None, str], ResourceChange] = {
        _place(resource): resource
        for resource in facts.resources
        if resource.prediction.previous is not None and resource.prediction.new is None
    }
    if not leaving:
        return
    groups = {group_of(api_version) for api_version, _ in lifecycles()}
    for resource in facts.resources:
        prediction = resource.prediction
        if prediction.new is None or prediction.previous is not None or resource.action == "hook":
            continue
        old = leaving.get(_place(resource))
        if old is None or old.prediction.key.group == prediction.key.group:
            continue
        yield MovedGroup(
            ref=str(prediction.key),
            kind=prediction.key.kind,
            group=prediction.key.group,
            old=old.prediction.api_version,
            new=prediction.api_version,
            target=kubectl_target(old.prediction.key),
            builtin={old.prediction.key.group, prediction.key.group} <= groups,
        )


def _place(resource: ResourceChange) -> tuple[str, str | None, str]:
    key = resource.prediction.key
    return key.kind, key.namespace, key.name
