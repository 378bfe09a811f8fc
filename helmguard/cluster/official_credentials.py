"""Credentials that a plugin makes (exec, OIDC and other auth providers), through the official client.

Importing ``kubernetes`` costs over half a second, so this module is imported only where a kubeconfig asks for
a plugin, and the official client is imported inside the functions.
"""

from __future__ import annotations

import logging
import os
from threading import Lock
from typing import Any

from helmguard.cluster.cluster_access import ClusterAccess, Pem
from helmguard.errors import ClusterError


class OfficialCredentials:
    """The official client's configuration, asked for its token before each request."""

    def __init__(self, access: ClusterAccess) -> None:
        self._access = access
        self._lock = Lock()
        self._configuration = load_configuration(access)

    def headers(self) -> dict[str, str]:
        with self._lock:
            return authorization_headers(self._configuration)

    def renew(self) -> bool:
        """Run the plugin again; its new token may be the old one, then the second 401 is final."""
        with self._lock:
            self._configuration = load_configuration(self._access)
        return True

    def client_certificate(self) -> tuple[Pem, Pem]:
        """The plugin's certificate and key, else those of the kubeconfig user, else both empty."""
        return Pem(self._configuration.cert_file or ""), Pem(self._configuration.key_file or "")


def load_configuration(access: ClusterAccess) -> Any:
    """A ``kubernetes.client.Configuration`` with the context's credentials; runs the plugin.

    A refreshed OIDC token is written back into the kubeconfig, as kubectl does: identity providers that
    rotate refresh tokens would lock the user out otherwise.

    Raises:
        ClusterError: the plugin failed or gave nothing.
    """
    from kubernetes.client import Configuration
    from kubernetes.config import ConfigException, load_kube_config

    configuration = Configuration()
    with _CapturedLog() as said:
        try:
            load_kube_config(  # type: ignore[no-untyped-call]
                config_file=os.pathsep.join(access.files),
                context=access.context,
                client_configuration=configuration,
            )
        except ConfigException as error:
            raise _plugin_failed(access, [str(error)]) from None
        except Exception as error:
            # The identity provider's answer may hold tokens: name the kind of failure only.
            raise _plugin_failed(access, [type(error).__name__]) from None
    if said.messages or not (authorization_headers(configuration) or configuration.cert_file):
        raise _plugin_failed(access, said.messages)
    return configuration


def authorization_headers(configuration: Any) -> dict[str, str]:
    """The Authorization header; asking for it runs the official client's refresh hook.

    ``auth_settings`` is public and has kept its shape over the client's versions, unlike
    ``ApiClient.update_params_for_auth``. The hook renews a token that has expired.
    """
    setting = configuration.auth_settings().get("BearerToken")
    return {"Authorization": setting["value"]} if setting and setting["value"] else {}


def _plugin_failed(access: ClusterAccess, messages: list[str]) -> ClusterError:
    identity = access.identity
    what = "exec plugin" if identity.plugin == "exec" else "auth provider"
    reason = "; ".join(message for message in messages if message) or "it gave no credentials"
    if identity.plugin == "auth-provider":
        remedy = "kubectl no longer supports most auth providers; an exec plugin replaces them."
    else:
        remedy = f"Run it by hand to see more, or log in again: {identity.plugin_command}"
    return ClusterError(
        f"{what} {identity.plugin_command!r} of kubeconfig user {access.user!r} failed: {reason}",
        remedy=remedy,
    )


class _CapturedLog(logging.Handler):
    """The official client reports a failed plugin on the root logger only; keep that off the terminal."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.messages: list[str] = []
        self._others: list[logging.Handler] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())

    def __enter__(self) -> _CapturedLog:
        root = logging.getLogger()
        self._others = root.handlers[:]
        root.handlers[:] = [self]
        return self

    def __exit__(self, *_: object) -> None:
        logging.getLogger().handlers[:] = self._others
