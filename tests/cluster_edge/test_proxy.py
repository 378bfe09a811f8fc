"""Which proxy a server is reached through: the rules of Go's httpproxy."""

from __future__ import annotations

import pytest

from helmguard.cluster.proxy import proxy_for

PROXY = {"HTTPS_PROXY": "http://proxy.example:3128"}


@pytest.mark.parametrize(
    ("server", "kubeconfig", "environ", "expected"),
    [
        ("https://api.example:6443", "", {}, ""),
        ("https://api.example:6443", "", PROXY, "http://proxy.example:3128"),
        ("https://api.example:6443", "", {"https_proxy": "proxy.example:1"}, "http://proxy.example:1"),
        ("https://api.example:6443", "", {"HTTP_PROXY": "http://proxy.example"}, ""),
        ("http://api.example:6443", "", {"HTTP_PROXY": "http://proxy.example"}, "http://proxy.example"),
        ("https://api.example:6443", "socks5://p:1", PROXY, "socks5://p:1"),
        ("https://127.0.0.1:6443", "", PROXY, ""),
        ("https://[::1]:6443", "", PROXY, ""),
        ("https://localhost:6443", "", PROXY, ""),
        ("https://localhost:6443", "http://p:1", PROXY, "http://p:1"),
    ],
)
def test_which_setting_counts(server: str, kubeconfig: str, environ: dict[str, str], expected: str) -> None:
    assert proxy_for(server, kubeconfig, environ) == expected


@pytest.mark.parametrize(
    ("server", "no_proxy", "direct"),
    [
        ("https://api.example:6443", "*", True),
        ("https://api.example:6443", "example", True),
        ("https://api.example:6443", "api.example", True),
        ("https://api.example:6443", "API.EXAMPLE", True),
        ("https://api.example:6443", ".example", True),
        ("https://api.example:6443", "*.example", True),
        ("https://example", ".example", False),
        ("https://example", "*.example", False),
        ("https://example", "example", True),
        ("https://myexample", "example", False),
        ("https://api.example:6443", "other, api.example:6443", True),
        ("https://api.example:6443", "api.example:443", False),
        ("https://api.example", "api.example:443", True),
        ("https://10.1.2.3:6443", "10.0.0.0/8", True),
        ("https://11.1.2.3:6443", "10.0.0.0/8", False),
        ("https://10.1.2.3:6443", "10.1.2.3", True),
        ("https://10.1.2.3:6443", "10.1.2.3:80", False),
        ("https://[fd00::5]:6443", "fd00::/16", True),
        ("https://[fd00::5]:6443", "[fd00::5]:6443", True),
        ("https://[fd00::5]:6443", "fd00::5", True),
        ("https://api.example", "10.0.0.0/8", False),
        ("https://api.example", "nonsense/8, , :443", False),
    ],
)
def test_exceptions(server: str, no_proxy: str, direct: bool) -> None:
    assert (proxy_for(server, "", {**PROXY, "no_proxy": no_proxy}) == "") == direct
