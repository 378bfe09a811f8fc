"""A frozen request plans from what was read once, whatever becomes of the chart and the files meanwhile."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from controlplane.operators_chart import alone_with_the_operator
from helmguard_program import CHARTS

from helmguard.cluster.kube_options import KubeOptions
from helmguard.helm.flags import RenderOptions
from helmguard.masking.masker import Masker
from helmguard.planner.frozen_request import frozen_request
from helmguard.planner.online import plan_online
from helmguard.planner.request import PlanRequest
from helmguard.report.plan_json import plan_to_dict


def request_of(helm: Helm, chart: Path, *words: str) -> PlanRequest:
    options = RenderOptions("web", str(chart), value_words=words, install=True)
    kube = KubeOptions(kubeconfig=str(helm.kubeconfig), namespace=helm.namespace)
    return PlanRequest(options, kube, helm_binary=str(helm.binary))


Planned = dict[str, Any]


def planned(request: PlanRequest) -> Planned:
    plan = plan_to_dict(plan_online(request), masker=Masker(show=True))
    return {name: part for name, part in plan.items() if name != "fingerprint"}


def with_the_cluster_still(
    both: Callable[[], tuple[Planned, Planned]], request: PlanRequest
) -> tuple[Planned, ...]:
    """Two plans made while nothing else that a plan of `request` shows changed in the cluster.

    Other tests share it, and what they make for a moment without a namespace (a storage class, a webhook) is
    told by every plan: where the request's own plan is another one afterwards, both are made again.
    """
    before = planned(request)
    for _ in range(10):
        pair = both()
        after = planned(request)
        if after == before:
            break
        before = after
    return pair


@pytest.fixture
def values(tmp_path: Path) -> list[str]:
    """Flags that read a values file and a file as one value."""
    (tmp_path / "values.yaml").write_text("replicas: 3\npassword: hunter2-and-more\n")
    (tmp_path / "note.txt").write_text("first\n")
    return ["-f", str(tmp_path / "values.yaml"), "--set-file", f"note={tmp_path / 'note.txt'}"]


@pytest.mark.parametrize("name", ["web", "gpu-operator", "every-kind"])
def test_the_plan_is_that_of_the_chart_itself(
    helm_here: Helm, control_plane: ControlPlane, name: str, values: list[str]
) -> None:
    request = request_of(helm_here, CHARTS / name, *values)
    apart = alone_with_the_operator(control_plane) if name == "gpu-operator" else nullcontext()
    with apart, frozen_request(request) as frozen:
        one, other = with_the_cluster_still(lambda: (planned(frozen), planned(request)), request)
        assert one == other


def test_nothing_is_read_again(helm_here: Helm, tmp_path: Path, values: list[str]) -> None:
    def before_and_after() -> tuple[Planned, Planned]:
        copy = tmp_path / "copy"
        copy.mkdir()
        chart = shutil.copytree(CHARTS / "web", copy / "web")
        flags = [word.replace(str(tmp_path), str(copy)) for word in values]
        for file in ("values.yaml", "note.txt"):
            shutil.copy(tmp_path / file, copy)
        with frozen_request(request_of(helm_here, chart, *flags)) as frozen:
            before = planned(frozen)
            shutil.rmtree(copy)
            after = planned(frozen)
            assert frozen.frozen is not None
            archive = frozen.frozen.chart
            assert archive.exists()
        assert not archive.exists()
        return before, after

    before, after = with_the_cluster_still(before_and_after, request_of(helm_here, CHARTS / "web", *values))
    assert before == after


def test_files_keep_the_names_as_typed(helm_here: Helm, tmp_path: Path, values: list[str]) -> None:
    with frozen_request(request_of(helm_here, CHARTS / "web", *values)) as request:
        assert request.frozen is not None
        assert request.frozen.files == {
            str(tmp_path / "values.yaml"): b"replicas: 3\npassword: hunter2-and-more\n",
            str(tmp_path / "note.txt"): b"first\n",
        }
        assert "hunter2" not in repr(request)
