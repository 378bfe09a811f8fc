"""From flags and kubeconfig to one answer: which server, how to trust it, who to be, which namespace.

Source: kubernetes/client-go@v0.37.0 tools/clientcmd/client_config.go, merged_client_builder.go.
"""

from __future__ import annotations

import base64
import binascii
import difflib
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from helmguard.cluster.cluster_access import ClusterAccess, Pem, ServerAddress, UserIdentity
from helmguard.cluster.impersonation import impersonation_headers
from helmguard.cluster.kube_options import KubeOptions
from helmguard.cluster.kubeconfig import Kubeconfig
from helmguard.cluster.pod_access import in_pod, pod_identity, pod_namespace, pod_server
from helmguard.errors import ClusterError
from helmguard.model.json_value import JSONObject


def resolve_access(options: KubeOptions, kubeconfig: Kubeconfig, environ: Mapping[str, str]) -> ClusterAccess:
    """Apply the flags to the chosen context; without any cluster, the pod's service account.

    Raises:
        ClusterError: no such context, cluster or user, or nothing says where the API server is.
    """
    context_name = options.kube_context or kubeconfig.current_context
    context = _context(context_name, kubeconfig)
    cluster = _cluster(context_name, context, kubeconfig)
    pod = in_pod(environ)
    namespace = options.namespace or _text(context.get("namespace"))
    namespace = namespace or (pod_namespace(environ) if pod else "default")
    if not cluster and not options.kube_apiserver:
        if not pod:
            raise _no_cluster(kubeconfig)
        identity = replace(pod_identity(options), impersonate=impersonation_headers({}, options))
        return ClusterAccess(pod_server(options, environ), identity, namespace)
    user_name = _text(context.get("user"))
    user = _user(user_name, context_name, kubeconfig, options)
    return ClusterAccess(
        server=_server(options, cluster),
        identity=_identity(user_name, user, options),
        namespace=namespace,
        context=context_name,
        user="" if options.kube_token else user_name,
        files=kubeconfig.files,
    )


def _context(name: str, kubeconfig: Kubeconfig) -> JSONObject:
    if not name:
        return {}
    if name in kubeconfig.contexts:
        return kubeconfig.contexts[name]
    known = sorted(kubeconfig.contexts)
    nearest = difflib.get_close_matches(name, known, n=1)
    hint = f"Did you mean {nearest[0]!r}? " if nearest else ""
    listed = ", ".join(known[:10]) or "none"
    raise ClusterError(
        f"context {name!r} does not exist in {_where(kubeconfig)}",
        remedy=f"{hint}Contexts there: {listed}. Choose one with --kube-context.",
    )


def _cluster(context_name: str, context: JSONObject, kubeconfig: Kubeconfig) -> JSONObject:
    name = _text(context.get("cluster"))
    if name and name not in kubeconfig.clusters:
        raise ClusterError(
            f"context {context_name!r} names cluster {name!r}, which is not in {_where(kubeconfig)}"
        )
    return kubeconfig.clusters.get(name, {})


def _user(name: str, context_name: str, kubeconfig: Kubeconfig, options: KubeOptions) -> JSONObject:
    if name and name not in kubeconfig.users and not options.kube_token:
        raise ClusterError(
            f"context {context_name!r} names user {name!r}, which is not in {_where(kubeconfig)}",
            remedy="Add the user with kubectl config set-credentials, or give --kube-token.",
        )
    return kubeconfig.users.get(name, {})


def _server(options: KubeOptions, cluster: JSONObject) -> ServerAddress:
    url = options.kube_apiserver or _text(cluster.get("server"))
    if not url:
        raise ClusterError("the kubeconfig's cluster has no server", remedy="Give --kube-apiserver URL.")
    ca, insecure = _pem(cluster, "certificate-authority"), cluster.get("insecure-skip-tls-verify") is True
    if options.kube_insecure_skip_tls_verify or options.kube_ca_file:
        ca, insecure = Pem(options.kube_ca_file), options.kube_insecure_skip_tls_verify
    tls_server_name = _text(cluster.get("tls-server-name"))
    if options.kube_tls_server_name or options.kube_apiserver:
        # A server given by flag also drops the file's name for it, as client-go does.
        tls_server_name = options.kube_tls_server_name
    return ServerAddress(
        url=_with_scheme(url, tls=bool(ca) or insecure),
        ca=ca,
        insecure=insecure,
        tls_server_name=tls_server_name,
        proxy_url=_text(cluster.get("proxy-url")),
        compression=cluster.get("disable-compression") is not True,
    )


def _identity(name: str, user: JSONObject, options: KubeOptions) -> UserIdentity:
    token = options.kube_token or _text(user.get("token"))
    token_file = "" if options.kube_token else _text(user.get("tokenFile"))
    username, password = _text(user.get("username")), _text(user.get("password"))
    if token and username:
        raise ClusterError(f"user {name!r} of the kubeconfig has both a token and a password; give only one")
    certificate, key = _pem(user, "client-certificate"), _pem(user, "client-key")
    if certificate and not key:
        raise ClusterError(f"user {name!r} of the kubeconfig has a client certificate without its key")
    plugin = ""
    if not token and not token_file:
        plugin = next((kind for kind in ("exec", "auth-provider") if isinstance(user.get(kind), dict)), "")
    described = user.get(plugin) if plugin else None
    return UserIdentity(
        token=token,
        token_file=token_file,
        username=username,
        password=password,
        client_certificate=certificate,
        client_key=key,
        plugin=plugin,
        impersonate=impersonation_headers(user, options),
        plugin_command=_text((described or {}).get("command") or (described or {}).get("name")),
    )


def _no_cluster(kubeconfig: Kubeconfig) -> ClusterError:
    if not kubeconfig.files:
        looked = f" ({', '.join(kubeconfig.absent)} does not exist)" if kubeconfig.absent else ""
        return ClusterError(
            f"there is no kubeconfig{looked}, so nothing says where the cluster is",
            remedy="Give --kubeconfig FILE or set KUBECONFIG (default: ~/.kube/config).",
        )
    listed = ", ".join(sorted(kubeconfig.contexts)[:10])
    remedy = f"Contexts there: {listed}. Choose one with --kube-context." if listed else "It has no contexts."
    return ClusterError(f"{_where(kubeconfig)} has no current context with a cluster", remedy=remedy)


def _where(kubeconfig: Kubeconfig) -> str:
    return "kubeconfig " + (", ".join(kubeconfig.files) or "(no file)")


def _with_scheme(url: str, *, tls: bool) -> str:
    if "://" not in url:
        url = f"{'https' if tls else 'http'}://{url}"
    return url.rstrip("/")


def _pem(entry: JSONObject, name: str) -> Pem:
    encoded = _text(entry.get(f"{name}-data"))
    try:
        data = base64.b64decode(encoded, validate=False) if encoded else b""
    except (binascii.Error, ValueError):
        raise ClusterError(f"{name}-data in the kubeconfig is not base64") from None
    return Pem(_text(entry.get(name)), data)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
