"""A bundle plans as the cluster it was written from, and holds no secret."""

from __future__ import annotations

import base64
import json
import re
import shutil
import tarfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from controlplane.helm import Helm
from helmguard_program import Ended, Helmguard
from which_helm import with_helm_3, with_helm_4

SHOP = Path(__file__).parent / "charts" / "shop"
_MARK = re.compile(r"\(secret [0-9a-f]{8}\)")
_DIGESTS = ("currentManifest", "manifest", "hooks", "values")

FIRST = {
    "password": "first-pass-Zq81",
    "api.token": "first-token-Vw92",
    "database.url": "postgres://shop:first-url-Kj73@db/shop",
}
SECRETS = [
    "first-pass-Zq81",
    "first-token-Vw92",
    "first-url-Kj73",
    "second-pass-Xc64",
    "file-motd-Password1",
    "default-passw0rd",
    "default-t0ken",
    "default-db-passw0rd",
    "written-in-a-template-55",
]


def document(ended: Ended, *, masked_digests: bool = True) -> Any:
    """The plan, less what a bundle may differ in: how it was rendered, digests of masked texts, the salt."""
    plan = ended.json
    plan["engine"].pop("render")
    if masked_digests:
        for name in _DIGESTS:
            plan["fingerprint"].pop(name)
    return json.loads(_with_numbered_marks(json.dumps(plan)))


def _with_numbered_marks(text: str) -> str:
    """Marks by the order in which they first appear: equal ones stay equal, different ones different."""
    numbers: dict[str, int] = {}
    return _MARK.sub(lambda found: f"(secret {numbers.setdefault(found[0], len(numbers))})", text)


def forms(secret: str) -> Iterator[str]:
    """A secret as it may stand in a file, with the base64 of any text around it."""
    yield secret
    once = base64.b64encode(secret.encode()).decode().rstrip("=")
    yield once
    yield base64.b64encode(once.encode()).decode().rstrip("=")
    for before in (" ", "  "):
        # The middle of a longer text's base64 depends on where the secret begins.
        yield base64.b64encode((before + secret).encode()).decode()[4:-4]


def files_of(bundle: Path) -> Iterator[tuple[str, str]]:
    if bundle.is_dir():
        for path in sorted(bundle.rglob("*")):
            if path.is_file():
                yield str(path), path.read_text()
        return
    with tarfile.open(bundle) as archive:
        for member in archive.getmembers():
            content = archive.extractfile(member)
            if content is not None:
                yield member.name, content.read().decode()


def leaks(bundle: Path) -> list[tuple[str, str]]:
    return [
        (name, secret)
        for name, text in files_of(bundle)
        for secret in SECRETS
        if any(form in text for form in forms(secret))
    ]


@pytest.fixture
def shop(helm: Helm, helmguard: Helmguard) -> Helmguard:
    """The release `shop`; besides the chart's own secrets, one that is written in a template."""
    chart = helm.home / "shop"
    for path in SHOP.rglob("*"):
        if path.is_file():
            place = chart / path.relative_to(SHOP)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(path.read_bytes())
    encoded = base64.b64encode(b"written-in-a-template-55").decode()
    (chart / "templates" / "fixed.yaml").write_text(
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: {{ .Release.Name }}-fixed\n"
        f"data:\n  key: {encoded}\nstringData:\n  plain: written-in-a-template-55\n"
    )
    words = [word for name, value in FIRST.items() for word in ("--set", f"{name}={value}")]
    helm.run("install", "shop", chart, *words)
    (helm.home / "prod.yaml").write_text(
        "# of production\npassword: second-pass-Xc64\nmessage: hello there\n"
    )
    (helm.home / "motd.txt").write_text("password=file-motd-Password1\n")
    return helmguard


def online_and_bundled(shop: Helmguard, code: int, *words: str, into: str, **more: Any) -> Ended:
    """The plan of the cluster, and a bundle written while nothing in the cluster moved.

    After an operation controllers are at work for a while: two readings of a Deployment then differ.
    """
    for _ in range(50):
        before = shop.run("plan", "--server-dry-run=never", *words, "-o", "json", **more).expect(code)
        shop.run("bundle", *words, "-o", into, **more).expect(0)
        after = shop.run("plan", "--server-dry-run=never", *words, "-o", "json", **more).expect(code)
        if document(before) == document(after):
            return after
        place = shop.home / into
        if place.is_dir():
            shutil.rmtree(place)
        else:
            place.unlink()
    raise AssertionError("the cluster does not come to rest")


CHANGING = ["-f", "prod.yaml", "--set", "replicas=2", "--set-file", "motd=motd.txt", "--set", "hooks=true"]


def test_offline_is_online(shop: Helmguard) -> None:
    words = ["shop", "./shop", *CHANGING]
    online = online_and_bundled(shop, 3, *words, into="folder")
    assert leaks(shop.home / "folder") == []
    nowhere = replace(shop, helm=None, kubeconfig=None, settings={"PATH": "/nowhere"})
    offline = nowhere.run("plan", "--bundle", "folder", "-o", "json").expect(3)
    assert document(offline) == document(online)
    assert offline.json["engine"]["render"] == "given"
    secret = next(each for each in offline.json["resources"] if each["name"] == "shop-login")
    assert {change["path"] for change in secret["changes"]} == {"data.password", "data.token"}


@with_helm_4
def test_an_archive_is_the_folder(shop: Helmguard) -> None:
    words = ["shop", "./shop", "--reuse-values", *CHANGING]
    online = online_and_bundled(shop, 2, *words, into="archive.tar.gz")
    assert leaks(shop.home / "archive.tar.gz") == []
    offline = shop.run("plan", "--bundle", "archive.tar.gz", "-o", "json").expect(2)
    assert document(offline) == document(online)
    secret = next(each for each in offline.json["resources"] if each["name"] == "shop-login")
    assert [change["path"] for change in secret["changes"]] == ["data.password"]


@with_helm_3
def test_values_from_stdin_are_in_the_bundle(shop: Helmguard) -> None:
    words = ["shop", "./shop", "-f", "-", "--reset-then-reuse-values"]
    values = "replicas: 3\npassword: second-pass-Xc64\n"
    online = online_and_bundled(shop, 2, *words, into="bundle", stdin=values)
    assert leaks(shop.home / "bundle") == []
    offline = shop.run("plan", "--bundle", "bundle", "-o", "json").expect(2)
    assert document(offline) == document(online)


@with_helm_3
def test_a_bundle_in_clear_is_equal_to_the_last_digest(shop: Helmguard) -> None:
    words = ["shop", "./shop", *CHANGING]
    online = online_and_bundled(shop, 3, *words, "--show-secrets", into="clear")
    written = shop.run("bundle", *words, "--show-secrets", "-o", "another").expect(0)
    assert "secrets in clear" in written.err
    assert {secret for _, secret in leaks(shop.home / "clear")} == set(SECRETS)
    offline = shop.run("plan", "--bundle", "clear", "-o", "json", "--show-secrets").expect(3)
    assert document(offline, masked_digests=False) == document(online, masked_digests=False)


@with_helm_3
def test_no_format_shows_a_secret_unasked(shop: Helmguard) -> None:
    shop.run("bundle", "shop", "./shop", *CHANGING, "--show-secrets", "-o", "clear").expect(0)
    for words in (["-o", "json"], ["-o", "yaml"], ["-o", "markdown"], [], ["-C", "30", "--color", "--debug"]):
        ended = shop.run("plan", "--bundle", "clear", *words).expect(3)
        assert shown(ended) == [], words
    assert "first-token-Vw92" in shop.run("plan", "--bundle", "clear", "--show-secrets").expect(3).out
    for words in (["-o", "json"], ["-o", "yaml"], []):
        assert shown(shop.run("values", "shop", "./shop", *CHANGING, *words).expect(0)) == [], words


def shown(ended: Ended) -> list[str]:
    """The secrets in what a run printed, in any form."""
    printed = ended.out + ended.err
    return [secret for secret in SECRETS if any(form in printed for form in forms(secret))]


@with_helm_4
def test_another_value_mode_needs_no_helm(shop: Helmguard) -> None:
    words = ["--set", "replicas=2", "--reuse-values"]
    online = online_and_bundled(shop, 2, "shop", "./shop", *words, into="reusing")
    shop.run("bundle", "shop", "./shop", "--set", "replicas=2", "-o", "bundle").expect(0)
    nowhere = replace(shop, helm=None, kubeconfig=None, settings={"PATH": "/nowhere"})
    offline = nowhere.run("plan", "--bundle", "bundle", *words, "-o", "json").expect(2)
    found, wanted = document(offline), document(online)
    for plan in (found, wanted):
        plan["engine"].pop("renderWhy")
        plan.pop("record")  # a masked chart weighs otherwise
    assert found == wanted


@with_helm_3
def test_other_values_are_rendered_from_the_chart_in_the_bundle(shop: Helmguard) -> None:
    shop.run("bundle", "shop", "./shop", "-o", "bundle").expect(0)
    words = ["--reuse-values", "--set", "replicas=5"]
    offline = shop.run("plan", "--bundle", "bundle", *words, "-o", "json").expect(2).json
    changes = [(each["name"], change["path"]) for each in offline["resources"] for change in each["changes"]]
    assert changes == [("shop-web", "spec.replicas"), ("shop-widget", "spec.size")]
    nowhere = replace(shop, helm=None, settings={"PATH": "/nowhere"})
    nowhere.run("plan", "--bundle", "bundle", *words).expect_error("no helm found", "--helm-bin")


@with_helm_4
def test_a_rollback_bundle(shop: Helmguard, helm: Helm) -> None:
    helm.run("upgrade", "shop", helm.home / "shop", "--set", "replicas=4,password=second-pass-Xc64")
    online = online_and_bundled(shop, 2, "shop", "--rollback", into="bundle")
    assert leaks(shop.home / "bundle") == []
    offline = shop.run("plan", "--bundle", "bundle", "-o", "json").expect(2)
    assert document(offline) == document(online)


@with_helm_4
def test_an_install_bundle(shop: Helmguard) -> None:
    (shop.home / "password.txt").write_text("second-pass-Xc64")
    words = ["fresh", "./shop", "--install", "--set-file", "password=password.txt"]
    online = online_and_bundled(shop, 2, *words, into="bundle")
    assert leaks(shop.home / "bundle") == []
    offline = shop.run("plan", "--bundle", "bundle", "-o", "json").expect(2)
    assert document(offline) == document(online)


@with_helm_3
def test_a_bundle_is_written_whole_or_not_at_all(shop: Helmguard) -> None:
    (shop.home / "taken").mkdir()
    shop.run("bundle", "shop", "./shop", "-o", "taken").expect_error("taken exists already", "another place")
    shop.run("bundle", "shop", "./shop", "-o", "a.zip").expect_error("a bundle is a folder or a .tar.gz")
    shop.run("bundle", "shop", "./missing", "-o", "new/bundle").expect_error('path "missing" not found')
    assert not list((shop.home / "new").iterdir() if (shop.home / "new").exists() else ())
