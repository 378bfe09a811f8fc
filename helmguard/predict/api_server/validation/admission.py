"""Checks of webhook configurations and admission policies."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.json_value import JSONObject
from helmguard.predict.api_server.validation.names import subdomain
from helmguard.predict.api_server.validation.words import duplicates, invalid, required, unsupported

_LONGEST_TIMEOUT = 30
_VALIDATING = "ValidatingAdmissionPolicy"
_VERSIONS_TEXT = "must include at least one of v1, v1beta1"


def webhook_configuration_errors(configuration: JSONObject) -> Iterator[str]:
    """Each webhook: versions, client, side effects, rules."""
    webhooks = configuration.get("webhooks") or []
    for index, webhook in enumerate(webhooks):
        path = f"webhooks[{index}]"
        if not webhook.get("name"):
            yield required(f"{path}.name")
        elif not _is_domain(webhook["name"]):
            detail = "should be a domain with at least three segments separated by dots"
            yield invalid(f"{path}.name", webhook["name"], detail)
        effects = webhook.get("sideEffects")
        if effects is None:
            yield required(f"{path}.sideEffects", "must specify one of None, NoneOnDryRun")
        elif effects not in ("None", "NoneOnDryRun"):
            yield unsupported(f"{path}.sideEffects", effects, ("None", "NoneOnDryRun"))
        timeout = webhook.get("timeoutSeconds")
        if timeout is not None and not 1 <= timeout <= _LONGEST_TIMEOUT:
            detail = "the timeout value must be between 1 and 30 seconds"
            yield invalid(f"{path}.timeoutSeconds", timeout, detail)
        yield from _client_errors(webhook.get("clientConfig") or {}, f"{path}.clientConfig")
        for number, rule in enumerate(webhook.get("rules") or []):
            yield from _rule_errors(rule, f"{path}.rules[{number}]")
        if not webhook.get("admissionReviewVersions"):
            yield required(f"{path}.admissionReviewVersions", "must specify one of v1, v1beta1")
        elif not {"v1", "v1beta1"} & set(webhook["admissionReviewVersions"]):
            versions = webhook["admissionReviewVersions"]
            yield invalid(f"{path}.admissionReviewVersions", versions, _VERSIONS_TEXT)
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
    if not spec.get("validations") and not spec.get("auditAnnotations") and policy.get("kind") == _VALIDATING:
        detail = "validations or auditAnnotations must contain at least one item"
        yield required("spec.validations", detail)
        yield required("spec.auditAnnotations", detail)
    rules = constraints.get("resourceRules") or []
    if not rules:
        yield required("spec.matchConstraints.resourceRules")
    for number, rule in enumerate(rules):
        yield from _rule_errors(rule, f"spec.matchConstraints.resourceRules[{number}]")


_OPERATIONS = ("*", "CONNECT", "CREATE", "DELETE", "UPDATE")
_STARRED = {
    "apiGroups": "if '*' is present, must not specify other API groups",
    "apiVersions": "if '*' is present, must not specify other API versions",
    "operations": "if '*' is present, must not specify other operations",
}


def _rule_errors(rule: JSONObject, path: str) -> Iterator[str]:
    for name in ("operations", "apiGroups", "apiVersions", "resources"):
        values = rule.get(name) or []
        if not values:
            yield required(f"{path}.{name}")
        elif "*" in values and len(values) > 1 and name in _STARRED:
            yield invalid(f"{path}.{name}", values, _STARRED[name])
        for index, value in enumerate(values):
            if not value and name in ("apiVersions", "resources"):
                yield required(f"{path}.{name}[{index}]")
            elif name == "operations" and value not in _OPERATIONS:
                yield unsupported(f"{path}.operations[{index}]", value, _OPERATIONS)
    scope = rule.get("scope")
    if scope is not None and scope not in ("*", "Cluster", "Namespaced"):
        yield unsupported(f"{path}.scope", scope, ("*", "Cluster", "Namespaced"))


def _is_domain(name: str) -> bool:
    return name.count(".") >= 2 and not subdomain(name)


def _client_errors(client: JSONObject, path: str) -> Iterator[str]:
    url, service = client.get("url"), client.get("service")
    if (url is None) == (service is None):
        yield required(path, "exactly one of url or service is required")
    elif url is not None:
        scheme, _, rest = url.partition("://")
        wanted = "desired format: https://host[/path]"
        if scheme != "https":
            detail = f"'https' is the only allowed URL scheme; {wanted}"
            yield invalid(f"{path}.url", scheme if rest else "", detail)
        if not rest.partition("/")[0]:
            yield invalid(f"{path}.url", "", f"host must be specified; {wanted}")
    elif service is not None:
        for name in ("name", "namespace"):
            if not service.get(name):
                yield required(f"{path}.service.name")
