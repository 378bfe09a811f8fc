"""Refusals of updates: immutable fields, and the kinds where more than single fields is frozen.

Source: k8s.io/kubernetes@v1.36.3 pkg/apis/*/validation, texts measured against kube-apiserver v1.36.3.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Final

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.predict.api_server.immutable_fields import IMMUTABLE, IMMUTABLE_FIELDS
from helmguard.predict.json_equality import json_equal

_STATEFUL_SET_MUTABLE: Final = frozenset(
    {
        "replicas",
        "ordinals",
        "template",
        "updateStrategy",
        "revisionHistoryLimit",
        "persistentVolumeClaimRetentionPolicy",
        "minReadySeconds",
    }
)


def immutable_field_errors(old: JSONObject, new: JSONObject, group: str) -> list[str]:
    """The refusals for an update from ``old`` to ``new``, both as stored; empty where all may change."""
    kind = new.get("kind", "")
    errors = []
    for field in IMMUTABLE_FIELDS.get((group, kind), ()):
        before, after = _at(old, field.path), _at(new, field.path)
        if not json_equal(before, after):
            shown = _internal_role_ref(after) if field.path == ("roleRef",) else after
            text = field.detail.format(value=_go_json(shown), name=field.path[-1])
            errors.append(f"{'.'.join(field.path)}: {text}")
    check = _CHECKS.get((group, kind))
    if check is not None:
        errors.extend(check(old, new))
    return errors


def _stateful_set(old: JSONObject, new: JSONObject) -> Iterator[str]:
    before, after = old.get("spec") or {}, new.get("spec") or {}
    frozen = (before.keys() | after.keys()) - _STATEFUL_SET_MUTABLE
    if any(not json_equal(_frozen(name, before), _frozen(name, after)) for name in frozen):
        yield (
            "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', "
            "'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' "
            "and 'minReadySeconds' are forbidden"
        )


def _frozen(name: str, spec: JSONObject) -> JSONValue:
    """A frozen field without what the server writes into it."""
    value = spec.get(name)
    if name != "volumeClaimTemplates":
        return value
    return [
        {key: below for key, below in template.items() if key not in ("status", "apiVersion", "kind")}
        for template in value or []
    ]


def _job(old: JSONObject, new: JSONObject) -> Iterator[str]:
    before, after = old.get("spec") or {}, new.get("spec") or {}
    if not json_equal(before.get("template"), after.get("template")):
        yield f"spec.template: Invalid value: {_go_json(after.get('template'))}: {IMMUTABLE}"
    if before.get("completionMode") != "Indexed" and before.get("completions") != after.get("completions"):
        yield f"spec.completions: Invalid value: {_go_json(after.get('completions'))}: {IMMUTABLE}"


def _claim(old: JSONObject, new: JSONObject) -> Iterator[str]:
    """A bound claim may ask for more storage and another attributes class.

    An unbound one may only be given a storage class where it has none.
    """
    before = old.get("spec") or {}
    bound = bool(before.get("volumeName"))
    class_is_open = not bound and before.get("storageClassName") is None
    if not json_equal(_frozen_claim(old, bound, class_is_open), _frozen_claim(new, bound, class_is_open)):
        yield (
            "spec: Forbidden: spec is immutable after creation except resources.requests and "
            "volumeAttributesClassName for bound claims"
        )


def _frozen_claim(claim: JSONObject, bound: bool, class_is_open: bool) -> JSONObject:
    free = {"volumeAttributesClassName"} if bound else {"volumeName"}
    if class_is_open:
        free.add("storageClassName")
    spec = {key: value for key, value in (claim.get("spec") or {}).items() if key not in free}
    if bound:
        resources = dict(spec.get("resources") or {})
        requests = resources.get("requests") or {}
        resources["requests"] = {name: value for name, value in requests.items() if name != "storage"}
        spec["resources"] = resources
    return spec


def _locked_data(old: JSONObject, new: JSONObject) -> Iterator[str]:
    """ConfigMaps and Secrets marked ``immutable``."""
    if old.get("immutable") is not True:
        return
    if new.get("immutable") is not True:
        yield "immutable: Forbidden: field is immutable when `immutable` is set"
    for name in ("data", "binaryData"):
        if not json_equal(old.get(name) or {}, new.get(name) or {}):
            yield f"{name}: Forbidden: field is immutable when `immutable` is set"


def _service(old: JSONObject, new: JSONObject) -> Iterator[str]:
    before, after = old.get("spec") or {}, new.get("spec") or {}
    if "ExternalName" in (before.get("type"), after.get("type")):
        return
    if before.get("clusterIP") and before["clusterIP"] != after.get("clusterIP"):
        ips = after.get("clusterIPs") or [after.get("clusterIP")]
        yield f"spec.clusterIPs[0]: Invalid value: {_go_json(ips)}: may not change once set"
    if before.get("type") == after.get("type") == "LoadBalancer" and before.get(
        "loadBalancerClass"
    ) != after.get("loadBalancerClass"):
        value = _go_json(after.get("loadBalancerClass"))
        yield f"spec.loadBalancerClass: Invalid value: {value}: may not change once set"


_POD_MUTABLE: Final = frozenset({"activeDeadlineSeconds", "tolerations", "terminationGracePeriodSeconds"})


def _pod(old: JSONObject, new: JSONObject) -> Iterator[str]:
    before, after = old.get("spec") or {}, new.get("spec") or {}
    frozen = (before.keys() | after.keys()) - _POD_MUTABLE
    if any(
        not json_equal(_without_images(before.get(name)), _without_images(after.get(name))) for name in frozen
    ):
        yield (
            "spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,"
            "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only "
            "additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to "
            "1 if it was previously negative)"
        )


def _without_images(value: JSONValue) -> JSONValue:
    if isinstance(value, list):
        return [
            {key: below for key, below in item.items() if key != "image"} if isinstance(item, dict) else item
            for item in value
        ]
    return value


_CHECKS: Final[dict[tuple[str, str], Callable[[JSONObject, JSONObject], Iterator[str]]]] = {
    ("apps", "StatefulSet"): _stateful_set,
    ("batch", "Job"): _job,
    ("", "PersistentVolumeClaim"): _claim,
    ("", "ConfigMap"): _locked_data,
    ("", "Secret"): _locked_data,
    ("", "Service"): _service,
    ("", "Pod"): _pod,
}


def _at(body: JSONValue, path: tuple[str, ...]) -> JSONValue:
    for step in path:
        body = body.get(step) if isinstance(body, dict) else None
    return body


def _go_json(value: JSONValue) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _internal_role_ref(value: JSONValue) -> JSONValue:
    """Role references are printed with the field names of the internal type."""
    names = {"apiGroup": "APIGroup", "kind": "Kind", "name": "Name"}
    return {names[key]: value[key] for key in names if key in value} if isinstance(value, dict) else value
