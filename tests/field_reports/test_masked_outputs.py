"""One password in a Secret, a ConfigMap and a variable: no output tells it unless asked."""

from __future__ import annotations

from base64 import b64encode

import pytest
from field_case import FieldCase, change, resource
from templates import config_map, deployment

import helmguard

with_one_helm = pytest.mark.parametrize("helm_binary", ["helm4"], indirect=True, ids=["h4"])
"""Masking does not depend on Helm's version."""

OLD, NEW = "correct-horse-7141", "battery-staple-9917"
CHART = (
    "---\napiVersion: v1\nkind: Secret\nmetadata: {name: login}\n"
    "stringData: {password: '{{ .Values.password }}'}\n"
    + config_map("conf", url="postgres://app:{{ .Values.password }}@db/app")
    + deployment("web", more="        env: [{name: DB_LOGIN, value: '{{ .Values.password }}'}]\n")
)


@with_one_helm
def test_p20_f01_f03_password_in_three_places(case: FieldCase, capsys: pytest.CaptureFixture[str]) -> None:
    chart = case.chart(CHART, f"password: {OLD}\n")
    case.install(chart)
    for form in ("text", "json", "yaml", "markdown"):
        assert case.exit_code(chart, "--set", f"password={NEW}", "-o", form) == 2
        printed = capsys.readouterr()
        text = printed.out + printed.err
        for secret in (OLD, NEW):
            assert secret not in text
            assert secret[:12] not in text
            assert b64encode(secret.encode()).decode() not in text
        for name in ("login", "conf", "web"):
            assert name in text


@with_one_helm
def test_p20_f05_equal_secrets_are_seen_to_be_equal(case: FieldCase) -> None:
    """That a key changed is said, and its length is not; the same digest stands for the same secret."""
    chart = case.chart(CHART, f"password: {OLD}\n")
    case.install(chart)
    words = ["--set", f"password={NEW}", *case.helm.helmguard_words()]
    plan = helmguard.plan("rel", str(chart), words).to_dict()
    before, after, _ = change(plan, "Secret/login", "data.password")
    assert before != after
    assert len(before) == len(after) == len("(secret 12345678)")
    (variable,) = (
        entry for entry in resource(plan, "Deployment/web")["changes"] if "DB_LOGIN" in entry["path"]
    )
    assert variable["before"] == plan["values"]["changes"][0]["before"]
    assert variable["after"] != variable["before"]
