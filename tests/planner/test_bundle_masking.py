"""What a bundle holds in the place of secrets still compares and still renders."""

from __future__ import annotations

import base64
import re
from typing import Any

import pytest

from helmguard.manifest import yaml
from helmguard.manifest.documents import split_kubectl
from helmguard.masking.secret_marks import is_masked
from helmguard.planner.bundle_masking import BundleMasker

SECRET: dict[str, Any] = {
    "apiVersion": "v1",
    "kind": "Secret",
    "metadata": {"name": "login"},
    "data": {
        "same": base64.b64encode(b"first-Zq81").decode(),
        "other": base64.b64encode(b"second-Vw92").decode(),
    },
    "stringData": {"same": "first-Zq81"},
}
CONFIG: dict[str, Any] = {"auth": {"password": "first-Zq81"}, "replicas": 2, "image": "nginx:1"}


@pytest.fixture
def masker() -> BundleMasker:
    return BundleMasker([SECRET], [CONFIG], show=False)


def mark_of(masker: BundleMasker, secret: str) -> str:
    mark = masker.text(secret)
    assert is_masked(mark)
    return mark


def test_equal_secrets_stay_equal_in_every_place(masker: BundleMasker) -> None:
    mark = mark_of(masker, "first-Zq81")
    shown = masker.object(SECRET)
    assert base64.b64decode(shown["data"]["same"]).decode() == shown["stringData"]["same"] == mark
    assert base64.b64decode(shown["data"]["other"]).decode() == mark_of(masker, "second-Vw92") != mark
    assert masker.tree(CONFIG) == {"auth": {"password": mark}, "replicas": 2, "image": "nginx:1"}
    assert masker.words(["--set", "auth.password=first-Zq81"]) == ["--set", f"auth.password={mark}"]


def test_two_bundles_cannot_be_compared() -> None:
    marks = {BundleMasker([SECRET], [], show=False).text("first-Zq81") for _ in range(3)}
    assert len(marks) == 3


def test_documents_without_a_secret_stay_to_the_byte(masker: BundleMasker) -> None:
    plain = "# Source: web/templates/a.yaml\nkind:   ConfigMap # odd\napiVersion: v1\n"
    secret = "# Source: web/templates/b.yaml\n" + yaml.dump(SECRET)
    written = masker.manifest(f"---\n{plain}---\n{secret}")
    first, second = split_kubectl(written)
    assert first == f"---\n{plain}"
    assert second.startswith("# Source: web/templates/b.yaml\n")
    assert "first-Zq81" not in written
    assert yaml.load(second)["metadata"] == {"name": "login"}
    assert masker.manifest(written) == written


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (
            "# of production\nreplicas: 2  # two\nauth:\n  password: first-Zq81\n",
            "# of production\nreplicas: 2  # two",
        ),
        ("auth: {password: 'short'}\n", ""),
        ("broken: [first-Zq81\n", "broken: ["),
        ("", ""),
    ],
)
def test_values_files(masker: BundleMasker, text: str, kept: str) -> None:
    written = masker.values_file(text)
    assert "first-Zq81" not in written
    assert "short" not in written
    assert written.startswith(kept)


@pytest.mark.parametrize(
    ("line", "masked"),
    [
        ("  password: first-Zq81", True),
        ('  password: "first-Zq81"', True),
        ("  - 'first-Zq81'  ", True),
        ("first-Zq81", True),
        (f"  key: {base64.b64encode(b'first-Zq81').decode()}", True),
        ("  stringData: {password: first-Zq81, more: x}", True),
        ("  url: postgres://app:first-Zq81@{{ .Values.host }}/db", True),
        ("  - {name: PASSWORD, value: first-Zq81}", True),
        ("  args: [-p, first-Zq81]", True),
        ("  {{ $x }}: first-Zq81 # first-Zq81", True),
        ("  password: {{ .Values.auth.password }}", False),
        ("  first-Zq81: 1", False),
        ("  metadata: {name: x-first-Zq81}", False),
        ("  name: {{ .Release.Name }}-first-Zq81", False),
        ("{{- if eq .Values.mode `first-Zq81` }}", False),
        ("  user: admin", False),
    ],
)
def test_whole_values_of_templates(masker: BundleMasker, line: str, masked: bool) -> None:
    text = f"kind: Secret\n{line}\n{{{{ end }}}}\n"
    written = masker.template(text)
    if not masked:
        assert written == text
        return
    assert "first-Zq81" not in written
    assert base64.b64encode(b"first-Zq81").decode() not in written
    mark = mark_of(masker, "first-Zq81")
    in_base64 = base64.b64encode(mark.encode()).decode()
    assert re.sub(re.escape(mark) + "|" + re.escape(in_base64), "X", written) == text.replace(
        "first-Zq81", "X"
    ).replace(base64.b64encode(b"first-Zq81").decode(), "X")


def test_a_record_keeps_what_a_plan_reads(masker: BundleMasker) -> None:
    record = {
        "name": "web",
        "version": 3,
        "info": {
            "status": "deployed",
            "notes": "log in with first-Zq81",
            "description": "password=first-Zq81",
        },
        "chart": {
            "metadata": {"name": "web"},
            "values": CONFIG,
            "templates": ["t"],
            "files": ["f"],
            "schema": "s",
        },
        "config": CONFIG,
        "manifest": "---\n" + yaml.dump(SECRET),
        "hooks": [{"name": "h", "manifest": yaml.dump(SECRET), "last_run": {"phase": "Failed"}}],
    }
    shown = masker.record(record)
    assert "first-Zq81" not in str(shown)
    assert set(shown["chart"]) == {"metadata", "values"}
    assert set(shown["info"]) == {"status", "description"}
    assert shown["hooks"][0]["last_run"] == {}
    assert (shown["name"], shown["version"], shown["info"]["status"]) == ("web", 3, "deployed")


def test_in_clear_everything_stays(masker: BundleMasker) -> None:
    clear = BundleMasker([SECRET], [CONFIG], show=True)
    manifest = "---\n" + yaml.dump(SECRET)
    assert clear.manifest(manifest) == manifest
    assert clear.object(SECRET) == SECRET
    assert clear.tree(CONFIG) == CONFIG
    assert clear.values_file("auth: {password: x}\n") == "auth: {password: x}\n"
    assert clear.words(["--set", "auth.password=x"]) == ["--set", "auth.password=x"]


def test_bytes_stay_base64_in_every_kind(masker: BundleMasker) -> None:
    """An API server refuses other texts there, and a plan from the bundle would foretell just that."""
    secret = base64.b64encode(b"app:first-Zq81").decode()
    config = {"apiVersion": "v1", "kind": "ConfigMap", "binaryData": {"a": secret, "b": "AAEC"}}
    shown = masker.object(config)["binaryData"]
    assert base64.b64decode(shown["a"], validate=True).startswith(b"(secret ")
    assert shown["b"] == "AAEC"
    hook = {"name": "h", "clientConfig": {"caBundle": base64.b64encode(b"first-Zq81").decode()}}
    kind = {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration"}
    (masked,) = masker.object({**kind, "webhooks": [hook]})["webhooks"]
    assert base64.b64decode(masked["clientConfig"]["caBundle"], validate=True).startswith(b"(secret ")
