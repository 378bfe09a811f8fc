"""The Pod Security Standards: what the levels baseline and restricted refuse in a pod.

Source: kubernetes/pod-security-admission policy/check_*.go; each check was compared with what the admission
of Kubernetes 1.36.3 says.
"""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.json_value import JSONObject
from helmguard.rules.context.manifest_maps import items, mapping, texts

BASELINE, RESTRICTED = "baseline", "restricted"
CONTAINERS = ("initContainers", "containers", "ephemeralContainers")


def violated_levels(pod: JSONObject) -> tuple[str, ...]:
    """The levels that refuse a pod (``metadata``, ``spec``): none, ``restricted``, or both."""
    if next(_baseline(pod), None) is not None:
        return (BASELINE, RESTRICTED)
    return (RESTRICTED,) if next(_restricted(pod), None) is not None else ()


def broken_rules(pod: JSONObject, level: str) -> tuple[str, ...]:
    """What of a pod the level refuses, by the names of the standards' own messages."""
    found = [*_baseline(pod)]
    if level == RESTRICTED:
        found += _restricted(pod)
    return tuple(dict.fromkeys(found))


def containers_in(pod: JSONObject) -> Iterator[JSONObject]:
    """Containers of all kinds."""
    for field in CONTAINERS:
        yield from items(pod, "spec", field)


def context_of(container: JSONObject) -> JSONObject:
    """The security context, {} for none."""
    return mapping(container, "securityContext")


def _baseline(pod: JSONObject) -> Iterator[str]:
    spec, own = mapping(pod, "spec"), mapping(pod, "spec", "securityContext")
    if any(spec.get(field) is True for field in ("hostNetwork", "hostPID", "hostIPC")):
        yield "host namespaces"
    if any("hostPath" in volume for volume in items(spec, "volumes")):
        yield "hostPath volumes"
    if any(str(item.get("name")) not in _SAFE_SYSCTLS for item in items(own, "sysctls")):
        yield "forbidden sysctls"
    if any(not _is_safe_profile(value) for value in _app_armor_annotations(pod)):
        yield "forbidden AppArmor profiles"
    for part in (own, *(context_of(container) for container in containers_in(pod))):
        yield from _baseline_context(part)
    for container in containers_in(pod):
        if context_of(container).get("privileged") is True:
            yield "privileged"
        if any(port.get("hostPort") for port in items(container, "ports")):
            yield "hostPort"
        if _opens_proc(container) and spec.get("hostUsers") is not False:
            yield "procMount"
        if set(added_capabilities(container)) - _BASELINE_CAPABILITIES:
            yield "non-default capabilities"
        if any(mapping(handler).get("host") for handler in _handlers(container)):
            yield "probe or lifecycle host"


def _baseline_context(part: JSONObject) -> Iterator[str]:
    if mapping(part, "windowsOptions").get("hostProcess") is True:
        yield "hostProcess"
    if mapping(part, "seccompProfile").get("type") == "Unconfined":
        yield "seccompProfile"
    if mapping(part, "appArmorProfile").get("type") == "Unconfined":
        yield "forbidden AppArmor profiles"
    selinux = mapping(part, "seLinuxOptions")
    if selinux.get("user") or selinux.get("role") or selinux.get("type", "") not in _SAFE_SELINUX:
        yield "seLinuxOptions"


def _restricted(pod: JSONObject) -> Iterator[str]:
    spec, own = mapping(pod, "spec"), mapping(pod, "spec", "securityContext")
    if any(not _VOLUMES & set(volume) for volume in items(spec, "volumes")):
        yield "restricted volume types"
    if spec.get("hostUsers") is not False:  # root of a user namespace is nobody outside
        yield from _root(pod)
    windows = mapping(spec, "os").get("name") == "windows"
    for container in () if windows else containers_in(pod):
        context = context_of(container)
        if _opens_proc(container):
            yield "procMount"
        if context.get("allowPrivilegeEscalation") is not False:
            yield "allowPrivilegeEscalation != false"
        if "ALL" not in dropped_capabilities(container) or set(added_capabilities(container)) - _RESTRICTED:
            yield "unrestricted capabilities"
        profile = mapping(context, "seccompProfile") or mapping(own, "seccompProfile")
        if profile.get("type") not in ("RuntimeDefault", "Localhost"):
            yield "seccompProfile"


def _root(pod: JSONObject) -> Iterator[str]:
    own = mapping(pod, "spec", "securityContext")
    if own.get("runAsNonRoot") is False:
        yield "runAsNonRoot != true"
    for part in (own, *(context_of(container) for container in containers_in(pod))):
        if part.get("runAsUser") == 0:
            yield "runAsUser=0"
    for container in containers_in(pod):
        if context_of(container).get("runAsNonRoot", own.get("runAsNonRoot")) is not True:
            yield "runAsNonRoot != true"


def _opens_proc(container: JSONObject) -> bool:
    return context_of(container).get("procMount") not in (None, "", "Default")


def added_capabilities(container: JSONObject) -> tuple[str, ...]:
    """Capabilities that the container asks for."""
    return tuple(texts(mapping(context_of(container), "capabilities").get("add")))


def dropped_capabilities(container: JSONObject) -> tuple[str, ...]:
    """Capabilities that the container gives up."""
    return tuple(texts(mapping(context_of(container), "capabilities").get("drop")))


def _handlers(container: JSONObject) -> Iterator[JSONObject]:
    probes = [mapping(container, name) for name in ("livenessProbe", "readinessProbe", "startupProbe")]
    lifecycle = mapping(container, "lifecycle")
    for handler in (*probes, mapping(lifecycle, "postStart"), mapping(lifecycle, "preStop")):
        yield mapping(handler, "httpGet")
        yield mapping(handler, "tcpSocket")


def _app_armor_annotations(pod: JSONObject) -> Iterator[str]:
    for name, value in mapping(pod, "metadata", "annotations").items():
        if name.startswith("container.apparmor.security.beta.kubernetes.io/"):
            yield str(value)


def _is_safe_profile(value: str) -> bool:
    return value in ("", "runtime/default") or value.startswith("localhost/")


_SAFE_SELINUX = ("", "container_t", "container_init_t", "container_kvm_t", "container_engine_t")
_SAFE_SYSCTLS = frozenset(
    [
        "kernel.shm_rmid_forced",
        "net.ipv4.ip_local_port_range",
        "net.ipv4.ip_local_reserved_ports",
        "net.ipv4.ip_unprivileged_port_start",
        "net.ipv4.ping_group_range",
        "net.ipv4.tcp_fin_timeout",
        "net.ipv4.tcp_keepalive_intvl",
        "net.ipv4.tcp_keepalive_probes",
        "net.ipv4.tcp_keepalive_time",
        "net.ipv4.tcp_rmem",
        "net.ipv4.tcp_syncookies",
        "net.ipv4.tcp_wmem",
    ]
)
_BASELINE_CAPABILITIES = frozenset(
    [
        "AUDIT_WRITE",
        "CHOWN",
        "DAC_OVERRIDE",
        "FOWNER",
        "FSETID",
        "KILL",
        "MKNOD",
        "NET_BIND_SERVICE",
        "SETFCAP",
        "SETGID",
        "SETPCAP",
        "SETUID",
        "SYS_CHROOT",
    ]
)
_RESTRICTED = frozenset(["NET_BIND_SERVICE"])
_VOLUMES = frozenset(
    [
        "configMap",
        "csi",
        "downwardAPI",
        "emptyDir",
        "ephemeral",
        "image",
        "persistentVolumeClaim",
        "projected",
        "secret",
    ]
)
