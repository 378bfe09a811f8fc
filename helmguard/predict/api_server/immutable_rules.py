"""Refusals of updates: immutable fields, and the kinds where more than single fields is frozen.

Source: k8s.io/kubernetes@v1.36.3 pkg/apis/*/validation, texts measured against kube-apiserver v1.36.3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.predict.api_server.immutable_fields import IMMUTABLE, IMMUTABLE_FIELDS
from helmguard.predict.api_server.immutable_pods import pod_update_errors
from helmguard.predict.api_server.quantity import amount
from helmguard.predict.api_server.services import needs_health_check_port
from helmguard.predict.api_server.validation.storage import PLAIN_VOLUME_FIELDS
from helmguard.predict.api_server.validation.words import compact
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

_NAMED_OTHERWISE: Final = {"spec.attachRequired": "spec.attachedRequired", "spec.volumeMode": "volumeMode"}
"""Fields that the server's message spells differently."""
_ESTABLISHED: Final = (("spec", "names", "kind"), ("spec", "scope"))
"""Fields of a definition that may change until the server has taken it on."""


def immutable_field_errors(old: JSONObject, new: JSONObject, group: str) -> list[str]:
    """The refusals for an update from ``old`` to ``new``, both as stored; empty where all may change."""
    kind = new.get("kind", "")
    errors = []
    for field in IMMUTABLE_FIELDS.get((group, kind), ()):
        before, after = _at(old, field.path), _at(new, field.path)
        if kind == "CustomResourceDefinition" and field.path in _ESTABLISHED and not _is_established(old):
            continue
        if not json_equal(before, after):
            shown = _internal_role_ref(after) if field.path == ("roleRef",) else after
            text = field.detail.format(value=compact(shown), name=field.path[-1])
            path = _NAMED_OTHERWISE.get(".".join(field.path), ".".join(field.path))
            errors.append(f"{path}: {text}")
    check = _CHECKS.get((group, kind))
    if check is not None:
        errors.extend(check(old, new))
    return errors


def _is_established(definition: JSONObject) -> bool:
    conditions = (definition.get("status") or {}).get("conditions") or []
    return any(one.get("type") == "Established" and one.get("status") == "True" for one in conditions)


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


_MUTABLE_WHILE_SUSPENDED: Final = ("nodeSelector", "tolerations", "schedulingGates", "affinity")


def _job(old: JSONObject, new: JSONObject) -> Iterator[str]:
    before, after = old.get("spec") or {}, new.get("spec") or {}
    labels = ((after.get("template") or {}).get("metadata") or {}).get("labels")
    selector = after.get("selector")
    if selector is None:
        yield "spec.selector: Required value"
    elif after.get("manualSelector") is not True:
        yield from _generated_errors(selector, labels or {}, new["metadata"])
    wanted = (selector or {}).get("matchLabels") or {}
    if selector is None or any((labels or {}).get(key) != value for key, value in wanted.items()):
        yield (
            f"spec.template.metadata.labels: Invalid value: {compact(labels)}: "
            "`selector` does not match template `labels`"
        )
    one, other = before.get("template") or {}, after.get("template") or {}
    waits = before.get("suspend") is True and not (old.get("status") or {}).get("startTime")
    path = "spec.template"
    if waits:
        # Until a suspended Job has started, it may be put elsewhere and given other resources.
        path, one, other = "spec.template.spec", _unmovable(one), _unmovable(other)
    if not json_equal(one, other):
        yield f"{path}: Invalid value: {compact(after.get('template'))}: {IMMUTABLE}"
    wanted_completions = after.get("completions")
    if before.get("completions") == wanted_completions:
        return
    if after.get("completionMode") != "Indexed":
        yield f"spec.completions: Invalid value: {compact(wanted_completions)}: {IMMUTABLE}"
    elif wanted_completions is not None and wanted_completions != after.get("parallelism"):
        detail = "can only be modified in tandem with spec.parallelism"
        yield f"spec.completions: Invalid value: {wanted_completions}: {detail}"


def _generated_errors(selector: JSONObject, labels: JSONObject, metadata: JSONObject) -> Iterator[str]:
    """A Job's pods keep the labels that the server gave them, and it chooses them by those alone."""
    given = {"controller-uid": metadata.get("uid"), "job-name": metadata.get("name")}
    given |= {f"batch.kubernetes.io/{label}": value for label, value in given.items()}
    for key, value in given.items():
        if key not in labels:
            yield f"spec.template.metadata.labels[{key}]: Required value: must be '{value}'"
        elif labels[key] != value:
            shown = compact(labels)
            yield f"spec.template.metadata.labels[{key}]: Invalid value: {shown}: must be '{value}'"
    if any(given.get(key) != value for key, value in (selector.get("matchLabels") or {}).items()):
        yield f"spec.selector: Invalid value: {compact(selector)}: `selector` not auto-generated"


def _unmovable(template: JSONObject) -> JSONObject:
    spec = template.get("spec") or {}
    kept = {key: value for key, value in spec.items() if key not in _MUTABLE_WHILE_SUSPENDED}
    for name in ("containers", "initContainers"):
        if isinstance(spec.get(name), list):
            kept[name] = [
                {key: value for key, value in one.items() if key != "resources"} for one in spec[name]
            ]
    affinity = {key: value for key, value in (spec.get("affinity") or {}).items() if key != "nodeAffinity"}
    return {**kept, "affinity": affinity}


def _claim(old: JSONObject, new: JSONObject) -> Iterator[str]:
    """A bound claim may ask for more storage and another attributes class.

    An unbound one may be given a volume, and any a storage class where it has none.
    """
    before, after = old.get("spec") or {}, new.get("spec") or {}
    bound = bool(before.get("volumeName"))
    class_is_open = before.get("storageClassName") is None
    if not json_equal(_frozen_claim(old, bound, class_is_open), _frozen_claim(new, bound, class_is_open)):
        yield (
            "spec: Forbidden: spec is immutable after creation except resources.requests and "
            "volumeAttributesClassName for bound claims"
        )
    capacity = ((old.get("status") or {}).get("capacity") or {}).get("storage", "0")
    sizes = [amount(str(size)) for size in (_requested(before), _requested(after), capacity)]
    if None not in sizes and sizes[1] < sizes[0] and sizes[1] <= sizes[2]:  # type: ignore[operator]
        yield "spec.resources.requests.storage: Forbidden: field can not be less than status.capacity"
    if before.get("volumeMode") != after.get("volumeMode"):
        yield f"volumeMode: Invalid value: {compact(after.get('volumeMode'))}: {IMMUTABLE}"


def _requested(spec: JSONObject) -> JSONValue:
    return ((spec.get("resources") or {}).get("requests") or {}).get("storage", "0")


def _volume(old: JSONObject, new: JSONObject) -> Iterator[str]:
    """Where a volume lies cannot change."""
    before, after = (
        {key: value for key, value in (one.get("spec") or {}).items() if key not in PLAIN_VOLUME_FIELDS}
        for one in (old, new)
    )
    if not json_equal(before, after):
        yield (
            "spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation"
        )
    affinity, wanted = (one.get("spec", {}).get("nodeAffinity") for one in (old, new))
    if affinity is not None and not json_equal(affinity, wanted):
        yield (
            f"nodeAffinity: Invalid value: {compact(wanted)}: field is immutable, except for updating "
            "from beta label to GA"
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
        yield f"spec.clusterIPs[0]: Invalid value: {compact(ips)}: may not change once set"
    if before.get("type") == after.get("type") == "LoadBalancer" and before.get(
        "loadBalancerClass"
    ) != after.get("loadBalancerClass"):
        value = compact(after.get("loadBalancerClass"))
        yield f"spec.loadBalancerClass: Invalid value: {value}: may not change once set"
    if all(needs_health_check_port(spec) for spec in (before, after)) and before.get(
        "healthCheckNodePort"
    ) != after.get("healthCheckNodePort"):
        yield f"spec.healthCheckNodePort: Forbidden: {IMMUTABLE}"


def _service_range(old: JSONObject, new: JSONObject) -> Iterator[str]:
    """A ServiceCIDR keeps its ranges; one of a single family may be given a second."""
    before, after = ((one.get("spec") or {}).get("cidrs") or [] for one in (old, new))
    if len(before) != len(after) and (len(before), len(after)) != (1, 2):
        yield f"spec.cidrs: Invalid value: {compact(after)}: {IMMUTABLE}"
        return
    for index, (kept, wanted) in enumerate(zip(before, after, strict=False)):
        if kept != wanted:
            yield f"spec.cidrs[{index}]: Invalid value: {compact(wanted)}: {IMMUTABLE}"


def _node(old: JSONObject, new: JSONObject) -> Iterator[str]:
    """What the cloud and the controller manager have given a node, it keeps."""
    before, after = old.get("spec") or {}, new.get("spec") or {}
    for field, name in (("podCIDRs", "podCIDR"), ("providerID", "providerID")):
        if before.get(field) and before[field] != after.get(field):
            detail = f'node updates may not change {name} except from "" to valid'
            yield f"spec.{field}: Forbidden: {detail}"


_CHECKS: Final[dict[tuple[str, str], Callable[[JSONObject, JSONObject], Iterator[str]]]] = {
    ("apps", "StatefulSet"): _stateful_set,
    ("batch", "Job"): _job,
    ("", "PersistentVolumeClaim"): _claim,
    ("", "PersistentVolume"): _volume,
    ("", "ConfigMap"): _locked_data,
    ("", "Secret"): _locked_data,
    ("", "Service"): _service,
    ("", "Pod"): pod_update_errors,
    ("", "Node"): _node,
    ("networking.k8s.io", "ServiceCIDR"): _service_range,
}


def _at(body: JSONValue, path: tuple[str, ...]) -> JSONValue:
    for step in path:
        body = body.get(step) if isinstance(body, dict) else None
    return body


def _internal_role_ref(value: JSONValue) -> JSONValue:
    """Role references are printed with the field names of the internal type."""
    names = {"apiGroup": "APIGroup", "kind": "Kind", "name": "Name"}
    return {names[key]: value[key] for key in names if key in value} if isinstance(value, dict) else value
