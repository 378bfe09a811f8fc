"""A secret is found in every form that it is written in, whole or cut, and nothing else is."""

from __future__ import annotations

import base64
import json
import re
import shlex
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helmguard.masking.known_secrets import KnownSecrets
from helmguard.masking.masker import Masker
from helmguard.masking.secret_finder import is_telling
from helmguard.masking.secret_marks import MARK, without_digest

SECRET = "wörd/<b>&'q'\"+~ horse%1"
IN_GO_JSON = json.dumps(SECRET, ensure_ascii=False)[1:-1].translate(
    {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&"}
)
HIDDEN = "(secret)"
KEY_LINE = "bG9uZy1saW5lLW9mLWtleQ"


def masked(text: str, *known: str) -> str:
    return without_digest(Masker(known).text(text))


def b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    "written",
    [
        SECRET,
        b64(SECRET),
        b64(SECRET + "\n"),
        b64(b64(SECRET)),
        b64(f"user:{SECRET}"),
        base64.urlsafe_b64encode(SECRET.encode()).decode(),
        json.dumps(SECRET)[1:-1],
        json.dumps(SECRET, ensure_ascii=False)[1:-1],
        json.dumps(json.dumps(SECRET, ensure_ascii=False)[1:-1], ensure_ascii=False)[1:-1],
        IN_GO_JSON,
        SECRET.replace("'", "''"),
        shlex.quote(SECRET)[1:-1],
        quote(SECRET),
        quote(SECRET, safe=""),
        quote_plus(SECRET),
        re.sub("%..", lambda escape: escape[0].lower(), quote(SECRET, safe="")),
    ],
)
def test_forms(written: str) -> None:
    assert masked(f"a {written} z", SECRET) == f"a {HIDDEN} z"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('bad value "correct-ho..."', 'bad value "(secret)..."'),
        ("cannot unmarshal `correct...` into int", "cannot unmarshal `(secret)...` into int"),
        ("bigger context ...|rse-battery|...", "bigger context ...|(secret)|..."),
        ("…battery and correct…", "…(secret) and (secret)…"),
        ('...|ct-horse-battery"}|...', '...|(secret)"}|...'),
        ("cor... and so on...", "cor... and so on..."),
        ("correct is a word", "correct is a word"),
        (f"{b64('correct-horse-battery')[:14]}...", "(secret)..."),
    ],
)
def test_what_is_left_of_a_secret_where_a_text_was_cut(text: str, shown: str) -> None:
    assert masked(text, "correct-horse-battery") == shown


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=8, max_size=40), st.data())
def test_every_beginning_before_a_cut_is_hidden(secret: str, data: st.DataObject) -> None:
    if not is_telling(secret) or "..." in secret or secret[-1] in "\"'`|." or secret.startswith("..."):
        return
    length = data.draw(st.integers(4, len(secret)))
    left = secret[:length].rstrip("\"'`|.")
    if len(left) >= 4:
        assert left not in masked(f"value {left}...", secret).replace("value", "")


def test_marks_tell_no_length() -> None:
    masker = Masker()
    for length in (1, 8, 200):
        mark = masker.value(("password",), "x" * length)
        assert MARK.fullmatch(mark)
    assert len({len(masker.value(("password",), "x" * length)) for length in (1, 8, 200)}) == 1


@pytest.mark.parametrize("wrapped", [True, False])
def test_registry_logins(wrapped: bool) -> None:
    """Each part of a login is a secret of its own, ``auth`` decoded, too."""
    login = {"username": "deploy-bot7", "password": "correct-horse", "auth": b64("deploy-bot7:correct-horse")}
    logins = {"registry.example.com": login, "other.example.com": {"identitytoken": "tok-123456"}}
    content = {"auths": logins} if wrapped else logins
    known = KnownSecrets()
    known.add_object(
        {
            "apiVersion": "v1",
            "kind": "Secret",
            "type": "kubernetes.io/dockerconfigjson",
            "data": {".dockerconfigjson": b64(json.dumps(content))},
        }
    )
    text = f"deploy-bot7 correct-horse {login['auth']} tok-123456 at registry.example.com"
    assert masked(text, *known.texts) == "(secret) (secret) (secret) (secret) at registry.example.com"


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (
            "kubernetes.io/tls",
            {"tls.key": f"-----BEGIN PRIVATE KEY-----\n{KEY_LINE}\n-----END PRIVATE KEY-----"},
        ),
        ("kubernetes.io/basic-auth", {"username": "keeper-x1", "password": KEY_LINE}),
        ("kubernetes.io/ssh-auth", {"ssh-privatekey": KEY_LINE}),
        ("bootstrap.kubernetes.io/token", {"token-secret": KEY_LINE}),
        ("kubernetes.io/service-account-token", {"token": KEY_LINE}),
        ("example.com/anything", {"level": KEY_LINE}),
    ],
)
def test_every_type_of_secret(kind: str, data: dict[str, str]) -> None:
    known = KnownSecrets()
    encoded = {name: b64(text) for name, text in data.items()}
    known.add_object({"apiVersion": "v1", "kind": "Secret", "type": kind, "data": encoded})
    assert masked(f"x {KEY_LINE} y", *known.texts) == "x (secret) y"


def test_references_to_secrets_stay_readable() -> None:
    spec = {
        "imagePullSecrets": [{"name": "pull"}],
        "volumes": [
            {"name": "front", "secret": {"secretName": "front", "items": [{"key": "tls.key", "path": "k"}]}},
            {"name": "all", "projected": {"sources": [{"secret": {"name": "front", "optional": True}}]}},
        ],
        "containers": [
            {
                "name": "web",
                "envFrom": [{"secretRef": {"name": "store"}}],
                "env": [{"name": "TOKEN", "valueFrom": {"secretKeyRef": {"name": "store", "key": "token"}}}],
            }
        ],
        "serviceAccountName": "secret-reader",
        "automountServiceAccountToken": False,
    }
    assert Masker(["correct-horse"]).tree(spec) == spec


def test_a_number_under_the_name_of_a_password() -> None:
    """Go prints large numbers of values files otherwise than they are written."""
    known = KnownSecrets()
    known.add_tree(
        {"db": {"password": 71412233, "port": 543210, "maxTokens": 100000}, "adminPassword": 12000000.0}
    )
    text = "71412233 7.1412233e+07 12000000 1.2e+07 543210 100000"
    assert masked(text, *known.texts) == "(secret) (secret) (secret) (secret) 543210 100000"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("at https://user:pass@host/charts", f"at https://user:{HIDDEN}@host/charts"),
        ("at https://user:a/b?c@host:1/charts", f"at https://user:{HIDDEN}@host:1/charts"),
        ("postgres://u:12345@db/x", f"postgres://u:{HIDDEN}@db/x"),
        ("oci://host:5000/web@sha256:12ab", "oci://host:5000/web@sha256:12ab"),
        ("see https://host/@scope and a@b", "see https://host/@scope and a@b"),
        ('{"url": "http://host:port", "mail": "a@b"}', '{"url": "http://host:port", "mail": "a@b"}'),
    ],
)
def test_passwords_in_urls(text: str, shown: str) -> None:
    assert masked(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "# must be off, set processPushSecret: false.",
        "password: null",
        "token: none.",
        "secretKey: true",
    ],
)
def test_a_switch_under_the_name_of_a_secret_is_none(text: str) -> None:
    assert masked(text) == text


def test_a_secret_that_ends_a_sentence_is_one() -> None:
    assert masked("the password: correct-horse.") != "the password: correct-horse."
