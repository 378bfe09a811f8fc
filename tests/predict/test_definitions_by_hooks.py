"""Hooks that apply the chart's ``crds/`` before the custom resources are written."""

from __future__ import annotations

from typing import Any

import pytest

from helmguard.manifest.hooks import hooks_of
from helmguard.manifest.objects import ManifestObject
from helmguard.model.apply_options import ApplyOptions
from helmguard.model.helm_version import HelmVersion
from helmguard.model.live_state import Absent, LiveState, Present
from helmguard.model.prediction import Prediction
from helmguard.model.release import History, Revision
from helmguard.model.resource_key import ResourceKey
from helmguard.predict.inputs import OperationInputs
from helmguard.predict.operation import predict_operation
from helmguard.predict.ownership import with_ownership_marks

HELMS = {3: HelmVersion(3, 22, 0), 4: HelmVersion(4, 3, 1)}
METHOD = {3: "", 4: "ssa"}
JOB = """apiVersion: batch/v1
kind: Job
metadata: {{name: {name}}}
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{{name: main, image: "tool:1"}}]
"""
APPLIES_CRDS, SWEEPS = "upgrade-crds", "sweep"


def _crd(**fields: Any) -> dict[str, Any]:
    spec = {
        "type": "object",
        "properties": {name: {"type": "string", **more} for name, more in fields.items()},
    }
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.g.test"},
        "spec": {
            "group": "g.test",
            "scope": "Namespaced",
            "names": {"kind": "Widget", "plural": "widgets"},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": schema}],
        },
    }


def _widget(**spec: str) -> ManifestObject:
    body = {"apiVersion": "g.test/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": spec}
    return ManifestObject("g.test/v1", "Widget", "w", "ns", body, "demo/templates/w.yaml")


def _upgrade(
    major: int,
    hook: str,
    chart_crds: list[dict[str, Any]],
    live_crds: tuple[dict[str, Any], ...] = (_crd(size={}),),
    **options: Any,
) -> Prediction:
    old, new = _widget(size="1"), _widget(size="1", colour="red")
    live_body = with_ownership_marks(old.body, "app", "ns")
    live_body["metadata"]["namespace"] = "ns"
    live: dict[ResourceKey, LiveState] = {old.key: Present(live_body)}
    live[ResourceKey.of("batch/v1", "Job", "ns", hook)] = Absent()
    revision = Revision("app", "ns", 1, "deployed", "deployed", {}, None, "", apply_method=METHOD[major])
    record = {"name": hook, "kind": "Job", "path": "demo/templates/h.yaml", "manifest": JOB.format(name=hook)}
    inputs = OperationInputs(
        operation="upgrade",
        helm=HELMS[major],
        options=ApplyOptions(**options),
        release="app",
        namespace="ns",
        history=History("app", "ns", [revision]),
        previous=[old],
        target=[new],
        hooks=hooks_of([{**record, "events": ["pre-upgrade"]}]),
        live=live,
        crds=live_crds,
        chart_crds=tuple(chart_crds),
    )
    return predict_operation(inputs)


def _spec(prediction: Prediction) -> Any:
    [widget] = [resource for resource in prediction.resources if resource.key.kind == "Widget"]
    return (widget.predicted or {})["spec"]


@pytest.mark.parametrize("major", [3, 4])
def test_the_charts_definition_counts_where_a_hook_applies_it(major: int) -> None:
    prediction = _upgrade(major, APPLIES_CRDS, [_crd(size={}, colour={}, shape={"default": "round"})])
    assert prediction.failure is None
    assert _spec(prediction) == {"size": "1", "colour": "red", "shape": "round"}
    [note] = [note for note in prediction.notes if "assumed" in note]
    assert "Job/upgrade-crds" in note
    assert "Widget" in note


@pytest.mark.parametrize("major", [3, 4])
def test_without_the_charts_definition_the_new_field_is_an_open_question(major: int) -> None:
    prediction = _upgrade(major, APPLIES_CRDS, [])
    assert prediction.failure is None
    [widget] = [resource for resource in prediction.resources if resource.key.kind == "Widget"]
    assert "spec.colour" in widget.unknown


@pytest.mark.parametrize(
    ("hook", "options"), [(SWEEPS, {}), (APPLIES_CRDS, {"no_hooks": True})], ids=["other hook", "no hooks"]
)
def test_the_live_definition_counts_where_no_hook_applies_another(hook: str, options: Any) -> None:
    chart = [_crd(size={}, colour={})]
    assert _spec(_upgrade(3, hook, chart, **options)) == {"size": "1"}
    refused = _upgrade(4, hook, chart, **options).failure
    assert refused is not None
    assert ".spec.colour: field not declared in schema" in refused.message


def test_a_definition_that_is_live_already_needs_no_assumption() -> None:
    prediction = _upgrade(3, APPLIES_CRDS, [_crd(size={})])
    assert not [note for note in prediction.notes if "assumed" in note]
    assert _spec(prediction) == {"size": "1"}


@pytest.mark.parametrize("major", [3, 4])
def test_a_live_definition_that_is_not_known_is_guessed_and_said_so(major: int) -> None:
    prediction = _upgrade(major, SWEEPS, [_crd(size={}, colour={})], live_crds=())
    assert prediction.failure is None
    [widget] = [resource for resource in prediction.resources if resource.key.kind == "Widget"]
    assert widget.unknown.startswith("not predictable: the live definition is not known")
    assert _spec(prediction) == {"size": "1", "colour": "red"}
