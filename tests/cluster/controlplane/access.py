"""Keys, certificates, tokens and kubeconfig files of one control plane.

Made with the `openssl` command: Python's standard library reads certificates but makes none.
"""

from __future__ import annotations

import base64
import secrets
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controlplane.errors import ClusterError

ADMIN: Final = "admin"
LIMITED: Final = "limited"
ADMIN_CERTIFICATE: Final = "admin-certificate"

_DAYS: Final = "30"
# With the extensions that X.509's strict checks ask for, which Python makes by default since 3.13.
_CA: Final = "basicConstraints = critical,CA:TRUE\nkeyUsage = critical,keyCertSign,cRLSign\n"
_LEAF: Final = "basicConstraints = critical,CA:FALSE\nauthorityKeyIdentifier = keyid\n"


@dataclass(frozen=True)
class Certificates:
    """Paths of the PEM files in one folder."""

    ca: Path
    ca_key: Path
    server: Path
    server_key: Path
    client: Path
    client_key: Path
    service_account_key: Path


def certificates_in(folder: Path) -> Certificates:
    """The files that `make_certificates` writes into a folder."""
    return Certificates(
        ca=folder / "ca.crt",
        ca_key=folder / "ca.key",
        server=folder / "server.crt",
        server_key=folder / "server.key",
        client=folder / "client.crt",
        client_key=folder / "client.key",
        service_account_key=folder / "service-account.key",
    )


def make_certificates(folder: Path) -> Certificates:
    """A certificate authority, the API server's certificate, and an admin's client certificate."""
    folder.mkdir(parents=True)
    made = certificates_in(folder)
    for key in (made.ca_key, made.server_key, made.client_key, made.service_account_key):
        _make_key(key)
    request = ["req", "-new", "-x509", "-days", _DAYS, "-config", _request_config(folder, "", _CA)]
    _openssl(*request, "-subj", "/CN=helmguard-test-ca", "-key", str(made.ca_key), "-out", str(made.ca))
    _sign(made, made.server_key, made.server, "/CN=kube-apiserver", "IP:127.0.0.1,DNS:localhost")
    _sign(made, made.client_key, made.client, "/O=system:masters/CN=admin-certificate", "")
    return made


def make_client(authority: Certificates, folder: Path, user: str, groups: Sequence[str]) -> tuple[Path, Path]:
    """One more user's client certificate and its key, as PEM files in `folder`."""
    certificate, key = folder / f"{user}.crt", folder / f"{user}.key"
    _make_key(key)
    _sign(authority, key, certificate, "".join(f"/O={group}" for group in groups) + f"/CN={user}", "")
    return certificate, key


def make_tokens() -> dict[str, str]:
    """User to bearer token: `admin` may do everything, `limited` nothing but what a test grants it."""
    return {ADMIN: secrets.token_hex(16), LIMITED: secrets.token_hex(16)}


def token_file(tokens: dict[str, str]) -> str:
    """The API server's `--token-auth-file`: token, user, uid, groups."""
    groups = {ADMIN: "system:masters", LIMITED: "helmguard:limited"}
    return "".join(f'{token},{user},{user},"{groups[user]}"\n' for user, token in tokens.items())


def kubeconfig(server: str, certificates: Certificates, tokens: dict[str, str], current: str) -> str:
    """A kubeconfig with one context for each user, named like the user; `current` is the chosen one."""
    users = [f"- name: {user}\n  user:\n    token: {token}\n" for user, token in tokens.items()]
    users.append(_certificate_user(ADMIN_CERTIFICATE, certificates.client, certificates.client_key))
    return _kubeconfig(server, certificates.ca, users, (*tokens, ADMIN_CERTIFICATE), current)


def client_kubeconfig(server: str, ca: Path, user: str, certificate: Path, key: Path) -> str:
    """A kubeconfig for the one user whom `make_client` made."""
    return _kubeconfig(server, ca, [_certificate_user(user, certificate, key)], [user], user)


def _certificate_user(user: str, certificate: Path, key: Path) -> str:
    return (
        f"- name: {user}\n"
        "  user:\n"
        f"    client-certificate-data: {_base64(certificate)}\n"
        f"    client-key-data: {_base64(key)}\n"
    )


def _kubeconfig(server: str, ca: Path, users: list[str], names: Sequence[str], current: str) -> str:
    contexts = [
        f"- name: {user}\n  context:\n    cluster: helmguard-test\n    user: {user}\n" for user in names
    ]
    return (
        "apiVersion: v1\n"
        "kind: Config\n"
        f"current-context: {current}\n"
        "clusters:\n"
        "- name: helmguard-test\n"
        "  cluster:\n"
        f"    server: {server}\n"
        f"    certificate-authority-data: {_base64(ca)}\n"
        f"users:\n{''.join(users)}"
        f"contexts:\n{''.join(contexts)}"
    )


def _base64(path: Path) -> str:
    return base64.b64encode(path.read_bytes()).decode()


def _make_key(key: Path) -> None:
    _openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", str(key))


def _sign(made: Certificates, key: Path, certificate: Path, subject: str, names: str) -> None:
    request = certificate.with_suffix(".csr")
    config = _request_config(certificate.parent, names, _LEAF)
    _openssl("req", "-new", "-config", config, "-subj", subject, "-key", str(key), "-out", str(request))
    sign = ["x509", "-req", "-days", _DAYS, "-in", str(request), "-out", str(certificate)]
    authority = ["-CA", str(made.ca), "-CAkey", str(made.ca_key), "-set_serial", str(secrets.randbits(63))]
    _openssl(*sign, *authority, "-extfile", config, "-extensions", "extensions")


def _request_config(folder: Path, names: str, extensions: str) -> str:
    """A configuration file: the options that replace it differ between OpenSSL and LibreSSL."""
    alternative = f"subjectAltName = {names}\n" if names else ""
    config = folder / "openssl.cnf"
    config.write_text(
        "[req]\ndistinguished_name = subject\nx509_extensions = extensions\nprompt = no\n"
        "[subject]\n"
        f"[extensions]\nsubjectKeyIdentifier = hash\n{extensions}{alternative}"
    )
    return str(config)


def _openssl(*words: str) -> None:
    try:
        done = subprocess.run(["openssl", *words], capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise ClusterError("the test cluster needs the `openssl` command: install it") from error
    if done.returncode != 0:
        raise ClusterError(f"openssl {words[0]} failed:\n{done.stderr[-2000:]}")
