"""The order of an operation: what Helm checks first, what stops it, what is left alone."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from helmguard.manifest.objects import ManifestObject
from helmguard.model.apply_options import ApplyOptions
from helmguard.model.helm_version import HelmVersion
from helmguard.model.live_state import Absent, KindNotServed, LiveState, Present, Unreadable
from helmguard.model.prediction import Prediction
from helmguard.model.release import History, Revision
from helmguard.model.resource_key import ResourceKey
from helmguard.predict.inputs import OperationInputs
from helmguard.predict.operation import predict_operation
from helmguard.predict.ownership import with_ownership_marks

H3, H4 = HelmVersion(3, 22, 0), HelmVersion(4, 3, 1)


def _object(name: str, kind: str = "ConfigMap", api_version: str = "v1", **fields: Any) -> ManifestObject:
    metadata = {"name": name, **fields.pop("metadata", {})}
    body = {"apiVersion": api_version, "kind": kind, "metadata": metadata, **fields}
    return ManifestObject(api_version, kind, name, "ns", body, "demo/templates/all.yaml")


def _conf(name: str, **data: str) -> ManifestObject:
    return _object(name, data=data)


def _live(*items: ManifestObject, **changes: Any) -> dict[ResourceKey, LiveState]:
    states: dict[ResourceKey, LiveState] = {}
    for item in items:
        body = with_ownership_marks(item.body, "app", "ns")
        body["metadata"]["namespace"] = "ns"
        states[item.key] = Present({**body, **changes})
    return states


def _revision(version: int = 1, status: str = "deployed", method: str = "") -> Revision:
    return Revision("app", "ns", version, status, status, {}, None, "", apply_method=method)


def _upgrade(
    previous: list[ManifestObject],
    target: list[ManifestObject],
    live: dict[ResourceKey, LiveState],
    **changes: Any,
) -> Prediction:
    for item in [*previous, *target]:
        live.setdefault(item.key, Absent())
    inputs = OperationInputs(
        operation="upgrade",
        helm=H3,
        options=ApplyOptions(),
        release="app",
        namespace="ns",
        history=History("app", "ns", (_revision(),)),
        previous=previous,
        target=target,
        live=live,
    )
    return predict_operation(replace(inputs, **changes))


def _actions(prediction: Prediction) -> dict[str, str]:
    return {resource.key.name: resource.action for resource in prediction.resources}


def test_actions() -> None:
    same, changed, gone, new = (
        _conf("same", a="1"),
        _conf("changed", a="1"),
        _conf("gone", a="1"),
        _conf("new"),
    )
    kept = _object("kept", metadata={"annotations": {"helm.sh/resource-policy": "keep"}})
    left = _conf("left", a="1")
    prediction = _upgrade(
        [same, changed, gone, kept, left],
        [same, _conf("changed", a="2"), gone, new],
        _live(same, changed, kept, left),
    )
    assert prediction.failure is None
    assert _actions(prediction) == {
        "same": "unchanged",
        "changed": "update",
        "gone": "recreate",
        "new": "create",
        "kept": "keep",
        "left": "delete",
    }
    assert all(resource.why for resource in prediction.resources)


@pytest.mark.parametrize(("value", "action"), [("keep", "keep"), ("KEEP", "delete"), (None, "delete")])
def test_only_the_live_annotation_keeps(value: str | None, action: str) -> None:
    manifest = _object("c", metadata={"annotations": {"helm.sh/resource-policy": "keep"}})
    live = _live(_object("c", metadata={"annotations": {"helm.sh/resource-policy": value} if value else {}}))
    assert _actions(_upgrade([manifest], [], live)) == {"c": action}


def test_uneven_failure_goes_on_but_deletes_nothing() -> None:
    locked, after, left = _object("a", immutable=True, data={"k": "1"}), _conf("b", k="1"), _conf("left")
    prediction = _upgrade(
        [locked, after, left],
        [_object("a", immutable=True, data={"k": "2"}), _conf("b", k="2")],
        _live(locked, after, left),
    )
    assert prediction.failure is not None
    assert prediction.failure.stage == "apply"
    assert prediction.failure.resource == locked.key
    assert prediction.failure.applied_before == (after.key,)
    assert _actions(prediction) == {"a": "fail", "b": "update", "left": "unchanged"}


def test_failing_creation_stops_the_loop() -> None:
    first, last = _conf("a", k="1"), _conf("z", k="1")
    broken = _object("s", "Service", spec={"ports": []})
    targets = [_conf("a", k="2"), broken, _conf("z", k="2")]
    prediction = _upgrade([first, last], targets, _live(first, last))
    assert prediction.failure is not None
    assert prediction.failure.message == (
        'failed to create resource: Service "s" is invalid: spec.ports: Required value'
    )
    assert _actions(prediction) == {"a": "update", "s": "fail", "z": "unchanged"}


def test_errors_are_joined() -> None:
    items = [_object(name, immutable=True, data={"k": "1"}) for name in "ab"]
    targets = [_object(name, immutable=True, data={"k": "2"}) for name in "ab"]
    prediction = _upgrade(items, targets, _live(*items))
    assert prediction.failure is not None
    assert prediction.failure.message.count(" && ") == 1
    assert prediction.failure.message.startswith(
        'cannot patch "a" with kind ConfigMap: ConfigMap "a" is invalid'
    )


@pytest.mark.parametrize(
    ("revisions", "message"),
    [
        ((), '"app" has no deployed releases'),
        (
            (_revision(status="pending-upgrade"),),
            "another operation (install/upgrade/rollback) is in progress",
        ),
        ((_revision(status="uninstalled"),), '"app" has no deployed releases'),
    ],
)
def test_release_states_that_refuse(revisions: tuple[Revision, ...], message: str) -> None:
    item = _conf("c", a="1")
    history = History("app", "ns", revisions)
    prediction = _upgrade([item], [_conf("c", a="2")], _live(item), history=history)
    assert prediction.failure is not None
    assert (prediction.failure.message, prediction.failure.stage) == (message, "before")
    assert set(_actions(prediction).values()) == {"unchanged"}


@pytest.mark.parametrize(
    ("helm", "start"), [(H3, "Unable to continue with update"), (H4, "unable to continue with update")]
)
def test_objects_of_others_are_not_taken(helm: HelmVersion, start: str) -> None:
    item = _conf("c", a="1")
    live: dict[ResourceKey, LiveState] = {item.key: Present(item.body)}
    prediction = _upgrade([], [item], live, helm=helm)
    assert prediction.failure is not None
    assert prediction.failure.message.startswith(f'{start}: ConfigMap "c" in namespace "ns" exists')
    assert 'missing key "meta.helm.sh/release-name": must be set to "app"' in prediction.failure.message
    assert _actions(prediction) == {"c": "fail"}


def test_take_ownership_adopts() -> None:
    item = _conf("c", a="1")
    live: dict[ResourceKey, LiveState] = {item.key: Present(_conf("c", a="9", b="9").body)}
    prediction = _upgrade([], [item], live, options=ApplyOptions(take_ownership=True))
    assert prediction.failure is None
    (only,) = prediction.resources
    assert only.action == "adopt"
    assert only.predicted is not None
    assert only.predicted["data"] == {"a": "1", "b": "9"}


def test_adopted_custom_resource_is_not_touched() -> None:
    item = _object("w", "Widget", "g.test/v1", spec={"a": 1})
    live: dict[ResourceKey, LiveState] = {item.key: Present({**item.body, "spec": {"a": 9}})}
    prediction = _upgrade([], [item], live, options=ApplyOptions(take_ownership=True))
    (only,) = prediction.resources
    assert (only.action, only.engine) == ("adopt", "JSON merge")
    assert only.predicted is not None
    assert only.predicted["spec"] == {"a": 9}


@pytest.mark.parametrize("in_previous", [True, False])
def test_kinds_that_are_not_served(in_previous: bool) -> None:
    gadget = _object("g", "Gadget", "ex.io/v1")
    live: dict[ResourceKey, LiveState] = {gadget.key: KindNotServed("ex.io/v1", "Gadget")}
    prediction = _upgrade([gadget] if in_previous else [], [] if in_previous else [gadget], live)
    assert prediction.failure is not None
    prefix = "unable to build kubernetes objects from current release manifest: " if in_previous else ""
    assert prediction.failure.message == (
        f'{prefix}resource mapping not found for name: "g" namespace: "" from "": no matches for '
        'kind "Gadget" in version "ex.io/v1"\nensure CRDs are installed first'
    )


def test_number_as_annotation_stops_everything() -> None:
    item = _object("c", metadata={"annotations": {"n": 1}})
    prediction = _upgrade([], [item], {})
    assert prediction.failure is not None
    assert "json: cannot unmarshal number into Go struct field ObjectMeta" in prediction.failure.message


def test_force_and_server_side_apply_exclude_each_other() -> None:
    item = _conf("c", a="1")
    prediction = _upgrade(
        [item],
        [_conf("c", a="2")],
        _live(item),
        helm=H4,
        options=ApplyOptions(force=True),
        history=History("app", "ns", (_revision(method="ssa"),)),
    )
    assert prediction.failure is not None
    assert prediction.failure.message == (
        "invalid operation: cannot use server-side apply and force replace together"
    )
    assert _actions(prediction) == {"c": "unchanged"}


def test_unread_objects_are_unknown() -> None:
    item = _conf("c", a="1")
    live: dict[ResourceKey, LiveState] = {item.key: Unreadable("forbidden")}
    (only,) = _upgrade([item], [_conf("c", a="2")], live).resources
    assert only.action == "unknown"
    assert only.unknown.startswith("not predictable")


def test_cleanup_on_fail_removes_what_was_created() -> None:
    new, broken = _conf("a", k="1"), _object("s", "Service", spec={"ports": []})
    prediction = _upgrade([], [new, broken], {}, options=ApplyOptions(cleanup_on_fail=True))
    by_name = {resource.key.name: resource for resource in prediction.resources}
    assert by_name["a"].predicted is None
    assert by_name["a"].action == "unchanged"


def test_definition_takes_its_objects_along() -> None:
    crd = _object(
        "widgets.g.test",
        "CustomResourceDefinition",
        "apiextensions.k8s.io/v1",
        spec={"group": "g.test", "names": {"kind": "Widget", "plural": "widgets"}, "versions": []},
    )
    crd = replace(crd, namespace=None)
    widget = _object("w", "Widget", "g.test/v1")
    live = _live(crd, widget)
    prediction = _upgrade([crd], [], live)
    assert _actions(prediction) == {"widgets.g.test": "delete", "w": "delete"}


def test_nothing_is_changed_in_the_inputs() -> None:
    item = _conf("c", a="1")
    live = _live(item)
    before = repr(live), repr(item)
    _upgrade([item], [_conf("c", a="2")], live)
    assert (repr(live), repr(item)) == before


def _version(name: str, *, storage: bool) -> dict[str, Any]:
    schema = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
    return {"name": name, "served": True, "storage": storage, "schema": schema}


def _definition(**spec: Any) -> ManifestObject:
    names = {"kind": "Widget", "plural": "widgets"}
    full = {
        "group": "g.test",
        "scope": "Namespaced",
        "names": names,
        "versions": [_version("v1", storage=True)],
        **spec,
    }
    crd = _object("widgets.g.test", "CustomResourceDefinition", "apiextensions.k8s.io/v1", spec=full)
    return replace(crd, namespace=None)


def _install(crd: ManifestObject, live: dict[ResourceKey, LiveState], helm: HelmVersion) -> Prediction:
    widget = _object("w", "Widget", "g.test/v1")
    live[widget.key] = KindNotServed("g.test/v1", "Widget") if crd.key not in live else Absent()
    live.setdefault(crd.key, Absent())
    inputs = OperationInputs(
        operation="install",
        helm=helm,
        options=ApplyOptions(),
        release="app",
        namespace="ns",
        history=History("app", "ns", ()),
        previous=[],
        target=[widget],
        live=live,
        chart_crds=[crd.body],
    )
    return predict_operation(inputs)


@pytest.mark.parametrize("helm", [H3, H4])
def test_install_brings_definitions_first(helm: HelmVersion) -> None:
    prediction = _install(_definition(), {}, helm)
    assert prediction.failure is None
    assert list(_actions(prediction).items()) == [("widgets.g.test", "create"), ("w", "create")]


def test_helm_3_leaves_definitions_that_are_there() -> None:
    crd = _definition(versions=[_version("v1", storage=True), _version("v2", storage=False)])
    live: dict[ResourceKey, LiveState] = {crd.key: Present(_definition().body)}
    assert _actions(_install(crd, live, H3)) == {"widgets.g.test": "unchanged", "w": "create"}


def test_helm_4_applies_over_definitions_and_meets_other_managers() -> None:
    owner = {
        "manager": "kubectl",
        "operation": "Update",
        "apiVersion": "apiextensions.k8s.io/v1",
        "fieldsV1": {"f:spec": {"f:scope": {}}},
    }
    old = _definition(scope="Cluster").body
    live: dict[ResourceKey, LiveState] = {
        _definition().key: Present({**old, "metadata": {**old["metadata"], "managedFields": [owner]}})
    }
    prediction = _install(_definition(), live, H4)
    assert prediction.failure is not None
    assert prediction.failure.message.startswith(
        "failed to install CRD widgets.g.test: conflict occurred while"
    )
    assert '"kubectl" using apiextensions.k8s.io/v1: .spec.scope' in prediction.failure.message


def _typed_version(name: str, **fields: Any) -> dict[str, Any]:
    spec = {"type": "object", "properties": {field: {"type": kind} for field, kind in fields.items()}}
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}
    return {"name": name, "served": True, "storage": name == "v1", "schema": schema}


@pytest.mark.parametrize(
    ("applied_as", "second", "is_open"),
    [
        ("g.test/v2", {"a": "string", "b": "string"}, True),
        ("g.test/v2", {"a": "string"}, False),
        ("g.test/v1", {"a": "string", "b": "string"}, False),
    ],
    ids=["another schema", "the same schema", "the same version"],
)
def test_fields_applied_in_another_version_are_an_open_question(
    applied_as: str, second: dict[str, str], is_open: bool
) -> None:
    crd = _definition(versions=[_typed_version("v1", a="string"), _typed_version("v2", **second)])
    old, new = (_object("w", "Widget", "g.test/v1", spec={"a": value}) for value in "12")
    live = _live(old)
    body = live[old.key].body  # type: ignore[union-attr]
    owned = {"f:spec": {"f:a": {}}}
    body["metadata"]["managedFields"] = [
        {"manager": "helm", "operation": "Apply", "apiVersion": applied_as, "fieldsV1": owned}
    ]
    history = History("app", "ns", [_revision(method="ssa")])
    prediction = _upgrade([old], [new], live, helm=H4, history=history, crds=[crd.body])
    (widget,) = prediction.resources
    assert ("applied as g.test/v2" in widget.unknown) == is_open
