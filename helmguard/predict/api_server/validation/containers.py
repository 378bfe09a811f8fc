"""Checks of containers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from helmguard.model.json_value import JSONObject
from helmguard.predict.api_server.quantity import amount
from helmguard.predict.api_server.validation.words import duplicates, forbidden, invalid, required

_PROBES = ("livenessProbe", "readinessProbe", "startupProbe")
_HANDLERS = ("exec", "httpGet", "tcpSocket", "grpc")
_SOURCES = ("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef")
_PLAIN_RESOURCES = frozenset({"cpu", "memory", "ephemeral-storage", "storage"})


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
    for probe in _PROBES:
        if probe in container:
            yield from _handler_errors(container[probe], f"{path}.{probe}")


def _port_errors(ports: list[JSONObject], path: str) -> Iterator[str]:
    for index, port in enumerate(ports):
        if not port.get("containerPort"):
            yield required(f"{path}[{index}].containerPort")
        name = port.get("name")
        if name and not (len(name) <= 15 and re.fullmatch(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?", name)):
            detail = (
                "must be no more than 15 characters"
                if len(name) > 15
                else "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)"
            )
            yield invalid(f"{path}[{index}].name", name, detail)
    yield from duplicates(path, [port.get("name") for port in ports], ".name")


def _env_errors(env: list[JSONObject], path: str) -> Iterator[str]:
    for index, variable in enumerate(env):
        here = f"{path}[{index}]"
        if not variable.get("name"):
            yield required(f"{here}.name")
        source = variable.get("valueFrom")
        if source is None:
            continue
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


def resource_errors(resources: JSONObject, path: str) -> Iterator[str]:
    """Limits and requests: known names, requests no higher than limits."""
    limits, requests = resources.get("limits") or {}, resources.get("requests") or {}
    for which, quantities in (("limits", limits), ("requests", requests)):
        for name in quantities:
            here = f"{path}.{which}[{name}]"
            if "/" not in name and name not in _PLAIN_RESOURCES and not name.startswith("hugepages-"):
                yield invalid(here, name, "must be a standard resource type or fully qualified")
                yield invalid(here, name, "must be a standard resource for containers")
    for name, wanted in requests.items():
        low, high = amount(str(wanted)), amount(str(limits[name])) if name in limits else None
        if low is not None and high is not None and low > high:
            detail = f"must be less than or equal to {name} limit of {limits[name]}"
            yield invalid(f"{path}.requests", wanted, detail)


def _handler_errors(probe: JSONObject, path: str) -> Iterator[str]:
    given = [name for name in _HANDLERS if name in probe]
    if not given:
        yield required(path, "must specify a handler type")
    for extra in given[1:]:
        yield forbidden(f"{path}.{extra}", "may not specify more than 1 handler type")
