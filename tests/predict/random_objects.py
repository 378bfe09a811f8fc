"""Random old, new and live objects, mixed from two variants of a kind."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from helmguard.manifest import yaml

API_VERSIONS = {
    "ConfigMap": "v1",
    "Secret": "v1",
    "Service": "v1",
    "ResourceQuota": "v1",
    "Deployment": "apps/v1",
    "StatefulSet": "apps/v1",
    "CronJob": "batch/v1",
    "Ingress": "networking.k8s.io/v1",
    "NetworkPolicy": "networking.k8s.io/v1",
    "HorizontalPodAutoscaler": "autoscaling/v2",
    "PodDisruptionBudget": "policy/v1",
    "Role": "rbac.authorization.k8s.io/v1",
    "RoleBinding": "rbac.authorization.k8s.io/v1",
}
VARIANTS: dict[str, list[dict[str, Any]]] = yaml.load(
    (Path(__file__).parent / "fixtures" / "variants.yaml").read_text()
)


def mixed(dice: random.Random, left: Any, right: Any, depth: int = 0) -> Any:
    """A value made of parts of both: keys and items of either, some gone, some twice, some moved."""
    if isinstance(left, dict) and isinstance(right, dict):
        return _mixed_map(dice, left, right, depth)
    if isinstance(left, list) and isinstance(right, list):
        return _mixed_list(dice, left, right, depth)
    return dice.choice([left, right])


def _mixed_map(dice: random.Random, left: Any, right: Any, depth: int) -> Any:
    result = {}
    for key in dict.fromkeys([*left, *right]):
        chance = dice.random()
        if key in left and key in right:
            result[key] = mixed(dice, left[key], right[key], depth + 1) if chance < 0.7 else left[key]
        elif key in left:
            if depth == 0 or chance < 0.8:
                result[key] = left[key]
        elif chance < 0.4:
            result[key] = right[key]
    return result


def _mixed_list(dice: random.Random, left: Any, right: Any, depth: int) -> Any:
    result = list(left)
    for index in range(min(len(left), len(right))):
        if dice.random() < 0.4:
            result[index] = mixed(dice, left[index], right[index], depth + 1)
    result += [item for item in right if dice.random() < 0.3]
    if result and dice.random() < 0.2:
        result.pop(dice.randrange(len(result)))
    if dice.random() < 0.15:
        dice.shuffle(result)
    return result
