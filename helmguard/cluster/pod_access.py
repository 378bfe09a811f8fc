"""The service account that Kubernetes puts into a pod, used where no kubeconfig names a cluster."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from helmguard.cluster.cluster_access import Pem, ServerAddress, UserIdentity
from helmguard.cluster.kube_options import KubeOptions

SERVICE_ACCOUNT_FOLDER = Path("/var/run/secrets/kubernetes.io/serviceaccount")


def in_pod(environ: Mapping[str, str]) -> bool:
    """Whether this process runs in a pod with a service account."""
    variables = environ.get("KUBERNETES_SERVICE_HOST") and environ.get("KUBERNETES_SERVICE_PORT")
    return bool(variables) and (SERVICE_ACCOUNT_FOLDER / "token").is_file()


def pod_server(options: KubeOptions, environ: Mapping[str, str]) -> ServerAddress:
    """The API server by the pod's variables and mounted authority."""
    host = environ["KUBERNETES_SERVICE_HOST"]
    host = f"[{host}]" if ":" in host else host
    ca_file = options.kube_ca_file or str(SERVICE_ACCOUNT_FOLDER / "ca.crt")
    return ServerAddress(f"https://{host}:{environ['KUBERNETES_SERVICE_PORT']}", Pem(ca_file))


def pod_identity(options: KubeOptions) -> UserIdentity:
    """The mounted token, which the kubelet keeps fresh, or the flag's."""
    if options.kube_token:
        return UserIdentity(token=options.kube_token)
    return UserIdentity(token_file=str(SERVICE_ACCOUNT_FOLDER / "token"))


def pod_namespace(environ: Mapping[str, str]) -> str:
    """The pod's own namespace."""
    if environ.get("POD_NAMESPACE"):
        return environ["POD_NAMESPACE"]
    try:
        return (SERVICE_ACCOUNT_FOLDER / "namespace").read_text(encoding="utf-8").strip() or "default"
    except OSError:
        return "default"
