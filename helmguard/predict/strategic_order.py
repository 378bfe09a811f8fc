"""The order of list items in a strategic merge, and how items are recognised by their merge key."""

from __future__ import annotations

from helmguard.model.json_value import JSONValue
from helmguard.predict.json_equality import json_equal
from helmguard.predict.strategic_directives import DIRECTIVE, PatchError


def check_order(patch: list[JSONValue], order: list[JSONValue], key: str) -> None:
    """The sent items must come in the wanted order; items with one key twice can break that."""
    if not patch or not order:
        return
    sent = [item for item in patch if not (isinstance(item, dict) and DIRECTIVE in item)]
    for wanted in order:
        if sent and _identity(sent[0], key) == _identity(wanted, key):
            sent.pop(0)
    if sent:
        sent_text, order_text = go_text(patch), go_text(order)
        raise PatchError(
            f"The order in patch list:\n{sent_text}\n doesn't match $setElementOrder list:\n{order_text}\n"
        )


def order_after_merging(live: list[JSONValue], patch: list[JSONValue], key: str) -> list[JSONValue]:
    """The live order that live-only items are placed by.

    New items take the places of deleted ones in it: Go appends them to the very array it deleted from.
    """
    if not key:
        return live
    deleted = [item for item in patch if isinstance(item, dict) and item.get(DIRECTIVE) == "delete"]
    kept = [item for item in live if not any(same_key(item, other, key) for other in deleted)]
    new = [
        item
        for item in patch
        if item not in deleted and not any(same_key(other, item, key) for other in kept)
    ]
    return (kept + new)[: len(live)]


def go_text(value: JSONValue) -> str:
    """A value as Go's ``%v`` prints it."""
    if isinstance(value, dict):
        return "map[" + " ".join(f"{key}:{go_text(below)}" for key, below in sorted(value.items())) + "]"
    if isinstance(value, list):
        return "[" + " ".join(go_text(below) for below in value) + "]"
    if value is None:
        return "<nil>"
    return str(value).lower() if isinstance(value, bool) else str(value)


def in_order(
    merged: list[JSONValue], order: list[JSONValue], server_order: list[JSONValue], key: str
) -> list[JSONValue]:
    """Items named in ``order`` come in that order; the others are woven in by their live place."""
    for item in (*merged, *order, *server_order) if key else ():
        if isinstance(item, dict) and key not in item:
            raise PatchError(f"map: {go_text(item)} does not contain declared merge key: {key}")
    wanted = [_identity(item, key) for item in order]
    served = [_identity(item, key) for item in server_order]
    deletions = [item for item in merged if isinstance(item, dict) and item.get(DIRECTIVE) == "delete"]
    items = [item for item in merged if not any(item is deletion for deletion in deletions)]
    ours = sorted(
        (item for item in items if _identity(item, key) in wanted),
        key=lambda item: wanted.index(_identity(item, key)),
    )
    others = sorted(
        (item for item in items if _identity(item, key) not in wanted),
        key=lambda item: served.index(_identity(item, key)) if _identity(item, key) in served else -1,
    )
    result: list[JSONValue] = []
    while ours or others:
        if not ours:
            result.append(others.pop(0))
        elif not others:
            result.append(ours.pop(0))
        else:
            left, right = _identity(others[0], key), _identity(ours[0], key)
            comes_first = left in served and right in served and served.index(left) < served.index(right)
            result.append(others.pop(0) if comes_first else ours.pop(0))
    return result + deletions


def _identity(item: JSONValue, key: str) -> JSONValue:
    value = item.get(key) if isinstance(item, dict) and key else item
    return (type(value).__name__, value) if isinstance(value, bool) else value


def same_key(left: JSONValue, right: JSONValue, key: str) -> bool:
    return isinstance(left, dict) and key in left and json_equal(left[key], right.get(key))
