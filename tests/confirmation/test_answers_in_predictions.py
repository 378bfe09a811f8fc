"""Answers of the API server in the place of predicted writes, without a server."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from helmguard.manifest.objects import read_objects
from helmguard.model.apply_options import ApplyOptions
from helmguard.model.discovery import Discovery, ServedKind
from helmguard.model.helm_version import HelmVersion
from helmguard.model.live_state import Absent, LiveState, Present
from helmguard.model.prediction import Prediction
from helmguard.model.release import History
from helmguard.model.resource_key import ResourceKey
from helmguard.model.write_request import Accepted, NoAnswer, Refused, ServerAnswer
from helmguard.predict.inputs import OperationInputs
from helmguard.predict.operation import simulate_operation
from helmguard.predict.requests import AnsweredWrite

SERVED = Discovery.of(
    "v1.36.3",
    [
        ServedKind("v1", "ConfigMap", "configmaps", namespaced=True),
        ServedKind("v1", "ServiceAccount", "serviceaccounts", namespaced=True),
        ServedKind("v1", "Service", "services", namespaced=True),
    ],
)
SPACE = ResourceKey.of("v1", "Namespace", None, "shop")
DOCUMENTS = """
apiVersion: v1
kind: ServiceAccount
metadata: {name: runner}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: conf}
data: {a: "1"}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {type: NodePort, ports: [{port: 80}]}
"""


def _inputs(major: int, **more: Any) -> OperationInputs:
    target = read_objects(DOCUMENTS, "shop", lambda *_: True)
    live: dict[ResourceKey, LiveState] = {item.key: Absent() for item in target}
    live[SPACE] = Present({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}})
    inputs = OperationInputs(
        operation="install",
        helm=HelmVersion(major, 0, 0),
        options=ApplyOptions(),
        release="demo",
        namespace="shop",
        history=History("demo", "shop", ()),
        previous=(),
        target=target,
        live=live,
        discovery=SERVED,
        asks_server=True,
    )
    return replace(inputs, **more)


def _answered(inputs: OperationInputs, answers: dict[str, ServerAnswer]) -> Prediction:
    """The prediction with what the server says about the writes of the objects named."""
    asked = simulate_operation(inputs).asked
    given = {
        key: AnsweredWrite(write, answers[key.name]) for key, write in asked.items() if key.name in answers
    }
    return simulate_operation(replace(inputs, answers=given)).prediction


def _one(prediction: Prediction, name: str) -> Any:
    return next(resource for resource in prediction.resources if resource.key.name == name)


@pytest.mark.parametrize(
    ("major", "verb", "content_type", "query"),
    [
        (3, "POST", "application/json", {"fieldManager": "helm"}),
        (
            4,
            "PATCH",
            "application/apply-patch+yaml",
            {"fieldManager": "helm", "force": "false", "fieldValidation": "Strict"},
        ),
    ],
)
def test_a_create_is_asked_as_helm_sends_it(
    major: int, verb: str, content_type: str, query: dict[str, str]
) -> None:
    asked = simulate_operation(_inputs(major)).asked
    request = next(write.request for key, write in asked.items() if key.name == "conf")
    assert (request.verb, request.content_type, request.query) == (verb, content_type, query)
    assert request.body["metadata"]["labels"] == {"app.kubernetes.io/managed-by": "Helm"}


def test_a_refusal_has_helms_words() -> None:
    refused = Refused('configmaps "conf" is forbidden: exceeded quota: full', 403, "Forbidden")
    prediction = _answered(_inputs(4), {"conf": refused})
    assert _one(prediction, "conf").error == (
        "failed to create resource: server-side apply failed for object shop/conf /v1, Kind=ConfigMap: "
        + refused.message
    )
    assert prediction.failure is not None
    assert _one(prediction, "conf").confirmation.by_server
    assert _one(prediction, "conf").confirmation.local_error == ""
    older = _answered(_inputs(3), {"conf": refused})
    assert older.failure is not None
    assert older.failure.message == f"1 error occurred:\n\t* {refused.message}\n\n"


def test_a_refusal_for_want_of_what_comes_first_does_not_count() -> None:
    refused = Refused('configmaps "conf" is forbidden: serviceaccount "runner" not found', 403)
    prediction = _answered(_inputs(4), {"conf": refused})
    assert prediction.failure is None
    assert "for want of ServiceAccount/runner" in _one(prediction, "conf").confirmation.why


def test_the_objects_own_name_is_no_want() -> None:
    refused = Refused('configmaps "runner" is forbidden: already too many', 403)
    assert _answered(_inputs(4), {"conf": refused}).failure is not None


def test_what_the_server_makes_up_is_left_out() -> None:
    body = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "web", "namespace": "shop", "uid": "u-1", "creationTimestamp": "now"},
        "spec": {
            "type": "NodePort",
            "clusterIP": "10.0.0.9",
            "clusterIPs": ["10.0.0.9"],
            "ports": [{"port": 80, "nodePort": 30009, "protocol": "TCP"}],
            "sessionAffinity": "None",
        },
        "status": {"loadBalancer": {}},
    }
    web = _one(_answered(_inputs(4), {"web": Accepted(body, ("beware",))}), "web")
    assert web.predicted["spec"] == {
        "type": "NodePort",
        "ports": [{"port": 80, "protocol": "TCP"}],
        "sessionAffinity": "None",
    }
    assert set(web.predicted["metadata"]) == {"name", "namespace"}
    assert "status" not in web.predicted
    assert "spec.clusterIP, spec.ports[].nodePort" in web.unknown
    assert web.confirmation.warnings == ("beware",)


def test_no_answer_leaves_the_prediction_alone() -> None:
    alone = simulate_operation(_inputs(4)).prediction
    prediction = _answered(_inputs(4), {"conf": NoAnswer("too slow")})
    assert _one(prediction, "conf").predicted == _one(alone, "conf").predicted
    assert _one(prediction, "conf").confirmation.why == "too slow"


def test_an_answer_holds_for_the_live_state_it_was_given_on() -> None:
    inputs = _inputs(4)
    asked = simulate_operation(inputs).asked
    given = {
        key: AnsweredWrite(write, Refused("no", 403)) for key, write in asked.items() if key.name == "conf"
    }
    live = dict(inputs.live)
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "conf", "namespace": "shop"}}
    live[next(iter(given))] = Present(body)
    later = replace(inputs, live=live, answers=given, options=ApplyOptions(take_ownership=True))
    assert simulate_operation(later).prediction.failure is None


def test_nobody_is_asked_unless_wanted() -> None:
    simulated = simulate_operation(_inputs(4, asks_server=False, discovery=None))
    assert not simulated.asked
    assert all(resource.confirmation is None for resource in simulated.prediction.resources)
