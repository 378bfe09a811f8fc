"""The command as its users meet it: help, wrong use, formats, secrets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from drift_trial import RELEASE, DriftTrial
from helmguard_program import Ended, Helmguard
from which_helm import with_helm_3, with_helm_4

from helmguard.manifest import yaml

Run = Callable[..., Ended]
LOGIN = """\
apiVersion: v1
kind: Secret
metadata: {name: login}
stringData: {password: hunter2-of-the-chart}
"""


@pytest.fixture
def alone(tmp_path: Path) -> Helmguard:
    """Without helm and without a cluster."""
    return Helmguard(tmp_path, settings={"PATH": "/nowhere"})


def test_help_has_examples_and_exit_codes(alone: Helmguard) -> None:
    text = alone.run("drift", "--help").expect(0).out
    assert "helmguard drift -A -o json" in text
    assert "3 the next upgrade will fail" in text
    assert "drift " in alone.run("--help").out
    assert "--all-namespaces" in alone.run("completion", "bash").expect(0).out


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("web -A", "--all-namespaces chooses among releases, and release 'web' is named already"),
        ("web --filter x", "--filter chooses among releases"),
        ("--bundle x -l a=b", "--selector chooses among releases, and a bundle is named already"),
        ("--bundle /nowhere", "no such bundle: /nowhere"),
        ("--bundle x --kube-context c", "--kube-context has no effect: a bundle is its own cluster"),
        ("web --server-side=maybe", "invalid value 'maybe' for --server-side"),
        ("web chart", "unrecognized arguments: chart"),
        ("--al-namespaces", "Did you mean --all-namespaces?"),
    ],
)
def test_wrong_use_is_told_in_words(alone: Helmguard, line: str, message: str) -> None:
    alone.run("drift", *line.split()).expect_error(message)


@with_helm_3
def test_flags_that_this_helm_does_not_know(program: Helmguard) -> None:
    for words in (["drift", "web", "--force-conflicts"], ["drift", "--server-side", "true"]):
        assert "Helm 4" in program.run(*words).expect(1).err


@with_helm_4
def test_secrets_stay_masked_in_every_format(trial: DriftTrial, inside: Run) -> None:
    trial.install(trial.chart({"login": LOGIN}))
    trial.patch(
        trial.at("secrets", "login"),
        {"stringData": {"password": "swordfish-by-hand", "more": "opensesame-1"}},
    )
    secrets = ("hunter2-of-the-chart", "swordfish-by-hand", "opensesame-1", "c3dvcmRmaXNoLWJ5LWhhbmQ=")
    for words in ([RELEASE], []):
        for format_ in ("text", "json", "yaml", "markdown"):
            out = inside("drift", *words, "-o", format_).out
            assert "login" in out
            assert [secret for secret in secrets if secret in out] == []
    shown = inside("drift", RELEASE, "-o", "json", "--show-secrets").json
    assert "c3dvcmRmaXNoLWJ5LWhhbmQ=" in str(shown)


@with_helm_4
def test_formats_and_the_quiet_line(trial: DriftTrial, inside: Run) -> None:
    trial.install(trial.chart({"login": LOGIN}))
    trial.cluster.delete(trial.at("secrets", "login"))
    for words in ([RELEASE], []):
        document = inside("drift", *words, "-o", "json").expect(2).json
        assert document["exitCode"] == 2
        assert isinstance(yaml.load(inside("drift", *words, "-o", "yaml").expect(2).out), dict)
        page = inside("drift", *words).expect(2).out
        assert "- Secret/login" in page
        assert inside("drift", *words, "-q").expect(2).out == page.splitlines()[-1] + "\n"
        markdown = inside("drift", *words, "-o", "markdown").expect(2).out
        assert markdown.startswith("### helmguard: drift")
        assert "Secret/login" in markdown
