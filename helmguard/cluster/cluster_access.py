"""How the API server is reached: its address, how to trust it, who to be."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Pem:
    """A certificate or key: a file, or its bytes (which win, as in client-go); both empty: none."""

    file: str = ""
    data: bytes = field(default=b"", repr=False)

    def __bool__(self) -> bool:
        return bool(self.file or self.data)


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Where the API server is and how to know it; ``url`` has a scheme and no trailing slash."""

    url: str
    ca: Pem = Pem()
    insecure: bool = False
    tls_server_name: str = ""
    proxy_url: str = ""
    compression: bool = True


@dataclass(frozen=True, slots=True)
class UserIdentity:
    """Who to be. ``plugin`` is ``exec`` or ``auth-provider`` where the official client has to find out.

    ``impersonate`` holds request headers, a name may repeat.
    """

    token: str = field(default="", repr=False)
    token_file: str = ""
    username: str = ""
    password: str = field(default="", repr=False)
    client_certificate: Pem = Pem()
    client_key: Pem = Pem()
    plugin: str = ""
    plugin_command: str = ""
    impersonate: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ClusterAccess:
    """The resolved access; ``context`` and ``user`` are kubeconfig names, empty in a pod."""

    server: ServerAddress
    identity: UserIdentity
    namespace: str
    context: str = ""
    user: str = ""
    files: tuple[str, ...] = ()
