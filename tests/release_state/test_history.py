"""helmguard history: every revision of a real release, and what changed from the one before."""

from __future__ import annotations

import json

import pytest
from release_records import damage
from release_trial import RELEASE, ReleaseTrial, config_map, deployment
from which_helm import with_helm_3, with_helm_4

import helmguard
from helmguard.cli.history import build_parser
from helmguard.cli.main import main
from helmguard.cli.release_request import read_release_request
from helmguard.masking.masker import Masker
from helmguard.model.json_value import JSONObject
from helmguard.model.revision_changes import HistoryEntry, ReleaseHistory, RevisionChanges
from helmguard.release_state.history_online import HistoryRequest, history_online
from helmguard.report.history_json import history_to_dict
from helmguard.report.history_page import render_history
from helmguard.report.page import Page

VALUES = "mode: safe\nsize: 1\nlogin: {password: hunter2-of-the-chart}\n"
TEMPLATE = """---
apiVersion: v1
kind: ConfigMap
metadata: {name: conf, labels: {helm.sh/chart: "{{ .Chart.Name }}-{{ .Chart.Version }}"}}
data: {mode: {{ .Values.mode | quote }}, size: "{{ .Values.size }}"}
---
apiVersion: v1
kind: Secret
metadata: {name: login}
stringData: {password: {{ .Values.login.password | quote }}}
"""


def history(trial: ReleaseTrial, most: int = 0) -> ReleaseHistory:
    options = build_parser().parse([RELEASE, *trial.helm.helmguard_words()])
    return history_online(HistoryRequest(read_release_request(options, judged=False), most))


def changes(entry: HistoryEntry) -> RevisionChanges:
    assert entry.changes is not None
    return entry.changes


def values(entry: HistoryEntry) -> list[tuple[str, str]]:
    return [(".".join(map(str, change.path)), change.cause) for change in changes(entry).values]


def objects(entry: HistoryEntry) -> dict[str, tuple[str, bool]]:
    return {str(each.key): (each.change, each.bookkeeping) for each in changes(entry).objects}


@pytest.fixture
def told(trial: ReleaseTrial) -> ReleaseTrial:
    """Seven revisions of a chart with values."""
    files = {"values.yaml": VALUES}
    one = trial.chart(TEMPLATE, "1.0.0", files)
    two = trial.chart(TEMPLATE + deployment("web"), "1.1.0", files)
    three = trial.chart(TEMPLATE, "1.2.0", files)
    login = "login.password=hunter2-of-now"
    for words in (
        ["install", RELEASE, str(one), "--set", "mode=fast"],
        ["upgrade", RELEASE, str(one), "--set", "mode=fast", "--set", "size=2", "--set", login],
        ["upgrade", RELEASE, str(one), "--set", "size=2", "--set", "login.password=hunter2-of-then"],
        ["upgrade", RELEASE, str(two), "--reuse-values"],
        ["upgrade", RELEASE, str(two), "--reuse-values"],
        ["rollback", RELEASE, "2"],
        ["upgrade", RELEASE, str(three), "--reuse-values"],
    ):
        trial.helm.run(*words)
    return trial


def test_what_changed(told: ReleaseTrial) -> None:
    found = history(told)
    first, second, third, fourth, fifth, sixth, seventh = found.entries
    assert (first.changes, first.objects, first.values) == (None, 2, 1)
    assert values(second) == [("login.password", "values"), ("size", "values")]
    assert objects(second) == {"ConfigMap/conf": ("changed", False), "Secret/login": ("changed", False)}
    assert values(third) == [("mode", "lost override"), ("login.password", "values")]
    assert changes(fourth).chart == ("trial 1.0.0", "trial 1.1.0")
    assert objects(fourth) == {"Deployment/web": ("added", False), "ConfigMap/conf": ("changed", True)}
    assert changes(fifth).is_nothing
    assert sixth.rollback_to == 2
    assert ("mode", "values") in values(sixth)
    assert objects(sixth)["Deployment/web"] == ("removed", False)
    assert (values(seventh), objects(seventh)) == ([], {"ConfigMap/conf": ("changed", True)})
    assert seventh.revision is not None
    assert seventh.revision.status == "deployed"
    assert seventh.revision.apply_method == ("ssa" if told.is_helm_4 else "")
    real = json.loads(told.helm.run("history", RELEASE, "-o", "json").stdout)
    for entry, line in zip(found.entries, real, strict=True):
        assert entry.revision is not None
        assert (entry.version, entry.revision.status) == (line["revision"], line["status"])
        assert (entry.revision.chart, entry.revision.description) == (line["chart"], line["description"])
        assert entry.revision.app_version == line["app_version"]

    the_page(found)


def the_page(found: ReleaseHistory) -> None:
    """The release of ``told`` for people."""
    page = render_history(found, Page(width=140), Masker(found.known_secrets))
    assert '! mode "fast" → "safe"' in page
    assert "login.password (secret, changed)" in page
    assert "hunter2" not in page
    assert "nothing changed" in page
    assert "objects +1: +Deployment/web, 1 in version labels alone" in page
    assert "the first that is stored: 2 objects, 1 value set" in page
    ascii_page = render_history(found, Page(width=60, unicode=False), Masker(found.known_secrets))
    assert ascii_page.isascii()
    assert max(map(len, ascii_page.splitlines())) <= 60


@with_helm_4
def test_the_command_its_formats_and_gaps(told: ReleaseTrial, capsys: pytest.CaptureFixture[str]) -> None:
    def run(*words: str) -> str:
        assert main(["history", RELEASE, *words, *told.helm.helmguard_words()]) == 0
        return capsys.readouterr().out

    document = json.loads(run("-o", "json"))
    assert document["formatVersion"] == "helmguard.history/v1"
    assert [entry["revision"] for entry in document["revisions"]] == [1, 2, 3, 4, 5, 6, 7]
    lost = document["revisions"][2]["changes"]["values"][0]
    assert lost == {"path": "mode", "cause": "lost override", "before": "fast", "after": "safe"}
    for format_ in ("text", "json", "yaml", "markdown"):
        out = run("-o", format_)
        assert "Deployment" in out
        assert "hunter2" not in out
    assert "hunter2-of-then" in run("-o", "json", "--show-secrets")
    assert run("-o", "markdown").startswith(f"### helmguard: history of `{RELEASE}`")
    assert [entry["revision"] for entry in json.loads(run("-o", "json", "--max", "2"))["revisions"]] == [6, 7]
    gaps(told)


def gaps(told: ReleaseTrial) -> None:
    """Records that are missing or damaged stand in their place."""
    for version in (1, 3, 4):
        told.cluster.delete(told.record(version))
    damage(told.cluster, told.namespace, RELEASE, 6)
    found = history(told)
    assert [(entry.version, entry.last_version, bool(entry.revision)) for entry in found.entries] == [
        (1, 1, False),
        (2, 2, True),
        (3, 4, False),
        (5, 5, True),
        (6, 6, False),
        (7, 7, True),
    ]
    assert [entry.changes.compared_with for entry in found.entries if entry.changes] == [2, 5]
    page = render_history(found, Page(width=140), Masker(found.known_secrets))
    assert "3-4  not stored any more" in page
    assert f"record sh.helm.release.v1.{RELEASE}.v6 cannot be read, and Helm skips it" in page
    assert "from revision 5: " in page
    few = history(told, 2)
    assert ([entry.version for entry in few.entries], few.left_out) == ([6, 7], 4)


@with_helm_3
def test_a_release_that_is_not_there(trial: ReleaseTrial) -> None:
    assert not trial.upgrade(config_map("conf", a="1"))
    options = build_parser().parse(["relx", *trial.helm.helmguard_words()])
    with pytest.raises(helmguard.HelmguardError, match="release 'relx' is not in namespace") as caught:
        history_online(HistoryRequest(read_release_request(options, judged=False)))
    assert "Did you mean rel?" in caught.value.remedy


@with_helm_3
def test_a_value_set_to_what_it_was(trial: ReleaseTrial) -> None:
    chart = trial.chart(TEMPLATE, files={"values.yaml": VALUES})
    trial.helm.run("install", RELEASE, str(chart))
    trial.helm.run("upgrade", RELEASE, str(chart), "--set", "mode=safe")
    found = history(trial)
    assert changes(found.entries[1]).idle == (("mode",),)
    assert changes(found.entries[1]).values == ()
    page = render_history(found, Page(), Masker(found.known_secrets))
    assert "1 value set or unset to the same effect" in page
    document: JSONObject = history_to_dict(found, Masker())
    assert document["revisions"][1]["changes"]["valuesWithoutEffect"] == ["mode"]
