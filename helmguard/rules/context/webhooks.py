"""Admission webhooks that the operation brings or changes, and whether their own pods depend on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Annotated

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.live_state import Present
from helmguard.model.plan import ResourceChange
from helmguard.rules.context.manifest_maps import items, mapping
from helmguard.rules.context.pod_templates import after_of, before_of, template_of
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.facts import Facts
from helmguard.rules.kubectl import kubectl_target

_KINDS = ("ValidatingWebhookConfiguration", "MutatingWebhookConfiguration")
_NAME_LABEL = "kubernetes.io/metadata.name"
_SYSTEM = "kube-system"
_FACT = ("cluster.allNamespaces",)
_OWN_GROUPS = ("", "apps", "batch", "*")


class Webhook(Record, frozen=True):
    """One webhook of a configuration that the new manifest holds."""

    ref: Annotated[str, "the configuration's name on the page"]
    kind: Annotated[str, "`ValidatingWebhookConfiguration` or `MutatingWebhookConfiguration`"] = ""
    webhook: Annotated[str, "its own name: `pods.example.com`"] = ""
    index: Annotated[int, "its place in the configuration, from 0"] = 0
    target: Annotated[str, "how kubectl is told of the configuration"] = ""
    is_new: Annotated[bool, "there is no such webhook now"] = False
    before: Annotated[str, "its failurePolicy now, empty where there is none"] = ""
    after: Annotated[str, "its failurePolicy after Helm"] = "Fail"
    widened: Annotated[bool, "it is asked about more than now: more rules, or a selector is gone"] = False
    narrowed: Annotated[bool, "it is asked about less than now: fewer rules, or a new selector"] = False
    rules: Annotated[tuple[str, ...], "what it is asked about: `CREATE pods`"] = ()
    matches_pods: Annotated[bool, "it is asked about the creation of pods"] = False
    matches_builtin: Annotated[bool, "it is asked about core objects or workloads, not just custom kinds"] = (
        False
    )
    matches_own: Annotated[
        bool | Unknown, "it is asked about the pods that serve it, in their own namespace"
    ] = UNKNOWN
    matches_system: Annotated[bool | Unknown, "it is asked about kube-system"] = UNKNOWN
    service: Annotated[str, "the Service that is called: `shop/hook`; empty for a URL"] = ""
    backend: Annotated[str, "the workload behind that Service, where this release holds it"] = ""
    replicas: Annotated[int | None, "its replicas after Helm, null where that is not told"] = None
    restarts: Annotated[bool, "its pods are replaced by this operation"] = False
    gap: Annotated[
        bool, "while they are replaced, there may be none: it is no rolling update, or all go at once"
    ] = False
    lacks: Annotated[tuple[str, ...], "facts for want of which the others are not known"] = ()


class Webhooks(Record, frozen=True):
    """Admission webhooks."""

    all: Annotated[
        tuple[Webhook, ...],
        "webhooks that are new or changed, or whose backend is replaced; the others are left out",
    ] = ()


def webhooks_of(facts: Facts) -> Webhooks:
    """The webhooks that the operation touches."""
    return Webhooks(all=tuple(_webhooks(facts)))


def _webhooks(facts: Facts) -> Iterator[Webhook]:
    configurations = [
        resource
        for resource in facts.resources
        if resource.prediction.key.kind in _KINDS
        and resource.prediction.new is not None
        and resource.action not in ("delete", "hook")
    ]
    if not configurations:
        return
    around = _Around(facts)
    for resource in configurations:
        before, after = before_of(resource) or {}, after_of(resource) or {}
        old = {str(hook.get("name")): hook for hook in items(before, "webhooks")}
        for index, hook in enumerate(items(after, "webhooks")):
            found = _webhook(resource, index, hook, old.get(str(hook.get("name"))), around)
            changed = found.is_new or found.before != found.after or found.widened or found.narrowed
            if changed or found.restarts:
                yield found


def _webhook(
    resource: ResourceChange, index: int, hook: JSONObject, old: JSONObject | None, around: _Around
) -> Webhook:
    service = mapping(hook, "clientConfig", "service")
    namespace, name = str(service.get("namespace") or ""), str(service.get("name") or "")
    backend = around.backend(namespace, name) if service else None
    rules, was = _rules(hook), _rules(old or {})
    selectors, had = _selectors(hook), _selectors(old or {})
    matches_own, matches_system = (
        around.matches(hook, namespace, backend),
        around.matches(hook, _SYSTEM, None),
    )
    return Webhook(
        ref=str(resource.prediction.key),
        kind=resource.prediction.key.kind,
        webhook=str(hook.get("name") or ""),
        index=index,
        target=kubectl_target(resource.prediction.key),
        is_new=old is None,
        before=str(old.get("failurePolicy") or "Fail") if old is not None else "",
        after=str(hook.get("failurePolicy") or "Fail"),
        widened=old is not None and (not _covers(was, rules) or had - selectors != frozenset()),
        narrowed=old is not None and (not _covers(rules, was) or selectors - had != frozenset()),
        rules=tuple(dict.fromkeys(f"{operation} {resource_}" for operation, _, resource_ in sorted(rules))),
        matches_pods=any(_is_pod_creation(rule) for rule in rules),
        matches_builtin=any(group in _OWN_GROUPS for _, group, _ in rules),
        matches_own=matches_own if namespace else False,
        matches_system=matches_system,
        service=f"{namespace}/{name}" if service else "",
        backend=str(backend.prediction.key) if backend is not None else "",
        replicas=_replicas(backend),
        restarts=backend is not None and _restarts(backend),
        gap=backend is not None and _restarts(backend) and _has_gap(backend),
        lacks=_FACT if UNKNOWN in (matches_own, matches_system) else (),
    )


class _Around:
    """The Services, workloads and namespaces that webhooks are about."""

    def __init__(self, facts: Facts) -> None:
        self._services: dict[tuple[str, str], JSONObject] = {}
        self._workloads: list[tuple[ResourceChange, JSONObject]] = []
        self._labels: dict[str, Mapping[str, JSONValue]] = {}
        for resource in facts.resources:
            key, body = resource.prediction.key, after_of(resource)
            if body is None:
                continue
            if (key.group, key.kind) == ("", "Service"):
                self._services[key.namespace or "", key.name] = body
            elif key.group == "apps" and key.kind in ("Deployment", "StatefulSet", "DaemonSet"):
                self._workloads.append((resource, template_of(body, key) or {}))
            elif (key.group, key.kind) == ("", "Namespace") and isinstance(resource.prediction.live, Present):
                self._labels[key.name] = _labels(body)
        for item in facts.cluster.lists.get("allNamespaces", ()):
            self._labels.setdefault(str(mapping(item, "metadata").get("name")), _labels(item))

    def backend(self, namespace: str, service: str) -> ResourceChange | None:
        """The workload of this release whose pods the Service selects."""
        selector = mapping(self._services.get((namespace, service)), "spec", "selector")
        if not selector:
            return None
        for resource, template in self._workloads:
            labels = _labels(template)
            if resource.prediction.key.namespace == namespace and selector.items() <= labels.items():
                return resource
        return None

    def matches(self, hook: JSONObject, namespace: str, backend: ResourceChange | None) -> bool | Unknown:
        """Whether the webhook is asked about pods of a namespace, those of the workload if one is given."""
        if not any(_is_pod_creation(rule) for rule in _rules(hook)):
            return False
        known = self._labels.get(namespace)
        found = _selects(
            mapping(hook, "namespaceSelector"), {_NAME_LABEL: namespace, **(known or {})}, known is not None
        )
        if found is False or backend is None:
            return found
        body = after_of(backend) or {}
        labels = _labels(template_of(body, backend.prediction.key) or {})
        of_pods = _selects(mapping(hook, "objectSelector"), labels, True)
        return of_pods if of_pods is False else found


def _selects(selector: JSONObject, labels: Mapping[str, JSONValue], complete: bool) -> bool | Unknown:
    """Whether a label selector selects; unknown where it asks for labels beyond the known ones."""
    answers: list[bool | Unknown] = []
    requirements = [
        *((name, "In", [value]) for name, value in mapping(selector, "matchLabels").items()),
        *(
            (str(one.get("key")), str(one.get("operator")), one.get("values") or [])
            for one in items(selector, "matchExpressions")
        ),
    ]
    for name, operator, values in requirements:
        if name not in labels and not complete:
            answers.append(UNKNOWN)
            continue
        there = name in labels
        fits = {
            "In": there and labels.get(name) in values,
            "NotIn": not there or labels[name] not in values,
            "Exists": there,
            "DoesNotExist": not there,
        }
        answers.append(fits.get(operator, False))
    if False in answers:
        return False
    return UNKNOWN if UNKNOWN in answers else True


def _rules(hook: JSONObject) -> frozenset[tuple[str, str, str]]:
    """Each operation, group and resource that it is asked about."""
    found: set[tuple[str, str, str]] = set()
    for rule in items(hook, "rules"):
        parts = (rule.get("operations"), rule.get("apiGroups"), rule.get("resources"))
        found |= {
            (str(operation), str(group), str(resource))
            for operation, group, resource in product(
                *(part if isinstance(part, list) else [] for part in parts)
            )
        }
    return frozenset(found)


def _covers(one: frozenset[tuple[str, str, str]], other: frozenset[tuple[str, str, str]]) -> bool:
    """Whether every rule of ``other`` is in ``one``, asterisks included."""
    return all(any(_fits(rule, wanted) for rule in one) for wanted in other)


def _fits(rule: tuple[str, str, str], wanted: tuple[str, str, str]) -> bool:
    return all(
        mine == theirs or mine == "*" or (mine == "*/*" and place == 2)
        for place, (mine, theirs) in enumerate(zip(rule, wanted, strict=True))
    )


def _is_pod_creation(rule: tuple[str, str, str]) -> bool:
    operation, group, resource = rule
    return operation in ("CREATE", "*") and group in ("", "*") and resource in ("pods", "*", "*/*")


def _selectors(hook: JSONObject) -> frozenset[str]:
    """What narrows it beside its rules, each part in words."""
    found = set()
    for name in ("namespaceSelector", "objectSelector"):
        selector = mapping(hook, name)
        found |= {f"{name} {key}={value}" for key, value in mapping(selector, "matchLabels").items()}
        found |= {
            f"{name} {one.get('key')} {one.get('operator')} {sorted(map(str, one.get('values') or ()))}"
            for one in items(selector, "matchExpressions")
        }
    found |= {f"matchConditions {one.get('expression')}" for one in items(hook, "matchConditions")}
    return frozenset(found)


def _restarts(backend: ResourceChange) -> bool:
    return backend.action in ("update", "replace", "recreate") and any(
        change.path[:2] == ("spec", "template") for change in backend.changes
    )


def _replicas(backend: ResourceChange | None) -> int | None:
    spec = mapping(after_of(backend), "spec") if backend is not None else {}
    replicas = spec.get("replicas", 1 if backend is not None else None)
    return replicas if isinstance(replicas, int) else None


def _has_gap(backend: ResourceChange) -> bool:
    """Whether its rollout may leave it without a pod for a while."""
    kind, spec = backend.prediction.key.kind, mapping(after_of(backend), "spec")
    replicas = _replicas(backend)
    if kind == "DaemonSet":
        return False
    if kind == "StatefulSet":
        return replicas == 1
    strategy = mapping(spec, "strategy")
    if strategy.get("type") == "Recreate":
        return True
    unavailable = mapping(strategy, "rollingUpdate").get("maxUnavailable", "25%")
    if isinstance(unavailable, str) and unavailable.endswith("%"):
        share = unavailable.removesuffix("%")
        unavailable = (replicas or 0) * int(share) // 100 if share.isdigit() else 0
    return isinstance(unavailable, int) and replicas is not None and 0 < replicas <= unavailable


def _labels(body: JSONObject) -> Mapping[str, JSONValue]:
    return mapping(body, "metadata", "labels")
