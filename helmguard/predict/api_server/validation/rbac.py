"""Checks of roles and their bindings."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.json_value import JSONObject
from helmguard.predict.api_server.validation.names import path_segment, subdomain
from helmguard.predict.api_server.validation.words import invalid, required, unsupported

_GROUP = "rbac.authorization.k8s.io"


def role_errors(role: JSONObject) -> Iterator[str]:
    """Rules within a namespace."""
    for index, rule in enumerate(role.get("rules") or []):
        yield from _rule_errors(rule, f"rules[{index}]", namespaced=True)


def cluster_role_errors(role: JSONObject) -> Iterator[str]:
    """Rules for the cluster, which may name URLs."""
    for index, rule in enumerate(role.get("rules") or []):
        yield from _rule_errors(rule, f"rules[{index}]", namespaced=False)
    aggregation = role.get("aggregationRule")
    if aggregation is not None and not aggregation.get("clusterRoleSelectors"):
        detail = "at least one clusterRoleSelector required if aggregationRule is non-nil"
        yield required("aggregationRule.clusterRoleSelectors", detail)


def role_binding_errors(binding: JSONObject) -> Iterator[str]:
    """Subjects within a namespace may leave it open."""
    yield from _role_errors(binding.get("roleRef") or {}, ("Role", "ClusterRole"))
    yield from _subject_errors(binding.get("subjects") or [], namespaced=True)


def cluster_role_binding_errors(binding: JSONObject) -> Iterator[str]:
    """Service accounts must name their namespace; the role must be a cluster role."""
    yield from _role_errors(binding.get("roleRef") or {}, ("ClusterRole",))
    yield from _subject_errors(binding.get("subjects") or [], namespaced=False)


def _role_errors(role: JSONObject, kinds: tuple[str, ...]) -> Iterator[str]:
    if role.get("apiGroup") != _GROUP:
        yield unsupported("roleRef.apiGroup", role.get("apiGroup") or "", (_GROUP,))
    if role.get("kind") not in kinds:
        yield unsupported("roleRef.kind", role.get("kind") or "", kinds)
    name = role.get("name")
    if not name:
        yield required("roleRef.name")
    else:
        yield from (invalid("roleRef.name", name, problem) for problem in path_segment(name))


def _subject_errors(subjects: list[JSONObject], *, namespaced: bool) -> Iterator[str]:
    for index, subject in enumerate(subjects):
        path, kind = f"subjects[{index}]", subject.get("kind")
        if not subject.get("name"):
            yield required(f"{path}.name")
        group = subject.get("apiGroup") or ""
        if kind == "ServiceAccount":
            if subject.get("name"):
                problems = subdomain(subject["name"])
                yield from (invalid(f"{path}.name", subject["name"], problem) for problem in problems)
            if group:
                yield unsupported(f"{path}.apiGroup", group, ("",))
            if not subject.get("namespace") and not namespaced:
                yield required(f"{path}.namespace")
        elif kind in ("User", "Group"):
            if group != _GROUP:
                yield unsupported(f"{path}.apiGroup", group, (_GROUP,))
        else:
            yield unsupported(f"{path}.kind", kind or "", ("ServiceAccount", "User", "Group"))


def _rule_errors(rule: JSONObject, path: str, *, namespaced: bool) -> Iterator[str]:
    if not rule.get("verbs"):
        yield required(f"{path}.verbs", "verbs must contain at least one value")
    urls = rule.get("nonResourceURLs")
    if urls:
        if namespaced:
            detail = "namespaced rules cannot apply to non-resource URLs"
            yield invalid(f"{path}.nonResourceURLs", urls, detail)
        if rule.get("apiGroups") or rule.get("resources") or rule.get("resourceNames"):
            detail = "rules cannot apply to both regular resources and non-resource URLs"
            yield invalid(f"{path}.nonResourceURLs", urls, detail)
        return
    if not rule.get("apiGroups"):
        yield required(f"{path}.apiGroups", "resource rules must supply at least one api group")
    if not rule.get("resources"):
        yield required(f"{path}.resources", "resource rules must supply at least one resource")
