"""An object that is changed between the plan's reading and its asking is read and asked again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from situations import CONF, EXTRA, WEB, manifest, write_release_chart

from helmguard.cluster.kube_options import KubeOptions
from helmguard.helm.flags import RenderOptions
from helmguard.model.live_state import Present
from helmguard.model.plan import Plan
from helmguard.planner.confirmation import confirm
from helmguard.planner.make_plan import make_plan
from helmguard.planner.request import PlanRequest
from helmguard.planner.session import open_session
from helmguard.planner.upgrade_inputs import upgrade_inputs

Change = Callable[[ControlPlane, str], None]


def _labelled(cluster: ControlPlane, place: str) -> None:
    cluster.patch(f"{place}/conf", {"metadata": {"labels": {"new": "label"}}})


def _deleted(cluster: ControlPlane, place: str) -> None:
    cluster.delete(f"{place}/conf")
    cluster.wait_for(f"{place}/conf", lambda found: found is None)


def _created(cluster: ControlPlane, place: str) -> None:
    cluster.create(place, {"metadata": {"name": "extra"}})


def _plan(helm: Helm, chart: Path, change: Callable[[], None]) -> Plan:
    request = PlanRequest(
        options=RenderOptions("demo", str(chart), helm.namespace),
        kube=KubeOptions(kubeconfig=str(helm.kubeconfig), namespace=helm.namespace),
        helm_binary=str(helm.binary),
    )
    session = open_session(request, lambda _: None)
    with upgrade_inputs(session, False, lambda _: None) as gathered:
        change()
        confirmed = confirm(gathered.inputs, session.connection, "auto")
        return make_plan(confirmed.inputs, confirmed.prediction)


@pytest.mark.parametrize(
    ("change", "name", "action"),
    [(_labelled, "conf", "update"), (_deleted, "conf", "recreate"), (_created, "extra", "fail")],
)
def test_the_plan_holds_for_what_is_there_now(
    change: Change,
    name: str,
    action: str,
    helm: Helm,
    control_plane: ControlPlane,
    namespace: str,
    tmp_path: Path,
) -> None:
    old = write_release_chart(tmp_path / "old", manifest(CONF, WEB, colour="blue", tag="1"))
    new = write_release_chart(tmp_path / "new", manifest(CONF, WEB, EXTRA, colour="green", tag="2"))
    helm.run("install", "demo", old)
    place = f"/api/v1/namespaces/{namespace}/configmaps"
    plan = _plan(helm, new, lambda: change(control_plane, place))
    resource = next(one for one in plan.resources if one.prediction.key.name == name)
    assert resource.action == action
    live = control_plane.find(f"{place}/{name}")
    if live is None:
        assert not isinstance(resource.prediction.live, Present)
    else:
        assert resource.prediction.live == Present(live)
    done = helm.run("upgrade", "demo", new, check=False)
    assert (done.returncode != 0) == (plan.failure is not None)
