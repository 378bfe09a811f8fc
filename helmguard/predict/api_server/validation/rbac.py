"""Checks of Roles and ClusterRoles."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.json_value import JSONObject
from helmguard.predict.api_server.validation.words import invalid, required


def role_errors(role: JSONObject) -> Iterator[str]:
    """Rules within a namespace."""
    for index, rule in enumerate(role.get("rules") or []):
        yield from _rule_errors(rule, f"rules[{index}]", namespaced=True)


def cluster_role_errors(role: JSONObject) -> Iterator[str]:
    """Rules for the cluster, which may name URLs."""
    for index, rule in enumerate(role.get("rules") or []):
        yield from _rule_errors(rule, f"rules[{index}]", namespaced=False)


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
