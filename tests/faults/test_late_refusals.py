"""What the plan could not know, or was told to pass over: it is refused while helm is at work."""

from __future__ import annotations

from pathlib import Path

from fault_charts import settings_chart, with_fixed, with_hook, with_server
from obstacles import begin_deletion, delete_namespace, limited_configmaps, refused_by_policy
from requests_seen import storing_a_record, writes_of
from web import JSON, LARGE, SMALL, Web, follow, states, told, upgrade
from which_helm import with_helm_3, with_helm_4

QUESTION = "Only 'yes' is accepted:"


@with_helm_4
def test_a_policy_comes_while_helm_writes(web: Web, chart: Path) -> None:
    """And while it is there, the way back is refused too, before anything is done."""
    hold = web.api.hold(writes_of("configmaps", "a"))
    with web.start(*upgrade(chart)) as run:
        hold.await_request()
        with refused_by_policy(web.cluster, web.namespace, "b") as words:
            hold.release()
            document = told(web, run.end(), 1)
            assert words in document["execution"]["message"]
            assert states(document)["b"] == "not done"
    follow(web, document)
    assert web.sizes == SMALL


@with_helm_4
def test_a_policy_comes_before_the_question_is_answered(web: Web, chart: Path) -> None:
    with web.start("upgrade", "web", chart, "--set", "size=large") as run:
        run.await_words(QUESTION)
        with refused_by_policy(web.cluster, web.namespace, "b") as words:
            run.answer("yes")
            ended = run.end().expect(3)
    assert words in ended.out
    assert (web.sizes, web.statuses) == (SMALL, {1: "deployed"})


def test_an_immutable_object_in_the_middle(web: Web, tmp_path: Path) -> None:
    chart = with_fixed(tmp_path / "chart")
    web.helm.run("install", "web", chart)
    words = upgrade(chart, "--set", "fixed=large")
    refused = web.run(*words).expect(3).json
    assert refused["outcome"] == "refused"
    assert web.sizes == SMALL
    document = told(web, web.run(*words, "--fail-on", "none"), 1)
    assert "immutable" in document["execution"]["message"]
    assert states(document)["b"] == "not done"
    follow(web, document)
    assert web.sizes == SMALL


@with_helm_3
def test_a_quota_is_full_when_an_object_is_to_be_created(web: Web, chart: Path, tmp_path: Path) -> None:
    more = settings_chart(tmp_path / "more", "a", "b", "bb", "c")
    hold = web.api.hold(storing_a_record)
    with web.start(*upgrade(more)) as run:
        hold.await_request()
        with limited_configmaps(web.cluster, web.namespace) as quota:
            hold.release()
            document = told(web, run.end(), 1)
    assert f"exceeded quota: {quota}" in document["execution"]["message"]
    assert states(document)["bb"] == "not done"
    follow(web, document)
    assert web.sizes == SMALL


def test_a_hook_before_it_never_ends(web: Web, chart: Path, tmp_path: Path) -> None:
    hook = with_hook(tmp_path / "hook", "pre-upgrade")
    document = told(web, web.run(*upgrade(hook, "--timeout", "1s")), 1)
    assert "pre-upgrade hooks failed" in document["execution"]["message"]
    assert states(document) == {**dict.fromkeys(SMALL, "not done"), "migrate": "otherwise"}
    assert web.statuses == {1: "deployed", 2: "failed"}
    follow(web, document)
    assert web.sizes == SMALL


@with_helm_4
def test_a_hook_after_it_never_ends(web: Web, chart: Path, tmp_path: Path) -> None:
    hook = with_hook(tmp_path / "hook", "post-upgrade")
    document = told(web, web.run(*upgrade(hook, "--timeout", "1s")), 1)
    assert states(document) == {**dict.fromkeys(LARGE, "done"), "migrate": "otherwise"}
    assert web.statuses[2] == "failed"
    follow(web, document)


@with_helm_3
def test_the_namespace_is_deleted_before_the_question_is_answered(web: Web, chart: Path) -> None:
    with web.start("upgrade", "web", chart, "--set", "size=large") as run:
        run.await_words(QUESTION)
        delete_namespace(web.cluster, web.namespace)
        run.answer("yes")
        ended = run.end().expect(1)
    assert "release 'web' is not in namespace" in ended.err
    assert "nothing was changed" in ended.err


@with_helm_3
def test_the_namespace_is_deleted_while_helm_writes(web: Web, chart: Path) -> None:
    hold = web.api.hold(writes_of("configmaps", "b"))
    with web.start(*upgrade(chart)) as run:
        hold.await_request()
        delete_namespace(web.cluster, web.namespace)
        hold.release()
        document = told(web, run.end(), 1)
    assert_all_is_gone(document)


@with_helm_4
def test_the_namespace_is_on_its_way_out(web: Web, chart: Path) -> None:
    hold = web.api.hold(storing_a_record)
    with web.start(*upgrade(chart)) as run:
        hold.await_request()
        begin_deletion(web.cluster, web.namespace)
        hold.release()
        document = told(web, run.end(), 1)
    assert "being terminated" in document["execution"]["message"]
    assert_all_is_gone(document)


def assert_all_is_gone(document: JSON) -> None:
    execution = document["execution"]
    assert execution["others"] == [
        "no record of the release is left: somebody has deleted it, or its namespace"
    ]
    assert {each["why"] for each in execution["objects"]} == {"it is gone"}
    (status,) = execution["next"]
    assert status.startswith("helmguard status web")


@with_helm_3
def test_pods_that_no_node_takes(web: Web, tmp_path: Path) -> None:
    """Helm does not wait, and says that it succeeded. No scheduler runs here to say why; see tests/verify."""
    chart = with_server(tmp_path / "chart")
    web.helm.run("install", "web", chart)
    words = upgrade(chart, "--set", "replicas=1", "--verify-timeout", "1s")
    document = told(web, web.run(*words), 4)
    assert document["execution"]["status"] == "deployed"
    (rollout,) = document["verification"]["rollouts"]
    assert rollout["state"] in ("progressing", "stuck")
    assert rollout["words"] == "0 of 1 new pods available"
    follow(web, document)
    assert web.sizes == {"a": "small"}


@with_helm_4
def test_helm_waits_for_pods_that_no_node_takes(web: Web, tmp_path: Path) -> None:
    chart = with_server(tmp_path / "chart")
    web.helm.run("install", "web", chart)
    words = upgrade(chart, "--set", "replicas=1", "--wait", "--timeout", "1s")
    document = told(web, web.run(*words), 1)
    assert states(document) == {"a": "done", "server": "done"}
    assert web.statuses[2] == "failed"
    follow(web, document)
    assert web.sizes == {"a": "small"}


def test_helm_takes_a_failure_back_itself(web: Web, tmp_path: Path) -> None:
    chart = with_server(tmp_path / "chart")
    web.helm.run("install", "web", chart)
    words = upgrade(chart, "--set", "replicas=1", "--atomic", "--timeout", "4s")
    document = told(web, web.run(*words), 1)
    assert states(document) == {"a": "not done", "server": "not done"}
    assert web.statuses == {1: "superseded", 2: "failed", 3: "deployed"}
    execution = document["execution"]
    assert (execution["revision"], execution["status"]) == (2, "failed")
    assert execution["others"] == []
    follow(web, document)
    assert web.statuses == {1: "superseded", 2: "failed", 3: "deployed"}
