"""Defaults that do not depend on anything else, by Go type: what a missing field is stored as.

Source: k8s.io/kubernetes@v1.36.3 pkg/apis/*/v*/defaults.go (and apiextensions, kube-aggregator).
"""

from __future__ import annotations

from typing import Any, Final

CONSTANT_DEFAULTS: Final[dict[str, dict[str, Any]]] = {
    # core
    "core/v1.PodSpec": {
        "dnsPolicy": "ClusterFirst",
        "restartPolicy": "Always",
        "securityContext": {},
        "terminationGracePeriodSeconds": 30,
        "schedulerName": "default-scheduler",
    },
    "core/v1.Container": {
        "terminationMessagePath": "/dev/termination-log",
        "terminationMessagePolicy": "File",
    },
    "core/v1.EphemeralContainer": {
        "terminationMessagePath": "/dev/termination-log",
        "terminationMessagePolicy": "File",
    },
    "core/v1.ContainerPort": {"protocol": "TCP"},
    "core/v1.ServicePort": {"protocol": "TCP"},
    "core/v1.EndpointPort": {"protocol": "TCP"},
    "core/v1.Probe": {"timeoutSeconds": 1, "periodSeconds": 10, "successThreshold": 1, "failureThreshold": 3},
    "core/v1.HTTPGetAction": {"path": "/", "scheme": "HTTP"},
    "core/v1.GRPCAction": {"service": ""},
    "core/v1.SecretVolumeSource": {"defaultMode": 420},
    "core/v1.ConfigMapVolumeSource": {"defaultMode": 420},
    "core/v1.DownwardAPIVolumeSource": {"defaultMode": 420},
    "core/v1.ProjectedVolumeSource": {"defaultMode": 420},
    "core/v1.ServiceAccountTokenProjection": {"expirationSeconds": 3600},
    "core/v1.ObjectFieldSelector": {"apiVersion": "v1"},
    "core/v1.ResourceFieldSelector": {"divisor": "0"},
    "core/v1.HostPathVolumeSource": {"type": ""},
    "core/v1.ISCSIVolumeSource": {"iscsiInterface": "default"},
    "core/v1.ISCSIPersistentVolumeSource": {"iscsiInterface": "default"},
    "core/v1.RBDVolumeSource": {"pool": "rbd", "user": "admin", "keyring": "/etc/ceph/keyring"},
    "core/v1.RBDPersistentVolumeSource": {"pool": "rbd", "user": "admin", "keyring": "/etc/ceph/keyring"},
    "core/v1.ScaleIOVolumeSource": {"storageMode": "ThinProvisioned", "fsType": "xfs"},
    "core/v1.AzureDiskVolumeSource": {
        "cachingMode": "ReadWrite",
        "kind": "Shared",
        "fsType": "ext4",
        "readOnly": False,
    },
    "core/v1.Secret": {"type": "Opaque"},
    "core/v1.PersistentVolumeSpec": {"persistentVolumeReclaimPolicy": "Retain", "volumeMode": "Filesystem"},
    "core/v1.PersistentVolumeClaimSpec": {"volumeMode": "Filesystem"},
    "core/v1.ServiceSpec": {"sessionAffinity": "None", "type": "ClusterIP"},
    "core/v1.NamespaceSpec": {"finalizers": ["kubernetes"]},
    "discovery/v1.EndpointPort": {"name": "", "protocol": "TCP"},
    # apps
    "apps/v1.DeploymentSpec": {"replicas": 1, "revisionHistoryLimit": 10, "progressDeadlineSeconds": 600},
    "apps/v1.ReplicaSetSpec": {"replicas": 1},
    "apps/v1.StatefulSetSpec": {
        "podManagementPolicy": "OrderedReady",
        "replicas": 1,
        "revisionHistoryLimit": 10,
        "persistentVolumeClaimRetentionPolicy": {},
    },
    "apps/v1.StatefulSetPersistentVolumeClaimRetentionPolicy": {
        "whenDeleted": "Retain",
        "whenScaled": "Retain",
    },
    "apps/v1.DaemonSetSpec": {"revisionHistoryLimit": 10},
    # batch
    "batch/v1.CronJobSpec": {
        "concurrencyPolicy": "Allow",
        "suspend": False,
        "successfulJobsHistoryLimit": 3,
        "failedJobsHistoryLimit": 1,
    },
    "batch/v1.PodFailurePolicyOnPodConditionsPattern": {"status": "True"},
    # autoscaling
    "autoscaling/v1.HorizontalPodAutoscalerSpec": {"minReplicas": 1},
    "autoscaling/v2.HorizontalPodAutoscalerSpec": {"minReplicas": 1},
    # networking, rbac, storage, scheduling
    "networking/v1.NetworkPolicyPort": {"protocol": "TCP"},
    "networking/v1.IngressClassParametersReference": {"scope": "Cluster"},
    "rbac/v1.RoleRef": {"apiGroup": "rbac.authorization.k8s.io"},
    "storage/v1.StorageClass": {"reclaimPolicy": "Delete", "volumeBindingMode": "Immediate"},
    "storage/v1.CSIDriverSpec": {
        "attachRequired": True,
        "podInfoOnMount": False,
        "storageCapacity": False,
        "fsGroupPolicy": "ReadWriteOnceWithFSType",
        "volumeLifecycleModes": ["Persistent"],
        "requiresRepublish": False,
        "seLinuxMount": False,
    },
    "scheduling/v1.PriorityClass": {"preemptionPolicy": "PreemptLowerPriority"},
    # admissionregistration
    "admissionregistration/v1.ValidatingWebhook": {
        "failurePolicy": "Fail",
        "matchPolicy": "Equivalent",
        "namespaceSelector": {},
        "objectSelector": {},
        "timeoutSeconds": 10,
    },
    "admissionregistration/v1.MutatingWebhook": {
        "failurePolicy": "Fail",
        "matchPolicy": "Equivalent",
        "namespaceSelector": {},
        "objectSelector": {},
        "timeoutSeconds": 10,
        "reinvocationPolicy": "Never",
    },
    "admissionregistration/v1.Rule": {"scope": "*"},
    "admissionregistration/v1.RuleWithOperations": {"scope": "*"},
    "admissionregistration/v1.NamedRuleWithOperations": {"scope": "*"},
    "admissionregistration/v1.ServiceReference": {"port": 443},
    "admissionregistration/v1.ValidatingAdmissionPolicySpec": {"failurePolicy": "Fail"},
    "admissionregistration/v1.MutatingAdmissionPolicySpec": {"failurePolicy": "Fail"},
    "admissionregistration/v1.MatchResources": {
        "matchPolicy": "Equivalent",
        "namespaceSelector": {},
        "objectSelector": {},
    },
    # apiextensions, apiregistration
    "apiextensions/v1.CustomResourceDefinitionSpec": {"conversion": {"strategy": "None"}},
    "apiextensions/v1.ServiceReference": {"port": 443},
    "apiregistration/v1.ServiceReference": {"port": 443},
}
