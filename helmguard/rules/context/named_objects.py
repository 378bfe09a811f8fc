"""Which other objects an object names: the edges of the reference graph, read from one document."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.resource_key import ResourceKey, group_of
from helmguard.rules.context.manifest_maps import mapping, maps_in

CORE, APPS, RBAC = "", "apps", "rbac.authorization.k8s.io"
NETWORKING, STORAGE = "networking.k8s.io", "storage.k8s.io"
GATEWAY, CERT_MANAGER = "gateway.networking.k8s.io", "cert-manager.io"
CLUSTER_KINDS = frozenset(
    {
        "PriorityClass",
        "RuntimeClass",
        "StorageClass",
        "IngressClass",
        "PersistentVolume",
        "ClusterRole",
        "ClusterIssuer",
        "GatewayClass",
    }
)
"""Kinds without a namespace among those that others name."""


class Edge(msgspec.Struct, frozen=True):
    """One reference: what is named, where (``how``, a field path), and whether it may be missing.

    ``entry`` is the key of a ConfigMap or Secret that is wanted, empty for the whole object.
    """

    target: ResourceKey
    how: str
    optional: bool = False
    entry: str = ""


def edges_of(body: JSONObject, namespace: str | None) -> Iterator[Edge]:
    """Every object that the document names. ``namespace``: the object's own, None for cluster-scoped ones."""
    kind = str(body.get("kind"))
    spec = mapping(body.get("spec"))
    found = pod_spec_of(body)
    if found is not None:
        pod, path = found
        yield from _pod_edges(pod, path, namespace)
    reader = _BY_KIND.get((group_of(str(body.get("apiVersion") or "")), kind))
    if reader is not None:
        yield from reader(body, spec, namespace)
    yield from _annotation_edges(body, namespace)


def pod_spec_of(body: JSONObject) -> tuple[JSONObject, str] | None:
    """The pod spec in a workload of any kind, and its path; None where there is none."""
    spec = mapping(body.get("spec"))
    if body.get("kind") == "Pod":
        return spec, "spec"
    if body.get("kind") == "CronJob":
        template = mapping(mapping(mapping(spec.get("jobTemplate")).get("spec")).get("template"))
        path = "spec.jobTemplate.spec.template.spec"
    else:
        template, path = mapping(spec.get("template")), "spec.template.spec"
    pod = mapping(template.get("spec"))
    return (pod, path) if "containers" in pod else None


def _edge(
    kind: str,
    name: JSONValue,
    namespace: JSONValue,
    how: str,
    *,
    group: str = CORE,
    optional: JSONValue = False,
    entry: JSONValue = "",
) -> Iterator[Edge]:
    if not isinstance(name, str) or not name:
        return
    place = None if kind in CLUSTER_KINDS or not namespace else str(namespace)
    yield Edge(ResourceKey(group, kind, place, name), how, optional is True, str(entry or ""))


def _pod_edges(pod: JSONObject, path: str, namespace: str | None) -> Iterator[Edge]:
    account = "serviceAccountName" if pod.get("serviceAccountName") else "serviceAccount"
    yield from _edge("ServiceAccount", pod.get(account), namespace, f"{path}.{account}")
    yield from _edge(
        "PriorityClass",
        pod.get("priorityClassName"),
        None,
        f"{path}.priorityClassName",
        group="scheduling.k8s.io",
    )
    yield from _edge(
        "RuntimeClass", pod.get("runtimeClassName"), None, f"{path}.runtimeClassName", group="node.k8s.io"
    )
    for index, secret in maps_in(pod.get("imagePullSecrets")):
        # A pull secret that is missing is passed over; the image may still be pulled without it.
        how = f"{path}.imagePullSecrets[{index}].name"
        yield from _edge("Secret", secret.get("name"), namespace, how, optional=True)
    for index, volume in maps_in(pod.get("volumes")):
        yield from _volume_edges(volume, f"{path}.volumes[name={volume.get('name', index)}]", namespace)
    for containers in ("initContainers", "containers", "ephemeralContainers"):
        for index, container in maps_in(pod.get(containers)):
            where = f"{path}.{containers}[name={container.get('name', index)}]"
            yield from _container_edges(container, where, namespace)


def _volume_edges(volume: JSONObject, path: str, namespace: str | None) -> Iterator[Edge]:
    yield from _source_edges(volume, path, namespace)
    claim = mapping(volume.get("persistentVolumeClaim"))
    how = f"{path}.persistentVolumeClaim.claimName"
    yield from _edge("PersistentVolumeClaim", claim.get("claimName"), namespace, how)
    for index, source in maps_in(mapping(volume.get("projected")).get("sources")):
        yield from _source_edges(source, f"{path}.projected.sources[{index}]", namespace)
    publish = mapping(mapping(volume.get("csi")).get("nodePublishSecretRef"))
    yield from _edge("Secret", publish.get("name"), namespace, f"{path}.csi.nodePublishSecretRef.name")


def _source_edges(source: JSONObject, path: str, namespace: str | None) -> Iterator[Edge]:
    """A volume calls a Secret ``secretName``, a projected source ``name``."""
    for field, kind in (("secret", "Secret"), ("configMap", "ConfigMap")):
        named = mapping(source.get(field))
        name = "secretName" if "secretName" in named else "name"
        how = f"{path}.{field}.{name}"
        yield from _edge(kind, named.get(name), namespace, how, optional=named.get("optional"))


def _container_edges(container: JSONObject, path: str, namespace: str | None) -> Iterator[Edge]:
    for index, source in maps_in(container.get("envFrom")):
        for field, kind in (("secretRef", "Secret"), ("configMapRef", "ConfigMap")):
            named = mapping(source.get(field))
            how = f"{path}.envFrom[{index}].{field}.name"
            yield from _edge(kind, named.get("name"), namespace, how, optional=named.get("optional"))
    for index, variable in maps_in(container.get("env")):
        value = mapping(variable.get("valueFrom"))
        for field, kind in (("secretKeyRef", "Secret"), ("configMapKeyRef", "ConfigMap")):
            named = mapping(value.get(field))
            yield from _edge(
                kind,
                named.get("name"),
                namespace,
                f"{path}.env[name={variable.get('name', index)}].valueFrom.{field}.name",
                optional=named.get("optional"),
                entry=named.get("key"),
            )


Reader = Callable[[JSONObject, JSONObject, str | None], Iterator[Edge]]


def _stateful_set(_: JSONObject, spec: JSONObject, namespace: str | None) -> Iterator[Edge]:
    yield from _edge("Service", spec.get("serviceName"), namespace, "spec.serviceName")
    for index, claim in maps_in(spec.get("volumeClaimTemplates")):
        name = mapping(claim.get("metadata")).get("name", index)
        how = f"spec.volumeClaimTemplates[metadata.name={name}].spec.storageClassName"
        wanted = mapping(claim.get("spec")).get("storageClassName")
        yield from _edge("StorageClass", wanted, None, how, group=STORAGE)


def _claim(_: JSONObject, spec: JSONObject, __: str | None) -> Iterator[Edge]:
    name = spec.get("storageClassName")
    yield from _edge("StorageClass", name, None, "spec.storageClassName", group=STORAGE)
    yield from _edge("PersistentVolume", spec.get("volumeName"), None, "spec.volumeName")


def _volume(_: JSONObject, spec: JSONObject, __: str | None) -> Iterator[Edge]:
    name = spec.get("storageClassName")
    yield from _edge("StorageClass", name, None, "spec.storageClassName", group=STORAGE)


def _service_account(body: JSONObject, _: JSONObject, namespace: str | None) -> Iterator[Edge]:
    for field in ("secrets", "imagePullSecrets"):
        for index, secret in maps_in(body.get(field)):
            how = f"{field}[{index}].name"
            yield from _edge("Secret", secret.get("name"), namespace, how, optional=True)


def _ingress(_: JSONObject, spec: JSONObject, namespace: str | None) -> Iterator[Edge]:
    yield from _edge(
        "IngressClass", spec.get("ingressClassName"), None, "spec.ingressClassName", group=NETWORKING
    )
    for index, tls in maps_in(spec.get("tls")):
        yield from _edge("Secret", tls.get("secretName"), namespace, f"spec.tls[{index}].secretName")
    for field in ("defaultBackend", "backend"):
        yield from _backend(mapping(spec.get(field)), f"spec.{field}", namespace)
    for index, rule in maps_in(spec.get("rules")):
        for number, path in maps_in(mapping(rule.get("http")).get("paths")):
            how = f"spec.rules[{index}].http.paths[{number}].backend"
            yield from _backend(mapping(path.get("backend")), how, namespace)


def _backend(backend: JSONObject, path: str, namespace: str | None) -> Iterator[Edge]:
    """Of networking.k8s.io/v1, else of the betas."""
    service = mapping(backend.get("service"))
    yield from _edge("Service", service.get("name"), namespace, f"{path}.service.name")
    yield from _edge("Service", backend.get("serviceName"), namespace, f"{path}.serviceName")


def _webhooks(body: JSONObject, _: JSONObject, __: str | None) -> Iterator[Edge]:
    for index, webhook in maps_in(body.get("webhooks")):
        path = f"webhooks[name={webhook.get('name', index)}].clientConfig.service"
        yield from _named_service(mapping(webhook.get("clientConfig")).get("service"), path)


def _definition(_: JSONObject, spec: JSONObject, __: str | None) -> Iterator[Edge]:
    webhook = mapping(mapping(spec.get("conversion")).get("webhook"))
    service = mapping(webhook.get("clientConfig")).get("service")
    yield from _named_service(service, "spec.conversion.webhook.clientConfig.service")


def _api_service(_: JSONObject, spec: JSONObject, __: str | None) -> Iterator[Edge]:
    yield from _named_service(spec.get("service"), "spec.service")


def _named_service(service: JSONValue, path: str) -> Iterator[Edge]:
    named = mapping(service)
    yield from _edge("Service", named.get("name"), named.get("namespace"), path)


def _route(_: JSONObject, spec: JSONObject, namespace: str | None) -> Iterator[Edge]:
    for index, parent in maps_in(spec.get("parentRefs")):
        how = f"spec.parentRefs[{index}].name"
        yield from _typed(parent, "Gateway", GATEWAY, namespace, how)
    for index, rule in maps_in(spec.get("rules")):
        for number, backend in maps_in(rule.get("backendRefs")):
            how = f"spec.rules[{index}].backendRefs[{number}].name"
            yield from _typed(backend, "Service", CORE, namespace, how)


def _gateway(_: JSONObject, spec: JSONObject, namespace: str | None) -> Iterator[Edge]:
    name = spec.get("gatewayClassName")
    yield from _edge("GatewayClass", name, None, "spec.gatewayClassName", group=GATEWAY)
    for index, listener in maps_in(spec.get("listeners")):
        for number, named in maps_in(mapping(listener.get("tls")).get("certificateRefs")):
            how = f"spec.listeners[name={listener.get('name', index)}].tls.certificateRefs[{number}].name"
            yield from _typed(named, "Secret", CORE, namespace, how)


def _typed(named: JSONObject, kind: str, group: str, namespace: str | None, how: str) -> Iterator[Edge]:
    """A reference that may name its kind, group and namespace."""
    kind, group = str(named.get("kind") or kind), str(named.get("group", group) or "")
    place = named.get("namespace") or namespace
    yield from _edge(kind, named.get("name"), place, how, group=group)


def _scaler(_: JSONObject, spec: JSONObject, namespace: str | None) -> Iterator[Edge]:
    """A HorizontalPodAutoscaler, a VerticalPodAutoscaler, a ScaledObject of KEDA."""
    for field in ("scaleTargetRef", "targetRef"):
        target = mapping(spec.get(field))
        group = group_of(str(target.get("apiVersion") or "apps/v1"))
        kind = str(target.get("kind") or "Deployment")
        yield from _edge(kind, target.get("name"), namespace, f"spec.{field}.name", group=group)


def _binding(body: JSONObject, _: JSONObject, namespace: str | None) -> Iterator[Edge]:
    role = mapping(body.get("roleRef"))
    kind = str(role.get("kind") or "Role")
    yield from _edge(kind, role.get("name"), namespace, "roleRef.name", group=RBAC)
    for index, subject in maps_in(body.get("subjects")):
        if subject.get("kind") == "ServiceAccount":
            place, how = subject.get("namespace") or namespace, f"subjects[{index}].name"
            yield from _edge("ServiceAccount", subject.get("name"), place, how)


def _certificate(_: JSONObject, spec: JSONObject, namespace: str | None) -> Iterator[Edge]:
    issuer = mapping(spec.get("issuerRef"))
    if issuer.get("group", CERT_MANAGER) == CERT_MANAGER:
        kind = str(issuer.get("kind") or "Issuer")
        yield from _edge(kind, issuer.get("name"), namespace, "spec.issuerRef.name", group=CERT_MANAGER)


def _annotation_edges(body: JSONObject, namespace: str | None) -> Iterator[Edge]:
    """Names that stand in annotations: cert-manager's injection, nginx's basic authentication."""
    annotations = mapping(mapping(body.get("metadata")).get("annotations"))
    for name, (group, kind) in _BY_ANNOTATION.items():
        value = annotations.get(name)
        if isinstance(value, str) and value:
            place, _, target = value.rpartition("/")
            how = f'metadata.annotations["{name}"]'
            yield from _edge(kind, target, place or namespace, how, group=group)


_BY_ANNOTATION = {
    "cert-manager.io/inject-ca-from": (CERT_MANAGER, "Certificate"),
    "cert-manager.io/inject-ca-from-secret": (CORE, "Secret"),
    "nginx.ingress.kubernetes.io/auth-secret": (CORE, "Secret"),
    "nginx.ingress.kubernetes.io/auth-tls-secret": (CORE, "Secret"),
}
_ADMISSION = "admissionregistration.k8s.io"
_BY_KIND: dict[tuple[str, str], Reader] = {
    (APPS, "StatefulSet"): _stateful_set,
    (CORE, "PersistentVolumeClaim"): _claim,
    (CORE, "PersistentVolume"): _volume,
    (CORE, "ServiceAccount"): _service_account,
    (NETWORKING, "Ingress"): _ingress,
    ("extensions", "Ingress"): _ingress,
    (_ADMISSION, "ValidatingWebhookConfiguration"): _webhooks,
    (_ADMISSION, "MutatingWebhookConfiguration"): _webhooks,
    ("apiextensions.k8s.io", "CustomResourceDefinition"): _definition,
    ("apiregistration.k8s.io", "APIService"): _api_service,
    **{(GATEWAY, f"{kind}Route"): _route for kind in ("HTTP", "GRPC", "TCP", "TLS", "UDP")},
    (GATEWAY, "Gateway"): _gateway,
    ("autoscaling", "HorizontalPodAutoscaler"): _scaler,
    ("autoscaling.k8s.io", "VerticalPodAutoscaler"): _scaler,
    ("keda.sh", "ScaledObject"): _scaler,
    (RBAC, "RoleBinding"): _binding,
    (RBAC, "ClusterRoleBinding"): _binding,
    (CERT_MANAGER, "Certificate"): _certificate,
}


def made_by(body: JSONObject, namespace: str | None) -> Iterator[ResourceKey]:
    """Objects that a controller makes for this one under a name that stands in it.

    A Certificate's Secret, an ExternalSecret's, a SealedSecret's, the Secret of an
    Ingress that cert-manager serves.
    """
    kind, group = body.get("kind"), group_of(str(body.get("apiVersion") or ""))
    spec, metadata = mapping(body.get("spec")), mapping(body.get("metadata"))
    name = metadata.get("name")
    if (group, kind) == (CERT_MANAGER, "Certificate"):
        yield from _secret(spec.get("secretName"), namespace)
    elif (group, kind) == ("external-secrets.io", "ExternalSecret"):
        yield from _secret(mapping(spec.get("target")).get("name") or name, namespace)
    elif (group, kind) in (("bitnami.com", "SealedSecret"), ("secrets.hashicorp.com", "VaultStaticSecret")):
        yield from _secret(mapping(spec.get("destination")).get("name") or name, namespace)
    elif kind == "Ingress" and any(key.startswith("cert-manager.io/") for key in _annotations(metadata)):
        yield from (
            edge.target
            for edge in _ingress(body, spec, namespace)
            if edge.target.kind == "Secret" and edge.how.startswith("spec.tls")
        )


def _annotations(metadata: JSONObject) -> JSONObject:
    return mapping(metadata.get("annotations"))


def _secret(name: JSONValue, namespace: str | None) -> Iterator[ResourceKey]:
    if isinstance(name, str) and name:
        yield ResourceKey(CORE, "Secret", namespace, name)
