"""CEL rules of custom resources that compare an object with its former self.

Only the common form ``self == oldSelf`` is decided; any other rule on a value that changes is named as not
evaluated. Source: k8s.io/apiextensions-apiserver@v0.36.3 pkg/apiserver/schema/cel.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import msgspec

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.predict.json_equality import json_equal
from helmguard.predict.schema.value_type import ValueType

_SHOWN_LENGTH = 100
_SAME = re.compile(r"(?:self((?:\.\w+)*) == oldSelf\1|oldSelf((?:\.\w+)*) == self\2)$")


class RuleOutcome(msgspec.Struct):
    """``errors`` in the server's words; ``open`` the rules that could not be evaluated, ``path: rule``."""

    errors: list[str] = []
    open: list[str] = []


def check_transition_rules(new: JSONObject, old: JSONObject | None, root: ValueType) -> RuleOutcome:
    """Look at every rule on a value that is not what it was."""
    outcome = RuleOutcome()
    _check(new, old, root, "", outcome)
    return outcome


def _check(value: JSONValue, old: JSONValue, type_: ValueType, path: str, outcome: RuleOutcome) -> None:
    if old is not None and json_equal(value, old):
        return
    for rule in (type_.schema or {}).get("x-kubernetes-validations") or []:
        _apply_rule(rule, value, old, path, outcome)
    if isinstance(value, dict) and type_.shape in ("struct", "map"):
        for key, below in value.items():
            child = type_.child(key)
            if child is not None and not (not path and key in ("apiVersion", "kind", "metadata")):
                before = old.get(key) if isinstance(old, dict) else None
                _check(below, before, child, f"{path}.{key}" if path else key, outcome)
    elif isinstance(value, list) and type_.shape == "list":
        for index, (item, before) in enumerate(_pairs(value, old, type_)):
            _check(item, before, type_.element(), f"{path}[{index}]", outcome)


def _apply_rule(rule: JSONObject, value: JSONValue, old: JSONValue, path: str, outcome: RuleOutcome) -> None:
    text = " ".join(str(rule.get("rule", "")).split())
    match = _SAME.match(text)
    if match is None:
        outcome.open.append(f"{path or 'the object'}: {_in_short(str(rule.get('message') or text))}")
        return
    if old is None:
        # A rule that speaks of oldSelf is not evaluated for a value that is new.
        return
    steps = [step for step in (match[1] or match[2] or "").split(".") if step]
    if not json_equal(_at(value, steps), _at(old, steps)):
        shown = json.dumps(value, separators=(",", ":"))
        outcome.errors.append(
            f"{path}: Invalid value: {shown}: {rule.get('message') or f'failed rule: {text}'}"
        )


def _in_short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _SHOWN_LENGTH else words[: _SHOWN_LENGTH - 3] + "..."


def _at(value: JSONValue, steps: list[str]) -> JSONValue:
    for step in steps:
        value = value.get(step) if isinstance(value, dict) else None
    return value


def _pairs(value: list[JSONValue], old: JSONValue, type_: ValueType) -> Iterator[tuple[JSONValue, JSONValue]]:
    """Items with their former selves, which only lists of the map type have."""
    if type_.list_type != "map" or not isinstance(old, list):
        yield from ((item, None) for item in value)
        return
    former = {_identity(item, type_): item for item in old}
    for item in value:
        yield item, former.get(_identity(item, type_))


def _identity(item: JSONValue, type_: ValueType) -> str:
    return json.dumps([item.get(key) if isinstance(item, dict) else item for key in type_.list_keys])
