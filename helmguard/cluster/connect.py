"""Opening the connection: from helm's flags and environment to a ``Connection``."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit, urlunsplit

from helmguard.cluster.cluster_access import ClusterAccess, Pem
from helmguard.cluster.concurrently import WORKERS
from helmguard.cluster.connection import Connection
from helmguard.cluster.credentials import Credentials, FixedCredentials, plain_credentials
from helmguard.cluster.kube_options import KubeOptions, with_environment
from helmguard.cluster.kubeconfig import load_kubeconfig
from helmguard.cluster.proxy import proxy_for
from helmguard.cluster.resolve_access import resolve_access
from helmguard.errors import ClusterError

if TYPE_CHECKING:
    from urllib3 import PoolManager

_CONNECT_TIMEOUT_SECONDS = 10.0


def connect(options: KubeOptions | None = None, environ: Mapping[str, str] | None = None) -> Connection:
    """A connection by helm's flags and environment; sends nothing to the API server yet.

    A kubeconfig user with an exec plugin or auth provider has it run here, through the official client.

    Raises:
        ClusterError: the kubeconfig, a certificate, the plugin or the proxy setting is unusable.
    """
    environ = os.environ if environ is None else environ
    options = with_environment(options or KubeOptions(), environ)
    access = resolve_access(options, load_kubeconfig(options.kubeconfig, environ), environ)
    credentials, certificate, key = _authenticate(access)
    pool = _open_pool(
        access, options, proxy_for(access.server.url, access.server.proxy_url, environ), certificate, key
    )
    return Connection(access, options, pool, credentials)


def default_namespace(options: KubeOptions, environ: Mapping[str, str] | None = None) -> str:
    """The namespace helm would use, without connecting."""
    environ = os.environ if environ is None else environ
    options = with_environment(options, environ)
    if options.namespace:
        return options.namespace
    return resolve_access(options, load_kubeconfig(options.kubeconfig, environ), environ).namespace


def _authenticate(access: ClusterAccess) -> tuple[Credentials, Pem, Pem]:
    identity = access.identity
    if access.server.url.startswith("http://"):
        # Without TLS anyone on the way could read them; client-go sends none either.
        return FixedCredentials(), Pem(), Pem()
    if not identity.plugin:
        return plain_credentials(identity), identity.client_certificate, identity.client_key
    from helmguard.cluster.official_credentials import OfficialCredentials

    credentials = OfficialCredentials(access)
    return credentials, *credentials.client_certificate()


def _open_pool(
    access: ClusterAccess, options: KubeOptions, proxy: str, certificate: Pem, key: Pem
) -> PoolManager:
    import urllib3

    settings: dict[str, Any] = {
        "num_pools": 2,
        "maxsize": WORKERS,
        "timeout": urllib3.Timeout(
            connect=min(_CONNECT_TIMEOUT_SECONDS, options.request_timeout), read=options.request_timeout
        ),
    }
    if access.server.url.startswith("https://"):
        from helmguard.cluster.tls import tls_context

        settings["ssl_context"] = tls_context(access.server, certificate, key)
        if access.server.tls_server_name:
            settings["server_hostname"] = access.server.tls_server_name
        if access.server.insecure:
            urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)
    if not proxy:
        return urllib3.PoolManager(**settings)
    return _open_proxied_pool(proxy, settings)


def _open_proxied_pool(proxy: str, settings: dict[str, Any]) -> PoolManager:
    import urllib3

    parts = urlsplit(proxy)
    if parts.scheme in ("http", "https"):
        headers: dict[str, str] = {}
        if parts.username:
            login = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
            headers = urllib3.make_headers(proxy_basic_auth=login)
            proxy = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
        return urllib3.ProxyManager(proxy, proxy_headers=headers, **settings)
    if parts.scheme in ("socks5", "socks5h"):
        try:
            from urllib3.contrib.socks import SOCKSProxyManager
        except ImportError:
            raise ClusterError(
                "the API server is behind a SOCKS proxy, and the PySocks package is missing",
                remedy="Install it beside helmguard: pip install PySocks",
            ) from None
        # client-go lets the proxy resolve the name.
        return SOCKSProxyManager(proxy.replace("socks5://", "socks5h://", 1), **settings)
    raise ClusterError(
        f"proxy scheme {parts.scheme!r} is not supported", remedy="Use http, https or socks5 in proxy-url."
    )
