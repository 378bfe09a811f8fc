"""TLS settings of the connection, with the leniency that Go has and OpenSSL lacks."""

from __future__ import annotations

import contextlib
import ssl
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Self

from helmguard.cluster.cluster_access import Pem, ServerAddress
from helmguard.errors import ClusterError


class SharedContext(ssl.SSLContext):
    """A client context for connections that several threads open at once.

    urllib3 sets the protocol names anew for each connection. OpenSSL frees the old names while another thread
    may be copying them into its greeting (Python holds no lock there), and the server then refuses that
    connection: "tlsv1 alert decode error". Here they are set once, before any thread can see the context.
    """

    def __new__(cls) -> Self:
        context = super().__new__(cls, ssl.PROTOCOL_TLS_CLIENT)
        ssl.SSLContext.set_alpn_protocols(context, ["http/1.1"])
        return context

    def set_alpn_protocols(self, alpn_protocols: Iterable[str]) -> None:
        """Does nothing: see above."""


def tls_context(server: ServerAddress, certificate: Pem, key: Pem) -> ssl.SSLContext:
    """A client context that trusts the server's CA and shows the client certificate, if there is one.

    Raises:
        ClusterError: a file is missing, or is not a certificate or key.
    """
    context = _trusting(server)
    # Cluster CAs often lack extensions that strict checking wants, or are used without their root.
    # Go accepts both, so a cluster that helm reaches must be reachable here.
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    if server.insecure:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    if certificate:
        _show_certificate(context, certificate, key)
    return context


def _trusting(server: ServerAddress) -> ssl.SSLContext:
    context = SharedContext()
    if server.insecure:
        return context
    if not server.ca:
        context.load_default_certs()
        if not context.cert_store_stats()["x509_ca"]:
            _load_bundled_authorities(context)
        return context
    try:
        if server.ca.data:
            context.load_verify_locations(cadata=server.ca.data.decode("ascii", errors="replace"))
        else:
            context.load_verify_locations(cafile=server.ca.file)
    except FileNotFoundError:
        raise ClusterError(f"certificate authority file {server.ca.file} does not exist") from None
    except (ssl.SSLError, OSError):
        name = server.ca.file or "certificate-authority-data in the kubeconfig"
        raise ClusterError(f"{name} holds no usable certificate") from None
    return context


def _load_bundled_authorities(context: ssl.SSLContext) -> None:
    """Some Python builds find no system certificates; use certifi's where it is installed."""
    with contextlib.suppress(ImportError):
        import certifi

        context.load_verify_locations(cafile=certifi.where())


def _show_certificate(context: ssl.SSLContext, certificate: Pem, key: Pem) -> None:
    with _as_file(certificate) as certificate_file, _as_file(key) as key_file:
        try:
            # An empty password: an encrypted key must fail here, not ask on the terminal.
            context.load_cert_chain(certificate_file, key_file, password="")
        except FileNotFoundError as error:
            raise ClusterError(
                f"client certificate or key {error.filename or certificate.file} does not exist"
            ) from None
        except (ssl.SSLError, OSError):
            raise ClusterError(
                "the kubeconfig's client certificate and key cannot be used",
                remedy="The key may be encrypted, or belong to another certificate.",
            ) from None


@contextlib.contextmanager
def _as_file(pem: Pem) -> Iterator[str]:
    """The PEM's path; bytes go into a file of this user alone that is gone afterwards."""
    if not pem.data:
        yield pem.file
        return
    with tempfile.TemporaryDirectory(prefix="helmguard-") as folder:
        path = Path(folder) / "pem"
        path.touch(mode=0o600)
        path.write_bytes(pem.data)
        yield str(path)
