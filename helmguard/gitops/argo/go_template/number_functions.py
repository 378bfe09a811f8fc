"""Functions of numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from helmguard.gitops.argo.go_template.comparison import less
from helmguard.gitops.argo.go_template.template_error import TemplateError

_MOST_ITEMS = 10_000


def to_int(value: Any) -> int:
    """sprig's ``int``: 0 for what is no number."""
    if isinstance(value, str):
        try:
            return int(value.strip(), 0)
        except ValueError:
            return int(to_float(value))
    return int(value) if isinstance(value, int | float) else 0


def to_float(value: Any) -> float:
    """sprig's ``float64``: 0 for what is no number."""
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return 0.0
    return float(value) if isinstance(value, int | float) else 0.0


def _atoi(text: str) -> int:
    return int(text) if text.lstrip("+-").isdigit() else 0


def _divided(left: Any, right: Any) -> int:
    if to_int(right) == 0:
        raise TemplateError("error calling div: division by zero")
    return math.trunc(to_int(left) / to_int(right))


def _modulo(left: Any, right: Any) -> int:
    if to_int(right) == 0:
        raise TemplateError("error calling mod: division by zero")
    return int(math.fmod(to_int(left), to_int(right)))


def _until(count: Any) -> list[Any]:
    number = to_int(count)
    if abs(number) > _MOST_ITEMS:
        raise TemplateError(f"error calling until: more than {_MOST_ITEMS} items")
    return list(range(number)) if number >= 0 else list(range(0, number, -1))


def _less_or_equal(left: Any, right: Any) -> bool:
    return not less(right, left)


NUMBER_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "int": to_int,
    "int64": to_int,
    "float64": to_float,
    "atoi": _atoi,
    "add": lambda *numbers: sum(map(to_int, numbers)),
    "add1": lambda number: to_int(number) + 1,
    "sub": lambda left, right: to_int(left) - to_int(right),
    "mul": lambda *numbers: math.prod(map(to_int, numbers)),
    "div": _divided,
    "mod": _modulo,
    "max": lambda *numbers: max(map(to_int, numbers)),
    "min": lambda *numbers: min(map(to_int, numbers)),
    "floor": lambda number: float(math.floor(to_float(number))),
    "ceil": lambda number: float(math.ceil(to_float(number))),
    "until": _until,
    "lt": less,
    "le": _less_or_equal,
    "gt": lambda left, right: less(right, left),
    "ge": lambda left, right: not less(left, right),
}
