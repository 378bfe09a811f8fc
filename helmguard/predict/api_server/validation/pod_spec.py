"""Checks of pod specs, in pods and in the templates of workloads."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.json_value import JSONObject
from helmguard.predict.api_server.validation.containers import PROBES, container_errors
from helmguard.predict.api_server.validation.metadata import labels_errors
from helmguard.predict.api_server.validation.names import label_value
from helmguard.predict.api_server.validation.typed import typed_errors
from helmguard.predict.api_server.validation.words import (
    duplicates,
    forbidden,
    invalid,
    required,
    unsupported,
)
from helmguard.predict.schema.builtin_types import struct_type


def pod_spec_errors(spec: JSONObject, path: str, restart_policies: tuple[str, ...] = ()) -> Iterator[str]:
    """``restart_policies`` are the allowed ones where the workload restricts them."""
    volumes = spec.get("volumes") or []
    yield from _volume_errors(volumes, f"{path}.volumes")
    # The server takes a volume that it objects to for none.
    names = {volume.get("name", "") for volume in volumes if not _is_faulty(volume)}
    containers = spec.get("containers") or []
    if not containers:
        yield required(f"{path}.containers")
    for which in ("containers", "initContainers"):
        listed = spec.get(which) or []
        for index, container in enumerate(listed):
            yield from container_errors(container, f"{path}.{which}[{index}]", names)
        yield from duplicates(f"{path}.{which}", [one.get("name") for one in listed], ".name")
    names_so_far = [one.get("name") for one in containers]
    for index, container in enumerate(spec.get("initContainers") or []):
        if container.get("name") and container["name"] in names_so_far:
            yield f'{path}.initContainers[{index}].name: Duplicate value: "{container["name"]}"'
        if container.get("restartPolicy") == "Always":
            continue
        for field in (*PROBES, "lifecycle"):
            if container.get(field) is not None:
                detail = "may not be set for init containers without restartPolicy=Always"
                yield forbidden(f"{path}.initContainers[{index}].{field}", detail)
    policy = spec.get("restartPolicy")
    if restart_policies and policy not in restart_policies:
        if policy == "Always":
            words = ", ".join(f'"{one}"' for one in restart_policies)
            yield required(f"{path}.restartPolicy", f"valid values: {words}")
        else:
            yield unsupported(f"{path}.restartPolicy", policy, restart_policies)
    if spec.get("dnsPolicy") == "None" and not spec.get("dnsConfig"):
        yield required(f"{path}.dnsConfig", "must provide `dnsConfig` when `dnsPolicy` is None")
    yield from labels_errors(spec.get("nodeSelector") or {}, f"{path}.nodeSelector")
    yield from _toleration_errors(spec.get("tolerations") or [], f"{path}.tolerations")
    yield from _host_port_errors(spec, path)


def _is_faulty(volume: JSONObject) -> bool:
    several = len(volume) > 2
    return several or any(typed_errors(volume, struct_type("core/v1.Volume")))


def _volume_errors(volumes: list[JSONObject], path: str) -> Iterator[str]:
    for index, volume in enumerate(volumes):
        if not volume.get("name"):
            yield required(f"{path}[{index}].name")
        sources = [key for key in volume if key != "name"]
        for extra in sources[1:]:
            yield forbidden(f"{path}[{index}].{extra}", "may not specify more than 1 volume type")
    yield from duplicates(path, [volume.get("name") for volume in volumes], ".name")


def _toleration_errors(tolerations: list[JSONObject], path: str) -> Iterator[str]:
    for index, toleration in enumerate(tolerations):
        operator, value = toleration.get("operator") or "Equal", toleration.get("value")
        if not toleration.get("key") and operator != "Exists":
            detail = (
                'operator must be Exists when `key` is empty, which means "match all values and all keys"'
            )
            yield invalid(f"{path}[{index}].operator", toleration.get("operator") or "", detail)
        if operator == "Equal" and value:
            problems = label_value(value)
            yield from (invalid(f"{path}[{index}].operator", value, problem) for problem in problems)
        if operator == "Exists" and value:
            detail = "value must be empty when `operator` is 'Exists'"
            yield invalid(f"{path}[{index}].operator", value, detail)
        if toleration.get("tolerationSeconds") is not None and toleration.get("effect") != "NoExecute":
            detail = "effect must be 'NoExecute' when `tolerationSeconds` is set"
            yield invalid(f"{path}[{index}].effect", toleration.get("effect") or "", detail)


def _host_port_errors(spec: JSONObject, path: str) -> Iterator[str]:
    if not spec.get("hostNetwork"):
        return
    for index, container in enumerate(spec.get("containers") or []):
        for number, port in enumerate(container.get("ports") or []):
            host = port.get("hostPort")
            if host and host != port.get("containerPort"):
                here = f"{path}.containers[{index}].ports[{number}].containerPort"
                detail = "must match `hostPort` when `hostNetwork` is true"
                yield invalid(here, port.get("containerPort"), detail)
