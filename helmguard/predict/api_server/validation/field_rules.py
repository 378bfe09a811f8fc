"""What single fields may hold, by Go type: enumerations, bounds, names.

Source: k8s.io/kubernetes@v1.36.3 pkg/apis/*/validation; words and order of the supported values measured
against kube-apiserver v1.36.3.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from helmguard.predict.api_server.validation import names

_PROTOCOLS: Final = ("SCTP", "TCP", "UDP")
_ACCESS_MODES: Final = ("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod")
_POLICIES: Final = ("Fail", "Ignore")
_MATCHES: Final = ("Equivalent", "Exact")

ENUMERATIONS: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "core/v1.PodSpec": {
        "restartPolicy": ("Always", "OnFailure", "Never"),
        "dnsPolicy": ("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"),
    },
    "core/v1.PodSecurityContext": {"fsGroupChangePolicy": ("Always", "OnRootMismatch")},
    "core/v1.SeccompProfile": {"type": ("Localhost", "RuntimeDefault", "Unconfined")},
    "core/v1.Container": {
        "imagePullPolicy": ("Always", "IfNotPresent", "Never"),
        "terminationMessagePolicy": ("File", "FallbackToLogsOnError"),
    },
    "core/v1.ContainerPort": {"protocol": _PROTOCOLS},
    "core/v1.HTTPGetAction": {"scheme": ("HTTP", "HTTPS")},
    "core/v1.HostPathVolumeSource": {
        "type": (
            "",
            "BlockDevice",
            "CharDevice",
            "Directory",
            "DirectoryOrCreate",
            "File",
            "FileOrCreate",
            "Socket",
        )
    },
    "core/v1.ResourceFieldSelector": {
        "resource": (
            "limits.cpu",
            "limits.ephemeral-storage",
            "limits.memory",
            "requests.cpu",
            "requests.ephemeral-storage",
            "requests.memory",
        )
    },
    "core/v1.Toleration": {
        "operator": ("Equal", "Exists"),
        "effect": ("NoSchedule", "PreferNoSchedule", "NoExecute"),
    },
    "core/v1.TopologySpreadConstraint": {"whenUnsatisfiable": ("DoNotSchedule", "ScheduleAnyway")},
    "core/v1.ServiceSpec": {
        "type": ("ClusterIP", "ExternalName", "LoadBalancer", "NodePort"),
        "sessionAffinity": ("ClientIP", "None"),
        "internalTrafficPolicy": ("Cluster", "Local"),
        "ipFamilyPolicy": ("PreferDualStack", "RequireDualStack", "SingleStack"),
        "trafficDistribution": ("PreferClose", "PreferSameZone", "PreferSameNode"),
    },
    "core/v1.ServicePort": {"protocol": _PROTOCOLS},
    "core/v1.PersistentVolumeClaimSpec": {
        "accessModes": _ACCESS_MODES,
        "volumeMode": ("Block", "Filesystem"),
    },
    "core/v1.PersistentVolumeSpec": {
        "accessModes": _ACCESS_MODES,
        "persistentVolumeReclaimPolicy": ("Delete", "Recycle", "Retain"),
    },
    "batch/v1.JobSpec": {"completionMode": ("NonIndexed", "Indexed")},
    "batch/v1.CronJobSpec": {"concurrencyPolicy": ("Allow", "Forbid", "Replace")},
    "networking/v1.HTTPIngressPath": {"pathType": ("Exact", "ImplementationSpecific", "Prefix")},
    "networking/v1.NetworkPolicyPort": {"protocol": ("TCP", "UDP", "SCTP")},
    "networking/v1.NetworkPolicySpec": {"policyTypes": ("Ingress", "Egress")},
    "autoscaling/v2.MetricSpec": {"type": ("ContainerResource", "External", "Object", "Pods", "Resource")},
    "autoscaling/v2.HPAScalingRules": {"selectPolicy": ("Disabled", "Max", "Min")},
    "autoscaling/v2.HPAScalingPolicy": {"type": ("Percent", "Pods")},
    "policy/v1.PodDisruptionBudgetSpec": {"unhealthyPodEvictionPolicy": ("AlwaysAllow", "IfHealthyBudget")},
    "scheduling/v1.PriorityClass": {"preemptionPolicy": ("PreemptLowerPriority", "Never")},
    "storage/v1.StorageClass": {"volumeBindingMode": ("Immediate", "WaitForFirstConsumer")},
    "storage/v1.CSIDriverSpec": {
        "fsGroupPolicy": ("File", "None", "ReadWriteOnceWithFSType"),
        "volumeLifecycleModes": ("Persistent", "Ephemeral"),
    },
    "discovery/v1.EndpointSlice": {"addressType": ("FQDN", "IPv4", "IPv6")},
    "admissionregistration/v1.MutatingWebhook": {
        "failurePolicy": _POLICIES,
        "matchPolicy": _MATCHES,
        "reinvocationPolicy": ("IfNeeded", "Never"),
    },
    "admissionregistration/v1.ValidatingAdmissionPolicySpec": {"failurePolicy": _POLICIES},
    "admissionregistration/v1.MutatingAdmissionPolicySpec": {"failurePolicy": _POLICIES},
    "admissionregistration/v1.MatchResources": {"matchPolicy": _MATCHES},
    "admissionregistration/v1.ValidatingWebhook": {"failurePolicy": _POLICIES, "matchPolicy": _MATCHES},
}
"""The values a field may hold, in the server's order; fields that hold lists are looked at item by item."""

UNINDEXED_LISTS: Final = frozenset({"accessModes", "volumeLifecycleModes"})
"""Lists whose items the server's messages name without their index."""

EMPTY_IS_REQUIRED: Final = frozenset({("discovery/v1.EndpointSlice", "addressType")})
EMPTY_IS_FINE: Final = frozenset(
    {
        ("core/v1.Toleration", "operator"),
        ("core/v1.Toleration", "effect"),
        ("core/v1.PodSpec", "dnsPolicy"),
        ("storage/v1.StorageClass", "volumeBindingMode"),
        ("core/v1.HostPathVolumeSource", "type"),
    }
)

NOT_NEGATIVE: Final[dict[str, tuple[str, ...]]] = {
    "apps/v1.DeploymentSpec": (
        "replicas",
        "minReadySeconds",
        "revisionHistoryLimit",
        "progressDeadlineSeconds",
    ),
    "apps/v1.StatefulSetSpec": ("replicas", "minReadySeconds"),
    "apps/v1.DaemonSetSpec": ("minReadySeconds", "revisionHistoryLimit"),
    "apps/v1.ReplicaSetSpec": ("replicas", "minReadySeconds"),
    "apps/v1.RollingUpdateStatefulSetStrategy": ("partition",),
    "batch/v1.JobSpec": (
        "parallelism",
        "completions",
        "activeDeadlineSeconds",
        "backoffLimit",
        "ttlSecondsAfterFinished",
    ),
    "batch/v1.CronJobSpec": (
        "startingDeadlineSeconds",
        "successfulJobsHistoryLimit",
        "failedJobsHistoryLimit",
    ),
    "core/v1.Probe": (
        "initialDelaySeconds",
        "timeoutSeconds",
        "periodSeconds",
        "successThreshold",
        "failureThreshold",
    ),
}

IDS: Final[dict[str, tuple[str, ...]]] = {
    "core/v1.PodSecurityContext": ("runAsUser", "runAsGroup", "fsGroup"),
    "core/v1.SecurityContext": ("runAsUser", "runAsGroup"),
}
"""User and group numbers, 0 to 2147483647."""

MODES: Final[dict[str, tuple[str, ...]]] = {
    "core/v1.ConfigMapVolumeSource": ("defaultMode",),
    "core/v1.SecretVolumeSource": ("defaultMode",),
    "core/v1.ProjectedVolumeSource": ("defaultMode",),
    "core/v1.DownwardAPIVolumeSource": ("defaultMode",),
    "core/v1.KeyToPath": ("mode",),
}
"""File modes, 0 to 0777."""

NAMES: Final[dict[str, dict[str, Callable[[Any], list[str]]]]] = {
    "core/v1.PodSpec": {
        "serviceAccountName": names.subdomain,
        "priorityClassName": names.subdomain,
        "hostname": names.dns_label,
        "subdomain": names.dns_label,
    },
    "core/v1.Container": {"name": names.dns_label},
    "core/v1.EphemeralContainer": {"name": names.dns_label},
    "core/v1.Volume": {"name": names.dns_label},
    "core/v1.ContainerPort": {
        "containerPort": names.port_number,
        "hostPort": names.port_number,
        "name": names.port_name,
    },
    "core/v1.HTTPGetAction": {"port": names.port},
    "core/v1.TCPSocketAction": {"port": names.port},
    "core/v1.GRPCAction": {"port": names.port_number},
    "core/v1.ServicePort": {
        "port": names.port_number,
        "targetPort": names.port,
        "name": names.dns_label,
        "appProtocol": names.qualified_name,
    },
    "core/v1.ConfigMapEnvSource": {"name": names.subdomain},
    "core/v1.SecretEnvSource": {"name": names.subdomain},
    "core/v1.ConfigMapKeySelector": {"key": names.config_key},
    "core/v1.SecretKeySelector": {"key": names.config_key},
    "core/v1.PersistentVolumeClaimSpec": {"storageClassName": names.subdomain},
    "core/v1.PersistentVolumeSpec": {"storageClassName": names.subdomain},
    "networking/v1.IngressSpec": {"ingressClassName": names.subdomain},
    "networking/v1.IngressServiceBackend": {"name": names.dns_label},
    "networking/v1.ServiceBackendPort": {"name": names.port_name, "number": names.port_number},
    "networking/v1.NetworkPolicyPort": {"port": names.port},
    "node/v1.RuntimeClass": {"handler": names.dns_label},
}
"""Names and ports; an empty value counts as absent, a zero only where the field is always written."""

REQUIRED: Final[dict[str, tuple[str, ...]]] = {
    "core/v1.ConfigMapKeySelector": ("key",),
    "core/v1.SecretKeySelector": ("key",),
    "core/v1.ConfigMapEnvSource": ("name",),
    "core/v1.SecretEnvSource": ("name",),
    "core/v1.ConfigMapVolumeSource": ("name",),
    "core/v1.SecretVolumeSource": ("secretName",),
    "core/v1.HostPathVolumeSource": ("path",),
    "core/v1.PersistentVolumeClaimVolumeSource": ("claimName",),
    "core/v1.KeyToPath": ("key", "path"),
    "core/v1.ExecAction": ("command",),
    "core/v1.NFSVolumeSource": ("server", "path"),
    "networking/v1.IngressServiceBackend": ("name",),
    "networking/v1.HTTPIngressRuleValue": ("paths",),
    "networking/v1.IngressClassSpec": ("controller",),
    "networking/v1.IngressClassParametersReference": ("kind", "name"),
    "node/v1.RuntimeClass": ("handler",),
    "storage/v1.StorageClass": ("provisioner",),
    "batch/v1.CronJobSpec": ("schedule",),
    "apiregistration/v1.ServiceReference": ("name", "namespace"),
}
