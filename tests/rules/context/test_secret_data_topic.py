"""Entries of Secrets that are made up, told from those that somebody chose. Values never get out."""

from __future__ import annotations

import base64
from typing import Any

import msgspec
import pytest
from facts_of import release
from manifest_facts import upgrade

from helmguard.model.field_change import FieldChange
from helmguard.model.plan import ChartRef, ValuesReport
from helmguard.rules.context.record import plain
from helmguard.rules.context.secret_data import MadeUp, secret_data_of
from helmguard.rules.facts import Facts

ONE, OTHER = "q7RbZ0xLk2Wn", "Zt5hYc81PmKd"
PEM = "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n"


def secret(**entries: str) -> str:
    data = ", ".join(
        f"{name}: {base64.b64encode(value.encode()).decode()}" for name, value in entries.items()
    )
    return f"---\napiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\ndata: {{{data}}}\n"


def facts_of(old: str, new: str, *, traced: str = "", **more: Any) -> Facts:
    """An upgrade to another version of the chart; every entry changes that is another one."""
    newer = msgspec.structs.replace(release(), new_chart=ChartRef("web", "2.0.0"))
    given = {"release": newer, **more}
    facts = upgrade(old, new, **given)
    resources = []
    for resource in facts.resources:
        before = (resource.prediction.previous or {}).get("data") or {}
        after = (resource.prediction.new or {}).get("data") or {}
        changes = tuple(
            FieldChange(("data", name), before.get(name), value, "chart", value_path=traced)
            for name, value in after.items()
            if before.get(name) != value
        )
        resources.append(msgspec.structs.replace(resource, changes=changes))
    return msgspec.structs.replace(facts, resources=tuple(resources))


def made_up(old: str, new: str, **more: Any) -> tuple[MadeUp, ...]:
    return secret_data_of(facts_of(old, new, **more)).made_up


@pytest.mark.parametrize(
    ("before", "after", "generated"),
    [
        (ONE, OTHER, True),
        (PEM.format("AAA"), PEM.format("BBBB"), True),
        ("0a1b2c3d4e5f60718293", "9f8e7d6c5b4a39281706", True),
        ("changeme", "letmein1", False),
        (ONE, OTHER + "x", False),
        (ONE, ONE[:-1] + "X", False),
        ("server: one\n", "server: two\n", False),
        ("postgres://app@db/one", "postgres://app@db/two", False),
    ],
)
def test_what_looks_made_up(before: str, after: str, generated: bool) -> None:
    assert bool(made_up(secret(key=before), secret(key=after))) is generated


def test_what_somebody_chose() -> None:
    old, new = secret(key=ONE), secret(key=OTHER)
    given = ValuesReport("default", "", config={"auth": {"password": OTHER}})
    assert made_up(old, new, values=given) == ()
    assert made_up(old, new, traced="auth.password") == ()


def test_a_chart_that_is_the_same_with_the_same_values() -> None:
    (one,) = made_up(secret(key="one"), secret(key="two"), release=release())
    assert (one.same_inputs, one.looks_generated, one.entries) == (True, False, ("key",))


def test_two_renderings_that_differ() -> None:
    old = secret(key=ONE, other="x")
    (one,) = made_up(old, old, unstable=("Secret/s data.key", "ConfigMap/s data.other"))
    assert (one.unstable, one.entries) == (True, ("key",))
    (quoted,) = made_up(old, old, unstable=('Secret/s data["tls.key"]',))
    assert quoted.entries == ("tls.key",)


def test_certificates_are_called_so() -> None:
    (one,) = made_up(secret(key=PEM.format("AAA")), secret(key=PEM.format("BBB")))
    assert one.certificate


def test_no_value_gets_into_the_context() -> None:
    (one,) = made_up(secret(key=ONE), secret(key=OTHER))
    shown = str(plain(one))
    for value in (ONE, OTHER):
        assert value not in shown
        assert base64.b64encode(value.encode()).decode() not in shown


def test_who_reads_it() -> None:
    web = (
        "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: "
        "{containers: [{name: web, image: web, envFrom: [{secretRef: {name: s}}]}]}}}\n"
    )
    (one,) = made_up(web + secret(key=ONE), web + secret(key=OTHER))
    assert one.users == ("Deployment/web",)
