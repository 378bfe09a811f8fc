"""A plan is saved, shown and planned again from its file alone, with real helms and a real API server."""

from __future__ import annotations

import functools
import hashlib
import json
import shutil
import stat
import tarfile
import threading
from collections.abc import Callable
from datetime import date
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from helmguard_program import CHECKOUT, Helmguard
from which_helm import with_helm_3, with_helm_4

from helmguard.cluster.kube_options import KubeOptions
from helmguard.config.gate import Gate
from helmguard.errors import SavedPlanError, UsageError
from helmguard.helm.flags import RenderOptions
from helmguard.model.plan_difference import PlanDifference
from helmguard.planner.online import plan_online
from helmguard.report.plan_json import plan_to_dict
from helmguard.saved_plan.read import SavedPlan, read_saved_plan
from helmguard.saved_plan.request import request_of
from helmguard.saved_plan.staleness import differences

SCHEMA = json.loads((CHECKOUT / "docs" / "saved-plan.schema.json").read_text())


def saved(helmguard: Helmguard, *words: str | Path, stdin: str = "") -> SavedPlan:
    ended = helmguard.run("plan", *words, "--out", "p.hgplan", "-o", "json", stdin=stdin)
    assert ended.code in (0, 2, 3), ended.err
    file = helmguard.home / "p.hgplan"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with tarfile.open(file) as tar:
        header = tar.extractfile("header.json")
        assert header is not None
        jsonschema.validate(json.load(header), SCHEMA)
    read = read_saved_plan(file)
    # What was printed is what was saved; only the marks of secrets are made anew for each output.
    assert differences(read.plan, ended.json) == ()
    assert read.header.exit_code == ended.code
    return read


def planned_again(
    helm: Helm, plan: SavedPlan, again: RenderOptions | None = None
) -> tuple[dict[str, Any], tuple[PlanDifference, ...]]:
    kube = KubeOptions(kubeconfig=str(helm.kubeconfig))
    gate = Gate(today=date(2026, 11, 30))
    more = {} if again is None else {"again": again}
    with request_of(plan, kube, gate=gate, helm_binary=str(helm.binary), **more) as request:
        now = plan_to_dict(plan_online(request))
    return now, differences(plan.plan, now)


def test_an_install_with_every_sort_of_file(helmguard: Helmguard, helm_here: Helm, chart: Path) -> None:
    home = helmguard.home
    (home / "grüße.yaml").write_text("greeting: Grüße 日本\n")
    (home / "note.txt").write_text("first\nsecond\n")
    words = ("-f", "grüße.yaml", "--set-file", "file=note.txt", "-f", "-")
    plan = saved(helmguard, "web", chart, "--install", *words, stdin="replicas: 4\n")
    assert plan.is_complete
    assert plan.files == {
        "grüße.yaml": "greeting: Grüße 日本\n".encode(),
        "-": b"replicas: 4\n",
        "note.txt": b"first\nsecond\n",
    }
    for gone in (home / "grüße.yaml", home / "note.txt"):
        gone.unlink()
    shutil.rmtree(chart)
    now, stale = planned_again(helm_here, plan)
    assert stale == ()
    settings = next(each for each in now["resources"] if each["kind"] == "ConfigMap")
    assert settings["after"]["data"] == {"greeting": "Grüße 日本", "file": "first\nsecond\n"}


def test_an_upgrade_and_what_makes_it_stale(
    helmguard: Helmguard, helm_here: Helm, chart: Path, control_plane: ControlPlane
) -> None:
    helm_here.run("install", "web", chart)
    plan = saved(helmguard, "web", chart, "--set", "replicas=3")
    assert planned_again(helm_here, plan)[1] == ()
    place = f"/apis/apps/v1/namespaces/{helm_here.namespace}/deployments/web"
    # What does not matter: a status, somebody's annotation and label, and a write that changes nothing.
    control_plane.patch(f"{place}/status", {"status": {"observedGeneration": 7}})
    control_plane.patch(
        place, {"metadata": {"annotations": {"example.com/seen": "x"}, "labels": {"team": "y"}}}
    )
    assert planned_again(helm_here, plan)[1] == ()
    # What does: the value that Helm will overwrite, and an object that is gone.
    control_plane.patch(place, {"spec": {"replicas": 2}})
    stale = planned_again(helm_here, plan)[1]
    assert ("live object", "Deployment/web spec.replicas") in [(each.what, each.name) for each in stale]
    control_plane.delete(f"/api/v1/namespaces/{helm_here.namespace}/configmaps/web")
    stale = planned_again(helm_here, plan)[1]
    assert ("live object", "ConfigMap/web", "unchanged", "recreate") in [
        (each.what, each.name, each.planned, each.now) for each in stale
    ]
    # Helm 4 fails here, on the field that somebody else owns now: a failed revision counts, too.
    helm_here.run("upgrade", "web", chart, "--set", "replicas=3", check=False)
    names = {(each.what, each.name) for each in planned_again(helm_here, plan)[1]}
    assert {("revision", "last revision"), ("revision", "new revision")} <= names


@with_helm_4
def test_a_rollback(helmguard: Helmguard, helm_here: Helm, chart: Path) -> None:
    helm_here.run("install", "web", chart)
    helm_here.run("upgrade", "web", chart, "--set", "replicas=3")
    plan = saved(helmguard, "web", "--rollback", "1")
    assert plan.is_complete
    assert plan.chart is None
    assert plan.header.command[:3] == ("rollback", "web", "1")
    assert planned_again(helm_here, plan)[1] == ()
    helm_here.run("upgrade", "web", chart, "--set", "replicas=4")
    assert planned_again(helm_here, plan)[1] != ()


@with_helm_3
def test_an_archive_keeps_its_bytes(helmguard: Helmguard, helm_here: Helm, chart: Path) -> None:
    helm_here.run("package", chart)
    archive = helmguard.home / "trial-1.0.0.tgz"
    plan = saved(helmguard, "web", archive, "--install")
    assert plan.chart == archive.read_bytes()
    assert plan.given.chart_archive == archive.name
    archive.unlink()
    assert planned_again(helm_here, plan)[1] == ()


@with_helm_4
def test_a_repository_is_asked_once(helmguard: Helmguard, helm_here: Helm, chart: Path) -> None:
    folder = helmguard.home / "repository"
    folder.mkdir()
    helm_here.run("package", chart, "-d", folder)
    archive = (folder / "trial-1.0.0.tgz").read_bytes()
    helm_here.run("repo", "index", folder)
    handler = functools.partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        login = ("--username", "me", "--password", "not-to-be-told-7")
        plan = saved(helmguard, "web", "trial", "--install", "--repo", address, *login)
        server.shutdown()
    assert plan.chart == archive
    assert plan.given.pulled
    assert plan.given.chart_digest == f"sha256:{hashlib.sha256(archive).hexdigest()}"
    assert (plan.given.options.username, plan.given.options.password) == ("", "")
    assert planned_again(helm_here, plan)[1] == ()


@pytest.fixture
def with_secret(helmguard: Helmguard) -> Path:
    file = helmguard.home / "prod.yaml"
    file.write_text("db:\n  password: not-to-be-told-7\ngreeting: hi\n")
    return file


def test_values_that_hold_secrets_are_given_again(
    helmguard: Helmguard, helm_here: Helm, chart: Path, with_secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(helmguard.home)
    plan = saved(helmguard, "web", chart, "--install", "-f", with_secret.name, "--set", "replicas=2")
    assert plan.header.needs.values
    assert not plan.header.needs.chart
    assert b"password: (secret" in plan.files[with_secret.name]
    with pytest.raises(SavedPlanError, match="written without what is secret: values files hold secrets"):
        planned_again(helm_here, plan)
    wrong = RenderOptions("", "", value_words=("-f", with_secret.name, "--set", "replicas=3"))
    with pytest.raises(SavedPlanError, match="these are not the values that were planned"):
        planned_again(helm_here, plan, wrong)
    # The same values, written otherwise.
    words = ("--set", "replicas=2,db.password=not-to-be-told-7", "--set-string", "greeting=hi")
    for given in (("-f", with_secret.name, "--set", "replicas=2"), words):
        now, stale = planned_again(helm_here, plan, RenderOptions("", "", value_words=given))
        assert stale == ()
        assert "not-to-be-told-7" not in json.dumps(now)
    with_secret.write_text("db:\n  password: not-to-be-told-8\ngreeting: hi\n")
    with pytest.raises(SavedPlanError, match="these are not the values that were planned"):
        planned_again(
            helm_here,
            plan,
            RenderOptions("", "", value_words=("-f", with_secret.name, "--set", "replicas=2")),
        )
    chart_too = RenderOptions("", str(chart), value_words=words)
    with pytest.raises(UsageError, match="holds the chart of the plan"):
        planned_again(helm_here, plan, chart_too)


@with_helm_4
def test_a_chart_with_default_passwords_is_given_again(
    helmguard: Helmguard, helm_here: Helm, chart: Path
) -> None:
    with (chart / "values.yaml").open("a") as values:
        values.write("admin:\n  password: changeme-please\n")
    plan = saved(helmguard, "web", chart, "--install")
    assert plan.header.needs.chart
    assert plan.header.needs.why == ("the chart holds secrets (values.yaml)",)
    assert plan.chart is None
    with pytest.raises(SavedPlanError, match="the chart holds secrets"):
        planned_again(helm_here, plan)
    assert planned_again(helm_here, plan, RenderOptions("", str(chart)))[1] == ()
    (chart / "values.yaml").write_text((chart / "values.yaml").read_text().replace("please", "now"))
    with pytest.raises(SavedPlanError, match="this is not the chart that was planned"):
        planned_again(helm_here, plan, RenderOptions("", str(chart)))


def sealed_words(home: Path) -> dict[str, tuple[list[str], list[str]]]:
    """Words that seal, and words that open."""
    import pyrage

    identity = pyrage.x25519.Identity.generate()
    (home / "key").write_text(f"{identity}\n")
    (home / "words").write_text("open sesame\n")
    return {
        "key": (["--encrypt-to", str(identity.to_public())], ["--identity", "key"]),
        "passphrase": (["--passphrase-file", "words"], ["--passphrase-file", "words"]),
    }


@pytest.mark.parametrize("how", ["key", "passphrase"])
def test_a_sealed_plan_needs_only_the_key(
    helmguard: Helmguard, helm_here: Helm, chart: Path, with_secret: Path, how: str
) -> None:
    from helmguard.saved_plan.sealing import read_keys, read_passphrase

    seal, opens = sealed_words(helmguard.home)[how]
    with (chart / "values.yaml").open("a") as values:
        values.write("admin:\n  password: changeme-please\n")
    closed = saved(helmguard, "web", chart, "--install", "-f", with_secret, *seal)
    assert closed.header.sealed is not None
    assert not closed.is_complete
    assert closed.chart is None
    with pytest.raises(SavedPlanError, match="is sealed"):
        planned_again(helm_here, closed)
    file = helmguard.home / opens[1]
    keys = read_keys([str(file)]) if how == "key" else read_keys([], read_passphrase(str(file)))
    plan = read_saved_plan(closed.path, keys)
    assert plan.is_complete
    assert plan.files == {str(with_secret): with_secret.read_bytes()}
    shutil.rmtree(chart)
    with_secret.unlink()
    assert planned_again(helm_here, plan)[1] == ()
    shown = helmguard.run("show", "p.hgplan", *opens, "--show-secrets", "-o", "json")
    assert "not-to-be-told-7" in shown.out
    refused = helmguard.run("show", "p.hgplan", "--show-secrets")
    refused.expect_error("are sealed", opens[0])


@with_helm_4
def test_a_part_sealed_for_another_plan_is_noticed(
    helmguard: Helmguard, chart: Path, with_secret: Path
) -> None:
    """Whoever cannot open a plan may still put another's sealed part into it."""
    from helmguard.saved_plan.archive import HEADER, described, pack, read_parts
    from helmguard.saved_plan.sealing import read_keys

    seal, _ = sealed_words(helmguard.home)["key"]
    saved(helmguard, "web", chart, "--install", "--set", "replicas=9", *seal)
    other = read_parts(helmguard.home / "p.hgplan")[1]["sealed.age"]
    plan = saved(helmguard, "web", chart, "--install", *seal)
    header, parts = read_parts(plan.path)
    parts["sealed.age"] = other
    listed = {name: described(content) for name, content in parts.items()}
    heading = msgspec.json.encode(msgspec.structs.replace(header, parts=listed))
    plan.path.write_bytes(pack({HEADER: heading, **parts}))
    with pytest.raises(SavedPlanError, match="belongs to another plan"):
        read_saved_plan(plan.path, read_keys([str(helmguard.home / "key")]))


@with_helm_4
def test_the_gate_and_the_configuration_go_along(helmguard: Helmguard, helm_here: Helm, chart: Path) -> None:
    (helmguard.home / ".helmguard.yaml").write_text(
        "failOn: warning\noverrides:\n- rule: strategy-downtime\n  severity: warning\n"
        "  reason: nobody is there at night\n"
    )
    helm_here.run("install", "web", chart)
    plan = saved(helmguard, "web", chart, "--set", "replicas=3")
    (helmguard.home / ".helmguard.yaml").unlink()
    now, stale = planned_again(helm_here, plan)
    assert stale == ()
    assert now["failOn"] == "warning"
    assert now["config"]["file"] == ".helmguard.yaml"


SHOWN: dict[str, Callable[[str], bool]] = {
    "text": lambda out: "Saved 2" in out and "Objects  2 to create" in out,
    "markdown": lambda out: out.startswith("> Saved 2") and "### helmguard: install of `web`" in out,
    "yaml": lambda out: out.startswith("formatVersion: helmguard.plan/v1"),
}


@with_helm_4
def test_show_needs_nothing_but_the_file(helmguard: Helmguard, chart: Path, tmp_path: Path) -> None:
    plan = saved(helmguard, "web", chart, "--install")
    alone = Helmguard(tmp_path, settings={"PATH": "/nowhere"})
    shown = alone.run("show", plan.path, "-o", "json").expect(plan.header.exit_code)
    assert shown.out == plan.plan_text
    assert "It holds the chart and the values" in shown.err
    for form, is_right in SHOWN.items():
        ended = alone.run("show", plan.path, "-o", form).expect(plan.header.exit_code)
        assert is_right(ended.out), ended.out
    quiet = alone.run("show", plan.path, "-q").expect(plan.header.exit_code)
    assert quiet.out.count("\n") == 1
    about = alone.run("show", plan.path, "--about").expect(0)
    jsonschema.validate(about.json, SCHEMA)
    alone.run("show", "none.hgplan").expect_error("cannot read none.hgplan")
    alone.run("show").expect_error("the file is missing")
    alone.run("show", plan.path, "--show-secrets").expect_error("holds no secrets")


@with_helm_3
def test_words_that_do_not_fit_are_told(helmguard: Helmguard, chart: Path, seed_bundle: Path) -> None:
    (helmguard.home / "values.yaml").write_text("a: 1\n")
    new = ("plan", "web", chart, "--install")
    helmguard.run(*new, "--encrypt-to", "age1x").expect_error("only a saved plan can be sealed")
    helmguard.run(*new, "--out", "p", "--encrypt-to", "age1x").expect_error("this public key cannot be used")
    helmguard.run(*new, "--out", "p", "--passphrase").expect_error("there is no terminal")
    helmguard.run(*new, "--out", "values.yaml").expect_error("exists and is no saved plan")
    helmguard.run(*new, "--out", "none/p").expect_error("cannot write none/p")
    helmguard.run("plan", "--bundle", seed_bundle, "--out", "p").expect_error("cannot be saved")
    secret = "password=not-to-be-told-7"
    ended = helmguard.run(*new, "--out", "p", "--description", secret)
    ended.expect_error("--description holds a secret")
    assert "not-to-be-told" not in ended.err
    assert sorted(path.name for path in helmguard.home.iterdir() if path.is_file()) == ["values.yaml"]


@pytest.fixture(scope="session")
def seed_bundle() -> Path:
    return CHECKOUT / "fixtures" / "seed"
