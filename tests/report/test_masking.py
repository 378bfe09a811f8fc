"""No secret in any output, and all else readable."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from sample_plans import body, change, deployment, resource, web_plan

from helmguard.masking.known_secrets import KnownSecrets
from helmguard.masking.masker import Masker
from helmguard.masking.secret_finder import is_telling
from helmguard.masking.secret_marks import without_digest
from helmguard.model.field_path import ItemKey
from helmguard.model.finding import Finding, Place
from helmguard.model.plan import Plan, Unknown, ValuesReport
from helmguard.model.prediction import Failure
from helmguard.model.resource_key import ResourceKey
from helmguard.model.value_change import Provenance, ValueChange, ValueWarning
from helmguard.report.html.page import render_plan_html
from helmguard.report.markdown import render_markdown
from helmguard.report.page import Page
from helmguard.report.plan_json import plan_to_dict
from helmguard.report.terminal import render_terminal
from helmguard.report.yaml_output import to_yaml

SALT = b"salt of the tests"
KEY = ResourceKey("", "ConfigMap", "shop", "web")


def masked(value: Any, *known: str) -> Any:
    """With the marks as people read them."""
    return json.loads(without_digest(json.dumps(Masker(known, salt=SALT).tree(value))))


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ({"password": "x"}, {"password": "(secret)"}),
        ({"password": ""}, {"password": ""}),
        ({"password": None, "token": True}, {"password": None, "token": True}),
        ({"password": 12345678, "maxTokens": 4096}, {"password": "(secret)", "maxTokens": 4096}),
        ({"password": "$(DB_PASSWORD)"}, {"password": "$(DB_PASSWORD)"}),
        (["--tls-key=/usr/local/certificates/key"], ["--tls-key=/usr/local/certificates/key"]),
        (["patch of kind Secret: Secret s is bad"], ["patch of kind Secret: Secret s is bad"]),
        (["a: 1\nsecret: abc"], ["a: 1\nsecret: (secret)"]),
        (["--tls-key=/aB3/x9"], ["--tls-key=(secret)"]),
        (
            {"credentials": {"user": "u1", "pin": "1"}},
            {"credentials": {"user": "(secret)", "pin": "(secret)"}},
        ),
        (
            {"secret": {"secretName": "tls", "defaultMode": 420}},
            {"secret": {"secretName": "tls", "defaultMode": 420}},
        ),
        (
            {"valueFrom": {"secretKeyRef": {"name": "db", "key": "password"}}},
            {"valueFrom": {"secretKeyRef": {"name": "db", "key": "password"}}},
        ),
        ([{"name": "API_TOKEN", "value": "x"}], [{"name": "API_TOKEN", "value": "(secret)"}]),
        ([{"name": "LOG_LEVEL", "value": "x"}], [{"name": "LOG_LEVEL", "value": "x"}]),
        (["--token", "x", "--level", "y"], ["--token", "(secret)", "--level", "y"]),
        (["--token=abc", "--tokenTTL=3"], ["--token=(secret)", "--tokenTTL=3"]),
        ({"imagePullSecrets": [{"name": "regcred"}]}, {"imagePullSecrets": [{"name": "regcred"}]}),
        ({"url": "postgres://app:pw@db:5432/x"}, {"url": "postgres://app:(secret)@db:5432/x"}),
        ({"url": "https://example.com:8443/a"}, {"url": "https://example.com:8443/a"}),
        ({"app.ini": "level=info\ndb.password = abc\n"}, {"app.ini": "level=info\ndb.password = (secret)\n"}),
        ({"app.json": '{"apiKey": "a\\"b", "n": 1}'}, {"app.json": '{"apiKey": "(secret)", "n": 1}'}),
        (
            {"app.yaml": "secretName: web\ntoken: 'a b'\n"},
            {"app.yaml": "secretName: web\ntoken: '(secret)'\n"},
        ),
        (
            {"tls": "-----BEGIN EC PRIVATE KEY-----\nMHc\n-----END EC PRIVATE KEY-----\n"},
            {"tls": "(secret)\n"},
        ),
        (
            {"ca": "-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----"},
            {"ca": "-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----"},
        ),
        ({"x": "eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl"}, {"x": "(secret)"}),
    ],
)
def test_trees(value: Any, shown: Any) -> None:
    assert masked(value) == shown


@pytest.mark.parametrize(
    ("known", "value", "shown"),
    [
        ("hunter2", "hunter2", "(secret)"),
        ("hunter2", "say hunter2, please", "say (secret), please"),
        ("hunter2", "hunter22 xhunter2", "hunter22 xhunter2"),
        ("correct-horse", "xcorrect-horsey", "x(secret)y"),
        ("correct-horse", base64.b64encode(b"correct-horse").decode(), "(secret)"),
        ("p@ss/word?1", "https://h/?q=p%40ss%2Fword%3F1", "https://h/?q=(secret)"),
        ('say "friend" now', r'{"x": "say \"friend\" now"}', '{"x": "(secret)"}'),
        ("admin", "cluster-admin", "cluster-admin"),
        ("true", "true", "true"),
        ("5432", "5432", "5432"),
        ("abc", "abc", "(secret)"),
        ("abcdefgh1", "abcdefgh1abcdefgh1", "(secret)(secret)"),
        ("line-one-of-a-long-key\nline-two-of-a-long-key", "  line-two-of-a-long-key", "  (secret)"),
    ],
)
def test_known_secrets_are_masked_wherever_they_stand(known: str, value: str, shown: str) -> None:
    assert masked(value, known) == shown


@pytest.mark.parametrize("before", ["", "a", "ab", "app:"])
@pytest.mark.parametrize("after", ["", "x", "xy", "@db"])
@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode])
def test_known_secrets_inside_base64_are_masked_whole(
    before: str, after: str, encode: Callable[[bytes], bytes]
) -> None:
    """``user:password`` in base64 holds the password's own base64 only where the user's name is a fit."""
    text = encode(f"{before}wörd?>~~horse{after}".encode()).decode()
    assert masked(text, "wörd?>~~horse") == "(secret)"
    assert masked(f'a "{text}" b', "wörd?>~~horse") == 'a "(secret)" b'


def test_base64_of_what_looks_like_a_secret() -> None:
    text = base64.b64encode(b'{"auths": {"registry": {"password": "correct-horse"}}}').decode()
    assert masked(f"x {text} y") == "x (secret) y"
    plain = base64.b64encode(b"nothing to hide in this text").decode()
    assert masked(plain) == plain


def test_overlapping_secrets_leave_nothing() -> None:
    assert masked("abcdefgh12345678zzzz", "abcdefgh1234", "12345678zzzz") == "(secret)"


def test_many_secrets_are_found_too() -> None:
    known = [f"generated-{number:04d}" for number in range(500)]
    assert masked("x generated-0499 y generated-0000", *known) == "x (secret) y (secret)"


def test_names_of_objects_are_no_secrets() -> None:
    secret = body("v1", "Secret", "web", "shop", stringData={"database": "storefront", "key": "web"})
    plan = web_plan(resources=(resource("unchanged", secret, secret),))
    masker = Masker.for_plan(plan, salt=SALT)
    assert masker.text("web") == "web"
    assert masker.text("storefront") != "storefront"
    shown = masker.object(secret)
    assert shown is not None
    assert shown["metadata"] == {"name": "web", "namespace": "shop"}
    assert without_digest(shown["stringData"]["key"]) == "(secret)"


def test_digests_show_change_and_sameness_and_differ_between_runs() -> None:
    masker = Masker(salt=SALT)
    one, same, other = (masker.value(("password",), text) for text in ("a", "a", "b"))
    assert one == same != other
    assert Masker().value(("password",), "a") != Masker().value(("password",), "a")


def test_data_and_string_data_of_one_content_have_one_digest() -> None:
    masker = Masker(salt=SALT)
    secret = {"kind": "Secret", "data": {"a": "eA=="}, "stringData": {"a": "x"}}
    shown = masker.object(secret)
    assert shown is not None and shown["data"] == shown["stringData"]


def test_what_stands_in_a_secret_where_a_text_should() -> None:
    """Such an object is refused, in words that quote it."""
    secret = body(
        "v1", "Secret", "s", "shop", data={"a": {"deep": ["hunter2-b"]}}, stringData={"b": 71412233}
    )
    known = KnownSecrets()
    known.add_object(secret)
    assert masked("expected string, got {deep: [hunter2-b]} 71412233", *known.texts) == (
        "expected string, got {deep: [(secret)]} (secret)"
    )


def test_last_applied_annotation() -> None:
    applied = json.dumps({"kind": "Secret", "data": {"a": "aHVudGVyMg=="}})
    secret = body("v1", "Secret", "s", "shop", data={"a": "aHVudGVyMg=="})
    secret["metadata"]["annotations"] = {"kubectl.kubernetes.io/last-applied-configuration": applied}
    shown = json.dumps(Masker(salt=SALT).object(secret))
    assert "aHVudGVyMg" not in shown
    assert '\\"kind\\":\\"Secret\\"' in shown


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("helm upgrade r c --set db.password=x", "helm upgrade r c --set db.password=(secret)"),
        ("helm upgrade r c --set 'db.password=a b,c=d'", "helm upgrade r c --set db.password=(secret)"),
        ("helm upgrade r c --set 'a b.password=x'", "helm upgrade r c --set 'a b.password='(secret)"),
        ("helm upgrade r c --set-file db.password=pw.txt", "helm upgrade r c --set-file db.password=pw.txt"),
        ("helm upgrade r c --set a=1,secretName=x", "helm upgrade r c --set a=1,secretName=x"),
        ("helm upgrade r c --kube-token abc", "helm upgrade r c --kube-token (secret)"),
        ("helmguard upgrade r c --reuse-values", "helmguard upgrade r c --reuse-values"),
        ("drop it from the chart's values", "drop it from the chart's values"),
    ],
)
def test_commands(command: str, shown: str) -> None:
    assert without_digest(Masker(salt=SALT).command(command)) == shown


def test_paths_of_fields() -> None:
    masker = Masker(salt=SALT)
    variable = ItemKey((("name", "DB_PASSWORD"),))
    assert without_digest(masker.field(KEY, ("spec", "env", variable, "value"), "x")) == "(secret)"
    container = ItemKey((("name", "token-server"),))
    assert masker.field(KEY, ("spec", "containers", container, "image"), "nginx") == "nginx"
    secret = ResourceKey("", "Secret", "shop", "s")
    assert without_digest(masker.field(secret, ("data", "user"), "YXBw")) == "(secret)"


def test_show_secrets_changes_nothing() -> None:
    masker = Masker(["hunter2"], show=True)
    assert masker.text("hunter2") == "hunter2"
    assert masker.tree({"password": "x"}) == {"password": "x"}


# ---- nothing leaks -------------------------------------------------------------------------------------

SECRETS = st.text(
    st.characters(min_codepoint=33, max_codepoint=0x2FF, exclude_categories=["C", "Z"]),
    min_size=9,
    max_size=40,
).filter(lambda text: is_telling(text) and not text.startswith("-"))


def plan_with(secret: str, other: str) -> Plan:
    """A plan that has the secret in every place that text can be in."""
    encoded = base64.b64encode(secret.encode()).decode()

    def object_with(text: str) -> Any:
        containers = [
            {
                "name": "web",
                "image": "nginx",
                "args": ["--password", text, f"--dsn=x:{text}", text],
                "env": [
                    {"name": "DB_PASSWORD", "value": text},
                    {"name": "PLAIN", "value": f"pre {text} post"},
                ],
            }
        ]
        result = deployment(template={"spec": {"containers": containers}}, note=f"a\nb {text}\nc")
        result["metadata"]["annotations"] = {"hint": text}
        return result

    def secret_object(text: str) -> Any:
        data = {"password": base64.b64encode(text.encode()).decode()}
        return body("v1", "Secret", "creds", "shop", data=data)

    config_before = body("v1", "ConfigMap", "conf", "shop", data={"app": f"x\ny={other}\n", "b64": "none"})
    config_after = body("v1", "ConfigMap", "conf", "shop", data={"app": f"x\ny={secret}\n", "b64": encoded})
    name = ItemKey((("name", "PLAIN"),))
    text = f"invalid value {secret} for field"
    return web_plan(
        values=ValuesReport(
            "reuse",
            text,
            (
                ValueChange(
                    ("auth", "password"),
                    other,
                    secret,
                    "values",
                    None,
                    Provenance("--set", f"auth.password={secret}"),
                ),
                ValueChange(("plain",), other, secret, "values", note=text),
            ),
            (ValueWarning("helm", ("plain",), text, before=secret, after={"a": [secret]}),),
        ),
        resources=(
            resource(
                "update",
                object_with(other),
                object_with(secret),
                change(("spec", "env", name, "value"), f"pre {other} post", f"pre {secret} post"),
                change("spec.note", f"a\nb {other}\nc", f"a\nb {secret}\nc", note=text, manager=secret),
                change(("spec", "args", 1), other, secret),
                drift=(change("spec.extra", secret, secret, "drift kept"),),
                why=text,
            ),
            resource(
                "update", secret_object(other), secret_object(secret), change("data.password", "x", encoded)
            ),
            resource(
                "update",
                config_before,
                config_after,
                change("data.app", config_before["data"]["app"], config_after["data"]["app"]),
                change("data.b64", "none", encoded),
            ),
            resource(
                "fail",
                object_with(secret) | {"kind": "Other"},
                object_with(secret) | {"kind": "Other"},
                error=text,
            ),
            resource("create", None, object_with(secret) | {"kind": "New"}, previous=None),
        ),
        failure=Failure(text, "apply"),
        findings=(
            Finding(
                "rule",
                "warning",
                text,
                Place("value", "plain", field=""),
                before=other,
                after=secret,
                effects=(text,),
                consequence=text,
                remedy=(f"helm upgrade web ./web --set auth.password={secret}", text),
                evidence=(text,),
            ),
            Finding(
                "rule", "info", text, Place("object", "Deployment/web"), result="unknown", missing=(text,)
            ),
        ),
        unknown=(Unknown(text, text),),
        unstable=(text,),
        notes=(text,),
        keep_command=f"helmguard upgrade web ./web --set 'auth.password={secret}'",
        fingerprint={"flags": [f"auth.password={secret}"]},
    )


def outputs(plan: Plan) -> dict[str, str]:
    masker = Masker.for_plan(plan, salt=SALT)
    document = plan_to_dict(plan, masker=masker)
    return {
        "terminal": render_terminal(plan, Page(width=200, show_noise=True), masker),
        "narrow": render_terminal(plan, Page(width=80, colour=True), masker),
        "ascii": render_terminal(plan, Page(unicode=False), masker),
        "context": render_terminal(plan, Page(width=200, context=3), masker),
        "quiet": render_terminal(plan, Page(), masker, quiet=True),
        "json": json.dumps(document, ensure_ascii=False),
        "json-ascii": json.dumps(document),
        "yaml": to_yaml(document),
        "markdown": render_markdown(plan, masker),
        "html": html.unescape(render_plan_html(plan, masker)),
    }


def forms(secret: str) -> set[str]:
    return {secret, json.dumps(secret)[1:-1], base64.b64encode(secret.encode()).decode()}


OWN_WORDS = outputs(plan_with("Zq0~first~Zq0~first", "Zq1~second~Zq1~second"))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(SECRETS, SECRETS)
@example("correct-horse-battery", "old-password-1")
@example('quo"te\\back', "a,b=c{d}[e]")
@example("abcdefgh1", "abcdefgh12")
def test_no_output_holds_a_secret(secret: str, other: str) -> None:
    for name, text in outputs(plan_with(secret, other)).items():
        for form in forms(secret) | forms(other):
            # "bookkeepi" stands in every JSON output whatever the secret is
            assert form not in text or form in OWN_WORDS[name], name


def test_the_outputs_do_show_the_secret_when_asked() -> None:
    plan = plan_with("correct-horse-battery", "old-password-1")
    shown = json.dumps(plan_to_dict(plan, show_secrets=True))
    assert shown.count("correct-horse-battery") > 20
    assert "(secret" not in shown


def test_changed_and_unchanged_secrets_on_the_page() -> None:
    plan = plan_with("correct-horse-battery", "old-password-1")
    page = render_terminal(plan, Page(width=120), Masker.for_plan(plan))
    assert "(secret, changed)" in page
    same = body("v1", "Secret", "s", "shop", data={"a": "eHh4eHg="})
    plan = web_plan(
        resources=(
            resource("update", same, same, change("data.a", "eHh4eHg=", "eHh4eHg=", "server", note="n")),
        )
    )
    assert "(secret)" in render_terminal(plan, Page(width=120), Masker.for_plan(plan))


def test_secrets_of_values_that_are_not_in_the_plan_can_be_given() -> None:
    plan = replace(web_plan(), notes=("it is swordfish-99",))
    masker = Masker.for_plan(plan, values=[{"db": {"password": "swordfish-99"}}], salt=SALT)
    assert "swordfish" not in json.dumps(plan_to_dict(plan, masker=masker))
