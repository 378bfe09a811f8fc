"""The history that helm prints is the one it stored."""

from __future__ import annotations

from typing import Any

import pytest
from controlplane.helm import Helm
from helm_releases import CHARTS, Releases

from helmguard.errors import HelmError, ReleaseNotFoundError
from helmguard.helm.binary import find_helm
from helmguard.helm.command import HelmCommand
from helmguard.helm.kube_flags import KubeFlags
from helmguard.helm.release_by_helm import parse_record, read_history


def test_every_part_of_the_record(releases: Releases) -> None:
    tricky = 'feature.text=it\'s "q" \\\\ \u2028 \x07 \U0001f600 {{ x }} \n end'
    releases.install("web", "--set", "n=9007199254740993", "--set-string", tricky, "--description", "first")
    releases.install("web", "--set", "n=2,list={a,b},none=null", "--labels", "team=a,stage=b")
    history = read_history(releases.command, "rel")
    assert history.damaged == ()
    assert [(one.version, one.status) for one in history.revisions] == [(1, "superseded"), (2, "deployed")]
    assert history.revisions[0].description == "first"
    assert (history.revisions[0].config or {})["feature"][
        "text"
    ] == 'it\'s "q" \\ \u2028 \x07 \U0001f600 {{ x }} \n end'
    last, record = history.deployed(), releases.record()
    assert last is not None
    assert last.labels == (("stage", "b"), ("team", "a"))
    for name in ("name", "namespace", "version", "manifest", "config"):
        assert getattr(last, name) == record[name], name
    for name in ("first_deployed", "last_deployed", "description", "notes"):
        assert getattr(last, name) == record["info"][name], name
    assert last.chart["values"] == record["chart"]["values"]
    assert (last.chart_name, last.chart_version, last.app_version) == ("web", "1.2.0", "7.1")
    assert [entry["alias"] for entry in last.chart["metadata"]["dependencies"]] == ["", "sessions"]
    assert list(map(_kept, last.hooks)) == list(map(_kept, record["hooks"]))
    assert last.apply_method == ("ssa" if releases.command.helm.version.major >= 4 else "")


def _kept(hook: dict[str, Any]) -> dict[str, Any]:
    """What helmguard reads of a hook's entry; empty and absent are the same."""
    names = ("name", "kind", "path", "manifest", "events", "weight", "delete_policies")
    return {name: hook[name] for name in names if hook.get(name)}


def test_an_unknown_release(command: HelmCommand) -> None:
    with pytest.raises(ReleaseNotFoundError, match="release: not found"):
        read_history(command, "none")


def test_another_storage_driver(helm: Helm) -> None:
    environ = {**helm.environment(), "HELM_DRIVER": "configmap"}
    command = HelmCommand(find_helm(str(helm.binary)), KubeFlags(namespace=helm.namespace), environ=environ)
    command.check(command.call(["install", "rel", str(CHARTS / "numbers")]))
    assert [one.version for one in read_history(command, "rel").revisions] == [1]


@pytest.mark.parametrize("text", ["", "{", "hello", "[1]", "{__import__('os')}", "{'a': open('x')}"])
def test_what_is_no_record(text: str) -> None:
    with pytest.raises(HelmError, match="release record"):
        parse_record(text)
