"""What the server adds to a new object by itself, and which of it nobody can foretell.

Source: k8s.io/kubernetes@v1.36.3 pkg/registry/{batch/job,core/service}, plugin/pkg/admission/{serviceaccount,
priority,defaulttolerationseconds,storage/storageobjectinuseprotection}.
"""

from __future__ import annotations

from helmguard.model.json_value import JSONObject
from helmguard.predict.api_server.kept_values import PROTECTION
from helmguard.predict.api_server.services import allocations_to_come, fill_addresses

AGGREGATED_RULES = "not predictable: rules (a controller gathers them from the roles that match)"
"""What is open about a new ClusterRole with an aggregationRule."""

_TOLERATION_SECONDS = 300
_NODE_TROUBLE = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")


def fill_created_values(body: JSONObject) -> None:
    """Complete a new built-in object in place, as far as that is certain."""
    identity = (body.get("apiVersion"), body.get("kind"))
    spec = body.get("spec") or {}
    if identity == ("v1", "Service"):
        fill_addresses(spec)
    elif identity == ("batch/v1", "Job"):
        _name_pods(spec, body["metadata"].get("name", ""))
    elif identity == ("v1", "Pod"):
        _admit_pod(spec)
    elif body.get("apiVersion") == "v1" and body.get("kind") in PROTECTION:
        finalizers = body["metadata"].setdefault("finalizers", [])
        if PROTECTION[body["kind"]] not in finalizers:
            finalizers.append(PROTECTION[body["kind"]])


def fill_job_labels(body: JSONObject, document: JSONObject) -> None:
    """A Job whose document has no labels takes those of its template, the ones added there included.

    Where the template has some, they are one map from its decoding on, and so are validated in both places;
    else the Job takes them when it is read.
    """
    labelled = (document.get("metadata") or {}).get("labels")
    if labelled or (body.get("apiVersion"), body.get("kind")) != ("batch/v1", "Job"):
        return
    template = (body.get("spec") or {}).get("template") or {}
    labels = (template.get("metadata") or {}).get("labels")
    if labels:
        body["metadata"]["labels"] = dict(labels)


def open_values(body: JSONObject, live: JSONObject | None) -> str:
    """What the server or admission chooses, in words; empty where nothing is open."""
    identity = (body.get("apiVersion"), body.get("kind"))
    spec = body.get("spec") or {}
    if identity == ("v1", "Service"):
        fields = allocations_to_come(spec)
        return f"not predictable: {', '.join(fields)} (chosen by the API server)" if fields else ""
    if live is not None:
        return ""
    if body.get("kind") == "ClusterRole" and body.get("aggregationRule"):
        return AGGREGATED_RULES
    if identity == ("batch/v1", "Job") and not spec.get("manualSelector"):
        return "not predictable: spec.selector and the template's controller-uid label (the Job's new uid)"
    if identity == ("v1", "Pod") and spec.get("automountServiceAccountToken") is not False:
        return "not predictable: the volume of the service account's token (named by the API server)"
    return ""


def _name_pods(spec: JSONObject, name: str) -> None:
    if spec.get("manualSelector"):
        return
    labels = spec.setdefault("template", {}).setdefault("metadata", {}).setdefault("labels", {})
    labels["batch.kubernetes.io/job-name"] = labels["job-name"] = name


def _admit_pod(spec: JSONObject) -> None:
    account = spec.get("serviceAccountName") or "default"
    spec["serviceAccountName"] = spec["serviceAccount"] = account
    if not spec.get("priorityClassName"):
        spec.setdefault("priority", 0)
        spec.setdefault("preemptionPolicy", "PreemptLowerPriority")
    tolerations = spec.get("tolerations") or []
    tolerated = {toleration.get("key") for toleration in tolerations}
    spec["tolerations"] = tolerations + [
        {"key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": _TOLERATION_SECONDS}
        for key in _NODE_TROUBLE
        if key not in tolerated and None not in tolerated
    ]
