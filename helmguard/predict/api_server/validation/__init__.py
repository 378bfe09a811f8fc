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
from helmguard.predict.api_server.validation.cluster_services import (
    api_service_errors,
    endpoint_slice_errors,
    ingress_class_errors,
    lease_errors,
    priority_class_errors,
)
from helmguard.predict.api_server.validation.data import config_map_errors, secret_errors
from helmguard.predict.api_server.validation.definitions import definition_creation_errors, definition_errors
from helmguard.predict.api_server.validation.flow_control import priority_level_errors
from helmguard.predict.api_server.validation.metadata import (
    finalizer_errors,
    label_errors,
    name_errors,
    owner_errors,
)
from helmguard.predict.api_server.validation.networking import (
    ingress_creation_errors,
    ingress_errors,
    network_policy_errors,
    service_errors,
)
from helmguard.predict.api_server.validation.policy import (
    autoscaler_errors,
    disruption_budget_errors,
    limit_range_errors,
    quota_errors,
)
from helmguard.predict.api_server.validation.rbac import (
    cluster_role_binding_errors,
    cluster_role_errors,
    role_binding_errors,
    role_errors,
)
from helmguard.predict.api_server.validation.storage import claim_errors, storage_class_errors, volume_errors
from helmguard.predict.api_server.validation.typed import typed_errors
from helmguard.predict.api_server.validation.workloads import (
    cron_job_errors,
    daemon_set_errors,
    deployment_errors,
    job_creation_errors,
    job_errors,
    pod_errors,
    replica_set_errors,
    stateful_set_creation_errors,
    stateful_set_errors,
)
from helmguard.predict.schema.value_type import ValueType

_CHECKS: Final[dict[tuple[str, str], Callable[[JSONObject], Iterator[str]]]] = {
    ("", "Pod"): pod_errors,
    ("", "Service"): service_errors,
    ("", "LimitRange"): limit_range_errors,
    ("", "ResourceQuota"): quota_errors,
    ("", "ConfigMap"): config_map_errors,
    ("", "Secret"): secret_errors,
    ("", "PersistentVolumeClaim"): claim_errors,
    ("", "PersistentVolume"): volume_errors,
    ("storage.k8s.io", "StorageClass"): storage_class_errors,
    ("scheduling.k8s.io", "PriorityClass"): priority_class_errors,
    ("networking.k8s.io", "IngressClass"): ingress_class_errors,
    ("discovery.k8s.io", "EndpointSlice"): endpoint_slice_errors,
    ("coordination.k8s.io", "Lease"): lease_errors,
    ("apiregistration.k8s.io", "APIService"): api_service_errors,
    ("flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration"): priority_level_errors,
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

_AT_CREATION: Final[dict[str, Callable[[JSONObject], Iterator[str]]]] = {
    "CustomResourceDefinition": definition_creation_errors,
    "Ingress": ingress_creation_errors,
    "Job": job_creation_errors,
    "StatefulSet": stateful_set_creation_errors,
}

_GENERIC_METADATA = ("CustomResourceDefinition", "APIService")
"""Kinds of the servers behind the API server, which know no standard finalizers."""

_FORGIVEN = ("spec.scaleTargetRef.apiVersion",)
"""Faults that an update may keep if the object had them before."""


def object_errors(body: JSONObject, old: JSONObject | None, type_: ValueType) -> list[str]:
    """The refusals of a stored object; empty where none of the known checks objects.

    ``old`` is the object before, None when it is created. What was wrong with it before, as stored by an
    older or more lenient server, is not held against an update where the check goes by single fields.
    """
    check = _CHECKS.get((group_of(body.get("apiVersion", "")), body.get("kind", "")))
    errors = list(_field_errors(body, type_))
    if old is None:
        errors = [*name_errors(body, is_custom=False), *errors]
        at_creation = _AT_CREATION.get(body.get("kind", ""))
        errors += at_creation(body) if at_creation is not None else ()
    elif errors:
        before = set(_field_errors(old, type_))
        errors = [error for error in errors if error not in before]
    if check is None:
        return errors
    found = list(check(body))
    if old is not None and any(error.startswith(_FORGIVEN) for error in found):
        before = set(check(old))
        found = [error for error in found if not (error.startswith(_FORGIVEN) and error in before)]
    errors += found
    if old is not None and errors and body.get("kind") == "StatefulSet" and list(check(old)):
        # One that is stored with a faulty template may keep any.
        errors = [error for error in errors if not error.startswith("spec.template")]
    return errors


def _field_errors(body: JSONObject, type_: ValueType) -> Iterator[str]:
    metadata = body.get("metadata") or {}
    yield from label_errors(metadata, "metadata")
    yield from owner_errors(metadata)
    if body.get("kind") not in _GENERIC_METADATA:
        yield from finalizer_errors(metadata)
    if body.get("kind") != "CustomResourceDefinition":
        yield from typed_errors(body, type_)
