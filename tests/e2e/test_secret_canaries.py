"""Canaries put everywhere come out nowhere: no format, no error, no file, no list of processes shows one."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from canaries import CHART, Found, canary, found_in, found_in_files, set_words, values, written
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from helmguard_program import Ended, Helmguard
from live_state import program_for
from spied_helm import SpiedHelm
from which_helm import with_helm_3, with_helm_4

import helmguard as api


@dataclass(frozen=True)
class Trial:
    """A release of the chart in the cluster, and helmguard with a helm that is watched."""

    helm: Helm
    program: Helmguard
    spied: SpiedHelm

    def run(self, *words: str | Path, code: int | None = None) -> Ended:
        """One run; nothing that it writes or hands to helm holds a canary."""
        ended = self.program.run(*words)
        assert "internal error" not in ended.err, ended.err
        if code is not None:
            ended.expect(code)
        assert _told(self.leaks(ended)) == []
        return ended

    def leaks(self, ended: Ended) -> Iterator[Found]:
        """The canaries that a run let out."""
        yield from found_in("stdout", ended.out)
        yield from found_in("stderr", ended.err)
        yield from found_in("helm's words and environment", self.spied.called_with())
        assert list(self.spied.scratch.iterdir()) == [], "temporary files were left"
        assert {mode for mode in self.spied.modes().values() if mode != "600"} == set()


@pytest.fixture
def trial(helm: Helm, control_plane: ControlPlane, tmp_path: Path) -> Trial:
    spied = SpiedHelm.of(helm.binary, tmp_path / "spied")
    plain = program_for(helm)
    program = Helmguard(
        plain.home, spied.program, plain.kubeconfig, plain.namespace, {"TMPDIR": str(spied.scratch)}
    )
    helm.run("install", "can", CHART, "-f", written(helm.home, "frst"))
    _change_by_hand(control_plane, helm.namespace)
    return Trial(helm, program, spied)


def _change_by_hand(control_plane: ControlPlane, namespace: str) -> None:
    """What no manifest says: another content of a Secret, told again elsewhere, and kubectl's own record."""
    core = f"/api/v1/namespaces/{namespace}"
    applied = {"apiVersion": "v1", "kind": "Secret", "data": {"beta": _encoded(canary("live", "b"))}}
    annotations = {"kubectl.kubernetes.io/last-applied-configuration": json.dumps(applied)}
    body = {"data": {"alpha": _encoded(canary("live", "a"))}, "metadata": {"annotations": annotations}}
    control_plane.patch(f"{core}/secrets/store", body)
    one, other = canary("live", "a"), canary("live", "b")
    seen = {"seen": f"{one} and {other}", "cut": f"{one[:9]}..."}
    control_plane.patch(f"{core}/configmaps/leaks", {"metadata": {"annotations": seen}})


def _encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _told(found: Iterator[Found] | list[Found]) -> list[str]:
    return [str(each) for each in found][:10]


@with_helm_4
def test_every_format_of_a_plan(trial: Trial) -> None:
    new = ("plan", "can", CHART, "-f", written(trial.program.home, "next"))
    page = trial.run(*new, "-C", "3", "--show-noise", "--debug")
    assert "(secret, changed)" in page.out
    for form in ("json", "yaml", "markdown"):
        assert trial.run(*new, "-o", form).out.count("(secret") > 50
    trial.run(*new, "--show-context")
    trial.run(*new, "-q")


def test_values_given_by_flags(trial: Trial) -> None:
    for how in ("template", "dry-run"):
        ended = trial.run("plan", "can", CHART, *set_words("next"), "--render", how, "-o", "json")
        assert "(secret" in json.dumps(ended.json["values"]["changes"])
    # The command to keep old values repeats the flags.
    trial.run("plan", "can", CHART, "--set", f"store.alpha={canary('next', 'a')}")
    trial.run("plan", "can", CHART, "--reuse-values", "--set", f"job.pin={canary('next', 'j')}")


@with_helm_3
def test_values_alone(trial: Trial) -> None:
    for words in (
        ["-f", written(trial.program.home, "next")],
        [*set_words("next"), "-o", "json"],
        ["--reset-values", "-o", "yaml"],
        ["--no-cluster", "-f", written(trial.program.home, "next"), "-o", "json"],
    ):
        assert "(secret" in trial.run("values", "can", CHART, *words, code=0).out


@with_helm_4
def test_an_install_a_rollback_and_drift(trial: Trial, control_plane: ControlPlane) -> None:
    new = written(trial.program.home, "next")
    trial.helm.run("upgrade", "can", CHART, "-f", new)
    _change_by_hand(control_plane, trial.helm.namespace)
    for form in ("text", "json", "markdown"):
        trial.run("plan", "can", "--rollback", "1", "-o", form)
        trial.run("drift", "can", "-o", form)
        trial.run("drift", "-n", trial.helm.namespace, "-o", form)
    trial.helm.run("uninstall", "can")
    trial.run("plan", "other", CHART, "--install", "-f", new, "-o", "json")


def test_errors_of_templates_and_of_the_api_server(trial: Trial) -> None:
    """Templates quote the values that they refuse, the API server what it got, whole pod templates too."""
    for fault, words in (
        ("render", ["-o", "json"]),
        ("render", ["--render", "dry-run"]),
        ("label", ["-o", "json"]),
        ("label", ["--render", "dry-run"]),
        ("job", []),
        ("document", []),
    ):
        new = written(trial.program.home, "next", **{fault: True})
        assert trial.run("plan", "can", CHART, "-f", new, *words).code == 3
    for fault in ("render", "label"):
        new = written(trial.program.home, "next", **{fault: True})
        real = trial.helm.run("upgrade", "can", CHART, "-f", new, check=False)
        assert real.returncode != 0
        assert found_in("helm", real.stderr), "the fault does not quote a canary"


@with_helm_4
def test_errors_of_values_and_flags(trial: Trial) -> None:
    home, secret = trial.program.home, canary("next", "a")
    refused = values("next")
    refused["store"]["alpha"] = f"no{secret}"
    files = {
        "refused.yaml": json.dumps(refused),
        "text.yaml": secret,
        "list.yaml": f"- {secret}\n",
        "broken.yaml": f'store: {{alpha: "{secret}"\nbeta: [\n',
        "tab.yaml": f"api:\n\taccessToken: {secret}\n",
        "twice.yaml": f"api: {{accessToken: {secret}: x}}\n",
        "binary.yaml": f"api: {{accessToken: !!int {secret}}}\n",
    }
    for name, text in files.items():
        (home / name).write_text(text)
        trial.run("plan", "can", CHART, "-f", name, "--debug")
    for name in ("refused.yaml", "broken.yaml"):
        trial.run("values", "can", CHART, "-f", name, "--debug")
    for words in (
        ["--set", f"api.accessToken={secret},{secret}"],
        ["--set", f"api.accessToken[{secret}"],
        ["--set-json", f'api={{"accessToken": "{secret}"'],
        ["--set-json", f'{{"api": {{"accessToken": "{secret}"'],
        ["--set-file", "api.accessToken=missing"],
        ["--pasword", secret],
        [f"--pasword={secret}"],
        ["--set-string", f"api.accessToken={secret}", "--nonsense"],
        ["--kube-token", secret, "--kube-context", "none"],
        ["-f", f"https://user:{secret}@example.com/values.yaml"],
        ["--repo", f"https://user:{secret}@127.0.0.1:1/charts"],
        ["--burst-limit", f"token={secret}"],
    ):
        ended = trial.program.run("plan", "can", CHART, *words, "--debug")
        assert "internal error" not in ended.err
        # A token goes to helm by its environment, which only this user can read.
        found = [*found_in("stdout", ended.out), *found_in("stderr", ended.err)]
        assert _told(found) == [], words


@with_helm_4
def test_a_bundle_and_what_is_planned_from_it(trial: Trial) -> None:
    home = trial.program.home
    trial.run("bundle", "can", CHART, *set_words("next"), "-o", "folder", code=0)
    assert _told(found_in_files(home / "folder")) == []
    trial.run("bundle", "can", CHART, "-f", written(home, "next"), "-o", "packed.tar.gz", code=0)
    with tarfile.open(home / "packed.tar.gz") as archive:
        archive.extractall(home / "unpacked", filter="data")
    assert _told(found_in_files(home / "unpacked")) == []
    for words in (["-o", "json"], ["-C", "3"], ["--reset-values", "-o", "yaml"], [*set_words("next")]):
        trial.run("plan", "--bundle", "folder", *words)
    trial.run("drift", "--bundle", "packed.tar.gz", "-o", "json")


@with_helm_3
def test_errors_of_the_python_api(trial: Trial, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in trial.program.environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(trial.program.home)
    secret = canary("next", "a")
    (trial.program.home / "text.yaml").write_text(secret)
    refused = values("next")
    refused["store"]["alpha"] = f"no{secret}"
    (trial.program.home / "refused.yaml").write_text(json.dumps(refused))
    calls: list[tuple[Any, ...]] = [
        (api.plan, "can", str(CHART), ["-f", "text.yaml"]),
        (api.plan, "can", str(CHART), ["--set", f"api.accessToken={secret},{secret}"]),
        (api.plan, "can", str(CHART), [f"--pasword={secret}"]),
        (api.compute_values, CHART, ["-f", "refused.yaml"]),
        (api.compute_values, CHART, ["-f", "text.yaml"]),
    ]
    for call, *arguments in calls:
        with pytest.raises(api.HelmguardError) as raised:
            call(*arguments)
        error = raised.value
        told = [str(error), repr(error), error.message, error.remedy]
        assert _told(found_in("error", "\n".join(told))) == []
    plan = api.plan("can", str(CHART), set_words("next"))
    assert _told(found_in("repr", repr(plan.known_secrets is not None))) == []
    assert _told(found_in("to_dict", json.dumps(plan.to_dict()))) == []


@with_helm_3
def test_secrets_are_shown_when_asked_for(trial: Trial) -> None:
    """Without this no test above could fail."""
    new = written(trial.program.home, "next")
    for form in ("text", "json", "yaml", "markdown"):
        ended = trial.program.run("plan", "can", CHART, "-f", new, "-o", form, "--show-secrets")
        assert len(found_in(form, ended.out)) > 10
        assert "(secret" not in ended.out
    assert found_in("values", trial.program.run("values", "can", CHART, "-f", new, "--show-secrets").out)
    trial.program.run("bundle", "can", CHART, "-f", new, "-o", "clear", "--show-secrets").expect(0)
    assert list(found_in_files(trial.program.home / "clear"))


@pytest.mark.parametrize("debug", [(), ("--debug",)])
@pytest.mark.parametrize("where", ["main", "thread"])
def test_an_error_that_nobody_expected(tmp_path: Path, where: str, debug: tuple[str, ...]) -> None:
    secret = canary("next", "a")
    code = f"""
import sys, threading
import helmguard.planner.online as online
from helmguard.cli.main import run
def fail(*_):
    try:
        raise KeyError({secret!r})
    except KeyError as error:
        raise ValueError("said " + {secret!r}) from error
def plan(*_):
    if {where!r} == "main":
        fail()
    failing = threading.Thread(target=fail)
    failing.start()
    failing.join()
    raise SystemExit(1)
online.plan_online = plan
sys.argv = ["helmguard", "plan", "web", "./web", *{debug!r}]
run()
"""
    program = Helmguard(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", code], env=program.environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "internal error (ValueError)" in done.stderr
    # The lines of the program that are shown are this test's own here, and hold no secret elsewhere.
    assert _told(found_in("stderr", done.stderr)) == []
    assert ("Traceback" in done.stderr) is (bool(debug) and where == "main")
