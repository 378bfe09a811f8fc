"""Defaults that depend on other fields, by Go type; each function completes one struct in place.

Source: k8s.io/kubernetes@v1.36.3 pkg/apis/*/v*/defaults.go and conversion.go.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from typing import Final

from helmguard.model.json_value import JSONObject
from helmguard.predict.json_equality import copy_json

_PART = r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*"
_HOST = r"[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?"
_DOMAIN = rf"(?:{_HOST}(?:\.{_HOST})*(?::[0-9]+)?/)"
_DIGEST = r"[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}"
_REFERENCE = re.compile(rf"{_DOMAIN}?{_PART}(?:/{_PART})*(?::\w[\w.-]{{0,127}})?(?:@{_DIGEST})?")
"""Image references (github.com/distribution/reference); what is none has no tag."""


def _image_pull_policy(container: JSONObject) -> None:
    if not container.get("imagePullPolicy"):
        container["imagePullPolicy"] = (
            "Always" if _has_latest_tag(container.get("image", "")) else "IfNotPresent"
        )


def _has_latest_tag(image: str) -> bool:
    """Whether the reference has the tag ``latest``, written out or by default."""
    if not _REFERENCE.fullmatch(image):
        return False
    name, at, _ = image.partition("@")
    last = name.rpartition("/")[2]
    _, colon, tag = last.rpartition(":")
    if colon:
        return tag == "latest"
    return bool(image) and not at


def _pod_spec(spec: JSONObject) -> None:
    """The deprecated ``serviceAccount`` always mirrors ``serviceAccountName``."""
    account = spec.get("serviceAccountName") or spec.get("serviceAccount")
    if account:
        spec["serviceAccountName"] = spec["serviceAccount"] = account


def _volume(volume: JSONObject) -> None:
    if not any(key != "name" for key in volume):
        volume["emptyDir"] = {}


def _pod(pod: JSONObject) -> None:
    spec = pod.setdefault("spec", {})
    spec.setdefault("enableServiceLinks", True)
    for container in [*(spec.get("containers") or []), *(spec.get("initContainers") or [])]:
        limits = (container.get("resources") or {}).get("limits")
        if limits:
            requests = container["resources"].setdefault("requests", {})
            for name, value in limits.items():
                requests.setdefault(name, value)
        for port in (container.get("ports") or []) if spec.get("hostNetwork") else []:
            port.setdefault("hostPort", port.get("containerPort"))


def _service(service: JSONObject) -> None:
    spec = service.setdefault("spec", {})
    kind = spec.setdefault("type", "ClusterIP")
    affinity = spec.setdefault("sessionAffinity", "None")
    if affinity == "None":
        spec.pop("sessionAffinityConfig", None)
    elif affinity == "ClientIP":
        timeout = ((spec.get("sessionAffinityConfig") or {}).get("clientIP") or {}).get("timeoutSeconds")
        spec["sessionAffinityConfig"] = {
            "clientIP": {"timeoutSeconds": 10800 if timeout is None else timeout}
        }
    for port in spec.get("ports") or []:
        port.setdefault("protocol", "TCP")
        if port.get("targetPort") in (None, 0, ""):
            port["targetPort"] = port.get("port")
    reachable = kind in ("NodePort", "LoadBalancer") or (kind == "ClusterIP" and spec.get("externalIPs"))
    if reachable:
        spec.setdefault("externalTrafficPolicy", "Cluster")
    if kind == "ExternalName":
        # Left out at every read (storage.go defaultOnReadInternalTrafficPolicy).
        spec.pop("internalTrafficPolicy", None)
    else:
        spec.setdefault("internalTrafficPolicy", "Cluster")
    if kind == "LoadBalancer":
        spec.setdefault("allocateLoadBalancerNodePorts", True)


def _deployment_strategy(strategy: JSONObject) -> None:
    if strategy.setdefault("type", "RollingUpdate") == "RollingUpdate":
        rolling = strategy.setdefault("rollingUpdate", {})
        rolling.setdefault("maxUnavailable", "25%")
        rolling.setdefault("maxSurge", "25%")


def _daemon_set_strategy(strategy: JSONObject) -> None:
    if strategy.setdefault("type", "RollingUpdate") == "RollingUpdate":
        rolling = strategy.setdefault("rollingUpdate", {})
        rolling.setdefault("maxUnavailable", 1)
        rolling.setdefault("maxSurge", 0)


def _stateful_set_strategy(strategy: JSONObject) -> None:
    if not strategy.get("type"):
        strategy["type"] = "RollingUpdate"
        strategy.setdefault("rollingUpdate", {})
    if strategy["type"] == "RollingUpdate" and "rollingUpdate" in strategy:
        strategy["rollingUpdate"].setdefault("partition", 0)


def _stateful_set_spec(spec: JSONObject) -> None:
    for template in spec.get("volumeClaimTemplates") or []:
        template.setdefault("apiVersion", "v1")
        template.setdefault("kind", "PersistentVolumeClaim")
        template["status"] = {"phase": "Pending"} | (template.get("status") or {})


def _job(job: JSONObject) -> None:
    """Only Jobs themselves: the template in a CronJob is stored as written."""
    spec = job.setdefault("spec", {})
    if "completions" not in spec and "parallelism" not in spec:
        spec["completions"] = 1
    spec.setdefault("parallelism", 1)
    spec.setdefault("backoffLimit", 2147483647 if "backoffLimitPerIndex" in spec else 6)
    spec.setdefault("completionMode", "NonIndexed")
    spec.setdefault("suspend", False)
    spec.setdefault("manualSelector", False)
    policy = "Failed" if "podFailurePolicy" in spec else "TerminatingOrFailed"
    spec.setdefault("podReplacementPolicy", policy)
    template_labels = ((spec.get("template") or {}).get("metadata") or {}).get("labels")
    metadata = job.setdefault("metadata", {})
    if template_labels and not metadata.get("labels"):
        metadata["labels"] = copy_json(template_labels)


_SCALE_UP = {
    "stabilizationWindowSeconds": 0,
    "selectPolicy": "Max",
    "policies": [
        {"type": "Pods", "value": 4, "periodSeconds": 15},
        {"type": "Percent", "value": 100, "periodSeconds": 15},
    ],
}
_SCALE_DOWN = {
    "selectPolicy": "Max",
    "policies": [{"type": "Percent", "value": 100, "periodSeconds": 15}],
}


def _autoscaler_spec(spec: JSONObject) -> None:
    if not spec.get("metrics"):
        target = {"type": "Utilization", "averageUtilization": 80}
        spec["metrics"] = [{"type": "Resource", "resource": {"name": "cpu", "target": target}}]
    behavior = spec.get("behavior")
    if behavior is not None:
        behavior["scaleUp"] = copy_json(_SCALE_UP) | (behavior.get("scaleUp") or {})
        behavior["scaleDown"] = copy_json(_SCALE_DOWN) | (behavior.get("scaleDown") or {})


def _network_policy_spec(spec: JSONObject) -> None:
    if not spec.get("policyTypes"):
        spec["policyTypes"] = ["Ingress", "Egress"] if spec.get("egress") else ["Ingress"]


def _subject(subject: JSONObject) -> None:
    if subject.get("kind") in ("User", "Group") and not subject.get("apiGroup"):
        subject["apiGroup"] = "rbac.authorization.k8s.io"


def _limit_range_item(item: JSONObject) -> None:
    if item.get("type") != "Container":
        return
    default = {**item.get("max", {}), **item.get("default", {})}
    request = {**item.get("min", {}), **default, **item.get("defaultRequest", {})}
    if default:
        item["default"] = default
    if request:
        item["defaultRequest"] = request


def _secret(secret: JSONObject) -> None:
    """``stringData`` is write-only: it lands in ``data``, over what is there."""
    written = secret.pop("stringData", None)
    if written:
        data = secret.setdefault("data", {})
        for key, value in written.items():
            data[key] = base64.b64encode(str(value).encode()).decode()


def _service_account(account: JSONObject) -> None:
    """Of references to secrets only the names are kept."""
    if account.get("secrets"):
        account["secrets"] = [
            {"name": secret["name"]} if secret.get("name") else {} for secret in account["secrets"]
        ]


def _namespace(namespace: JSONObject) -> None:
    metadata = namespace.setdefault("metadata", {})
    if metadata.get("name"):
        metadata.setdefault("labels", {})["kubernetes.io/metadata.name"] = metadata["name"]


def _crd_spec(spec: JSONObject) -> None:
    names = spec.setdefault("names", {})
    kind = str(names.get("kind", ""))
    names.setdefault("singular", kind.lower())
    names.setdefault("listKind", f"{kind}List")


def _api_service_spec(spec: JSONObject) -> None:
    """Its empty fields are not stored (the kind's Go types are not in the generated table)."""
    for name in ("insecureSkipTLSVerify", "caBundle", "group"):
        if name in spec and not spec[name]:
            del spec[name]


CONDITIONAL_DEFAULTS: Final[dict[str, Callable[[JSONObject], None]]] = {
    "core/v1.Container": _image_pull_policy,
    "core/v1.EphemeralContainer": _image_pull_policy,
    "core/v1.PodSpec": _pod_spec,
    "core/v1.Volume": _volume,
    "core/v1.Pod": _pod,
    "core/v1.Service": _service,
    "core/v1.Secret": _secret,
    "core/v1.Namespace": _namespace,
    "core/v1.ServiceAccount": _service_account,
    "core/v1.LimitRangeItem": _limit_range_item,
    "apps/v1.DeploymentStrategy": _deployment_strategy,
    "apps/v1.DaemonSetUpdateStrategy": _daemon_set_strategy,
    "apps/v1.StatefulSetUpdateStrategy": _stateful_set_strategy,
    "apps/v1.StatefulSetSpec": _stateful_set_spec,
    "batch/v1.Job": _job,
    "autoscaling/v2.HorizontalPodAutoscalerSpec": _autoscaler_spec,
    "networking/v1.NetworkPolicySpec": _network_policy_spec,
    "rbac/v1.Subject": _subject,
    "apiextensions/v1.CustomResourceDefinitionSpec": _crd_spec,
    "apiregistration/v1.APIServiceSpec": _api_service_spec,
}
