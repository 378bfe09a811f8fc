"""Checks of containers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from helmguard.model.json_value import JSONObject
from helmguard.predict.api_server.quantity import amount
from helmguard.predict.api_server.validation.resource_names import CONTAINER_RESOURCES, STANDARD_RESOURCES
from helmguard.predict.api_server.validation.words import duplicates, forbidden, invalid, required

PROBES = ("livenessProbe", "readinessProbe", "startupProbe")
_HANDLERS = ("exec", "httpGet", "tcpSocket", "grpc")
_SOURCES = ("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef")
_ENV_FIELDS = (
    r"metadata\.(name|namespace|uid|labels|annotations|(labels|annotations)\[.*\])"
    r"|spec\.(nodeName|serviceAccountName|restartPolicy|schedulerName)"
    r"|status\.(phase|hostIPs?|podIPs?|nominatedNodeName)|spec\.hostNetwork"
)
_ENV_NAME_TEXT = (
    "a valid environment variable name must consist only of printable ASCII characters other than '='"
)


def container_errors(container: JSONObject, path: str, volumes: set[str]) -> Iterator[str]:
    """One container; ``volumes`` are the names its mounts may use."""
    if not container.get("name"):
        yield required(f"{path}.name")
    if not container.get("image"):
        yield required(f"{path}.image")
    yield from _port_errors(container.get("ports") or [], f"{path}.ports")
    yield from _env_errors(container.get("env") or [], f"{path}.env")
    yield from _mount_errors(container.get("volumeMounts") or [], f"{path}.volumeMounts", volumes)
    yield from resource_errors(container.get("resources") or {}, f"{path}.resources")
    for probe in PROBES:
        if probe in container:
            yield from probe_errors(container[probe], probe, f"{path}.{probe}")


def _port_errors(ports: list[JSONObject], path: str) -> Iterator[str]:
    for index, port in enumerate(ports):
        if not port.get("containerPort"):
            yield required(f"{path}[{index}].containerPort")
    yield from duplicates(path, [port.get("name") for port in ports], ".name")


def _env_errors(env: list[JSONObject], path: str) -> Iterator[str]:
    for index, variable in enumerate(env):
        here = f"{path}[{index}]"
        name = variable.get("name") or ""
        if not name:
            yield required(f"{here}.name")
        elif not re.fullmatch(r"[ -<>-~]+", name):
            yield invalid(f"{here}.name", name, _ENV_NAME_TEXT)
        source = variable.get("valueFrom")
        if source is None:
            continue
        field = (source.get("fieldRef") or {}).get("fieldPath") or ""
        if field and not re.fullmatch(_ENV_FIELDS, field):
            detail = f"error converting fieldPath: field label not supported: {field}"
            yield invalid(f"{here}.valueFrom.fieldRef.fieldPath", field, detail)
        given = [name for name in _SOURCES if name in source]
        if variable.get("value"):
            yield invalid(f"{here}.valueFrom", "", "may not be specified when `value` is not empty")
        elif not given:
            options = "`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"
            yield invalid(f"{here}.valueFrom", "", f"must specify one of: {options}")
        elif len(given) > 1:
            detail = "may not have more than one field specified at a time"
            yield invalid(f"{here}.valueFrom", "", detail)


def _mount_errors(mounts: list[JSONObject], path: str, volumes: set[str]) -> Iterator[str]:
    seen: set[str] = set()
    for index, mount in enumerate(mounts):
        here = f"{path}[{index}]"
        if not mount.get("name"):
            yield required(f"{here}.name")
        if mount.get("name") not in volumes:
            yield f'{here}.name: Not found: "{mount.get("name", "")}"'
        where = mount.get("mountPath")
        if not where:
            yield required(f"{here}.mountPath")
        elif where in seen:
            yield invalid(f"{here}.mountPath", where, "must be unique")
        seen.add(where or "")


def plain_resource_errors(name: str, path: str) -> Iterator[str]:
    """The name of a resource that containers may ask for."""
    if "/" in name or name in CONTAINER_RESOURCES or name.startswith("hugepages-"):
        return
    if name not in STANDARD_RESOURCES:
        yield invalid(path, name, "must be a standard resource type or fully qualified")
    yield invalid(path, name, "must be a standard resource for containers")


def resource_errors(resources: JSONObject, path: str) -> Iterator[str]:
    """Limits and requests: known names, requests no higher than limits, extended resources in whole."""
    limits, requests = resources.get("limits") or {}, resources.get("requests") or {}
    for which, quantities in (("limits", limits), ("requests", requests)):
        for name, value in quantities.items():
            here = f"{path}.{which}[{name}]"
            yield from plain_resource_errors(name, here)
            size = amount(str(value))
            if size is not None and size < 0:
                yield invalid(here, str(value), "must be greater than or equal to 0")
            elif size is not None and _is_extended(name) and size != size.to_integral_value():
                yield invalid(here, str(value), "must be an integer")
    for name, wanted in requests.items():
        low, high = amount(str(wanted)), amount(str(limits[name])) if name in limits else None
        if _is_extended(name):
            if high is None:
                detail = "Limit must be set for non overcommitable resources"
                yield required(f"{path}.limits", detail)
            elif low != high:
                detail = f"must be equal to {name} limit of {limits[name]}"
                yield invalid(f"{path}.requests", wanted, detail)
        elif low is not None and high is not None and low > high:
            detail = f"must be less than or equal to {name} limit of {limits[name]}"
            yield invalid(f"{path}.requests", wanted, detail)


def _is_extended(name: str) -> bool:
    return "/" in name and "kubernetes.io/" not in name


def probe_errors(probe: JSONObject, name: str, path: str) -> Iterator[str]:
    """One probe; liveness and startup probes have to succeed once."""
    yield from _handler_errors(probe, path)
    if name in ("livenessProbe", "startupProbe") and probe.get("successThreshold") not in (None, 1):
        yield invalid(f"{path}.successThreshold", probe["successThreshold"], "must be 1")
    grace = probe.get("terminationGracePeriodSeconds")
    if name == "readinessProbe" and grace is not None:
        yield invalid(f"{path}.terminationGracePeriodSeconds", grace, "must not be set for readinessProbes")
    elif grace is not None and grace <= 0:
        yield invalid(f"{path}.terminationGracePeriodSeconds", grace, "must be greater than 0")


def _handler_errors(probe: JSONObject, path: str) -> Iterator[str]:
    given = [name for name in _HANDLERS if name in probe]
    if not given:
        yield required(path, "must specify a handler type")
    for extra in given[1:]:
        yield forbidden(f"{path}.{extra}", "may not specify more than 1 handler type")
