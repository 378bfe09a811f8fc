"""Random histories of small releases: each operation is planned, carried out by real Helm, and compared."""

from __future__ import annotations

import contextlib
import copy
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from controlplane.client import ApiError, ControlPlane
from controlplane.helm import Helm
from field_case import FieldCase
from kinds import VARIANTS, Place, place_of
from plan_and_truth import snapshot, untrue
from random_objects import bent, document, mixed

from helmguard.errors import ReleaseNotFoundError

JSON = dict[str, Any]
KINDS = (
    "ConfigMap",
    "ConfigMap",
    "Secret",
    "Service",
    "Deployment",
    "StatefulSet",
    "DaemonSet",
    "ServiceAccount",
    "Role",
    "RoleBinding",
    "Ingress",
    "NetworkPolicy",
    "PodDisruptionBudget",
    "HorizontalPodAutoscaler",
    "CronJob",
    "Job",
    "LimitRange",
    "Gadget",
    "Widget",
)
_EVENTS = ("pre-install", "post-install", "pre-upgrade", "post-upgrade", "pre-rollback", "post-rollback")
_POLICIES = (
    "",
    "before-hook-creation",
    "hook-succeeded",
    "hook-failed",
    "before-hook-creation,hook-succeeded",
)


@dataclass(frozen=True)
class Operation:
    """What was done, and what of the plan did not come true (empty: all did)."""

    words: tuple[str, ...]
    failed: bool
    untrue: tuple[str, ...]


def random_history(
    dice: Random, helms: list[Helm], cluster: ControlPlane, folder: Path
) -> Iterator[Operation]:
    """Install, edits, and some upgrades and rollbacks, one after another."""
    namespace = helms[0].namespace
    documents = [
        _fresh(dice, dice.choice(KINDS), namespace, str(number)) for number in range(dice.choice([2, 3, 4]))
    ]
    _preexisting(dice, documents, cluster, namespace)
    for number in range(dice.choice([2, 3, 4])):
        helm = dice.choice(helms)
        case = FieldCase(helm, cluster, folder, "app")
        if number and dice.random() < 0.35:
            with contextlib.suppress(ReleaseNotFoundError):
                yield from _rollback(dice, case, number)
        else:
            documents = documents if number == 0 else _changed(dice, documents, namespace)
            yield from _upgrade(dice, case, documents, number)
        _edit(dice, documents, cluster, namespace)


def _fresh(dice: Random, kind: str, namespace: str, name: str) -> JSON:
    place = place_of(kind, namespace)
    return document(dice.choice(VARIANTS[kind]), place, f"{kind.lower()}-{name}")


def _changed(dice: Random, documents: list[JSON], namespace: str) -> list[JSON]:
    kept = [one for one in documents if dice.random() < 0.85]
    result = []
    for one in kept:
        place = place_of(one["kind"], namespace)
        if dice.random() < 0.6:
            other = document(dice.choice(VARIANTS[one["kind"]]), place, one["metadata"]["name"])
            changed = mixed(dice, one, other) if dice.random() < 0.5 else one
            changed = bent(dice, changed, place, dice.choice([0, 1, 1, 2]), roughly=dice.random() < 0.1)
            metadata = changed.get("metadata")
            metadata = dict(metadata) if isinstance(metadata, dict) else {}
            metadata["name"] = one["metadata"]["name"]
            metadata.pop("namespace", None)
            one = {**changed, "apiVersion": one["apiVersion"], "kind": one["kind"], "metadata": metadata}
        result.append(one)
    if dice.random() < 0.4:
        result.append(_fresh(dice, dice.choice(KINDS), namespace, f"n{dice.randrange(9)}"))
    if result and dice.random() < 0.05:
        result.append(copy.deepcopy(dice.choice(result)))
    if dice.random() < 0.25:
        result.append(_hook(dice, namespace))
    names = [(one["kind"], one["metadata"]["name"]) for one in result]
    return (
        result if dice.random() < 0.05 else [one for i, one in enumerate(result) if names[i] not in names[:i]]
    )


def _hook(dice: Random, namespace: str) -> JSON:
    hook = _fresh(dice, "ConfigMap", namespace, f"h{dice.randrange(2)}")
    hook["metadata"]["annotations"] = {
        "helm.sh/hook": ",".join(dice.sample(_EVENTS, dice.choice([1, 2, 3]))),
        "helm.sh/hook-weight": dice.choice(["0", "-1", "5"]),
    }
    policy = dice.choice(_POLICIES)
    if policy:
        hook["metadata"]["annotations"]["helm.sh/hook-delete-policy"] = policy
    return hook


def _preexisting(dice: Random, documents: list[JSON], cluster: ControlPlane, namespace: str) -> None:
    """Sometimes an object is there before the release, with or without its marks."""
    if not documents or dice.random() < 0.7:
        return
    one = copy.deepcopy(dice.choice(documents))
    if dice.random() < 0.6:
        metadata = one["metadata"]
        metadata["labels"] = {**(metadata.get("labels") or {}), "app.kubernetes.io/managed-by": "Helm"}
        marks = {"meta.helm.sh/release-name": "app", "meta.helm.sh/release-namespace": namespace}
        metadata["annotations"] = {**(metadata.get("annotations") or {}), **marks}
    place = place_of(one["kind"], namespace)
    one = bent(dice, one, place, dice.choice([0, 1]), roughly=False)
    with contextlib.suppress(ApiError):
        cluster.create(place.collection, one, field_manager="kubectl-create")


def _edit(dice: Random, documents: list[JSON], cluster: ControlPlane, namespace: str) -> None:
    for _ in range(dice.choice([0, 0, 1, 2])):
        if not documents:
            return
        one = dice.choice(documents)
        place: Place = place_of(one["kind"], namespace)
        path = f"{place.collection}/{one['metadata']['name']}"
        chance = dice.random()
        with contextlib.suppress(ApiError):
            if chance < 0.15:
                cluster.delete(path)
            elif chance < 0.3 and one["kind"] in ("Deployment", "StatefulSet"):
                cluster.patch(f"{path}/scale", {"spec": {"replicas": 4}}, field_manager="autoscaler")
            else:
                other = document(dice.choice(VARIANTS[one["kind"]]), place, one["metadata"]["name"])
                changed = bent(dice, mixed(dice, one, other), place, 1, roughly=False)
                changed["metadata"] = dice.choice(
                    [{"labels": {"by": "hand"}}, {"annotations": {"helm.sh/resource-policy": "keep"}}, {}]
                )
                cluster.patch(path, changed, field_manager=dice.choice(["kubectl-edit", "argocd"]))


def _flags(dice: Random, case: FieldCase, verb: str) -> list[str]:
    flags = []
    if case.is_helm_4:
        if dice.random() < 0.5:
            flags.append(f"--server-side={dice.choice(['true', 'false'])}")
        chance = dice.random()
        if chance < 0.3:
            flags.append("--force-conflicts")
        elif chance < 0.45:
            flags.append("--force-replace")
    elif dice.random() < 0.2:
        flags.append("--force")
    if verb == "upgrade" and dice.random() < 0.2:
        flags.append("--take-ownership")
    if dice.random() < 0.1:
        flags.append("--cleanup-on-fail")
    if dice.random() < 0.1:
        flags.append("--no-hooks")
    return flags


def _upgrade(dice: Random, case: FieldCase, documents: list[JSON], number: int) -> Iterator[Operation]:
    shown = documents
    if dice.random() < 0.1:
        shown = [{"apiVersion": "v1", "kind": "List", "items": documents}]
    text = "".join(f"---\n{json.dumps(one)}\n" for one in shown)
    chart = case.chart(text, version=f"{number + 1}.0.0")
    words = ["--install", *_flags(dice, case, "upgrade")]
    plan = case.plan(chart, *words)
    yield _compared(case, plan, ["upgrade", "app", str(chart), *words])


def _rollback(dice: Random, case: FieldCase, number: int) -> Iterator[Operation]:
    words = [*dice.choice([[], [], ["1"]]), *_flags(dice, case, "rollback")]
    plan = case.plan(None, "--rollback", *words)
    yield _compared(case, plan, ["rollback", "app", *words])


def _compared(case: FieldCase, plan: JSON, words: list[str]) -> Operation:
    before = snapshot(case.cluster, plan)
    done = case.helm.run(*words, check=False)
    found = untrue(plan, before, snapshot(case.cluster, plan), done)
    open_ones = {f"{one['kind']}/{one['name']}" for one in plan["resources"] if one["unknown"]}
    lines = tuple(line for line in found if line.partition(":")[0] not in open_ones)
    binary = "helm4" if case.is_helm_4 else "helm3"
    return Operation((binary, *words), done.returncode != 0, lines)
