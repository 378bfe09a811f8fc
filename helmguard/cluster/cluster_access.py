"""How the API server is reached: its address, how to trust it, who to be."""

from __future__ import annotations

import msgspec

from helmguard.model.unshown import Unshown


class Pem(Unshown, frozen=True):
    """A certificate or key: a file, or its bytes (which win, as in client-go); both empty: none."""

    file: str = ""
    data: bytes = b""

    def __bool__(self) -> bool:
        return bool(self.file or self.data)


class ServerAddress(msgspec.Struct, frozen=True):
    """Where the API server is and how to know it; ``url`` has a scheme and no trailing slash."""

    url: str
    ca: Pem = Pem()
    insecure: bool = False
    tls_server_name: str = ""
    proxy_url: str = ""
    compression: bool = True


class UserIdentity(Unshown, frozen=True):
    """Who to be. ``plugin`` is ``exec`` or ``auth-provider`` where the official client has to find out.

    ``impersonate`` holds request headers, a name may repeat.
    """

    token: str = ""
    token_file: str = ""
    username: str = ""
    password: str = ""
    client_certificate: Pem = Pem()
    client_key: Pem = Pem()
    plugin: str = ""
    plugin_command: str = ""
    impersonate: tuple[tuple[str, str], ...] = ()


class ClusterAccess(msgspec.Struct, frozen=True):
    """The resolved access; ``context`` and ``user`` are kubeconfig names, empty in a pod."""

    server: ServerAddress
    identity: UserIdentity
    namespace: str
    context: str = ""
    user: str = ""
    files: tuple[str, ...] = ()
