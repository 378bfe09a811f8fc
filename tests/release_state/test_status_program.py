"""helmguard status as its users meet it: help, wrong use, formats, secrets, the published schemas."""

from __future__ import annotations

import base64
import json
import shlex
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from helmguard_program import CHECKOUT, Ended, Helmguard
from release_trial import RELEASE, ReleaseTrial, config_map, deployment, endless_hook
from which_helm import with_helm_3, with_helm_4

from helmguard.cli.main import main
from helmguard.manifest import yaml
from helmguard.model.release_state import WayOut

Run = Callable[..., Ended]
LOGIN = """---
apiVersion: v1
kind: Secret
metadata: {name: login}
stringData: {password: hunter2-of-the-chart}
"""
SHOUTING = LOGIN + deployment("web", selector="hunter2-of-the-chart", replicas=-1)


@pytest.fixture
def inside(trial: ReleaseTrial, capsys: pytest.CaptureFixture[str]) -> Run:
    """``helmguard WORDS`` inside this process."""

    def run(*words: str) -> Ended:
        code = main([*words, *trial.helm.helmguard_words()])
        out, err = capsys.readouterr()
        return Ended(words, code, out, err)

    return run


def schema(name: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((CHECKOUT / "docs" / name).read_text())
    return document


@pytest.fixture
def alone(tmp_path: Path) -> Helmguard:
    """Without helm and without a cluster."""
    return Helmguard(tmp_path, settings={"PATH": "/nowhere"})


def test_help_has_examples_and_exit_codes(alone: Helmguard) -> None:
    text = alone.run("status", "--help").expect(0).out
    assert "helmguard status web -n shop" in text
    assert "3 it needs a way out" in text
    assert "helmguard history web -n shop --max 3" in alone.run("history", "--help").expect(0).out
    assert "\n  status " in alone.run("--help").out


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("status", "RELEASE"),
        ("status web chart", "unrecognized arguments: chart"),
        ("status web --no-dry-runs", "Did you mean --no-dry-run?"),
        ("history", "RELEASE"),
        ("history web --max many", "'many' is no number of revisions"),
    ],
)
def test_wrong_use_is_told_in_words(alone: Helmguard, line: str, message: str) -> None:
    alone.run(*line.split()).expect_error(message)


def test_the_documents_are_as_their_schemas_say(trial: ReleaseTrial, inside: Run) -> None:
    assert not trial.upgrade(config_map("conf", a="1"))
    assert trial.upgrade(config_map("conf", a="2") + deployment("bad", replicas=-1))
    trial.killed_upgrade(config_map("conf", a="3") + endless_hook("pre-upgrade"))
    for words, name, code in (("status", "status.schema.json", 3), ("history", "history.schema.json", 0)):
        document = inside(words, RELEASE, "-o", "json").expect(code).json
        jsonschema.Draft202012Validator(schema(name)).validate(document)
        assert document["exitCode"] == code
        assert yaml.load(inside(words, RELEASE, "-o", "yaml").expect(code).out).keys() == document.keys()
    wait, way = inside("status", RELEASE, "-o", "json").json["waysOut"]
    assert (wait["kind"], wait["recommended"], way["recommended"]) == ("wait", True, False)
    assert (way["kind"], way["revision"], way["check"]["result"]) == ("rollback", 1, "works")


@with_helm_3
def test_an_unreadable_release_fits_the_schema(trial: ReleaseTrial, inside: Run) -> None:
    from release_records import damage

    assert not trial.upgrade(config_map("conf", a="1"))
    damage(trial.cluster, trial.namespace, RELEASE, 1)
    document = inside("status", RELEASE, "-o", "json").expect(3).json
    jsonschema.Draft202012Validator(schema("status.schema.json")).validate(document)
    document = inside("history", RELEASE, "-o", "json").expect(0).json
    jsonschema.Draft202012Validator(schema("history.schema.json")).validate(document)


def test_the_commands_of_helmguard_itself(trial: ReleaseTrial, inside: Run) -> None:
    """The recommended commands as they are printed, one that accepts its own purpose among them."""

    def take(way: WayOut) -> None:
        ended = inside(*shlex.split(way.commands[0])[1:], "--yes", "--verify-timeout", "0s")
        # 4: the Deployment's pods fit on no node, which verification tells.
        assert ended.code in (0, 4), ended.err

    words = ["upgrade", "--install", RELEASE, str(trial.chart(deployment("web"))), "--wait"]
    trial.kill_when(lambda: trial.live("deployments", "web", "/apis/apps/v1") is not None, *words)
    (way,) = (way for way in trial.status(later=timedelta(hours=3)).ways_out if way.recommended)
    assert way.accepts
    take(way)
    trial.expect_whole()
    assert trial.upgrade(config_map("conf", a="2") + deployment("bad", replicas=-1))
    (way,) = (way for way in trial.status().ways_out if way.recommended)
    take(way)
    trial.expect_whole()


def test_the_quiet_line_and_markdown(trial: ReleaseTrial, inside: Run) -> None:
    assert not trial.upgrade(config_map("conf", a="1"))
    assert trial.upgrade(config_map("conf", a="2") + deployment("bad", replicas=-1))
    page = inside("status", RELEASE).expect(2).out
    quiet = " ".join(inside("status", RELEASE, "-q").expect(2).out.split())
    assert quiet.startswith("Deployed, but the last revision failed; a way out was checked: rollback to")
    assert " ".join(page.split()).endswith(quiet)
    markdown = inside("status", RELEASE, "-o", "markdown").expect(2).out
    assert markdown.startswith(f"### helmguard: status of `{RELEASE}`")
    assert "revision 2 failed; revision 1 is still the deployed one" in markdown


@with_helm_3
def test_without_dry_runs_nobody_is_asked(trial: ReleaseTrial, inside: Run) -> None:
    assert not trial.upgrade(config_map("conf", a="1"))
    assert trial.upgrade(config_map("conf", a="2") + deployment("bad", replicas=-1))
    for words, asked in (([], True), (["--no-dry-run"], False)):
        document = inside("status", RELEASE, "-o", "json", *words).expect(2).json
        assert document["waysOut"][0]["check"]["byServer"] is asked


@with_helm_4
def test_secrets_stay_masked_in_every_format(trial: ReleaseTrial, inside: Run) -> None:
    """Helm's own error quotes the secret, and so do the record's description and the plan's check."""
    assert not trial.upgrade(LOGIN)
    error = trial.upgrade(SHOUTING)
    assert "hunter2-of-the-chart" in error or "Invalid value" in error
    secrets = ("hunter2-of-the-chart", base64.b64encode(b"hunter2-of-the-chart").decode())
    for command in ("status", "history"):
        for format_ in ("text", "json", "yaml", "markdown"):
            out = inside(command, RELEASE, "-o", format_).out
            assert [secret for secret in secrets if secret in out] == []


@with_helm_4
def test_a_user_who_may_read_little(trial: ReleaseTrial) -> None:
    from controlplane.permissions import grant

    from helmguard.cli.release_request import read_release_request
    from helmguard.cli.status import build_parser
    from helmguard.errors import PermissionDeniedError
    from helmguard.release_state.status_online import StatusRequest, status_online

    assert not trial.upgrade(config_map("conf", a="1") + deployment("web"))
    limited = trial.cluster.as_limited()
    words = [RELEASE, "-n", trial.namespace, "--kubeconfig", str(limited.kubeconfig)]
    words += ["--helm-bin", str(trial.helm.binary)]
    request = StatusRequest(read_release_request(build_parser().parse(words)))
    with pytest.raises(PermissionDeniedError, match="the release records cannot be read"):
        status_online(request)
    grant(
        trial.cluster,
        trial.namespace,
        [{"apiGroups": [""], "resources": ["secrets", "configmaps"], "verbs": ["get", "list"]}],
    )
    state = status_online(request)
    assert (state.condition, state.exit_code) == ("deployed", 2)
    assert "Deployment/web" in {item.what for item in state.unknown}


@with_helm_4
def test_a_user_who_may_read_all_of_the_namespace_has_a_whole_release(trial: ReleaseTrial) -> None:
    """The namespace itself is none of the release's objects: that it cannot be listed leaves nothing open."""
    from controlplane.permissions import grant

    from helmguard.cli.release_request import read_release_request
    from helmguard.cli.status import build_parser
    from helmguard.release_state.status_online import StatusRequest, status_online

    assert not trial.upgrade(config_map("conf", a="1"))
    everything = {"apiGroups": ["*"], "resources": ["*"], "verbs": ["get", "list"]}
    limited = grant(trial.cluster, trial.namespace, [everything])
    words = [RELEASE, "-n", trial.namespace, "--kubeconfig", str(limited.kubeconfig)]
    words += ["--helm-bin", str(trial.helm.binary)]
    state = status_online(StatusRequest(read_release_request(build_parser().parse(words))))
    assert (state.unknown, state.condition, state.exit_code) == ((), "deployed", 0)
