"""Checks of webhook configurations and admission policies."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.json_value import JSONObject
from helmguard.predict.api_server.validation.words import duplicates, invalid, required


def webhook_configuration_errors(configuration: JSONObject) -> Iterator[str]:
    """Each webhook: versions, client, side effects, rules."""
    webhooks = configuration.get("webhooks") or []
    for index, webhook in enumerate(webhooks):
        path = f"webhooks[{index}]"
        if not webhook.get("name"):
            yield required(f"{path}.name")
        if not webhook.get("sideEffects"):
            yield required(f"{path}.sideEffects", "must specify one of None, NoneOnDryRun")
        client = webhook.get("clientConfig") or {}
        if ("url" in client) == ("service" in client):
            yield required(f"{path}.clientConfig", "exactly one of url or service is required")
        for number, rule in enumerate(webhook.get("rules") or []):
            yield from _rule_errors(rule, f"{path}.rules[{number}]")
        if not webhook.get("admissionReviewVersions"):
            yield required(f"{path}.admissionReviewVersions", "must specify one of v1, v1beta1")
        seen: set[str] = set()
        for number, version in enumerate(webhook.get("admissionReviewVersions") or []):
            if version in seen:
                yield invalid(f"{path}.admissionReviewVersions[{number}]", version, "duplicate version")
            seen.add(version)
        conditions = webhook.get("matchConditions") or []
        yield from duplicates(f"{path}.matchConditions", [one.get("name") for one in conditions], ".name")
    yield from duplicates("webhooks", [webhook.get("name") for webhook in webhooks], ".name")


def admission_policy_errors(policy: JSONObject) -> Iterator[str]:
    """What a policy matches."""
    spec = policy.get("spec") or {}
    constraints = spec.get("matchConstraints")
    if constraints is None:
        yield required("spec.matchConstraints")
        return
    for number, validation in enumerate(spec.get("validations") or []):
        if not validation.get("expression"):
            yield required(f"spec.validations[{number}].expression", "expression is not specified")
    rules = constraints.get("resourceRules") or []
    if not rules:
        yield required("spec.matchConstraints.resourceRules")
    for number, rule in enumerate(rules):
        yield from _rule_errors(rule, f"spec.matchConstraints.resourceRules[{number}]")


def _rule_errors(rule: JSONObject, path: str) -> Iterator[str]:
    for name in ("operations", "apiGroups", "apiVersions", "resources"):
        if not rule.get(name):
            yield required(f"{path}.{name}")
