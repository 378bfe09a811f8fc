"""The cluster that a request names, as helm's own flags."""

from __future__ import annotations

from helmguard.helm.kube_flags import KubeFlags
from helmguard.planner.request import PlanRequest


def kube_flags_of(request: PlanRequest, namespace: str) -> KubeFlags:
    """Helm's global flags; ``namespace`` in place of the one typed, empty for none."""
    kube = request.kube
    return KubeFlags(
        namespace=namespace,
        kubeconfig=kube.kubeconfig,
        kube_context=kube.kube_context,
        kube_apiserver=kube.kube_apiserver,
        kube_token=kube.kube_token,
        kube_as_user=kube.kube_as_user,
        kube_as_group=kube.kube_as_group,
        kube_ca_file=kube.kube_ca_file,
        kube_tls_server_name=kube.kube_tls_server_name,
        kube_insecure_skip_tls_verify=kube.kube_insecure_skip_tls_verify,
        burst_limit=kube.burst_limit,
        qps=kube.qps,
    )
