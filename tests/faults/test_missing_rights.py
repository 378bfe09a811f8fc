"""Users who may read enough for a plan, and then may not do all of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from controlplane.permissions import grant
from fault_charts import settings_chart
from faults import forbidden
from requests_seen import by_helmguard, storing_a_record, writes_of
from web import LARGE, SMALL, Web, follow, is_helm_3, run_told, states, told, upgrade
from which_helm import with_helm_3, with_helm_4

READ = {"apiGroups": [""], "resources": ["secrets", "configmaps"], "verbs": ["get", "list"]}
RECORDS = {"apiGroups": [""], "resources": ["secrets"], "verbs": ["create", "update", "patch", "delete"]}
ALL_BUT_B = {
    "apiGroups": [""],
    "resources": ["configmaps"],
    "resourceNames": ["a", "c"],
    "verbs": ["update", "patch", "delete"],
}
ALL_THE_SAME = ("--fail-on", "none")
CHANGE = {"apiGroups": [""], "resources": ["configmaps"], "verbs": ["create", "update", "patch"]}


def as_limited(web: Web, tmp_path: Path, *rules: dict[str, list[str]]) -> Web:
    return web.as_user(grant(web.cluster, web.namespace, list(rules)), tmp_path / "limited")


@pytest.mark.parametrize(
    ("rights", "missing"),
    [
        ([READ], {"the record of web", "ConfigMap/a", "ConfigMap/b", "ConfigMap/c"}),
        ([READ, RECORDS, ALL_BUT_B], {"ConfigMap/b"}),
        ([READ, CHANGE], {"the record of web"}),
    ],
    ids=["reads only", "all but one object", "no records"],
)
@with_helm_3
def test_what_you_may_not_do_is_not_begun(
    web: Web, chart: Path, tmp_path: Path, rights: list[dict[str, list[str]]], missing: set[str]
) -> None:
    """The API server has said so beforehand: helm would end half way."""
    limited = as_limited(web, tmp_path, *rights)
    ended = limited.run(*upgrade(chart)).expect(3)
    assert ended.json["outcome"] == "refused"
    assert {each["what"] for each in ended.json["missingRights"]} == missing
    page = limited.run("upgrade", "web", chart, "--set", "size=large", "--yes").expect(3).out
    assert "NOT ALLOWED" in page
    assert page.splitlines()[-2].startswith(f"Refused: {len(missing)} write")
    assert (web.sizes, web.statuses) == (SMALL, {1: "deployed"})


@with_helm_3
def test_no_right_to_write_at_all(web: Web, chart: Path, tmp_path: Path) -> None:
    limited = as_limited(web, tmp_path, READ)
    document = told(limited, limited.run(*upgrade(chart), *ALL_THE_SAME), 1)
    assert document["execution"]["revision"] is None
    assert states(document) == dict.fromkeys(SMALL, "not done")
    assert "forbidden" in document["execution"]["message"]
    assert (web.sizes, web.statuses) == (SMALL, {1: "deployed"})


@with_helm_4
def test_no_right_to_write_one_object(web: Web, chart: Path, tmp_path: Path) -> None:
    limited = as_limited(web, tmp_path, READ, RECORDS, ALL_BUT_B)
    document = told(limited, limited.run(*upgrade(chart), *ALL_THE_SAME), 1)
    assert 'configmaps "b" is forbidden' in document["plan"]["serverDryRun"]["why"]
    assert states(document)["b"] == "not done"
    assert web.sizes["a"] == "large"
    assert web.statuses == {1: "deployed", 2: "failed"}
    follow(web, document)
    assert web.sizes == SMALL


def test_no_right_to_delete(web: Web, chart: Path, tmp_path: Path) -> None:
    """Helm 3 goes on without a word: the verification finds what is left over. Helm 4 fails."""
    limited = as_limited(web, tmp_path, READ, RECORDS, CHANGE)
    less = settings_chart(tmp_path / "less", "a", "b")
    code = 4 if is_helm_3(web) else 1
    document = told(web, limited.run(*upgrade(less), *ALL_THE_SAME), code)
    assert web.sizes == {"a": "large", "b": "large", "c": "small"}
    if is_helm_3(web):
        (left,) = document["verification"]["differences"]
        assert (left["name"], left["difference"]) == ("c", "still there")
    else:
        assert states(document) == {"a": "done", "b": "done", "c": "not done"}
        assert "cannot delete" in document["execution"]["message"]


@pytest.mark.parametrize("what", ["secrets", "configmaps"])
@with_helm_3
def test_no_right_to_read_back(what: str, web: Web, chart: Path) -> None:
    """Taken away while helm is at work, which fails, too."""
    hold = web.api.hold(writes_of("configmaps", "b"))
    with web.start(*upgrade(chart)) as run:
        hold.await_request()
        web.api.answer(by_helmguard("GET", f"/{what}"), forbidden(what))
        hold.lose()
        document = told(web, run.end(), 1)
    execution = document["execution"]
    if what == "secrets":
        assert "forbidden" in execution["readBackError"]
        web.api.heal()
        (status,) = execution["next"]
        assert "failed" in run_told(web, status).out
    else:
        assert set(states(document).values()) == {"unknown"}
        assert web.statuses[2] == execution["status"]
        follow(web, document)


@with_helm_4
def test_no_right_to_read_the_objects_before(web: Web, chart: Path) -> None:
    """Nothing can be foretold of them and nothing compared: nobody says that all is as planned."""
    web.api.answer(by_helmguard("GET", "/configmaps"), forbidden("configmaps"))
    ended = web.run("upgrade", "web", chart, "--set", "size=large", "--yes").expect(4)
    assert web.sizes == LARGE
    verdict = ended.out.splitlines()[-1]
    assert "whether it is as planned is not known (3 things not comparable)" in verdict
    assert "Not certain: no change found, but" in ended.out


@with_helm_4
def test_no_right_to_verify(web: Web, chart: Path) -> None:
    """The upgrade is done; that it cannot be compared is told, and is no success."""
    hold = web.api.hold(storing_a_record)
    with web.start(*upgrade(chart)) as run:
        hold.await_request()
        web.api.answer(by_helmguard("GET", "/configmaps"), forbidden("configmaps"))
        hold.release()
        document = told(web, run.end(), 4)
    assert document["execution"]["end"] == "succeeded"
    assert web.sizes == LARGE
