"""Helm's global flags about the cluster, and the environment variables behind them."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

_TRUE_WORDS = frozenset({"1", "t", "T", "TRUE", "true", "True"})


class KubeOptions(msgspec.Struct, frozen=True):
    """Helm's flags under helm's names; an empty value means "not given".

    ``kubeconfig`` is the ``--kubeconfig`` flag alone; the files of ``KUBECONFIG`` are found by
    ``helmguard.cluster.kubeconfig``. ``driver`` is ``HELM_DRIVER``. ``qps`` limits the requests per second
    where it is given and above 0, with bursts of ``burst_limit``. ``request_timeout`` is in seconds, for
    one request.
    """

    kubeconfig: str = ""
    kube_context: str = ""
    namespace: str = ""
    kube_as_user: str = ""
    kube_as_group: tuple[str, ...] = ()
    kube_apiserver: str = ""
    kube_ca_file: str = ""
    kube_insecure_skip_tls_verify: bool = False
    kube_tls_server_name: str = ""
    kube_token: str = ""
    qps: float | None = None
    burst_limit: int | None = None
    driver: str = ""
    request_timeout: float = 30.0

    def __repr__(self) -> str:
        return f"KubeOptions(kubeconfig={self.kubeconfig!r}, kube_context={self.kube_context!r}, ...)"


def with_environment(options: KubeOptions, environ: Mapping[str, str]) -> KubeOptions:
    """Fill what no flag gave from the environment (helm/helm@v3.22.0 pkg/cli/environment.go).

    A number or boolean that cannot be read counts as not set, as in Helm.
    """
    return replace(
        options,
        kube_context=options.kube_context or environ.get("HELM_KUBECONTEXT", ""),
        namespace=options.namespace or environ.get("HELM_NAMESPACE", ""),
        kube_as_user=options.kube_as_user or environ.get("HELM_KUBEASUSER", ""),
        kube_as_group=options.kube_as_group or _comma_list(environ.get("HELM_KUBEASGROUPS", "")),
        kube_apiserver=options.kube_apiserver or environ.get("HELM_KUBEAPISERVER", ""),
        kube_ca_file=options.kube_ca_file or environ.get("HELM_KUBECAFILE", ""),
        kube_insecure_skip_tls_verify=options.kube_insecure_skip_tls_verify
        or environ.get("HELM_KUBEINSECURE_SKIP_TLS_VERIFY", "") in _TRUE_WORDS,
        kube_tls_server_name=options.kube_tls_server_name or environ.get("HELM_KUBETLS_SERVER_NAME", ""),
        kube_token=options.kube_token or environ.get("HELM_KUBETOKEN", ""),
        qps=options.qps if options.qps is not None else _number(environ.get("HELM_QPS", "")),
        burst_limit=options.burst_limit
        if options.burst_limit is not None
        else _integer(environ.get("HELM_BURST_LIMIT", "")),
        driver=options.driver or environ.get("HELM_DRIVER", ""),
    )


def _comma_list(text: str) -> tuple[str, ...]:
    trimmed = text.strip(", ")
    return tuple(trimmed.split(",")) if trimmed else ()


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _integer(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None
