"""The reference graph: who names whom, and what of that is met by nothing."""

from __future__ import annotations

from typing import Any

import pytest
from manifest_facts import upgrade

from helmguard.manifest.yaml import load_object
from helmguard.model.live_state import Absent
from helmguard.model.resource_key import ResourceKey
from helmguard.model.surroundings import HookObject, Surroundings
from helmguard.rules.context.named_objects import edges_of, made_by
from helmguard.rules.context.record import UNKNOWN
from helmguard.rules.context.references import references_around, references_of
from helmguard.rules.context.selectors import pod_labels_of, pod_selector_of, selects

POD = """
serviceAccountName: runner
priorityClassName: high
runtimeClassName: nvidia
imagePullSecrets: [{name: pull}]
volumes:
- {name: a, secret: {secretName: s-vol}}
- {name: b, configMap: {name: c-vol, optional: true}}
- {name: c, persistentVolumeClaim: {claimName: data}}
- {name: d, projected: {sources: [{secret: {name: s-pro}}, {configMap: {name: c-pro}}, {downwardAPI: {}}]}}
- {name: e, csi: {driver: x, nodePublishSecretRef: {name: s-csi}}}
- {name: f, emptyDir: {}}
initContainers:
- name: i
  envFrom: [{configMapRef: {name: c-from}}, {secretRef: {name: s-from, optional: true}}]
containers:
- name: web
  env:
  - {name: A, valueFrom: {secretKeyRef: {name: s-env, key: token}}}
  - {name: B, valueFrom: {configMapKeyRef: {name: c-env, key: mode, optional: true}}}
  - {name: C, value: plain}
"""
POD_EDGES = {
    "ServiceAccount/runner",
    "PriorityClass/high",
    "RuntimeClass/nvidia",
    "Secret/pull optional",
    "Secret/s-vol",
    "ConfigMap/c-vol optional",
    "PersistentVolumeClaim/data",
    "Secret/s-pro",
    "ConfigMap/c-pro",
    "Secret/s-csi",
    "ConfigMap/c-from",
    "Secret/s-from optional",
    "Secret/s-env",
    "ConfigMap/c-env optional",
}


def document(text: str) -> Any:
    return load_object(text)


def named(body: Any, namespace: str | None = "shop") -> set[str]:
    return {f"{edge.target}{' optional' if edge.optional else ''}" for edge in edges_of(body, namespace)}


def indented(text: str, spaces: int) -> str:
    return text.replace("\n", "\n" + " " * spaces)


@pytest.mark.parametrize(
    ("head", "spaces"),
    [
        ("apiVersion: v1\nkind: Pod\nmetadata: {name: x}\nspec:", 2),
        ("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x}\nspec:\n  template:\n    spec:", 6),
        ("apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nspec:\n  template:\n    spec:", 6),
        (
            "apiVersion: batch/v1\nkind: CronJob\nspec:\n  jobTemplate:\n    spec:\n      template:\n     "
            "   spec:",
            10,
        ),
    ],
)
def test_what_a_pod_names(head: str, spaces: int) -> None:
    assert named(document(head + indented(POD, spaces))) == POD_EDGES


def test_where_a_pod_names_it() -> None:
    pod = document("apiVersion: v1\nkind: Pod\nspec:" + indented(POD, 2))
    how = {edge.target.name: (edge.how, edge.entry) for edge in edges_of(pod, "shop")}
    assert how["s-env"] == ("spec.containers[name=web].env[name=A].valueFrom.secretKeyRef.name", "token")
    assert how["c-from"] == ("spec.initContainers[name=i].envFrom[0].configMapRef.name", "")
    assert how["s-vol"] == ("spec.volumes[name=a].secret.secretName", "")


@pytest.mark.parametrize(
    ("text", "edges"),
    [
        (
            "{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {annotations: "
            "{nginx.ingress.kubernetes.io/auth-secret: other/users}}, spec: {ingressClassName: nginx, "
            "tls: [{secretName: web-tls}], defaultBackend: {service: {name: all}}, "
            "rules: [{http: {paths: [{backend: {service: {name: web}}}]}}]}}",
            {"IngressClass/nginx", "Secret/web-tls", "Service/all", "Service/web", "Secret/users"},
        ),
        (
            "{apiVersion: extensions/v1beta1, kind: Ingress, spec: {backend: {serviceName: old}}}",
            {"Service/old"},
        ),
        (
            "{apiVersion: apps/v1, kind: StatefulSet, spec: {serviceName: peers, volumeClaimTemplates: "
            "[{metadata: {name: data}, spec: {storageClassName: fast}}]}}",
            {"Service/peers", "StorageClass/fast"},
        ),
        (
            "{apiVersion: v1, kind: PersistentVolumeClaim, spec: {storageClassName: fast, volumeName: pv1}}",
            {"StorageClass/fast", "PersistentVolume/pv1"},
        ),
        (
            "{apiVersion: v1, kind: ServiceAccount, secrets: [{name: t}], imagePullSecrets: [{name: p}]}",
            {"Secret/t optional", "Secret/p optional"},
        ),
        (
            "{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: "
            "{annotations: {cert-manager.io/inject-ca-from: shop/ca}}, "
            "webhooks: [{name: a, clientConfig: {service: {name: hook, namespace: shop}}}]}",
            {"Service/hook", "Certificate/ca"},
        ),
        (
            "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: {conversion: "
            "{webhook: {clientConfig: {service: {name: conv, namespace: shop}}}}}}",
            {"Service/conv"},
        ),
        (
            "{apiVersion: apiregistration.k8s.io/v1, kind: APIService, spec: {service: {name: m, "
            "namespace: s}}}",
            {"Service/m"},
        ),
        (
            "{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, spec: {parentRefs: [{name: gw}], "
            "rules: [{backendRefs: [{name: web}]}]}}",
            {"Gateway/gw", "Service/web"},
        ),
        (
            "{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, spec: {gatewayClassName: c, "
            "listeners: [{name: l, tls: {certificateRefs: [{name: t}]}}]}}",
            {"GatewayClass/c", "Secret/t"},
        ),
        (
            "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, "
            "spec: {scaleTargetRef: {apiVersion: apps/v1, kind: StatefulSet, name: db}}}",
            {"StatefulSet/db"},
        ),
        (
            "{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, spec: {scaleTargetRef: {name: w}}}",
            {"Deployment/w"},
        ),
        (
            "{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, roleRef: {kind: ClusterRole, "
            "name: r}, "
            "subjects: [{kind: ServiceAccount, name: a}, {kind: User, name: u}]}",
            {"ClusterRole/r", "ServiceAccount/a"},
        ),
        (
            "{apiVersion: cert-manager.io/v1, kind: Certificate, spec: {issuerRef: {kind: ClusterIssuer, "
            "name: i}}}",
            {"ClusterIssuer/i"},
        ),
        ("{apiVersion: v1, kind: ConfigMap, spec: [1], metadata: null}", set()),
        (
            "{apiVersion: apps/v1, kind: Deployment, spec: {template: {spec: {containers: x, volumes: {a: "
            "1}}}}}",
            set(),
        ),
    ],
)
def test_what_other_kinds_name(text: str, edges: set[str]) -> None:
    assert named(document(text)) == edges


def test_cluster_scoped_kinds_have_no_namespace_and_others_that_of_the_object_or_the_one_given() -> None:
    ingress = document(
        "{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {annotations: "
        "{nginx.ingress.kubernetes.io/auth-secret: other/users}}, spec: {ingressClassName: nginx, "
        "tls: [{secretName: web-tls}]}}"
    )
    places = {edge.target.name: edge.target.namespace for edge in edges_of(ingress, "shop")}
    assert places == {"nginx": None, "web-tls": "shop", "users": "other"}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("{apiVersion: cert-manager.io/v1, kind: Certificate, spec: {secretName: t}}", "t"),
        ("{apiVersion: external-secrets.io/v1, kind: ExternalSecret, metadata: {name: e}, spec: {}}", "e"),
        ("{apiVersion: external-secrets.io/v1, kind: ExternalSecret, spec: {target: {name: f}}}", "f"),
        ("{apiVersion: bitnami.com/v1alpha1, kind: SealedSecret, metadata: {name: s}, spec: {}}", "s"),
        (
            "{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {annotations: "
            "{cert-manager.io/cluster-issuer: le}}, spec: {tls: [{secretName: i}]}}",
            "i",
        ),
    ],
)
def test_secrets_that_a_controller_makes(text: str, name: str) -> None:
    assert list(made_by(document(text), "shop")) == [ResourceKey("", "Secret", "shop", name)]


def deployment(name: str, *secrets: str) -> str:
    sources = ", ".join(f"{{secretRef: {{name: {secret}}}}}" for secret in secrets)
    return (
        f"---\n{{apiVersion: apps/v1, kind: Deployment, metadata: {{name: {name}}}, spec: {{template: "
        f"{{metadata: {{labels: {{app: {name}}}}}, spec: {{containers: [{{name: c, envFrom: "
        f"[{sources}]}}]}}}}}}}}\n"
    )


def secret(name: str) -> str:
    return f"---\n{{apiVersion: v1, kind: Secret, metadata: {{name: {name}}}}}\n"


def test_references_that_nothing_of_the_release_meets() -> None:
    facts = upgrade(
        secret("gone") + deployment("web", "gone", "outside"),
        secret("there") + deployment("web", "gone", "outside", "there", "fresh"),
        lists={
            "secrets": [
                {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "outside", "namespace": "shop"}}
            ]
        },
    )
    unmet = {one.name: (one.before, one.leaves, one.live) for one in references_of(facts).unmet}
    assert unmet == {
        "gone": (True, True, True),
        "outside": (True, False, True),
        "fresh": (False, False, False),
    }


def test_without_the_lists_it_is_not_known_whether_they_are_live() -> None:
    (one,) = references_of(upgrade("", deployment("web", "outside"))).unmet
    assert (one.live, one.lacks) == (UNKNOWN, ("cluster.secrets",))
    assert (one.from_ref, one.ref, one.where) == ("Deployment/web", "Secret/outside", "new")


def test_a_hook_brings_and_names_objects() -> None:
    def hook(text: str) -> HookObject:
        body = document(text.removeprefix("---\n"))
        key = ResourceKey.of(body["apiVersion"], body["kind"], "shop", body["metadata"]["name"])
        return HookObject(key, body["apiVersion"], ("pre-upgrade",), (), body, Absent())

    around = Surroundings(hooks=(hook(secret("hooked")), hook(deployment("task", "lost"))))
    unmet = references_of(upgrade("", deployment("web", "hooked"), around=around)).unmet
    assert [(one.from_ref, one.where, one.name) for one in unmet] == [("Deployment/task", "hook", "lost")]


def test_a_secret_that_a_certificate_makes_has_a_maker() -> None:
    certificate = (
        "---\n{apiVersion: cert-manager.io/v1, kind: Certificate, metadata: {name: ca}, spec: "
        "{secretName: tls}}\n"
    )
    (one,) = references_of(upgrade("", certificate + deployment("web", "tls"))).unmet
    assert one.maker == "Certificate/ca"


def test_what_every_cluster_has_is_not_asked_for() -> None:
    pod = (
        "---\n{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {serviceAccountName: default, "
        "priorityClassName: system-node-critical, containers: [{name: c, envFrom: [{configMapRef: "
        "{name: kube-root-ca.crt}}]}]}}\n"
    )
    assert references_of(upgrade("", pod)).unmet == ()


def pod(name: str, owner: tuple[str, str] | None, secret: str) -> dict[str, Any]:
    owners = [{"kind": owner[0], "name": owner[1], "controller": True}] if owner else []
    metadata = {"name": name, "namespace": "shop", "ownerReferences": owners}
    containers = [{"name": "c", "envFrom": [{"secretRef": {"name": secret}}]}]
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"containers": containers}}


def test_live_objects_around_the_release_without_its_own() -> None:
    pods = [
        pod("mine", ("ReplicaSet", "web-5d8f"), "s"),
        pod("theirs", ("ReplicaSet", "other-5d8f"), "s"),
        pod("theirs-too", ("ReplicaSet", "other-5d8f"), "s"),
        pod("bare", None, "s"),
        pod("elsewhere", None, "t"),
    ]
    facts = upgrade(deployment("web"), deployment("web"), lists={"pods": pods})
    targets = frozenset({ResourceKey("", "Secret", "shop", "s")})
    found, unread = references_around(facts, ("pods", "ingresses"), targets)
    assert [one.from_ref for one in found] == ["Deployment/other", "Pod/bare"]
    assert unread == ("cluster.ingresses",)


def test_selectors() -> None:
    expressions = {
        "matchExpressions": [
            {"key": "a", "operator": "In", "values": ["1", "2"]},
            {"key": "b", "operator": "NotIn", "values": ["x"]},
            {"key": "c", "operator": "Exists"},
            {"key": "d", "operator": "DoesNotExist"},
        ]
    }
    assert selects(expressions, {"a": "1", "c": ""})
    for labels in (
        {"a": "3", "c": ""},
        {"a": "1"},
        {"a": "1", "b": "x", "c": ""},
        {"a": "1", "c": "", "d": ""},
    ):
        assert not selects(expressions, labels)
    assert selects({}, {"any": "thing"})
    assert not selects({"matchLabels": {"a": "1"}}, {"a": "2"})
    assert not selects({"matchExpressions": [{"key": "a", "operator": "Odd"}]}, {"a": "1"})


@pytest.mark.parametrize(
    ("text", "selector"),
    [
        ("{apiVersion: v1, kind: Service, spec: {selector: {app: a}}}", {"matchLabels": {"app": "a"}}),
        ("{apiVersion: v1, kind: Service, spec: {}}", None),
        ("{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, spec: {podSelector: {}}}", {}),
        ("{apiVersion: policy/v1, kind: PodDisruptionBudget, spec: {selector: {}}}", {}),
        ("{apiVersion: policy/v1, kind: PodDisruptionBudget, spec: {}}", None),
        ("{apiVersion: v1, kind: ConfigMap}", None),
    ],
)
def test_how_objects_select_pods(text: str, selector: Any) -> None:
    assert pod_selector_of(document(text)) == selector


def test_the_labels_of_pods() -> None:
    assert pod_labels_of(document(deployment("web").removeprefix("---\n"))) == {"app": "web"}
    assert pod_labels_of(document("{kind: Pod, metadata: {labels: {a: b}}}")) == {"a": "b"}
    assert pod_labels_of(document("{kind: ConfigMap}")) is None
    cron = (
        "{kind: CronJob, spec: {jobTemplate: {spec: {template: {metadata: {labels: {a: b}}, spec: "
        "{containers: []}}}}}}"
    )
    assert pod_labels_of(document(cron)) == {"a": "b"}
