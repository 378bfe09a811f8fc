"""Who owns a field, by managedFields."""

from __future__ import annotations

import json
from typing import Any

import pytest
from predictions import deployment, owned

from helmguard.compare.field_owners import FieldOwner, fields_of_others, foreign_owner, held_path, owners_of
from helmguard.model.field_path import FieldPath, ItemKey, format_path
from helmguard.predict.schema.builtin_types import builtin_type

WEB = ItemKey((("name", "web"),))
HTTP = ItemKey((("containerPort", 80), ("protocol", "TCP")))


def k(**fields: Any) -> str:
    return "k:" + json.dumps(fields)


def live() -> dict[str, Any]:
    body = deployment(
        {
            "replicas": 7,
            "template": {
                "spec": {
                    "containers": [
                        {
                            "name": "web",
                            "image": "nginx:hotfix",
                            "ports": [{"containerPort": 80, "protocol": "TCP"}],
                        },
                        {"name": "side", "image": "proxy:1"},
                    ],
                    "tolerations": [{"key": "gpu", "operator": "Exists"}],
                }
            },
        }
    )
    body["metadata"]["finalizers"] = ["a.io/x", "b.io/y"]
    containers = {
        k(name="web"): {
            ".": {},
            "f:name": {},
            "f:image": {},
            "f:ports": {k(containerPort=80, protocol="TCP"): {".": {}, "f:containerPort": {}}},
        }
    }
    body = owned(body, "helm", {"f:spec": {"f:template": {"f:spec": {"f:containers": containers}}}})
    body = owned(
        body,
        "kube-controller-manager",
        {"f:spec": {"f:replicas": {}}},
        subresource="scale",
        time="2026-11-30T03:00:00Z",
    )
    body = owned(body, "kubectl-scale", {"f:spec": {"f:replicas": {}}}, time="2026-11-30T02:00:00Z")
    body = owned(
        body,
        "kubectl-edit",
        {
            "f:metadata": {"f:finalizers": {".": {}, 'v:"b.io/y"': {}}},
            "f:spec": {
                "f:template": {
                    "f:spec": {
                        "f:containers": {
                            k(name="web"): {"f:image": {}},
                            k(name="side"): {".": {}, "f:name": {}, "f:image": {}},
                        },
                        "f:tolerations": {},
                    }
                }
            },
        },
    )
    return owned(body, "probe", {"f:status": {"f:conditions": {}}}, subresource="status")


POD: FieldPath = ("spec", "template", "spec")


@pytest.mark.parametrize(
    ("path", "managers"),
    [
        (("spec", "replicas"), ["kube-controller-manager (scale)", "kubectl-scale"]),
        ((*POD, "containers", WEB, "image"), ["helm", "kubectl-edit"]),
        ((*POD, "containers", WEB, "ports", HTTP, "containerPort"), ["helm"]),
        ((*POD, "containers", WEB, "command"), []),
        # an atomic list is owned as a whole, so each field of its items is
        ((*POD, "tolerations", 0, "key"), ["kubectl-edit"]),
        ((*POD, "tolerations", ItemKey((("key", "gpu"),)), "key"), ["kubectl-edit"]),
        (("metadata", "finalizers", 1), ["kubectl-edit"]),
        (("metadata", "finalizers", 0), []),
        (("metadata", "finalizers", 7), []),
        (("spec", "strategy"), []),
    ],
)
def test_owners_of_a_field(path: FieldPath, managers: list[str]) -> None:
    assert [str(owner) for owner in owners_of(live(), path)] == managers


def test_people_come_before_controllers() -> None:
    owner = foreign_owner(live(), ("spec", "replicas"))
    assert owner is not None and owner.manager == "kubectl-scale"


def test_the_whole_that_an_owner_holds() -> None:
    owner = foreign_owner(live(), (*POD, "tolerations", 0, "key"))
    assert owner is not None
    assert held_path(live(), (*POD, "tolerations", 0, "key"), owner) == (*POD, "tolerations")


def test_fields_of_others_leave_out_helm_controllers_and_status() -> None:
    schema = builtin_type("apps/v1", "Deployment")
    assert schema is not None
    listed = [(str(field.owner), format_path(field.path)) for field in fields_of_others(live(), schema)]
    assert ("kubectl-scale", "spec.replicas") in listed
    assert ("kubectl-edit", "spec.template.spec.containers[name=side]") in listed
    assert ("kubectl-edit", "metadata.finalizers[1]") in listed
    assert {owner for owner, _ in listed} == {"kubectl-scale", "kubectl-edit"}


@pytest.mark.parametrize(
    ("manager", "controller"),
    [
        ("kube-controller-manager", True),
        ("cainjector", True),
        ("gpu-operator", True),
        ("istio-sidecar-injector", True),
        ("kubectl-edit", False),
        ("kubectl", False),
        ("dashboard", False),
        ("kustomize-controller", False),
        ("argocd-controller", False),
    ],
)
def test_controllers_are_known_by_name(manager: str, controller: bool) -> None:
    assert FieldOwner(manager, "Update", "", "").is_controller is controller


@pytest.mark.parametrize(
    "managed",
    [
        None,
        "x",
        [None],
        [{"manager": "m"}],
        [{"fieldsV1": {"k:{broken": {}}}],
        [{"fieldsV1": {}}],
    ],
)
def test_odd_managed_fields_do_no_harm(managed: Any) -> None:
    body = deployment({"replicas": 1})
    body["metadata"]["managedFields"] = managed
    assert owners_of(body, ("metadata", "name")) == []
    assert list(fields_of_others(body)) == []
