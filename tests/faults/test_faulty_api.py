"""The server between passes all on as it is, and each fault does what it says: with plain helm."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from at_work import helm_at_work
from cluster_truth import sizes, statuses
from controlplane.client import ApiError, ControlPlane
from controlplane.helm import Helm
from faults import BROKEN, EXPIRED, FULL_QUEUE, Answer, forbidden
from faulty_api import FaultyApi
from obstacles import delete_namespace, limited_configmaps, refused_by_policy
from requests_seen import ending_a_record, storing_a_record, writes_of
from which_helm import with_helm_3, with_helm_4

LARGE = ("--set", "size=large")


def test_without_faults_helm_notices_nothing(
    helm: Helm, helm_through: Helm, api: FaultyApi, control_plane: ControlPlane, chart: Path
) -> None:
    helm_through.run("upgrade", "web", chart, *LARGE, "--wait")
    assert sizes(control_plane, helm.namespace) == {"a": "large", "b": "large", "c": "large"}
    assert helm.run("get", "manifest", "web").stdout == helm_through.run("get", "manifest", "web").stdout
    assert len(api.paths(storing_a_record)) == 1
    assert len(api.paths(ending_a_record)) == 2
    assert len(api.paths(writes_of("configmaps"))) == 3
    assert len(api.paths(writes_of("configmaps", "b"))) == 1


@with_helm_3
def test_a_write_that_is_held_is_not_done(
    helm: Helm, helm_through: Helm, api: FaultyApi, control_plane: ControlPlane, chart: Path
) -> None:
    hold = api.hold(writes_of("configmaps", "b"))
    with helm_at_work(helm_through, "upgrade", "web", chart, *LARGE) as upgrade:
        hold.await_request()
        assert sizes(control_plane, helm.namespace) == {"a": "large", "b": "small", "c": "small"}
        hold.release()
        upgrade.end().expect(0)
    assert sizes(control_plane, helm.namespace)["b"] == "large"


@with_helm_4
def test_an_answer_that_is_held_tells_of_what_was_done(
    helm: Helm, helm_through: Helm, api: FaultyApi, control_plane: ControlPlane, chart: Path
) -> None:
    hold = api.hold(storing_a_record, handled=True)
    with helm_at_work(helm_through, "upgrade", "web", chart, *LARGE) as upgrade:
        hold.await_request()
        upgrade.send(signal.SIGKILL)
        upgrade.end().expect(-signal.SIGKILL)
    assert statuses(control_plane, helm.namespace) == {1: "deployed", 2: "pending-upgrade"}


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (EXPIRED, "Unauthorized"),
        (BROKEN, "no leader"),
        (forbidden("configmaps b"), "cannot do that"),
    ],
    ids=["expired token", "no leader", "forbidden"],
)
@with_helm_3
def test_an_answer_in_the_servers_place(
    answer: Answer,
    text: str,
    helm: Helm,
    helm_through: Helm,
    api: FaultyApi,
    control_plane: ControlPlane,
    chart: Path,
) -> None:
    api.answer(writes_of("configmaps", "b"), answer)
    ended = helm_through.run("upgrade", "web", chart, *LARGE, check=False)
    assert ended.returncode == 1
    assert text in ended.stderr
    assert sizes(control_plane, helm.namespace)["b"] == "small"
    assert statuses(control_plane, helm.namespace)[2] == "failed"


@with_helm_3
def test_a_full_queue_makes_helm_ask_again(
    helm_through: Helm, api: FaultyApi, control_plane: ControlPlane, chart: Path
) -> None:
    api.answer(writes_of("configmaps", "b"), FULL_QUEUE, times=1)
    helm_through.run("upgrade", "web", chart, *LARGE)
    assert len(api.paths(writes_of("configmaps", "b"))) == 2


@with_helm_4
def test_an_answer_that_is_lost(
    helm: Helm, helm_through: Helm, api: FaultyApi, control_plane: ControlPlane, chart: Path
) -> None:
    api.lose(writes_of("configmaps", "b"), handled=True, times=1)
    assert "EOF" in helm_through.run("upgrade", "web", chart, *LARGE, check=False).stderr
    assert sizes(control_plane, helm.namespace)["b"] == "large"


@with_helm_3
def test_a_server_that_stops_and_starts(
    helm: Helm, helm_through: Helm, api: FaultyApi, control_plane: ControlPlane, chart: Path
) -> None:
    hold = api.hold(writes_of("configmaps", "b"))
    with helm_at_work(helm_through, "upgrade", "web", chart, *LARGE) as upgrade:
        hold.await_request()
        api.stop()
        assert "connection refused" in upgrade.end().expect(1).err
    assert "connection refused" in helm_through.run("list", check=False).stderr
    api.start()
    assert sizes(control_plane, helm.namespace) == {"a": "large", "b": "small", "c": "small"}
    assert helm_through.run("list", "--pending", "-q").stdout == "web\n"


def test_a_policy_and_a_quota_refuse(control_plane: ControlPlane, namespace: str) -> None:
    settings = f"/api/v1/namespaces/{namespace}/configmaps"
    control_plane.create(settings, {"metadata": {"name": "a"}})
    with (
        refused_by_policy(control_plane, namespace, "a") as words,
        pytest.raises(ApiError, match=words),
    ):
        control_plane.patch(f"{settings}/a", {"data": {"size": "large"}})
    control_plane.patch(f"{settings}/a", {"data": {"size": "large"}})
    with (
        limited_configmaps(control_plane, namespace) as quota,
        pytest.raises(ApiError, match=f"exceeded quota: {quota}"),
    ):
        control_plane.create(settings, {"metadata": {"name": "b"}})
    control_plane.create(settings, {"metadata": {"name": "b"}})


def test_a_deleted_namespace_is_gone(control_plane: ControlPlane, namespace: str) -> None:
    delete_namespace(control_plane, namespace)
    assert control_plane.find(f"/api/v1/namespaces/{namespace}") is None
