"""Which files are read, how they merge, and what the flags change: client-go's rules."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

import pytest
from kubeconfig_files import HERE, write_kubeconfig

from helmguard.cluster import pod_access
from helmguard.cluster.cluster_access import ClusterAccess, Pem
from helmguard.cluster.connect import default_namespace
from helmguard.cluster.kube_options import KubeOptions, with_environment
from helmguard.cluster.kubeconfig import kubeconfig_files, load_kubeconfig
from helmguard.cluster.resolve_access import resolve_access
from helmguard.errors import ClusterError

SERVER = {"server": "https://one.example:6443"}


def resolve(options: KubeOptions, environ: dict[str, str] | None = None) -> ClusterAccess:
    environ = environ or {}
    return resolve_access(options, load_kubeconfig(options.kubeconfig, environ), environ)


def test_files_are_the_flags_then_the_variables_then_home() -> None:
    environ = {"KUBECONFIG": "/a:/b:/a", "HOME": "/home/jane"}
    assert kubeconfig_files("/flag", environ) == ("/flag",)
    assert kubeconfig_files("", environ) == ("/a", "/b")
    assert kubeconfig_files("", {"HOME": "/home/jane"}) == ("/home/jane/.kube/config",)


def test_the_first_file_wins_entry_by_entry(tmp_path: Path) -> None:
    first = write_kubeconfig(
        tmp_path / "first", cluster=SERVER, context={**HERE, "namespace": "one"}, current=""
    )
    other = {"server": "https://two.example"}
    second = write_kubeconfig(
        tmp_path / "second", cluster=other, user={"token": "abc"}, context={**HERE, "namespace": "two"}
    )
    access = resolve(KubeOptions(), {"KUBECONFIG": f"/nowhere:{first}:{second}"})
    assert access.server.url == "https://one.example:6443"
    assert access.namespace == "one"
    assert access.identity.token == "abc"
    assert access.context == "here"
    assert access.files == (first, second)


def test_the_first_current_context_wins(tmp_path: Path) -> None:
    files = [write_kubeconfig(tmp_path / name, current=name) for name in ("one", "two")]
    empty = write_kubeconfig(tmp_path / "empty", current="")
    assert load_kubeconfig("", {"KUBECONFIG": ":".join([empty, *files])}).current_context == "one"


def test_relative_paths_are_those_of_the_file(tmp_path: Path) -> None:
    config = write_kubeconfig(
        tmp_path / "config",
        cluster={**SERVER, "certificate-authority": "pki/ca.crt"},
        user={"client-certificate": "/abs/client.crt", "client-key": "client.key", "tokenFile": "../token"},
        context=HERE,
    )
    access = resolve(KubeOptions(kubeconfig=config))
    assert access.server.ca.file == str(tmp_path / "pki/ca.crt")
    assert access.identity.client_certificate.file == "/abs/client.crt"
    assert access.identity.client_key.file == str(tmp_path / "client.key")
    assert access.identity.token_file == f"{tmp_path}/../token"


def test_flags_and_their_variables_override_the_file(tmp_path: Path) -> None:
    config = write_kubeconfig(
        tmp_path / "config",
        cluster={
            **SERVER,
            "certificate-authority-data": base64.b64encode(b"pem").decode(),
            "tls-server-name": "inner",
            "proxy-url": "http://proxy.example",
        },
        user={"token": "file-token", "as": "carol", "as-groups": ["g"]},
        context={**HERE, "namespace": "from-file"},
    )
    plain = resolve(KubeOptions(kubeconfig=config))
    assert plain.server.ca == Pem(data=b"pem")
    assert plain.server.tls_server_name == "inner"
    assert plain.identity.impersonate == (("Impersonate-User", "carol"), ("Impersonate-Group", "g"))
    environ = {
        "HELM_NAMESPACE": "from-env",
        "HELM_KUBEAPISERVER": "other.example",
        "HELM_KUBETOKEN": "env-token",
        "HELM_KUBECAFILE": "/ca",
        "HELM_KUBEASUSER": "jane",
        "HELM_KUBEASGROUPS": " a,b, ",
    }
    access = resolve(with_environment(KubeOptions(kubeconfig=config), environ), environ)
    assert access.namespace == "from-env"
    assert access.server.url == "https://other.example"
    assert access.server.ca == Pem("/ca")
    assert access.server.tls_server_name == ""
    assert access.server.proxy_url == "http://proxy.example"
    assert access.identity.token == "env-token"
    assert access.identity.impersonate == (
        ("Impersonate-User", "jane"),
        ("Impersonate-Group", "a"),
        ("Impersonate-Group", "b"),
    )


def test_a_flag_wins_over_its_variable() -> None:
    options = KubeOptions(namespace="flag", kube_context="flag", qps=3.0)
    filled = with_environment(
        options,
        {"HELM_NAMESPACE": "env", "HELM_KUBECONTEXT": "env", "HELM_QPS": "7", "HELM_BURST_LIMIT": "nonsense"},
    )
    assert (filled.namespace, filled.kube_context, filled.qps, filled.burst_limit) == (
        "flag",
        "flag",
        3.0,
        None,
    )
    assert with_environment(
        KubeOptions(), {"HELM_KUBEINSECURE_SKIP_TLS_VERIFY": "T"}
    ).kube_insecure_skip_tls_verify
    assert not with_environment(
        KubeOptions(), {"HELM_KUBEINSECURE_SKIP_TLS_VERIFY": "yes"}
    ).kube_insecure_skip_tls_verify


def test_skipping_verification_by_flag_drops_the_files_authority(tmp_path: Path) -> None:
    cluster = {**SERVER, "certificate-authority-data": "cGVt"}
    config = write_kubeconfig(tmp_path / "config", cluster=cluster, context={"cluster": "here"})
    server = resolve(KubeOptions(kubeconfig=config, kube_insecure_skip_tls_verify=True)).server
    assert server.insecure
    assert not server.ca


def test_a_token_by_flag_replaces_the_plugin(tmp_path: Path) -> None:
    user = {"exec": {"command": "get-token", "apiVersion": "client.authentication.k8s.io/v1"}}
    config = write_kubeconfig(tmp_path / "config", cluster=SERVER, user=user, context=HERE)
    assert resolve(KubeOptions(kubeconfig=config)).identity.plugin == "exec"
    assert resolve(KubeOptions(kubeconfig=config, kube_token="t")).identity.plugin == ""


@pytest.mark.parametrize(
    ("flag", "variable", "context", "expected"),
    [
        ("flag", "env", "file", "flag"),
        ("", "env", "file", "env"),
        ("", "", "file", "file"),
        ("", "", "", "default"),
    ],
)
def test_default_namespace(tmp_path: Path, flag: str, variable: str, context: str, expected: str) -> None:
    config = write_kubeconfig(
        tmp_path / "config", cluster=SERVER, user={}, context={**HERE, "namespace": context}
    )
    options = KubeOptions(kubeconfig=config, namespace=flag)
    assert default_namespace(options, {"HELM_NAMESPACE": variable}) == expected


def test_a_pod_is_used_only_without_a_kubeconfig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "token").write_text("t")
    (tmp_path / "namespace").write_text("pod-namespace\n")
    monkeypatch.setattr(pod_access, "SERVICE_ACCOUNT_FOLDER", tmp_path)
    environ = {"KUBERNETES_SERVICE_HOST": "fd00::1", "KUBERNETES_SERVICE_PORT": "443", "HOME": str(tmp_path)}
    pod = resolve(KubeOptions(), environ)
    assert pod.server.url == "https://[fd00::1]:443"
    assert pod.server.ca.file == str(tmp_path / "ca.crt")
    assert pod.identity.token_file == str(tmp_path / "token")
    assert pod.namespace == "pod-namespace"
    config = write_kubeconfig(tmp_path / "config", cluster=SERVER, user={}, context=HERE)
    outside = resolve(KubeOptions(kubeconfig=config), environ)
    assert outside.server.url == SERVER["server"]
    assert outside.namespace == "pod-namespace"  # as client-go has it


def test_a_server_without_scheme_gets_the_one_that_its_trust_implies(tmp_path: Path) -> None:
    plain = write_kubeconfig(tmp_path / "plain", cluster={"server": "h:1"}, context={"cluster": "here"})
    trusted = {"server": "h:1", "insecure-skip-tls-verify": True}
    secure = write_kubeconfig(tmp_path / "secure", cluster=trusted, context={"cluster": "here"})
    assert resolve(KubeOptions(kubeconfig=plain)).server.url == "http://h:1"
    assert resolve(KubeOptions(kubeconfig=secure)).server.url == "https://h:1"


@pytest.mark.parametrize(
    ("parts", "options", "message", "remedy"),
    [
        ({"context": HERE, "cluster": SERVER}, {"kube_context": "hare"}, "'hare' does not exist", "'here'"),
        ({"context": HERE, "cluster": SERVER}, {}, "user 'here', which is not in", "--kube-token"),
        ({"context": HERE}, {}, "cluster 'here', which is not in", ""),
        (
            {"context": HERE, "cluster": SERVER, "current": ""},
            {},
            "no current context",
            "Contexts there: here",
        ),
        (
            {"context": HERE, "cluster": {"tls-server-name": "x"}, "user": {}},
            {},
            "has no server",
            "--kube-apiserver",
        ),
        (
            {"context": HERE, "cluster": SERVER, "user": {"as-groups": ["x"]}},
            {},
            "but no user",
            "--kube-as-user",
        ),
        (
            {"context": HERE, "cluster": SERVER, "user": {"client-certificate": "x"}},
            {},
            "client certificate without its key",
            "",
        ),
        ({"context": HERE, "cluster": SERVER, "user": {"token": "a", "username": "b"}}, {}, "only one", ""),
    ],
)
def test_unusable_kubeconfigs(
    tmp_path: Path, parts: dict[str, object], options: dict[str, str], message: str, remedy: str
) -> None:
    config = write_kubeconfig(tmp_path / "config", **parts)  # type: ignore[arg-type]
    with pytest.raises(ClusterError, match=message) as caught:
        resolve(KubeOptions(kubeconfig=config, **options))  # type: ignore[arg-type]
    assert remedy in caught.value.remedy


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("users: [{name: a, user: {token: s3cret}}, ]]", "is not valid YAML"),
        ("- just\n- a list\n", "its top level is not a mapping"),
        ("users: {a: b}", "users is not a list"),
        ("users: [a]", "an entry of users is not a mapping"),
        ("users: [{name: a}, {name: a}]", "two users are named 'a'"),
        (json.dumps({"clusters": [{"name": "a", "cluster": {"server": 5}}]}), None),
    ],
)
def test_unreadable_kubeconfigs(tmp_path: Path, text: str, message: str | None) -> None:
    config = tmp_path / "config"
    config.write_text(text)
    if message is None:
        assert load_kubeconfig(str(config), {}).clusters == {"a": {"server": 5}}
        return
    with pytest.raises(ClusterError, match=message) as caught:
        load_kubeconfig(str(config), {})
    assert "s3cret" not in caught.value.message


def test_missing_files_matter_only_when_named_by_the_flag(tmp_path: Path) -> None:
    missing = str(tmp_path / "missing")
    with pytest.raises(ClusterError, match="does not exist"):
        load_kubeconfig(missing, {})
    assert load_kubeconfig("", {"KUBECONFIG": missing}).files == ()
    with pytest.raises(ClusterError, match=re.escape(f"there is no kubeconfig ({missing} does not exist)")):
        resolve(KubeOptions(), {"KUBECONFIG": missing})


def test_secrets_do_not_show_in_representations(tmp_path: Path) -> None:
    user = {"token": "s3cret-token", "client-key-data": base64.b64encode(b"s3cret-key").decode()}
    user["client-certificate-data"] = user["client-key-data"]
    config = write_kubeconfig(tmp_path / "config", cluster=SERVER, user=user, context=HERE)
    options = KubeOptions(kubeconfig=config, kube_token="s3cret-flag")
    shown = repr(load_kubeconfig(config, {})) + repr(resolve(options)) + repr(options)
    assert "s3cret" not in shown
