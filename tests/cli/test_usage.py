"""Wrong use of the command line: exit code 1, what is wrong and what to do, and nothing on stdout."""

from __future__ import annotations

from pathlib import Path

import pytest
from helmguard_program import Helmguard

ERRORS = [
    ("plan", "the release's name is missing", "Usage: helmguard plan RELEASE CHART"),
    ("plan web", "the chart is missing", "--rollback"),
    ("plan web ./web more", "unrecognized arguments: more", "helmguard plan --help"),
    ("plan web ./web --bogus", "unrecognized arguments: --bogus", "--help"),
    ("plan web ./web --reuse-value", "unrecognized arguments: --reuse-value", "Did you mean --reuse-values?"),
    ("plan web ./web --set", "argument --set: expected one argument", "--help"),
    ("plan web ./web -o wide", "invalid choice: 'wide'", "markdown"),
    ("plan web ./web --fail-on info", "invalid choice: 'info'", "danger"),
    ("plan web ./web --install=maybe", "invalid value 'maybe' for --install", "true or false"),
    ("plan web ./web --rollback", "a rollback takes no chart, but './web' was given", "Leave the chart away"),
    ("plan web 3 --rollback", "a rollback takes no chart, but '3' was given", "write: --rollback 3"),
    ("plan web --rollback abc", "a rollback takes no chart, but 'abc' was given", "Leave"),
    ("plan web --rollback=abc", "'abc' is not a revision number", "--help"),
    ("plan web --rollback --set a=1", "helm rollback has no --set", "Leave --set out"),
    ("plan web --rollback -f a.yaml", "helm rollback has no -f", "Leave -f out"),
    ("plan web --rollback --version 2", "helm rollback has no --version", "Leave --version out"),
    ("plan web --rollback --reuse-values", "helm rollback has no --reuse-values", "Leave"),
    ("plna web ./web", "unknown command 'plna' for helmguard", "Did you mean 'plan'?"),
    ("install web ./web", "unknown command 'install'", "helmguard --help"),
    ("upgrade", "the release's name is missing", "Usage: helmguard upgrade RELEASE CHART"),
    ("upgrade web", "the chart is missing", "oci:// address."),
    ("upgrade web ./web --accept a-rule", "a rule and a reason are wanted", "--accept RULE=reason"),
    ("upgrade web ./web --verify-timeout soon", "'soon' is no duration", "--help"),
    ("upgrade web ./web -o markdown", "invalid choice: 'markdown'", "--help"),
    ("rollback", "the release's name is missing", "Usage: helmguard rollback RELEASE [REVISION]"),
    ("rollback web abc", "'abc' is not a revision number", "--help"),
    ("rollback web --set a=1", "unrecognized arguments: --set", "--help"),
    ("apply", "the plan's file is missing", "Usage: helmguard apply PLANFILE"),
    ("apply /nowhere/web.hgplan", "/nowhere/web.hgplan", ""),
    ("completion fish", "invalid choice: 'fish'", "zsh"),
    ("values web ./web -o markdown", "invalid choice: 'markdown'", "yaml"),
    ("bundle web ./web", "the following arguments are required: -o/--output", "--help"),
    ("plan --bundle /nowhere/bundle", "no such bundle: /nowhere/bundle", "helmguard bundle RELEASE CHART"),
    ("plan web ./web --timeout soon", "'soon' is no duration such as 5m or 90s", "--help"),
    ("plan web ./web --history-max many", "'many' is no whole number", "--help"),
    ("plan web ./web -C -1", "'-1' is no number of lines", "--help"),
    ("plan web ./web --qps fast", "invalid float value: 'fast'", "--help"),
    ("doctor --what", "unrecognized arguments: --what", "--help"),
]


@pytest.mark.parametrize(("line", "message", "remedy"), ERRORS, ids=[line for line, _, _ in ERRORS])
def test_wrong_use_is_told_in_words(helmguard: Helmguard, line: str, message: str, remedy: str) -> None:
    helmguard.run(*line.split()).expect_error(message, remedy)


def test_a_refused_flag_does_not_print_its_password(helmguard: Helmguard, seed_bundle: Path) -> None:
    words = ["plan", "--bundle", str(seed_bundle), "--set-json", 'db={"password":"correct-horse"']
    done = helmguard.run(*words)
    done.expect_error("failed parsing --set-json data", "")
    assert "correct-horse" not in done.out + done.err


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (
            "--help",
            "Exit codes of plan and drift: 0 nothing to do, 1 error, 2 changes",
        ),
        ("", "helmguard COMMAND --help"),
        ("help", "Commands:"),
        ("plan --help", "--reset-then-reuse-values"),
        ("help plan", "exit codes: 0 all was read, and nothing will happen"),
        ("values -h", "--no-cluster"),
        ("bundle --help", "helmguard plan --bundle"),
        ("--version", "helmguard 0."),
        ("-V", "helmguard 0."),
        ("--help", "3 refused"),
        ("plan --help", "helmguard plan RELEASE --rollback [REVISION] [flags]"),
        ("plan --help", "or Helm will fail; 130 interrupted"),
        ("values --help", "exit codes: 0 the values were computed, 1 error"),
        ("bundle --help", "exit codes: 0 the bundle was written, 1 error"),
        ("doctor --help", "exit codes: 0 all a plan needs is there"),
    ],
)
def test_help_is_on_stdout_and_ends_with_0(helmguard: Helmguard, line: str, text: str) -> None:
    ended = helmguard.run(*line.split()).expect(0)
    assert text in ended.out
    assert ended.err == ""


@pytest.mark.parametrize("command", ["values", "bundle"])
def test_what_has_no_verdict_shows_no_flags_of_one(helmguard: Helmguard, command: str) -> None:
    """The words of a plan are taken all the same."""
    assert "--fail-on" not in helmguard.run(command, "--help").out
    ended = helmguard.run(
        command, "web", "./nowhere", "--fail-on", "none", "--no-config", "--detailed-exitcode", "-o", "json"
    )
    ended.expect(1)
    assert "unrecognized" not in ended.err


def test_flags_without_a_command_get_the_overview_as_an_error(helmguard: Helmguard) -> None:
    ended = helmguard.run("--namespace", "shop").expect(1)
    assert ended.out == ""
    assert "Commands:" in ended.err


def test_a_stack_trace_is_shown_only_on_request(helmguard: Helmguard) -> None:
    quiet = helmguard.run("plan", "--bundle", "nowhere").expect_error("no such bundle: nowhere")
    loud = helmguard.run("plan", "--bundle", "nowhere", "--debug").expect(1)
    assert loud.err.startswith("Traceback")
    assert loud.err.endswith(quiet.err)
    assert loud.out == ""


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--kube-context", "prod"], "--kube-context has no effect: a bundle is its own cluster"),
        (["--version", "1.0.0"], "--version has no effect on what a bundle holds"),
        (["--post-renderer", "kustomize"], "--post-renderer has no effect"),
        (["-n", "shop"], "the bundle's release is in namespace 'gpu-operator', not 'shop'"),
        (["--force-conflicts"], "--force-conflicts needs Helm 4.0.0 or newer; this helm is 3.22.0"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_bundle_ignores_no_flag_in_silence(
    helmguard: Helmguard, seed_bundle: Path, flags: list[str], message: str
) -> None:
    helmguard.run("plan", "--bundle", seed_bundle, *flags).expect_error(message)


def test_a_bundle_is_of_one_release(helmguard: Helmguard, seed_bundle: Path) -> None:
    ended = helmguard.run("plan", "--bundle", seed_bundle, "web")
    ended.expect_error("the bundle holds release 'gpu-operator', not 'web'")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--helm-bin", "/nowhere/helm"], "--helm-bin /nowhere/helm: no such file"),
        (["--helm-bin", "/"], "--helm-bin /: is a folder, not a helm binary"),
        (["--helm-bin", "/bin/false"], "/bin/false version failed (exit code 1)"),
        ([], "no helm found on PATH"),
    ],
    ids=["missing", "folder", "no helm", "none"],
)
def test_without_a_usable_helm_the_remedy_says_how_to_get_one(
    helmguard: Helmguard, words: list[str], message: str
) -> None:
    (helmguard.home / "Chart.yaml").write_text("apiVersion: v2\nname: web\nversion: 1.0.0\n")
    ended = helmguard.run("values", "web", ".", "--no-cluster", *words)
    ended.expect_error(message, "helmguard doctor --install-helm")


@pytest.mark.parametrize(
    ("name", "text", "message", "remedy"),
    [
        ("missing", None, "kubeconfig missing does not exist", "--kubeconfig"),
        ("broken", "{", "kubeconfig broken is not valid YAML", "kubectl config view"),
        ("empty", "", "kubeconfig empty has no current context", "It has no contexts"),
    ],
)
def test_a_kubeconfig_that_cannot_be_read_is_named(
    helmguard: Helmguard, name: str, text: str | None, message: str, remedy: str
) -> None:
    if text is not None:
        (helmguard.home / name).write_text(text)
    helmguard.run("plan", "web", "./web", "--kubeconfig", name).expect_error(message, remedy)


def test_no_kubeconfig_at_all(helmguard: Helmguard) -> None:
    ended = helmguard.run("plan", "web", "./web", settings={"KUBECONFIG": ""})
    ended.expect_error("there is no kubeconfig", "set KUBECONFIG")


def test_a_cluster_that_does_not_answer(helmguard: Helmguard, tmp_path: Path) -> None:
    helm = tmp_path / "helm"
    helm.write_text("#!/bin/sh\necho v3.22.0\n")
    helm.chmod(0o755)
    server = ["--kube-apiserver", "https://127.0.0.1:1", "--kube-token", "t0ken-S3cret"]
    ended = helmguard.run("plan", "web", "./web", *server, "--helm-bin", helm)
    ended.expect_error("cannot reach the Kubernetes API server at 127.0.0.1:1: connection refused")
    assert "t0ken" not in ended.err
