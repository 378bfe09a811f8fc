"""Resource quantities in the form the API server stores (k8s.io/apimachinery pkg/api/resource)."""

from __future__ import annotations

import re
from decimal import ROUND_CEILING, Decimal, localcontext
from functools import lru_cache

from helmguard.model.json_value import JSONValue

_FORM = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))([numkMGTPE]|[KMGTPE]i|[eE][+-]?\d+)?", re.ASCII)
_MOST_BINARY = Decimal(2**63 - 1)
_LARGEST_EXPONENT = 10**5
_DIGITS = 60
_LONGEST = 1000
"""Numbers of more characters stand as they are."""
_BINARY = ("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei")
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}


def amount(text: str) -> Decimal | None:
    """The number a quantity stands for, None where the text is none."""
    parsed = _parse(text)
    return parsed[0] if parsed else None


def number_of(value: JSONValue) -> float:
    """The amount of a quantity as a number, 0 where there is none."""
    found = amount(str(value)) if value is not None else None
    return float(found) if found is not None else 0.0


def _parse(text: str) -> tuple[Decimal, str] | None:
    """Amount and family: binary, decimal or exponent."""
    match = _FORM.fullmatch(text)
    if match is None:
        return None
    number, suffix = Decimal(match[1]), match[2] or ""
    if suffix in _BINARY[1:]:
        return min(number * Decimal(1024) ** _BINARY.index(suffix), _MOST_BINARY), "binary"
    if suffix in _DECIMAL:
        return number * Decimal(10) ** _DECIMAL[suffix], "decimal"
    return number * Decimal(10) ** max(
        -_LARGEST_EXPONENT, min(_exponent(suffix), _LARGEST_EXPONENT)
    ), "exponent"


def _exponent(suffix: str) -> int:
    digits = suffix[1:].lstrip("+-").lstrip("0")[:_DIGITS] or "0"
    return -int(digits) if suffix[1] == "-" else int(digits)


@lru_cache(maxsize=4096)
def canonical(text: str) -> str | None:
    """The stored form: ``1000m`` is ``1``, ``0.5`` is ``500m``, ``1024Mi`` is ``1Gi``; None: not a quantity.

    Amounts finer than a thousandth are rounded up, as for resource lists.
    """
    with localcontext(prec=len(text) + _DIGITS):
        parsed = _parse(text)
        if parsed is None or len(text) > _LONGEST:
            return None if parsed is None else text
        if parsed[1] == "exponent" and abs(parsed[0]) >= 10**18:
            return _large_exponent(text)
        return _canonical(text, *parsed)


def _large_exponent(text: str) -> str:
    """A whole number of at most three zeros with an exponent that three divides: ``1e20`` is ``100e18``."""
    number, _, power = text.lower().partition("e")
    sign, digits, places = Decimal(number).as_tuple()
    exponent = _exponent(f"e{power}") + int(places)
    whole = "".join(map(str, digits)).lstrip("0")
    while whole.endswith("0"):
        whole, exponent = whole[:-1], exponent + 1
    form = f"{'-' if sign else ''}{whole}{'0' * (exponent % 3)}e{exponent - exponent % 3}"
    return text if form == text.lower() else form


def _canonical(text: str, value: Decimal, family: str) -> str:
    value = value.quantize(Decimal("0.001"), rounding=ROUND_CEILING) if family != "exponent" else value
    if value == 0:
        return "0"
    if family == "exponent" and _decimal(value, exponent=True).lower() == text.lower():
        return text
    if family == "binary" and abs(value) >= 1024 and value == value.to_integral_value():
        return _binary(int(value))
    return _decimal(value, exponent=family == "exponent")


def _binary(value: int) -> str:
    step = 0
    while value % 1024 == 0 and step < len(_BINARY) - 1:
        value //= 1024
        step += 1
    return f"{value}{_BINARY[step]}"


def _decimal(value: Decimal, *, exponent: bool) -> str:
    power = -9
    mantissa = value.scaleb(9)
    whole = int(mantissa.to_integral_value(rounding=ROUND_CEILING))
    while whole % 1000 == 0 and power < 18:
        whole //= 1000
        power += 3
    if exponent:
        return f"{whole}e{power}" if power else str(whole)
    suffix = next(name for name, size in _DECIMAL.items() if size == power)
    return f"{whole}{suffix}"
