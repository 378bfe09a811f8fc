"""Credentials leave no node, in whatever spelling they stand in its files."""

from __future__ import annotations

import gzip
import json
import random
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from node_roots import gpu_node, write_root

from helmguard.containerd.toml_text import toml_document
from helmguard.node_facts.archive import facts_to_dict, pack
from helmguard.node_facts.collect import collect_node
from helmguard.node_facts.redact import redact
from helmguard.node_facts.secret_keys import DROPPED

CANARY = re.compile(r"CANARY\d*")

TOML = (
    r'''
version = 2
[plugins."io.containerd.grpc.v1.cri".registry.configs."registry.example.com".auth]
  username = "CANARY1"
  password = """CANARY2
  CANARY3
"""
  auth = 'CANARY4'
  identitytoken = "CAN\u0041RY5" # password = "CANARY6"
  #token = CANARY17
  odd = ["CANARY18"]
[plugins."io.containerd.grpc.v1.cri".registry]
  auths = {"https://x" = {username = "CANARY7", "password" = 'CANARY8'}}
  headers = {Authorization = ["Basic CANARY9", "CANARY10"], x = [[
     "CANARY11"]]}
  [plugins."io.containerd.grpc.v1.cri".registry.mirrors."https://u:CANARY12@host"]
    endpoint = ["https://u:CANARY13@host:5000/v2", "https://CANARY14@host", "https://host:5000/a@sha256:1"]
  configs."a".auth.password = "CANARY15"
  configs.b.auth."pass\u0077ord" = '''
    + "'''CANARY19'''"
    + r'''
  configs.a.tls.key_file = "/keep/me"
[proxy_plugins.x.exports]
  TOKEN = "CANARY20"
  query = "https://host/?access_token=CANARY21&x=1"
  header = "Authorization: Bearer CANARY22abc"
[plugins.x.runtimes.secret.options]
  BinaryName = "/keep/too"
[p]
  p = """
-----BEGIN RSA PRIVATE KEY-----
CANARY16
-----END RSA PRIVATE KEY-----
"""
'''
)


def test_toml_keeps_lines_types_and_all_else() -> None:
    redacted, count = redact("/config.toml", TOML)
    assert not CANARY.search(redacted)
    assert count >= 20
    assert redacted.count("\n") == TOML.count("\n")
    found = tomllib.loads(redacted)
    assert found["version"] == 2
    assert found["plugins"]["x"]["runtimes"]["secret"]["options"]["BinaryName"] == "/keep/too"
    assert '"/keep/me"' in redacted
    assert '"https://host:5000/a@sha256:1"' in redacted
    for line, before in zip(redacted.split("\n"), TOML.split("\n"), strict=True):
        assert line.partition("=")[0] == before.partition("=")[0] or "CANARY" in before or "PRIVATE" in before


def test_a_second_time_changes_nothing() -> None:
    once, _ = redact("/config.toml", TOML)
    assert redact("/config.toml", once) == (once, 0)


@pytest.mark.parametrize(
    ("value", "after"),
    [
        ('"x"', f'"{DROPPED}"'),
        ("12345", "0"),
        ("0x1F", "0"),
        ("1.5e3", "0.0"),
        ("true", "true"),
        ("1999-01-02", "1970-01-01"),
        ('["x", 5]', f'["{DROPPED}", 0]'),
        ('""', '""'),
        ('"""\r\nx\r\n"""', f'"""{DROPPED}\r\n\r\n"""'),
    ],
)
def test_values_are_replaced_by_such_of_their_type(value: str, after: str) -> None:
    assert redact("/a.toml", f"[auth]\npassword = {value}\n")[0] == f"[auth]\npassword = {after}\n"


@pytest.mark.parametrize(
    "text",
    [
        '[auth]\npassword = "CANARY',
        '[auth]\npassword = """CANARY\nCANARY2',
        "[auth]\npassword = CANARY\n",
        '[auth\npassword = "CANARY"\n',
        'auth = { password = "CANARY"\nusername = "CANARY2"\n',
        'x = [\n[auth]\nodd = "CANARY"\n',
        "password CANARY = 'CANARY2'\n",
        'password  "CANARY"\n',
        '= = =\nendpoint = ["https://u:CANARY@host"\n',
        'endpoint = ["https://u:CANARY',
        'password = ""CANARY\nCANARY2\n"""\n',
        '[auth]\npassword = "CAN\\qCANARY"\n',
    ],
)
def test_a_broken_file_gives_nothing_away_and_stays_broken(text: str) -> None:
    redacted, _ = redact("/config.toml", text)
    assert not CANARY.search(redacted)
    assert redacted.count("\n") == text.count("\n")
    with pytest.raises(tomllib.TOMLDecodeError):
        tomllib.loads(redacted)


def test_wherever_a_file_is_cut_off() -> None:
    for end in range(0, len(TOML), 5):
        redacted, _ = redact("/config.toml", TOML[:end])
        # The user's name of a URL without its @ is a host's.
        left = set(CANARY.findall(redacted)) - {"CANARY14", "CANARY1"}
        assert not left or "https://CANARY14" in TOML[end - 20 : end], (end, left)


_NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=6)
_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.text(max_size=8) | st.integers(-9, 9) | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAMES, inner, max_size=3),
    max_leaves=8,
)


@given(
    st.dictionaries(_NAMES, _VALUES, max_size=4),
    st.lists(st.sampled_from(["auth", "registry", "a", "headers", "x.y", "auths"]), min_size=1, max_size=4),
    st.sampled_from(["password", "auth", "identitytoken", "username", "Authorization", "registry-token"]),
)
def test_generated_files_keep_their_shape(others: dict[str, Any], above: list[str], key: str) -> None:
    table: dict[str, Any] = {key: "CANARY", "list": [1, "two"]}
    for name in reversed(above):
        table = {name: table}
    text = toml_document({**others, **table})
    redacted, _ = redact("/config.toml", text)
    assert "CANARY" not in redacted
    assert redacted.count("\n") == text.count("\n")
    assert _shape(tomllib.loads(redacted)) == _shape(tomllib.loads(text))


def _shape(value: Any) -> Any:
    if isinstance(value, dict):
        return [(len(key) > 0, _shape(item)) for key, item in value.items()]
    return [_shape(item) for item in value] if isinstance(value, list) else type(value)


@given(st.integers(0, 1 << 32))
def test_no_damage_to_a_file_makes_it_slow_or_moves_lines(seed: int) -> None:
    chosen = random.Random(seed)
    text = "".join(chosen.choice(TOML) for _ in range(200))
    assert redact("/config.toml", text)[0].count("\n") == text.count("\n")


def test_long_lines_of_what_credentials_look_like() -> None:
    # Were one of the patterns quadratic, this would not end.
    for piece in ("a-", "?token", "password", '"', "[", "{", "basic ", "a:b@", "-----BEGIN PRIVATE KEY", "="):
        redact("/config.toml", piece * 10_000)


def test_yaml_and_json() -> None:
    text = """\
authentication:
  webhook: {enabled: true}
authorization:
  mode: Webhook
staticPodURLHeader:
  Authorization:
  - Basic CANARY1
  X-Other: [CANARY2]
cgroupDriver: systemd
env:
- API_TOKEN=CANARY3
password: "CANARY4"
token: |
  CANARY5
  CANARY6
last: kept
"""
    redacted, _ = redact("/var/lib/kubelet/config.yaml", text)
    assert not CANARY.search(redacted)
    for kept in ("mode: Webhook", "cgroupDriver: systemd", "last: kept", "enabled: true"):
        assert kept in redacted
    assert redacted.count("\n") == text.count("\n")
    document = {
        "password": "CANARY1",
        "a": {"token": 'CAN"CANARY2', "b": ["/x"]},
        "url": "https://u:CANARY3@h",
    }
    as_json, _ = redact("/etc/cdi/x.json", json.dumps(document))
    assert not CANARY.search(as_json)
    assert json.loads(as_json)["a"]["b"] == ["/x"]


def test_nothing_of_it_is_in_an_archive(tmp_path: Path) -> None:
    root = write_root(
        tmp_path,
        {
            **gpu_node(),
            "/etc/containerd/conf.d/50-registry.toml": TOML,
            "/etc/containerd/conf.d/51-broken.toml": TOML[40:] + '"',
            "/etc/containerd/conf.d/52-bytes.toml": b'\xff\n[auth]\npassword = "CANARY\xfe"\n',
            "/etc/cdi/x.yaml": "cdiVersion: 0.5.0\ncontainerEdits: {env: ['A_PASSWORD=CANARY1']}\n",
            "/var/lib/kubelet/config.yaml": "staticPodURLHeader:\n  Authorization: ['CANARY1']\n",
            "/var/lib/kubelet/kubeadm-flags.env": 'KUBELET_KUBEADM_ARGS="--token=CANARY1"\n',
            "/etc/systemd/system/containerd.service": (
                "[Service]\nEnvironment=HTTPS_PROXY=http://u:CANARY1@proxy\nExecStart=/usr/bin/containerd\n"
            ),
        },
    )
    facts = collect_node(root)
    assert "/etc/containerd/conf.d/51-broken.toml" in facts.files
    assert b"CANARY" not in gzip.decompress(pack(facts))
    assert "CANARY" not in json.dumps(facts_to_dict(facts))
