"""When two scalars are the same to Kubernetes: numbers by value, quantities by amount."""

from __future__ import annotations

import re
from fractions import Fraction

from helmguard.model.json_value import JSONValue
from helmguard.predict.schema.value_type import ValueType

_QUANTITY = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))(?:([eE][+-]?\d{1,3})|([numkMGTPE]|[KMGTPE]i)?)$")
_SUFFIXES: dict[str, Fraction] = {
    "n": Fraction(1, 10**9),
    "u": Fraction(1, 10**6),
    "m": Fraction(1, 1000),
    "k": Fraction(10**3),
    **{letter: Fraction(10 ** (3 * power)) for power, letter in enumerate("MGTPE", 2)},
    **{f"{letter}i": Fraction(1024**power) for power, letter in enumerate("KMGTPE", 1)},
}
"""Kubernetes' own suffixes (kubernetes/apimachinery pkg/api/resource/suffix.go)."""


def quantity(value: JSONValue) -> Fraction | None:
    """The amount of ``1500m``, ``1Gi``, ``1e3`` or a number; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return Fraction(value)
    if isinstance(value, float):
        return Fraction(str(value)) if value == value and abs(value) != float("inf") else None
    if not isinstance(value, str) or len(value) > 64:
        return None
    match = _QUANTITY.match(value)
    if match is None:
        return None
    number, exponent, suffix = match.groups()
    amount = Fraction(number)
    if exponent:
        return amount * Fraction(10) ** int(exponent[1:])
    return amount * _SUFFIXES[suffix] if suffix else amount


def same_amount(left: JSONValue, right: JSONValue) -> bool:
    """Whether both are quantities of one amount: ``1000m`` and 1."""
    amount = quantity(left)
    return amount is not None and amount == quantity(right)


def same_scalar(left: JSONValue, right: JSONValue) -> bool:
    """Equality as JSON has it: 1 is 1.0, but True is not 1 and ``"1"`` is not 1."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    return bool(left == right)


def same_leaf(left: JSONValue, right: JSONValue, schema: ValueType) -> bool:
    """Whether two leaves are the same in a field of this type: as scalars, or as quantities."""
    return same_scalar(left, right) or (schema.scalar == "quantity" and same_amount(left, right))
