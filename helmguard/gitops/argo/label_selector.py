"""A label selector over parameters."""

from __future__ import annotations

from collections.abc import Mapping

from helmguard.gitops.documents import dicts_at, text_at, value_at
from helmguard.model.json_value import JSONObject


class SelectorError(Exception):
    """The selector has an operator that there is not; the argument names it."""


def selects(selector: JSONObject, labels: Mapping[str, str]) -> bool:
    """Whether ``matchLabels`` and ``matchExpressions`` all hold (applicationset/utils/selector.go).

    Raises:
        SelectorError: an operator is not known.
    """
    wanted = value_at(selector, "matchLabels")
    if isinstance(wanted, dict) and any(labels.get(key) != str(value) for key, value in wanted.items()):
        return False
    return all(_holds(one, labels) for one in dicts_at(selector, "matchExpressions"))


def _holds(requirement: JSONObject, labels: Mapping[str, str]) -> bool:
    key, operator = text_at(requirement, "key"), text_at(requirement, "operator")
    values = value_at(requirement, "values")
    texts = [str(value) for value in values] if isinstance(values, list) else []
    if operator == "In":
        return key in labels and labels[key] in texts
    if operator == "NotIn":
        return key not in labels or labels[key] not in texts
    if operator == "Exists":
        return key in labels
    if operator == "DoesNotExist":
        return key not in labels
    raise SelectorError(operator)
