"""Server-side apply: ownership, conflicts, removal, lists by their types, the move from client-side."""

from __future__ import annotations

from typing import Any

import pytest

from helmguard.predict.field_set import FieldSet, ManagerId, read_fields, write_fields
from helmguard.predict.schema.builtin_types import builtin_type
from helmguard.predict.schema.custom_types import custom_kinds
from helmguard.predict.schema.value_type import ValueType
from helmguard.predict.server_side_apply import (
    HELM_APPLY,
    ApplyConflicts,
    migrate_client_side_fields,
    server_side_apply,
)
from helmguard.predict.typed_validation import apply_schema_errors
from helmguard.predict.typed_value import field_set

EDITOR = ManagerId("kubectl-edit", "Update", "v1")
OTHER_APPLIER = ManagerId("flux", "Apply", "")


def _type(api_version: str = "v1", kind: str = "ConfigMap") -> ValueType:
    found = builtin_type(api_version, kind)
    assert found is not None
    return found


def _data(**data: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": data}


def _owned(*keys: str) -> FieldSet:
    return frozenset(("f:data", f"f:{key}") for key in keys)


def _apply(live: Any, applied: Any, managers: Any, *, force: bool = False) -> Any:
    return server_side_apply(live, applied, _type(), managers, force=force)


def test_conflict_names_manager_and_path() -> None:
    managers = {HELM_APPLY: _owned("a"), EDITOR: _owned("a")}
    with pytest.raises(ApplyConflicts) as refused:
        _apply(_data(a="9"), _data(a="1"), managers)
    text = 'Apply failed with 1 conflict: conflict with "kubectl-edit" using v1: .data.a'
    assert str(refused.value) == text


def test_several_conflicts_are_listed_by_manager() -> None:
    managers = {EDITOR: _owned("a", "b"), OTHER_APPLIER: _owned("c")}
    with pytest.raises(ApplyConflicts) as refused:
        _apply(_data(a="9", b="9", c="9"), _data(a="1", b="1", c="1"), managers)
    assert str(refused.value) == (
        'Apply failed with 3 conflicts: conflicts with "flux":\n- .data.c\n'
        'conflicts with "kubectl-edit" using v1:\n- .data.a\n- .data.b'
    )


def test_subresource_is_named() -> None:
    scaler = ManagerId("kube-controller-manager", "Update", "apps/v1", "scale")
    live = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {}, "spec": {"replicas": 9}}
    applied = {**live, "spec": {"replicas": 3}}
    with pytest.raises(ApplyConflicts) as refused:
        server_side_apply(
            live,
            applied,
            _type("apps/v1", "Deployment"),
            {scaler: frozenset({("f:spec", "f:replicas")})},
            force=False,
        )
    assert 'conflict with "kube-controller-manager" with subresource "scale" using apps/v1' in str(
        refused.value
    )


def test_the_same_value_is_shared_without_conflict() -> None:
    result = _apply(_data(a="1"), _data(a="1"), {EDITOR: _owned("a")})
    assert result.managers == {EDITOR: _owned("a"), HELM_APPLY: _owned("a")}


def test_force_takes_the_field() -> None:
    result = _apply(_data(a="9"), _data(a="1"), {EDITOR: _owned("a")}, force=True)
    assert result.body["data"] == {"a": "1"}
    assert result.managers == {HELM_APPLY: _owned("a")}


@pytest.mark.parametrize(
    ("others", "after"),
    [
        pytest.param({}, {"a": "1", "x": "9"}, id="nobody else owns it: removed"),
        pytest.param(
            {EDITOR: _owned("b")}, {"a": "1", "b": "1", "x": "9"}, id="an editor owns it too: stays"
        ),
        pytest.param(
            {OTHER_APPLIER: _owned("b")}, {"a": "1", "b": "1", "x": "9"}, id="an applier too: stays"
        ),
    ],
)
def test_fields_that_left_the_manifest(others: Any, after: dict[str, str]) -> None:
    managers = {HELM_APPLY: _owned("a", "b"), **others}
    result = _apply(_data(a="1", b="1", x="9"), _data(a="1"), managers)
    assert result.body["data"] == after


def test_set_items_are_owned_one_by_one() -> None:
    crd = {
        "spec": {
            "group": "g.test",
            "names": {"kind": "Widget"},
            "versions": [
                {
                    "name": "v1",
                    "schema": {
                        "openAPIV3Schema": {
                            "type": "object",
                            "properties": {
                                "tags": {
                                    "type": "array",
                                    "x-kubernetes-list-type": "set",
                                    "items": {"type": "string"},
                                }
                            },
                        }
                    },
                }
            ],
        }
    }
    type_ = custom_kinds([crd])[("g.test/v1", "Widget")].root
    owned = frozenset({("f:tags", 'v:"s4"'), ("f:tags", 'v:"s2"')})
    live = {"metadata": {}, "tags": ["s1", "s2"]}
    managers = {HELM_APPLY: owned, EDITOR: frozenset({("f:tags", 'v:"s1"')})}
    result = server_side_apply(live, {"tags": ["s3"]}, type_, managers, force=False)
    assert result.body["tags"] == ["s1", "s3"]


def test_ports_are_told_apart_by_protocol() -> None:
    def service(*protocols: str) -> dict[str, Any]:
        return {"spec": {"ports": [{"port": 53, "protocol": one, "name": one.lower()} for one in protocols]}}

    live = service("TCP")
    result = server_side_apply(live, service("TCP", "UDP"), _type("v1", "Service"), {}, force=False)
    assert [port["protocol"] for port in result.body["spec"]["ports"]] == ["TCP", "UDP"]


def test_missing_protocol_counts_as_tcp() -> None:
    applied = {"spec": {"ports": [{"port": 80}]}}
    assert ("f:spec", "f:ports", 'k:{"port":80,"protocol":"TCP"}', "f:port") in field_set(
        applied, _type("v1", "Service")
    )


@pytest.mark.parametrize(
    ("kind", "body", "error"),
    [
        (
            ("apps/v1", "Deployment"),
            {"spec": {"replicas": "two"}},
            ".spec.replicas: expected numeric (int or float), got string",
        ),
        (
            ("apps/v1", "Deployment"),
            {"spec": {"replicaz": 2}},
            ".spec.replicaz: field not declared in schema",
        ),
        (
            ("v1", "Pod"),
            {"spec": {"containers": [{"name": "c", "env": [{"name": "A"}, {"name": "A"}]}]}},
            '.spec.containers[name="c"].env: duplicate entries for key [name="A"]',
        ),
        (("v1", "ConfigMap"), {"data": {"a": "1"}}, None),
    ],
)
def test_refused_before_merging(kind: tuple[str, str], body: Any, error: str | None) -> None:
    assert apply_schema_errors(body, _type(*kind)) == ([error] if error else [])


def test_migration_unites_helms_own_entries_only() -> None:
    update = ManagerId("helm", "Update", "v1")
    managers = {update: _owned("a", "b"), HELM_APPLY: _owned("c"), EDITOR: _owned("x")}
    assert migrate_client_side_fields(managers) == {
        HELM_APPLY: _owned("a", "b", "c"),
        EDITOR: _owned("x"),
    }


def test_migration_lets_dropped_fields_go() -> None:
    managers = migrate_client_side_fields({ManagerId("helm", "Update", "v1"): _owned("a", "b")})
    assert _apply(_data(a="1", b="1"), _data(a="1"), managers).body["data"] == {"a": "1"}


def test_fields_survive_reading_and_writing() -> None:
    document = {
        "f:metadata": {"f:labels": {".": {}, "f:app": {}}},
        "f:spec": {"f:ports": {'k:{"port":80,"protocol":"TCP"}': {".": {}, "f:port": {}}}},
    }
    assert write_fields(read_fields(document)) == document
