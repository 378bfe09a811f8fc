"""A new object in a few words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from helmguard.model.json_value import JSONObject
from helmguard.report.plural import plural


def object_summary(body: JSONObject) -> str:
    """``3 replicas, nginx:1.28``; ``type LoadBalancer, port 80``; ``2 keys``. The body is masked already."""
    return ", ".join(part for part in _parts(body) if part)


def _parts(body: JSONObject) -> Iterator[str]:
    kind, spec = str(body.get("kind")), _map(body.get("spec"))
    if kind in ("Deployment", "StatefulSet", "ReplicaSet"):
        yield plural(int(_number(spec.get("replicas"), 1)), "replica")
    if kind == "CronJob":
        yield f"schedule {spec.get('schedule')!r}"
    if kind in ("ConfigMap", "Secret"):
        keys = {*_map(body.get("data")), *_map(body.get("stringData")), *_map(body.get("binaryData"))}
        yield plural(len(keys), "key")
    if kind == "Service":
        yield str(spec.get("type") or "ClusterIP")
        yield _listed("port", [str(port.get("port")) for port in _maps(spec.get("ports"))])
    if kind == "Ingress":
        yield _listed("host", [str(rule.get("host") or "*") for rule in _maps(spec.get("rules"))])
    if kind == "PersistentVolumeClaim":
        yield str(_map(_map(spec.get("resources")).get("requests")).get("storage") or "")
        yield str(spec.get("storageClassName") or "")
    if kind in ("ClusterRoleBinding", "RoleBinding"):
        yield f"to {_map(body.get('roleRef')).get('kind')}/{_map(body.get('roleRef')).get('name')}"
    yield ", ".join(_images(spec))


def _images(spec: JSONObject) -> list[str]:
    pod = _map(_map(spec.get("template")).get("spec")) or _map(
        _map(_map(_map(spec.get("jobTemplate")).get("spec")).get("template")).get("spec")
    )
    containers = pod.get("containers") or spec.get("containers")
    return [str(container["image"]) for container in _maps(containers) if container.get("image")][:3]


def _listed(noun: str, values: list[str]) -> str:
    if not values:
        return ""
    more = f" and {len(values) - 3} more" if len(values) > 3 else ""
    return f"{noun if len(values) == 1 else noun + 's'} {', '.join(values[:3])}{more}"


def _number(value: Any, default: int) -> int:
    return value if isinstance(value, int) else default


def _map(value: Any) -> JSONObject:
    return value if isinstance(value, dict) else {}


def _maps(value: Any) -> list[JSONObject]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
