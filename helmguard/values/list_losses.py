"""What a list loses when another takes its place: Helm never merges lists."""

from __future__ import annotations

import re
from typing import Any

from helmguard.values.go_format import go_text

_IDENTITIES = ("name", "key", "containerPort", "port", "mountPath", "host", "hosts", "ip", "id")
_STEP = re.compile(r"\[(?:(\d+)|'([^']*)')\]")
_MAX_ITEMS = 60
"""Lists longer than this are only compared by identity: pairing by likeness grows with the square."""


def list_losses(old: list[Any], new: list[Any]) -> list[str]:
    """Items and keys of ``old`` that ``new`` lacks, in words without values, in the order of ``old``.

    Tables are paired by a key that tells them apart (``name``, ``key``, ...), or else by likeness. A key
    whose value is empty is a placeholder of the chart, and no loss.
    """
    identity = _identity(old)
    if identity is not None:
        return _losses_by(identity, old, new)
    if not any(isinstance(item, dict) for item in old) or max(len(old), len(new)) > _MAX_ITEMS:
        return [_place(index) for index, item in enumerate(old) if not _contains(new, item)]
    return _losses_by_likeness(old, new)


def _place(index: int) -> str:
    return f"item {index + 1}"


def _contains(items: list[Any], item: Any) -> bool:
    return any(type(other) is type(item) and other == item for other in items)


def _identity(items: list[Any]) -> str | None:
    for key in _IDENTITIES:
        values = [item.get(key) for item in items if isinstance(item, dict)]
        texts = [go_text(value) for value in values if value is not None]
        if texts and len(texts) == len(items) and len(set(texts)) == len(texts):
            return key
    return None


def _losses_by(identity: str, old: list[Any], new: list[Any]) -> list[str]:
    kept = {go_text(item.get(identity)): item for item in new if isinstance(item, dict)}
    losses = []
    for item in old:
        name = go_text(item[identity])
        if name not in kept:
            losses.append(f"{identity}={name}")
            continue
        lost = [key for key, value in item.items() if key not in kept[name] and not _is_empty(value)]
        losses.extend(f"{identity}={name}: {key}" for key in lost)
    return losses


def _losses_by_likeness(old: list[Any], new: list[Any]) -> list[str]:
    from deepdiff import DeepDiff

    diff = DeepDiff(
        old, new, ignore_order=True, cutoff_intersection_for_pairs=1, cutoff_distance_for_pairs=0.6
    )
    removed = [*diff.get("iterable_item_removed", ()), *diff.get("dictionary_item_removed", ())]
    losses = []
    for path in sorted(removed):
        steps = _STEP.findall(path)
        if _is_empty(_at(old, steps)):
            continue
        key = ".".join(name for _, name in steps[1:])
        losses.append(_place(int(steps[0][0])) + (f": {key}" if key else ""))
    return losses


def _at(value: Any, steps: list[tuple[str, str]]) -> Any:
    for index, name in steps:
        value = value[int(index)] if index else value[name]
    return value


def _is_empty(value: Any) -> bool:
    return value is None or value in ("", [], {})
