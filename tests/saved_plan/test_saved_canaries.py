"""Canaries in values, charts, the cluster and flags: none is in a saved plan, nor in what is shown of one.

A sealed plan holds them in its sealed part alone.
"""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

import pyrage
import pytest
from canaries import CHART, Found, canary, found_in, set_words, written
from controlplane.helm import Helm
from helmguard_program import Helmguard
from which_helm import with_helm_3, with_helm_4

from helmguard.masking.masker import Masker
from helmguard.saved_plan.secret_contents import masked_files


def found_in_plan(file: Path) -> list[str]:
    """Canaries in the parts of a saved plan, packed charts looked into, and in the plan's own bytes."""
    found = [*found_in("the file itself", file.read_bytes().decode("latin-1"))]
    with tarfile.open(file) as tar:
        for member in tar:
            content = tar.extractfile(member)
            assert content is not None
            found += _found_in_part(member.name, content.read())
    return [str(each) for each in found][:10]


def _found_in_part(name: str, data: bytes) -> list[Found]:
    if not name.endswith(".tgz"):
        return list(found_in(name, data.decode("latin-1")))
    found = []
    with tarfile.open(fileobj=io.BytesIO(data)) as chart:
        for file in chart:
            inner = chart.extractfile(file)
            found += found_in(f"{name} {file.name}", inner.read().decode("latin-1") if inner else "")
    return found


def save(helmguard: Helmguard, *words: str | Path) -> Path:
    ended = helmguard.run("plan", "can", *words, "--out", "can.hgplan")
    assert ended.code in (0, 2, 3), ended.err
    assert list(found_in("stdout", ended.out)) == []
    assert list(found_in("stderr", ended.err)) == []
    return helmguard.home / "can.hgplan"


def shows_nothing(helmguard: Helmguard, *words: str) -> None:
    for form in ("text", "json", "markdown"):
        ended = helmguard.run("show", "can.hgplan", "-o", form, "--show-noise", "-C", "3", *words)
        assert "(secret" in ended.out
        assert list(found_in(form, ended.out + ended.err)) == []


@with_helm_4
def test_an_upgrade_and_a_rollback(helmguard: Helmguard, helm: Helm) -> None:
    helm.run("install", "can", CHART, "-f", written(helm.home, "frst"))
    file = save(helmguard, CHART, "-f", written(helm.home, "next"))
    assert found_in_plan(file) == []
    shows_nothing(helmguard)
    about = helmguard.run("show", "can.hgplan", "--about").json
    assert about["needs"]["values"]
    assert about["needs"]["chart"], "the chart's defaults are canaries"
    assert found_in_plan(save(helmguard, CHART, *set_words("next"))) == []
    helm.run("upgrade", "can", CHART, "-f", written(helm.home, "next"))
    assert found_in_plan(save(helmguard, "--rollback", "1")) == []
    shows_nothing(helmguard)


@with_helm_3
def test_an_install_that_fails(helmguard: Helmguard, helm: Helm) -> None:
    """Templates quote the values that they refuse."""
    for fault in ("render", "label"):
        words = ["--install", "-f", written(helm.home, "next", **{fault: True})]
        assert found_in_plan(save(helmguard, CHART, *words)) == []
        shows_nothing(helmguard)


@pytest.mark.parametrize("how", ["words", "file"])
@with_helm_4
def test_a_sealed_one(helmguard: Helmguard, helm: Helm, how: str) -> None:
    identity = pyrage.x25519.Identity.generate()
    (helm.home / "key").write_text(str(identity))
    given = set_words("next") if how == "words" else ["-f", str(written(helm.home, "next"))]
    file = save(helmguard, CHART, "--install", *given, "--encrypt-to", str(identity.to_public()))
    assert found_in_plan(file) == []
    shows_nothing(helmguard)
    shows_nothing(helmguard, "--identity", "key")
    for form in ("text", "yaml"):
        words = ("-o", form, "-C", "3", "--identity", "key", "--show-secrets")
        assert list(found_in(form, helmguard.run("show", "can.hgplan", *words).out)), form
    with tarfile.open(file) as tar:
        sealed = tar.extractfile("sealed.age")
        assert sealed is not None
        opened = pyrage.decrypt(sealed.read(), [identity])
    with tarfile.open(fileobj=io.BytesIO(opened)) as tar:
        record = tar.extractfile("plan-record.json")
        assert record is not None
        assert list(found_in("the sealed part", json.dumps(json.load(record))))


@with_helm_3
def test_credentials_and_names_of_charts(helmguard: Helmguard, helm: Helm) -> None:
    secret = canary("next", "a")
    ended = helmguard.run(
        *("plan", "can", "can", "--install", "--out", "can.hgplan", "--repo"),
        f"https://user:{secret}@127.0.0.1:1/charts",
    )
    assert ended.code == 1
    assert list(found_in("stderr", ended.err)) == []
    helm.run("package", CHART)
    archive = next(helm.home.glob("*.tgz"))
    more = ("--username", "me", "--password", secret, "--kube-token", "none")
    save_words = (archive, "--install", *more[:4])
    assert found_in_plan(save(helmguard, *save_words)) == []


@pytest.mark.parametrize(
    ("words", "files", "shown"),
    [
        (["--set-file", "db.password=pw"], {"pw": b"admin"}, {"pw": b"(secret)\n"}),
        (["--set-file=a=x,db.password=pw"], {"x": b"hi", "pw": b"1"}, {"x": b"hi", "pw": b"(secret)\n"}),
        (["--set-file", "note=x"], {"x": b"\xff\xfe"}, {"x": b"(not text: left out)\n"}),
        (["-f", "v"], {"v": b"db: {password: admin}\n"}, None),
        (["-f", "-"], {"-": b"url: https://me:hunter2@example.com/\n"}, None),
        (["-f", "v"], {"v": b"# a comment\ngreeting: hi\n"}, {"v": b"# a comment\ngreeting: hi\n"}),
    ],
)
def test_short_and_plain_secrets_are_seen_by_their_names(
    words: list[str], files: dict[str, bytes], shown: dict[str, bytes] | None
) -> None:
    """A password such as ``admin`` is looked for nowhere, for it stands everywhere."""
    found = masked_files(files, words, Masker())
    if shown is not None:
        assert found == shown
    else:
        assert all(b"(secret " in content for content in found.values())
        assert not any(word in content for content in found.values() for word in (b"admin", b"hunter2"))
