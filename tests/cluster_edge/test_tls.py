"""The TLS context that all connections to one API server share."""

from __future__ import annotations

import ssl

import pytest

from helmguard.cluster.cluster_access import Pem, ServerAddress
from helmguard.cluster.tls import tls_context


def greeting(context: ssl.SSLContext) -> bytes:
    """The first message that a client with this context sends."""
    outgoing = ssl.MemoryBIO()
    with pytest.raises(ssl.SSLWantReadError):
        context.wrap_bio(ssl.MemoryBIO(), outgoing, server_hostname="localhost").do_handshake()
    return outgoing.read()


@pytest.mark.parametrize("insecure", [True, False])
def test_no_connection_changes_what_another_thread_may_be_reading(insecure: bool) -> None:
    """urllib3 sets the names for each connection; done while another one greets, that greeting is garbage."""
    context = tls_context(ServerAddress("https://localhost", insecure=insecure), Pem(), Pem())
    assert b"http/1.1" in greeting(context)
    context.set_alpn_protocols(["other"])
    assert b"http/1.1" in greeting(context)
    assert b"other" not in greeting(context)
