"""What the API server makes of documents: forms, defaults, kept values, refusals."""

from __future__ import annotations

from typing import Any

import pytest

from helmguard.predict.api_server.quantity import canonical
from helmguard.predict.api_server.stored_object import store
from helmguard.predict.schema.custom_types import CustomKind, custom_kinds


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("1000m", "1"), ("0.5", "500m"), ("1024Mi", "1Gi"), ("1.5Gi", "1536Mi"), ("100", "100"),
        ("1e3", "1e3"), ("2000", "2k"), ("1024", "1024"), ("1000Ki", "1000Ki"), ("0", "0"),
        ("0.0001", "1m"), ("12E", "12E"), ("10Ei", "9223372036854775807"), ("20E", "20E"), ("1\n", None),
        ("1e20", "100e18"), ("12.5e20", "1250e18"), ("1.000E21", "1e21"), ("1e30", "1e30"), ("\u0661", None),
        ("1e5000", "100e4998"), ("1e9999999", "1e9999999"), ("9" * 400, "9" * 400), ("9" * 5000, "9" * 5000),
        ("1k", "1k"), ("1.0", "1"), ("67108864", "67108864"), ("abc", None), ("1Xi", None),
    ],
)  # fmt: skip
def test_quantities(written: str, stored: str | None) -> None:
    assert canonical(written) == stored


def _stored(body: dict[str, Any], live: dict[str, Any] | None = None) -> Any:
    result = store({"metadata": {"name": "x"}, **body}, live, None)
    assert result.error == ""
    return result.body


def test_deployment_defaults() -> None:
    spec = _stored({"apiVersion": "apps/v1", "kind": "Deployment", "spec": _workload()})["spec"]
    assert (spec["replicas"], spec["revisionHistoryLimit"]) == (1, 10)
    assert spec["strategy"] == {
        "type": "RollingUpdate",
        "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": "25%"},
    }
    container = spec["template"]["spec"]["containers"][0]
    assert container["imagePullPolicy"] == "IfNotPresent"
    assert container["terminationMessagePath"] == "/dev/termination-log"


@pytest.mark.parametrize(
    ("image", "policy"),
    [
        ("nginx", "Always"), ("nginx:latest", "Always"), ("nginx:1", "IfNotPresent"),
        ("reg:5000/nginx", "Always"), ("nginx@sha256:" + "0" * 64, "IfNotPresent"),
    ],
)  # fmt: skip
def test_pull_policy(image: str, policy: str) -> None:
    body = {"apiVersion": "apps/v1", "kind": "Deployment", "spec": _workload(image)}
    assert _stored(body)["spec"]["template"]["spec"]["containers"][0]["imagePullPolicy"] == policy


@pytest.mark.parametrize(
    ("own", "template", "stored"),
    [
        (None, None, {"job-name": "x", "batch.kubernetes.io/job-name": "x"}),
        (None, {"a": "b"}, {"a": "b", "job-name": "x", "batch.kubernetes.io/job-name": "x"}),
        ({"k": "v"}, {"a": "b"}, {"k": "v"}),
        ({"a": "b"}, {"a": "b"}, {"a": "b"}),
    ],
)  # fmt: skip
def test_a_new_job_without_labels_takes_those_of_its_template(own: Any, template: Any, stored: Any) -> None:
    """As the API server of Kubernetes 1.36.3 stored them; the labels with the new uid are left out."""
    pods = {
        "metadata": {"labels": template},
        "spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "c:1"}]},
    }
    job = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "x", "labels": own},
        "spec": {"template": pods},
    }
    assert _stored(job)["metadata"]["labels"] == stored


def _workload(image: str = "nginx:1", **container: Any) -> dict[str, Any]:
    return {
        "selector": {"matchLabels": {"app": "x"}},
        "template": {
            "metadata": {"labels": {"app": "x"}},
            "spec": {"containers": [{"name": "c", "image": image, **container}]},
        },
    }


def test_job_template_of_a_cron_job_gets_no_job_defaults() -> None:
    template = {"spec": {"containers": [{"name": "c", "image": "i:1"}], "restartPolicy": "Never"}}
    body = {
        "apiVersion": "batch/v1",
        "kind": "CronJob",
        "spec": {"schedule": "@daily", "jobTemplate": {"spec": {"template": template}}},
    }
    assert set(_stored(body)["spec"]["jobTemplate"]["spec"]) == {"template"}


def test_string_data_lands_in_data() -> None:
    body = {"apiVersion": "v1", "kind": "Secret", "data": {"a": "MQ=="}, "stringData": {"a": "2", "b": "3"}}
    assert _stored(body) == {
        "apiVersion": "v1",
        "kind": "Secret",
        "type": "Opaque",
        "metadata": {"name": "x"},
        "data": {"a": "Mg==", "b": "Mw=="},
    }


def test_service_account_name_and_its_old_spelling_stay_together() -> None:
    spec = _workload()
    spec["template"]["spec"]["serviceAccount"] = "sa"
    stored = _stored({"apiVersion": "apps/v1", "kind": "Deployment", "spec": spec})["spec"]["template"][
        "spec"
    ]
    assert stored["serviceAccountName"] == "sa"


def _service(**spec: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "x"}, "spec": spec}


LIVE_SERVICE = _service(
    type="NodePort",
    clusterIP="10.0.0.9",
    clusterIPs=["10.0.0.9"],
    ipFamilies=["IPv4"],
    ipFamilyPolicy="SingleStack",
    ports=[{"name": "a", "port": 80, "protocol": "TCP", "targetPort": 80, "nodePort": 30080}],
    sessionAffinity="None",
    externalTrafficPolicy="Cluster",
    internalTrafficPolicy="Cluster",
)


def test_service_keeps_addresses_and_node_ports_by_name() -> None:
    new = _service(type="NodePort", ports=[{"name": "a", "port": 81}])
    spec = _stored(new, LIVE_SERVICE)["spec"]
    assert spec["clusterIP"] == "10.0.0.9"
    assert spec["ports"][0]["nodePort"] == 30080


def test_service_drops_what_its_new_type_lacks() -> None:
    changed = {**LIVE_SERVICE, "spec": {**LIVE_SERVICE["spec"], "type": "ClusterIP"}}
    spec = _stored(changed, LIVE_SERVICE)["spec"]
    assert "nodePort" not in spec["ports"][0]
    assert "externalTrafficPolicy" not in spec


def test_a_name_outside_has_no_policy_for_traffic_inside() -> None:
    """An API server leaves it out of what it answers, whoever has set it."""
    changed = _service(**{**LIVE_SERVICE["spec"], "type": "ExternalName", "externalName": "example.com"})
    assert "internalTrafficPolicy" not in _stored(changed, LIVE_SERVICE)["spec"]
    new = _service(type="ExternalName", externalName="example.com", internalTrafficPolicy="Local")
    assert "internalTrafficPolicy" not in _stored(new)["spec"]


def test_node_ports_to_come_are_unknown() -> None:
    live = _service(type="ClusterIP", clusterIP="10.0.0.9", clusterIPs=["10.0.0.9"], ports=[{"port": 80}])
    result = store(_service(type="NodePort", ports=[{"port": 80}]), live, None)
    assert "spec.ports[].nodePort" in result.unknown


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        pytest.param(
            {"apiVersion": "apps/v1", "kind": "Deployment", "spec": _workload()},
            {"apiVersion": "apps/v1", "kind": "Deployment",
             "spec": {**_workload(), "selector": {}}},
            'Deployment.apps "x" is invalid: [spec.selector: Invalid value: {}: empty selector is invalid '
            "for deployment, spec.selector: Invalid value: {}: field is immutable]",
            id="selector",
        ),
        pytest.param(
            {"apiVersion": "v1", "kind": "ConfigMap", "immutable": True, "data": {"a": "1"}},
            {"apiVersion": "v1", "kind": "ConfigMap", "immutable": True, "data": {"a": "2"}},
            'ConfigMap "x" is invalid: data: Forbidden: field is immutable when `immutable` is set',
            id="immutable config map",
        ),
        pytest.param(
            {"apiVersion": "v1", "kind": "Secret", "type": "a"},
            {"apiVersion": "v1", "kind": "Secret", "type": "b"},
            'Secret "x" is invalid: type: Invalid value: "b": field is immutable',
            id="secret type",
        ),
        pytest.param(
            LIVE_SERVICE,
            _service(type="NodePort", clusterIP="10.0.0.10", ports=[{"port": 80}]),
            'Service "x" is invalid: spec.clusterIPs[0]: Invalid value: ["10.0.0.10"]: '
            "may not change once set",
            id="cluster ip",
        ),
        pytest.param(
            {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding",
             "roleRef": {"kind": "Role", "name": "a"}},
            {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding",
             "roleRef": {"kind": "Role", "name": "b"}},
            'RoleBinding.rbac.authorization.k8s.io "x" is invalid: roleRef: Invalid value: '
            '{"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"b"}: cannot change roleRef',
            id="role",
        ),
        pytest.param(
            {"apiVersion": "v1", "kind": "PersistentVolumeClaim",
             "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}},
            {"apiVersion": "v1", "kind": "PersistentVolumeClaim",
             "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "2Gi"}}}},
            'PersistentVolumeClaim "x" is invalid: spec: Forbidden: spec is immutable after creation except '
            "resources.requests and volumeAttributesClassName for bound claims",
            id="unbound claim",
        ),
    ],
)  # fmt: skip
def test_immutable_fields(old: dict[str, Any], new: dict[str, Any], error: str) -> None:
    live = _stored({"metadata": {"name": "x"}, **old})
    assert store({"metadata": {"name": "x"}, **new}, live, None).error == error


def test_the_same_quantity_spelt_otherwise_changes_nothing() -> None:
    claim = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "x"}}
    live = _stored(
        {**claim, "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}
    )
    again = {
        **claim,
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1024Mi"}}},
    }
    assert store(again, live, None).error == ""


WIDGET_SPEC = {
    "type": "object",
    "properties": {
        "mode": {"type": "string", "default": "Auto", "enum": ["Auto", "Never"]},
        "size": {"type": "integer", "minimum": 1},
        "conf": {"type": "object", "additionalProperties": {"type": "string"}},
        "frozen": {
            "type": "string",
            "x-kubernetes-validations": [{"rule": "self == oldSelf", "message": "frozen is immutable"}],
        },
        "tags": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}},
    },
}


def _widget_kind() -> CustomKind:
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": WIDGET_SPEC}}}
    versions = [{"name": "v1", "schema": schema, "subresources": {"status": {}}}]
    crd = {"spec": {"group": "g.test", "names": {"kind": "Widget"}, "versions": versions}}
    return custom_kinds([crd])[("g.test/v1", "Widget")]


def _widget(**spec: Any) -> dict[str, Any]:
    return {"apiVersion": "g.test/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": spec}


def test_custom_resources_are_pruned_and_defaulted() -> None:
    result = store(_widget(size=2, unknown=1), None, _widget_kind())
    assert result.body["spec"] == {"size": 2, "mode": "Auto"}
    assert result.dropped == ("spec.unknown",)


@pytest.mark.parametrize(
    ("spec", "error"),
    [
        (
            {"size": "2"},
            'spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"',
        ),
        ({"size": 0}, "spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1"),
        ({"mode": "x"}, 'spec.mode: Unsupported value: "x": supported values: "Auto", "Never"'),
        ({"tags": ["a", "a"]}, 'spec.tags[1]: Duplicate value: "a"'),
    ],
)
def test_custom_resources_are_validated(spec: dict[str, Any], error: str) -> None:
    result = store(_widget(**spec), None, _widget_kind())
    assert result.error == f'Widget.g.test "w" is invalid: {error}'


def test_transition_rule() -> None:
    result = store(_widget(frozen="b"), _widget(frozen="a"), _widget_kind())
    assert (
        result.error == 'Widget.g.test "w" is invalid: spec.frozen: Invalid value: "b": frozen is immutable'
    )
    assert store(_widget(frozen="a"), _widget(frozen="a"), _widget_kind()).error == ""


def test_null_is_pruned_except_by_apply() -> None:
    assert "conf" not in store(_widget(conf=None), None, _widget_kind()).body["spec"]
    assert "must be of type object" in store(_widget(conf=None), None, _widget_kind(), applied=True).error


def test_unknown_custom_kind_is_said_to_be_unknown() -> None:
    assert store(_widget(size=2), None, None).unknown.startswith("not predictable")


@pytest.mark.parametrize(
    ("kind", "finalizer"),
    [
        ("PersistentVolumeClaim", "kubernetes.io/pvc-protection"),
        ("PersistentVolume", "kubernetes.io/pv-protection"),
    ],
)
def test_storage_in_use_is_protected_from_its_creation_on(kind: str, finalizer: str) -> None:
    size = {"storage": "1Gi"}
    spec: dict[str, Any] = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": size}}
    if kind == "PersistentVolume":
        spec = {"accessModes": ["ReadWriteOnce"], "capacity": size, "hostPath": {"path": "/data"}}
    created = _stored({"apiVersion": "v1", "kind": kind, "spec": spec})
    assert created["metadata"]["finalizers"] == [finalizer]
    unprotected = {**created, "metadata": {"name": "x"}}
    assert "finalizers" not in _stored(unprotected, unprotected)["metadata"]


@pytest.mark.parametrize(("labels", "twice"), [({}, False), ({"a": "b"}, True)])
def test_added_labels_of_a_job_are_refused_where_they_stand_by_then(labels: Any, twice: bool) -> None:
    pod = {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i:1"}]}
    template = {"metadata": {"labels": labels}, "spec": pod}
    job = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "a" * 64}}
    error = store({**job, "spec": {"template": template}}, None, None).error
    assert "spec.template.labels: " in error
    assert ("metadata.labels: " in error) == twice
