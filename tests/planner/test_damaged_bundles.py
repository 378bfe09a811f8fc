"""Every file of a bundle that is missing, damaged or of another kind is an error that names it."""

from __future__ import annotations

import json
import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from helmguard.errors import HelmguardError
from helmguard.planner.bundle_files import open_bundle_folder
from helmguard.planner.bundle_read import read_bundle
from helmguard.planner.offline import plan_from_bundle

SEED = Path(__file__).parents[2] / "fixtures" / "seed"


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return shutil.copytree(SEED, tmp_path / "bundle")


def write(name: str, text: str | bytes) -> Callable[[Path], None]:
    def damage(bundle: Path) -> None:
        (bundle / name).write_bytes(text.encode() if isinstance(text, str) else text)

    damage.__name__ = f"{name}: {text[:24]!r}"
    return damage


def remove(name: str) -> Callable[[Path], None]:
    def damage(bundle: Path) -> None:
        (bundle / name).unlink()

    damage.__name__ = f"no {name}"
    return damage


def change(name: str, before: str, after: str) -> Callable[[Path], None]:
    def damage(bundle: Path) -> None:
        text = (bundle / name).read_text()
        assert before in text
        (bundle / name).write_text(text.replace(before, after))

    damage.__name__ = f"{name}: {after}"
    return damage


DAMAGE = [
    (remove("bundle.yaml"), "neither bundle.yaml nor scenario.yaml is there"),
    (write("bundle.yaml", "a: [1"), "bundle.yaml"),
    (write("bundle.yaml", "- a\n"), "bundle.yaml: is not a YAML mapping"),
    (write("bundle.yaml", b"\xff\xfe\x00a"), "bundle.yaml"),
    (write("bundle.yaml", "formatVersion: helmguard.bundle/v9\n"), "format 'helmguard.bundle/v9' is not"),
    (
        change("bundle.yaml", "operation: upgrade", "verb: upgrade"),
        "bundle.yaml: damaged (KeyError: 'operation')",
    ),
    (change("bundle.yaml", "helm: 3.22.0", "helm: three"), "not a Helm version: 'three'"),
    (change("bundle.yaml", "force: false", "forze: false"), "bundle.yaml: damaged (TypeError"),
    (change("bundle.yaml", "rollbackTo: 0", "rollbackTo: [1]"), "bundle.yaml: damaged"),
    (write("release-before.json", "{"), "release-before.json: damaged JSON"),
    (write("release-before.json", "[]"), "release-before.json: has no list of records"),
    (write("release-before.json", '{"records": 3}'), "release-before.json: has no list of records"),
    (write("live-before.json", "{"), "live-before.json: damaged JSON"),
    (write("live-before.json", "{}"), "live-before.json: is not a list"),
    (write("live-before.json", '[{"kind": "ConfigMap"}]'), "live-before.json: an entry lacks 'apiVersion'"),
    (write("live-before.json", "[3]"), "live-before.json"),
    (write("discovery.json", "[]"), "discovery.json: not a discovery document"),
    (write("discovery.json", '{"kinds": [{}]}'), "discovery.json: not a discovery document"),
    (write("hooks.json", "{"), "hooks.json: damaged JSON"),
    (write("crds.json", "{"), "crds.json: damaged JSON"),
    (write("new-manifest.yaml", b"\xff"), "new-manifest.yaml: is not UTF-8 text"),
    (remove("new-manifest.yaml"), "the bundle holds no rendered manifest"),
    (write("chart-new/Chart.yaml", "a: [1"), "Chart.yaml"),
]


@pytest.mark.parametrize(("damage", "message"), DAMAGE, ids=[damage.__name__ for damage, _ in DAMAGE])
def test_damage_is_named(bundle: Path, damage: Callable[[Path], None], message: str) -> None:
    damage(bundle)
    with pytest.raises(HelmguardError) as caught:
        plan_from_bundle(bundle)
    assert message in caught.value.message


@pytest.mark.parametrize("name", ["hooks.json", "crds.json", "discovery.json", "live-before.json"])
def test_what_a_bundle_may_lack(bundle: Path, name: str) -> None:
    (bundle / name).unlink()
    assert plan_from_bundle(bundle).release.name == "gpu-operator"


def test_a_record_that_cannot_be_read_is_damage_of_the_release(bundle: Path) -> None:
    history = json.loads((bundle / "release-before.json").read_text())
    history["records"].append({"name": "gpu-operator", "version": "three"})
    history["damaged"] = [{"storageName": "record.v9", "version": 9, "why": "cut off"}]
    (bundle / "release-before.json").write_text(json.dumps(history))
    damaged = read_bundle(bundle).history.damaged
    assert [record.storage_name for record in damaged] == ["record.v9", "gpu-operator"]
    assert [finding.rule for finding in plan_from_bundle(bundle).findings].count("record-unreadable") == 2


def test_an_archive_may_hold_the_folder_or_its_files(bundle: Path, tmp_path: Path) -> None:
    for name, inside in (("a.tar.gz", "bundle"), ("b.tgz", ".")):
        with tarfile.open(tmp_path / name, "w:gz") as archive:
            archive.add(bundle, arcname=inside)
        assert plan_from_bundle(tmp_path / name) == plan_from_bundle(bundle)


def test_archives_that_are_none(tmp_path: Path) -> None:
    whole = tmp_path / "whole.tar.gz"
    with tarfile.open(whole, "w:gz") as archive:
        archive.add(SEED, arcname="seed")
    (tmp_path / "cut.tar.gz").write_bytes(whole.read_bytes()[:4000])
    (tmp_path / "text.tar.gz").write_text("hello")
    with tarfile.open(tmp_path / "outside.tar.gz", "w:gz") as archive:
        archive.add(SEED / "bundle.yaml", arcname="../bundle.yaml")
    for name, message in (
        ("missing.tar.gz", "no such bundle"),
        ("text.tar.gz", "neither a bundle's folder nor a .tar.gz archive"),
        ("cut.tar.gz", "damaged archive"),
        ("outside.tar.gz", "damaged archive"),
    ):
        with pytest.raises(HelmguardError) as caught, open_bundle_folder(tmp_path / name):
            pass
        assert message in caught.value.message
    assert not (tmp_path.parent / "bundle.yaml").exists()


def test_the_unpacked_archive_is_taken_away(bundle: Path, tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as archive:
        archive.add(bundle, arcname="bundle")
    with open_bundle_folder(tmp_path / "a.tar.gz") as folder:
        assert (folder / "bundle.yaml").exists()
    assert not folder.exists()
