"""What the server and its controllers keep in or put back into an object, whatever a client writes."""

from __future__ import annotations

from helmguard.model.json_value import JSONObject
from helmguard.predict.api_server.services import keep_allocated_values
from helmguard.predict.json_equality import copy_json

_CONTROLLERS_ANNOTATION = {
    "Deployment": "deployment.kubernetes.io/revision",
    "DaemonSet": "deprecated.daemonset.template.generation",
}
PROTECTION = {
    "PersistentVolumeClaim": "kubernetes.io/pvc-protection",
    "PersistentVolume": "kubernetes.io/pv-protection",
}


def keep_what_others_write(body: JSONObject, old: JSONObject) -> None:
    """Complete an updated built-in object in place from the object before."""
    keep_gathered_rules(body, old)
    kind = body.get("kind")
    if kind == "CertificateSigningRequest" and "spec" in old:
        # What is to be signed is fixed; the server drops a change without a word.
        body["spec"] = copy_json(old["spec"])
    if body.get("apiVersion") != "v1":
        _keep_annotation(body, old, _CONTROLLERS_ANNOTATION.get(kind or "", ""))
        return
    if kind == "Service":
        keep_allocated_values(body.setdefault("spec", {}), old.get("spec") or {})
    elif kind == "Pod":
        _keep_admitted_values(body.setdefault("spec", {}), old.get("spec") or {})
    elif kind in PROTECTION:
        _keep_protection(body, old, PROTECTION[kind])


def keep_gathered_rules(body: JSONObject, old: JSONObject) -> None:
    """The rules of an aggregated ClusterRole are the controller's, which puts them back at once."""
    aggregation = body.get("aggregationRule")
    if body.get("kind") != "ClusterRole" or not aggregation:
        return
    if aggregation == old.get("aggregationRule") and "rules" in old:
        body["rules"] = copy_json(old["rules"])


def _keep_annotation(body: JSONObject, old: JSONObject, name: str) -> None:
    """A controller's own annotation comes back when a PUT has dropped it."""
    value = ((old.get("metadata") or {}).get("annotations") or {}).get(name)
    if name and value is not None:
        annotations = body.setdefault("metadata", {}).get("annotations")
        if isinstance(annotations, dict):
            annotations.setdefault(name, value)
        else:
            body["metadata"]["annotations"] = {name: value}


def _keep_admitted_values(spec: JSONObject, old: JSONObject) -> None:
    """Admission fills priority and tolerations in again on every update; the node is the scheduler's."""
    for name in ("priority", "preemptionPolicy", "nodeName"):
        if name in old:
            spec.setdefault(name, copy_json(old[name]))
    tolerations = spec.setdefault("tolerations", [])
    tolerated = [one.get("key") for one in tolerations]
    tolerations += [
        copy_json(one)
        for one in old.get("tolerations") or []
        if str(one.get("key", "")).startswith("node.kubernetes.io/") and one.get("key") not in tolerated
    ]
    if not tolerations:
        del spec["tolerations"]


def _keep_protection(body: JSONObject, old: JSONObject, finalizer: str) -> None:
    """The protection controller puts its finalizer back at once."""
    if finalizer not in ((old.get("metadata") or {}).get("finalizers") or []):
        return
    finalizers = body["metadata"].setdefault("finalizers", [])
    if finalizer not in finalizers:
        finalizers.append(finalizer)
