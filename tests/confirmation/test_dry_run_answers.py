"""What an answer of the API server says about Helm's write."""

from __future__ import annotations

import json

import pytest

from helmguard.cluster.dry_run import read_answer
from helmguard.model.resource_key import ResourceKey
from helmguard.model.write_request import Accepted, NoAnswer, Refused, WriteRequest

KEY = ResourceKey.of("apps/v1", "Deployment", "shop", "web")
REQUEST = WriteRequest(KEY, "apps/v1", "PATCH", {})
RBAC = (
    'deployments.apps "web" is forbidden: User "bob" cannot patch resource "deployments" in API group "apps" '
    'in the namespace "shop"'
)


def _status(message: str, reason: str = "") -> bytes:
    return json.dumps({"kind": "Status", "message": message, "reason": reason}).encode()


@pytest.mark.parametrize(
    "message",
    [
        RBAC,
        RBAC + ': RBAC: role.rbac.authorization.k8s.io "edit" not found',
        'configmaps is forbidden: User "system:serviceaccount:ci:bot" cannot create resource "configmaps" in '
        'API group "" in the namespace "shop"',
        'clusterroles.rbac.authorization.k8s.io "a" is forbidden: User "bob" cannot patch resource '
        '"clusterroles" in API group "rbac.authorization.k8s.io" at the cluster scope',
    ],
)
def test_the_authorizers_refusal_is_a_lack_of_rights(message: str) -> None:
    answer = read_answer(REQUEST, 403, _status(message, "Forbidden"), [])
    assert isinstance(answer, NoAnswer)
    assert answer.lacks_right


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (403, 'pods "web" is forbidden: violates PodSecurity "restricted:latest": privileged'),
        (403, 'configmaps "conf" is forbidden: exceeded quota: full, requested: count/configmaps=1'),
        (
            403,
            'admission webhook "guard.example.com" denied the request: User "bob" cannot patch resource "x"',
        ),
        (
            403,
            "deployments.apps \"web\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied "
            'request: User "bob" cannot patch resource "deployments" in API group "apps"',
        ),
        (
            403,
            'roles.rbac.authorization.k8s.io "r" is forbidden: user "bob" (groups=["dev"]) is attempting to '
            "grant RBAC permissions not currently held",
        ),
        (422, 'Deployment.apps "web" is invalid: spec.selector: Invalid value: {}: field is immutable'),
        (500, 'Internal error occurred: failed calling webhook "x": connection refused'),
    ],
)
def test_admission_refuses_helm_as_well(status: int, message: str) -> None:
    answer = read_answer(REQUEST, status, _status(message), [])
    assert answer == Refused(message, status)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, _status('admission webhook "x" does not support dry run', "BadRequest")),
        (429, _status("too many requests", "TooManyRequests")),
        (504, _status("request did not complete within the allotted timeout", "Timeout")),
        (502, b"<html>bad gateway</html>"),
        (403, b'{"message": "blocked by a proxy"}'),
    ],
)
def test_what_is_no_answer_about_the_write(status: int, body: bytes) -> None:
    answer = read_answer(REQUEST, status, body, [])
    assert isinstance(answer, NoAnswer)
    assert not answer.lacks_right


def test_warnings_come_with_either_answer() -> None:
    headers = ['299 - "unknown field \\"spec.foo\\""', '199 - "not a warning of the API server"']
    accepted = read_answer(REQUEST, 200, b'{"kind": "Deployment"}', headers)
    assert accepted == Accepted({"kind": "Deployment"}, ('unknown field "spec.foo"',))
    refused = read_answer(REQUEST, 422, _status("no"), headers)
    assert refused == Refused("no", 422, warnings=('unknown field "spec.foo"',))
