"""Which proxy leads to the API server, by Go's rules.

Source: golang.org/x/net http/httpproxy, which client-go uses for the environment variables; a kubeconfig's
``proxy-url`` always wins and knows no exceptions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv6Address

    Address: TypeAlias = IPv4Address | IPv6Address

_DEFAULT_PORTS = {"https": 443, "http": 80}


def proxy_for(server_url: str, kubeconfig_proxy: str, environ: Mapping[str, str]) -> str:
    """The proxy's URL with its scheme, empty for a direct connection."""
    if kubeconfig_proxy:
        return kubeconfig_proxy
    server = urlsplit(server_url)
    upper, lower = f"{server.scheme}_proxy".upper(), f"{server.scheme}_proxy"
    proxy = environ.get(upper) or environ.get(lower) or ""
    if not proxy:
        return ""
    host = (server.hostname or "").lower()
    port = server.port or _DEFAULT_PORTS.get(server.scheme, 443)
    if _goes_direct(host, port, environ.get("NO_PROXY") or environ.get("no_proxy") or ""):
        return ""
    return proxy if "://" in proxy else f"http://{proxy}"


def _goes_direct(host: str, port: int, no_proxy: str) -> bool:
    address = _address(host)
    if host == "localhost" or (address is not None and address.is_loopback):
        return True
    entries = [entry.strip().lower() for entry in no_proxy.split(",")]
    return any(entry and _matches(entry, host, port, address) for entry in entries)


def _matches(entry: str, host: str, port: int, address: Address | None) -> bool:
    if entry == "*":
        return True
    if "/" in entry:
        from ipaddress import ip_network

        try:
            return address is not None and address in ip_network(entry, strict=False)
        except ValueError:
            return False
    name, wanted_port = _split_port(entry)
    if not name or (wanted_port and wanted_port != str(port)):
        return False
    listed = _address(name)
    if listed is not None:
        return listed == address
    suffix = name.removeprefix("*")
    if suffix.startswith("."):
        return host.endswith(suffix)
    return host == suffix or host.endswith(f".{suffix}")


def _split_port(entry: str) -> tuple[str, str]:
    if entry.startswith("["):
        name, _, rest = entry[1:].partition("]")
        return name, rest.removeprefix(":")
    if entry.count(":") == 1:
        name, _, port = entry.partition(":")
        return name, port
    return entry, ""


def _address(text: str) -> Address | None:
    from ipaddress import ip_address

    try:
        return ip_address(text)
    except ValueError:
        return None
