"""Checks of the API server that charts and merges run into, on objects of built-in kinds.

Not the whole of the server's validation: the rules that a merge of two valid documents can break, and the
commonest mistakes in charts. Source: k8s.io/kubernetes@v1.36.3 pkg/apis/*/validation. Each check gets a
stored (defaulted) object and yields refusals in the server's words, ``path: reason``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from helmguard.model.json_value import JSONObject
from helmguard.model.resource_key import group_of
from helmguard.predict.api_server.validation.admission import (
    admission_policy_errors,
    webhook_configuration_errors,
)
from helmguard.predict.api_server.validation.definitions import definition_errors
from helmguard.predict.api_server.validation.networking import (
    ingress_errors,
    network_policy_errors,
    service_errors,
)
from helmguard.predict.api_server.validation.policy import (
    autoscaler_errors,
    disruption_budget_errors,
    limit_range_errors,
)
from helmguard.predict.api_server.validation.rbac import (
    cluster_role_binding_errors,
    cluster_role_errors,
    role_binding_errors,
    role_errors,
)
from helmguard.predict.api_server.validation.workloads import (
    cron_job_errors,
    daemon_set_errors,
    deployment_errors,
    job_errors,
    pod_errors,
    replica_set_errors,
    stateful_set_errors,
)

_CHECKS: Final[dict[tuple[str, str], Callable[[JSONObject], Iterator[str]]]] = {
    ("", "Pod"): pod_errors,
    ("", "Service"): service_errors,
    ("", "LimitRange"): limit_range_errors,
    ("apps", "Deployment"): deployment_errors,
    ("apps", "DaemonSet"): daemon_set_errors,
    ("apps", "StatefulSet"): stateful_set_errors,
    ("apps", "ReplicaSet"): replica_set_errors,
    ("batch", "Job"): job_errors,
    ("batch", "CronJob"): cron_job_errors,
    ("networking.k8s.io", "Ingress"): ingress_errors,
    ("networking.k8s.io", "NetworkPolicy"): network_policy_errors,
    ("policy", "PodDisruptionBudget"): disruption_budget_errors,
    ("autoscaling", "HorizontalPodAutoscaler"): autoscaler_errors,
    ("rbac.authorization.k8s.io", "Role"): role_errors,
    ("rbac.authorization.k8s.io", "ClusterRole"): cluster_role_errors,
    ("rbac.authorization.k8s.io", "RoleBinding"): role_binding_errors,
    ("rbac.authorization.k8s.io", "ClusterRoleBinding"): cluster_role_binding_errors,
    ("admissionregistration.k8s.io", "ValidatingWebhookConfiguration"): webhook_configuration_errors,
    ("admissionregistration.k8s.io", "MutatingWebhookConfiguration"): webhook_configuration_errors,
    ("admissionregistration.k8s.io", "ValidatingAdmissionPolicy"): admission_policy_errors,
    ("admissionregistration.k8s.io", "MutatingAdmissionPolicy"): admission_policy_errors,
    ("apiextensions.k8s.io", "CustomResourceDefinition"): definition_errors,
}


_FORGIVEN = ("spec.scaleTargetRef.apiVersion",)
"""Faults that an update may keep if the object had them before."""


def object_errors(body: JSONObject, old: JSONObject | None) -> list[str]:
    """The refusals of a stored object; empty where none of the known checks objects.

    ``old`` is the object before, None when it is created.
    """
    check = _CHECKS.get((group_of(body.get("apiVersion", "")), body.get("kind", "")))
    if check is None:
        return []
    errors = list(check(body))
    if old is not None and any(error.startswith(_FORGIVEN) for error in errors):
        before = set(check(old))
        errors = [error for error in errors if not (error.startswith(_FORGIVEN) and error in before)]
    if old is not None and errors and body.get("kind") == "StatefulSet" and list(check(old)):
        # One that is stored with a faulty template may keep any.
        errors = [error for error in errors if not error.startswith("spec.template")]
    return errors
