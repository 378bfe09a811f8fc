"""Labels that select pods: Services, NetworkPolicies, budgets, and the workloads whose pods they find."""

from __future__ import annotations

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.resource_key import group_of
from helmguard.rules.context.manifest_maps import mapping, maps_in


def pod_selector_of(body: JSONObject) -> JSONObject | None:
    """How the object selects pods, as a LabelSelector; None for a kind that selects none.

    An empty selector of a NetworkPolicy or a budget of policy/v1 selects every pod of the namespace; a
    Service without one selects none.
    """
    spec = mapping(body.get("spec"))
    kind, group = body.get("kind"), group_of(str(body.get("apiVersion") or ""))
    if (group, kind) == ("", "Service"):
        labels = mapping(spec.get("selector"))
        return {"matchLabels": labels} if labels else None
    if (group, kind) == ("networking.k8s.io", "NetworkPolicy"):
        return mapping(spec.get("podSelector"))
    if (group, kind) == ("policy", "PodDisruptionBudget"):
        return mapping(spec.get("selector")) if "selector" in spec else None
    return None


def pod_labels_of(body: JSONObject) -> JSONObject | None:
    """The labels of the pods that a workload makes, or of the pod itself; None where it makes none."""
    spec = mapping(body.get("spec"))
    if body.get("kind") == "Pod":
        return mapping(mapping(body.get("metadata")).get("labels"))
    if body.get("kind") == "CronJob":
        spec = mapping(mapping(spec.get("jobTemplate")).get("spec"))
    template = spec.get("template")
    if not isinstance(template, dict) or "containers" not in mapping(template.get("spec")):
        return None
    return mapping(mapping(template.get("metadata")).get("labels"))


def selects(selector: JSONObject, labels: JSONObject) -> bool:
    """Whether a LabelSelector finds what bears these labels."""
    wanted = mapping(selector.get("matchLabels"))
    if any(labels.get(name) != value for name, value in wanted.items()):
        return False
    return all(_holds(rule, labels) for _, rule in maps_in(selector.get("matchExpressions")))


def _holds(rule: JSONObject, labels: JSONObject) -> bool:
    name, operator = rule.get("key"), rule.get("operator")
    values: JSONValue = rule.get("values")
    listed = values if isinstance(values, list) else []
    match operator:
        case "In":
            return labels.get(name) in listed if isinstance(name, str) else False
        case "NotIn":
            return name not in labels or labels[name] not in listed
        case "Exists":
            return name in labels
        case "DoesNotExist":
            return name not in labels
        case _:
            return False
