"""Reaching the real API server: every way to prove who one is, and what goes wrong."""

from __future__ import annotations

import base64
import json
import os
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from controlplane.client import ControlPlane
from kubeconfig_files import HERE, cluster_of, exec_user, runs_of, write_kubeconfig, write_plugin

from helmguard.cluster import pod_access
from helmguard.cluster.api_errors import NotFoundError, UnauthorizedError, UnreachableError
from helmguard.cluster.connect import connect
from helmguard.cluster.connection import Connection
from helmguard.cluster.kube_options import KubeOptions
from helmguard.errors import ClusterError, PermissionDeniedError


def who_am_i(connection: Connection) -> dict[str, Any]:
    review = {"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}
    answer = connection.post_json("/apis/authentication.k8s.io/v1/selfsubjectreviews", review)
    return dict(answer["status"]["userInfo"])


def open_with(
    tmp_path: Path, control_plane: ControlPlane, user: dict[str, Any], **cluster: Any
) -> Connection:
    config = write_kubeconfig(
        tmp_path / "config", cluster=cluster_of(control_plane, **cluster), user=user, context=HERE
    )
    return connect(KubeOptions(kubeconfig=config), {})


def token_status(control_plane: ControlPlane) -> str:
    return f"status = {{'token': {control_plane.token!r}}}"


def test_a_token(tmp_path: Path, control_plane: ControlPlane) -> None:
    assert who_am_i(open_with(tmp_path, control_plane, {"token": control_plane.token}))["username"] == "admin"


def test_client_certificate_from_data_and_from_files(tmp_path: Path, control_plane: ControlPlane) -> None:
    inline = connect(
        KubeOptions(kubeconfig=str(control_plane.kubeconfig), kube_context="admin-certificate"), {}
    )
    assert who_am_i(inline)["username"] == "admin-certificate"
    files = control_plane.ca.parent
    user = {"client-certificate": str(files / "client.crt"), "client-key": str(files / "client.key")}
    assert who_am_i(open_with(tmp_path, control_plane, user))["username"] == "admin-certificate"


def test_a_token_file_is_read_again_after_a_401(tmp_path: Path, control_plane: ControlPlane) -> None:
    token = tmp_path / "token"
    token.write_text("old")
    connection = open_with(tmp_path, control_plane, {"tokenFile": "token"})
    with pytest.raises(UnauthorizedError):
        who_am_i(connection)
    token.write_text(f"{control_plane.token}\n")
    assert who_am_i(connection)["username"] == "admin"


def test_the_service_account_of_a_pod(
    tmp_path: Path, control_plane: ControlPlane, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "token").write_text(control_plane.token)
    (tmp_path / "ca.crt").write_bytes(control_plane.ca.read_bytes())
    monkeypatch.setattr(pod_access, "SERVICE_ACCOUNT_FOLDER", tmp_path)
    host, _, port = control_plane.server.removeprefix("https://").rpartition(":")
    environ = {"KUBERNETES_SERVICE_HOST": host, "KUBERNETES_SERVICE_PORT": port, "HOME": str(tmp_path)}
    assert who_am_i(connect(KubeOptions(), environ))["username"] == "admin"


def test_impersonation_sends_each_group_by_itself(control_plane: ControlPlane) -> None:
    options = KubeOptions(
        kubeconfig=str(control_plane.kubeconfig), kube_as_user="jane", kube_as_group=("a b", "c,d")
    )
    user = who_am_i(connect(options, {}))
    assert (user["username"], user["groups"]) == ("jane", ["a b", "c,d", "system:authenticated"])


def test_an_exec_plugins_token(tmp_path: Path, control_plane: ControlPlane) -> None:
    plugin = write_plugin(
        tmp_path / "plugin", sys.executable, f"status = {{'token': {control_plane.token!r}}}"
    )
    connection = open_with(tmp_path, control_plane, exec_user(plugin))
    assert who_am_i(connection)["username"] == "admin"
    assert who_am_i(connection)["username"] == "admin"
    assert runs_of(plugin) == 1


def test_an_expired_plugin_token_is_renewed_by_the_refresh_hook(
    tmp_path: Path, control_plane: ControlPlane
) -> None:
    lines = (
        f"status = {{'token': {control_plane.token!r} if runs > 1 else 'first',"
        " 'expirationTimestamp': '2000-01-01T00:00:00Z' if runs == 1 else '2999-01-01T00:00:00Z'}"
    )
    plugin = write_plugin(tmp_path / "plugin", sys.executable, lines)
    connection = open_with(tmp_path, control_plane, exec_user(plugin))
    assert who_am_i(connection)["username"] == "admin"
    who_am_i(connection)
    assert runs_of(plugin) == 2


def test_a_plugin_is_asked_again_once_after_a_401(tmp_path: Path, control_plane: ControlPlane) -> None:
    lines = f"status = {{'token': {control_plane.token!r} if runs > 1 else 'revoked'}}"
    plugin = write_plugin(tmp_path / "plugin", sys.executable, lines)
    assert who_am_i(open_with(tmp_path, control_plane, exec_user(plugin)))["username"] == "admin"
    assert runs_of(plugin) == 2
    bad = write_plugin(tmp_path / "bad", sys.executable, "status = {'token': 'revoked'}")
    with pytest.raises(UnauthorizedError, match="kubeconfig user 'here'"):
        who_am_i(open_with(tmp_path, control_plane, exec_user(bad)))
    assert runs_of(bad) == 2


def test_an_exec_plugins_client_certificate(tmp_path: Path, control_plane: ControlPlane) -> None:
    files = control_plane.ca.parent
    lines = (
        f"status = {{'clientCertificateData': pathlib.Path({str(files / 'client.crt')!r}).read_text(),"
        f" 'clientKeyData': pathlib.Path({str(files / 'client.key')!r}).read_text()}}"
    )
    plugin = write_plugin(tmp_path / "plugin", sys.executable, lines)
    assert who_am_i(open_with(tmp_path, control_plane, exec_user(plugin)))["username"] == "admin-certificate"


def test_a_plugin_gets_its_arguments_and_environment(tmp_path: Path, control_plane: ControlPlane) -> None:
    lines = "import os\nstatus = {'token': os.environ['PART'] + sys.argv[1]}"
    (tmp_path / "bin").mkdir()
    plugin = write_plugin(tmp_path / "bin/plugin", sys.executable, lines)
    token = control_plane.token
    user = exec_user(Path("bin/plugin"), args=[token[5:]], env=[{"name": "PART", "value": token[:5]}])
    assert who_am_i(open_with(tmp_path, control_plane, user))["username"] == "admin"
    assert runs_of(plugin) == 1


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("sys.exit('please log in first')", "please log in first"),
        ("status = {}", "missing token or clientCertificateData"),
        ("print('no json'); status = 1", "failed to decode process output"),
    ],
)
def test_a_failing_plugin_is_named_and_keeps_quiet(
    tmp_path: Path, control_plane: ControlPlane, capfd: pytest.CaptureFixture[str], lines: str, reason: str
) -> None:
    plugin = write_plugin(tmp_path / "plugin", sys.executable, lines)
    with pytest.raises(
        ClusterError, match=r"exec plugin .*plugin' of kubeconfig user 'here' failed"
    ) as caught:
        open_with(tmp_path, control_plane, exec_user(plugin))
    assert reason in caught.value.message
    assert str(plugin) in caught.value.remedy
    assert capfd.readouterr() == ("", "")


def test_a_plugin_that_is_not_installed(tmp_path: Path, control_plane: ControlPlane) -> None:
    with pytest.raises(ClusterError, match="no-such-plugin"):
        open_with(tmp_path, control_plane, exec_user(Path("no-such-plugin")))


def test_an_oidc_token_that_is_still_valid(tmp_path: Path, control_plane: ControlPlane) -> None:
    claims = base64.urlsafe_b64encode(json.dumps({"exp": 32503680000}).encode()).decode().rstrip("=")
    provider = {"name": "oidc", "config": {"id-token": f"e30.{claims}.e30", "idp-issuer-url": "https://x"}}
    connection = open_with(tmp_path, control_plane, {"auth-provider": provider})
    # This cluster trusts no issuer; that the token was sent is what its refusal shows.
    with pytest.raises(UnauthorizedError):
        who_am_i(connection)


def test_two_files_with_the_exec_user_in_the_second(tmp_path: Path, control_plane: ControlPlane) -> None:
    plugin = write_plugin(
        tmp_path / "plugin", sys.executable, f"status = {{'token': {control_plane.token!r}}}"
    )
    first = write_kubeconfig(tmp_path / "first", cluster=cluster_of(control_plane), context=HERE)
    second = write_kubeconfig(tmp_path / "second", user=exec_user(plugin), current="other")
    connection = connect(KubeOptions(), {"KUBECONFIG": f"{first}{os.pathsep}{second}"})
    assert who_am_i(connection)["username"] == "admin"


def test_a_closed_port_is_named_with_a_remedy(control_plane: ControlPlane) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    options = KubeOptions(
        kubeconfig=str(control_plane.kubeconfig), kube_apiserver=f"https://127.0.0.1:{port}"
    )
    with pytest.raises(UnreachableError, match=rf"127\.0\.0\.1:{port}: connection refused") as caught:
        connect(options, {}).get_json("/version")
    assert "Is the cluster running?" in caught.value.remedy


def test_a_host_that_does_not_exist(control_plane: ControlPlane) -> None:
    options = KubeOptions(
        kubeconfig=str(control_plane.kubeconfig), kube_apiserver="https://no-host.invalid:1"
    )
    with pytest.raises(UnreachableError, match=r"no-host\.invalid:1: the host name cannot be resolved"):
        connect(options, {}).get_json("/version")


def test_a_wrong_authority(tmp_path: Path, control_plane: ControlPlane) -> None:
    other = tmp_path / "other.crt"
    other.write_text(_OTHER_AUTHORITY)
    options = KubeOptions(kubeconfig=str(control_plane.kubeconfig), kube_ca_file=str(other))
    with pytest.raises(UnreachableError, match="signed by an unknown authority") as caught:
        connect(options, {}).get_json("/version")
    assert "--kube-ca-file" in caught.value.remedy
    unchecked = KubeOptions(kubeconfig=str(control_plane.kubeconfig), kube_insecure_skip_tls_verify=True)
    assert connect(unchecked, {}).get_json("/version")["major"] == "1"


def test_a_certificate_may_be_trusted_without_its_authority(control_plane: ControlPlane) -> None:
    """As in Go: what is in the trusted file needs no chain to a root."""
    server_certificate = control_plane.ca.parent / "server.crt"
    options = KubeOptions(kubeconfig=str(control_plane.kubeconfig), kube_ca_file=str(server_certificate))
    assert connect(options, {}).get_json("/version")["major"] == "1"


@pytest.mark.parametrize("content", ["", "not a certificate"])
def test_an_unusable_authority_file(tmp_path: Path, control_plane: ControlPlane, content: str) -> None:
    (tmp_path / "ca.crt").write_text(content)
    for file, message in ((tmp_path / "ca.crt", "no usable certificate"), (tmp_path / "gone", "not exist")):
        options = KubeOptions(kubeconfig=str(control_plane.kubeconfig), kube_ca_file=str(file))
        with pytest.raises(ClusterError, match=message):
            connect(options, {})


def test_an_unusable_client_certificate(tmp_path: Path, control_plane: ControlPlane) -> None:
    garbage = base64.b64encode(b"s3cret").decode()
    for user in (
        {"client-certificate-data": garbage, "client-key-data": garbage},
        {"client-certificate": str(control_plane.ca), "client-key": str(control_plane.ca)},
        {"client-certificate": "gone", "client-key": "gone"},
    ):
        with pytest.raises(ClusterError, match="client certificate") as caught:
            open_with(tmp_path, control_plane, user)
        assert "s3cret" not in str(caught.value)


def test_the_servers_certificate_may_be_for_another_name(control_plane: ControlPlane) -> None:
    wrong = KubeOptions(kubeconfig=str(control_plane.kubeconfig), kube_tls_server_name="elsewhere.example")
    with pytest.raises(UnreachableError, match="for another host name") as caught:
        connect(wrong, {}).get_json("/version")
    assert "--kube-tls-server-name" in caught.value.remedy
    right = KubeOptions(kubeconfig=str(control_plane.kubeconfig), kube_tls_server_name="localhost")
    assert connect(right, {}).get_json("/version")["major"] == "1"


def test_a_refused_token_is_never_shown(control_plane: ControlPlane) -> None:
    options = KubeOptions(kubeconfig=str(control_plane.kubeconfig), kube_token="s3cret-token")
    connection = connect(options, {})
    with pytest.raises(UnauthorizedError, match="did not accept the credentials of this user") as caught:
        connection.get_json("/api/v1/namespaces")
    assert "s3cret" not in repr(caught.value) + caught.value.remedy + repr(connection) + repr(
        vars(connection)
    )


def test_an_expired_token_says_since_when(control_plane: ControlPlane) -> None:
    claims = base64.urlsafe_b64encode(b'{"exp": 1700000000}').decode().rstrip("=")
    options = KubeOptions(kubeconfig=str(control_plane.kubeconfig), kube_token=f"e30.{claims}.e30")
    with pytest.raises(UnauthorizedError, match=r"the token expired \d+ days ago"):
        connect(options, {}).get_json("/api/v1/namespaces")


def test_http_is_answered_with_what_to_change(control_plane: ControlPlane) -> None:
    server = control_plane.server.replace("https", "http")
    connection = connect(KubeOptions(kubeconfig=str(control_plane.kubeconfig), kube_apiserver=server), {})
    with pytest.raises(UnreachableError, match="speaks TLS and was asked without it") as caught:
        connection.get_json("/version")
    assert "https://" in caught.value.remedy


def test_forbidden_and_not_found(control_plane: ControlPlane, connection: Connection) -> None:
    user = connect(KubeOptions(kubeconfig=str(control_plane.as_limited().kubeconfig)), {})
    with pytest.raises(PermissionDeniedError, match='User "limited" cannot list resource "nodes"'):
        user.get_json("/api/v1/nodes")
    with pytest.raises(NotFoundError) as missing:
        connection.get_json("/api/v1/namespaces/no-such-namespace")
    assert not missing.value.path_unknown
    with pytest.raises(NotFoundError) as unserved:
        connection.get_json("/apis/no.such.group/v1/things/x")
    assert unserved.value.path_unknown


def test_lists_come_in_pages(control_plane: ControlPlane, connection: Connection, namespace: str) -> None:
    path = f"/api/v1/namespaces/{namespace}/configmaps"
    for number in range(7):
        control_plane.create(path, {"metadata": {"name": f"c{number}", "labels": {"odd": str(number % 2)}}})
    odd = connection.list_all(path, {"labelSelector": "odd=1"}, limit=2)
    assert [item["metadata"]["name"] for item in odd] == ["c1", "c3", "c5"]
    every = connection.collect(path, lambda item: item["metadata"]["name"], limit=3)
    assert {f"c{number}" for number in range(7)} <= set(every)


def test_through_a_proxy_with_a_password(
    tmp_path: Path, control_plane: ControlPlane, connect_proxy: tuple[str, list[str]]
) -> None:
    address, seen = connect_proxy
    user = {"token": control_plane.token}
    connection = open_with(tmp_path, control_plane, user, **{"proxy-url": f"http://jo:p%40ss@{address}"})
    assert who_am_i(connection)["username"] == "admin"
    login = base64.b64encode(b"jo:p@ss").decode()
    assert seen == [f"CONNECT {control_plane.server.removeprefix('https://')} basic {login}".lower()]


def test_a_proxy_that_is_not_there(tmp_path: Path, control_plane: ControlPlane) -> None:
    with pytest.raises(UnreachableError, match="the proxy failed") as caught:
        who_am_i(open_with(tmp_path, control_plane, {}, **{"proxy-url": "http://127.0.0.1:1"}))
    assert "proxy-url" in caught.value.remedy
    with pytest.raises(ClusterError, match="proxy scheme 'ftp'"):
        open_with(tmp_path, control_plane, {}, **{"proxy-url": "ftp://127.0.0.1:1"})


@pytest.fixture
def connect_proxy() -> Iterator[tuple[str, list[str]]]:
    """A CONNECT proxy on this machine: its address, and each request's first line with its login."""
    seen: list[str] = []
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=_tunnel, args=(client, seen), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    yield f"127.0.0.1:{listener.getsockname()[1]}", seen
    listener.close()


def _tunnel(client: socket.socket, seen: list[str]) -> None:
    head = b""
    while b"\r\n\r\n" not in head:
        head += client.recv(4096)
    lines = head.decode().lower().split("\r\n")
    login = next((line.split(": ", 1)[1] for line in lines if line.startswith("proxy-authorization")), "")
    method, target, _ = lines[0].split(" ")
    seen.append(f"{method} {target} {login}")
    host, _, port = target.rpartition(":")
    server = socket.create_connection((host, int(port)))
    client.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    threading.Thread(target=_copy, args=(server, client), daemon=True).start()
    _copy(client, server)


def _copy(source: socket.socket, target: socket.socket) -> None:
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass
    finally:
        target.close()


_OTHER_AUTHORITY = """-----BEGIN CERTIFICATE-----
MIIBjzCCATWgAwIBAgIUKDT+smsVBcNVa3KOwJcsPCZZuEgwCgYIKoZIzj0EAwIw
HDEaMBgGA1UEAwwRYW5vdGhlciBhdXRob3JpdHkwIBcNMjYxMTMwMDMyMzI0WhgP
MjEyNjExMDYwMzIzMjRaMBwxGjAYBgNVBAMMEWFub3RoZXIgYXV0aG9yaXR5MFkw
EwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE4RMkPFpVcg6HCYqHNRWxJYmJD+svXfJm
h+piY28lB9OBQFjx9Ih0i/5uFLPS2ME5MrmmYBYEoyOw+LX0eOLjUKNTMFEwHQYD
VR0OBBYEFKlsq5Kt96eqtcL+Wyc2dcp34k9wMB8GA1UdIwQYMBaAFKlsq5Kt96eq
tcL+Wyc2dcp34k9wMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIh
AIHZAQ3kln5pgI7HsaQAjAzRvAQcPd3WUqOmBZhVggP5AiA66sDRfng6Q4J6Ld/V
yvO6s6loAfdq5O1z5ugFWkDyWw==
-----END CERTIFICATE-----"""
