"""Go's ways of printing numbers.

Checked against Go 1.26: ``encoding/json``, ``strconv.FormatFloat(f, 'g', -1, bits)`` and ``fmt``'s ``%v``.
"""

from __future__ import annotations

import math
import struct
from typing import TypeAlias

Scalar: TypeAlias = str | int | float | bool | None

INT64_MIN = -(2**63)
INT64_MAX = 2**63 - 1
UINT64_MAX = 2**64 - 1


def json_number(value: int | float) -> str:
    """The text ``encoding/json`` writes; ``value`` must be finite."""
    if isinstance(value, int):
        return str(value)
    sign, digits, point = _shortest_digits(value)
    magnitude = abs(value)
    if magnitude != 0 and (magnitude < 1e-6 or magnitude >= 1e21):
        return sign + _exponent_form(digits, point, exponent_width=1)
    return sign + _plain_form(digits, point)


def printed(value: int | float) -> str:
    """What a template prints for a number: ``%v`` of an int64 or a float64 (``1e+06``, ``1.048576e+08``)."""
    if isinstance(value, int):
        return str(value)
    return format_g(value)


def format_g(value: float, bits: int = 64) -> str:
    """``strconv.FormatFloat(value, 'g', -1, bits)``; ``bits`` is 32 or 64."""
    if bits == 32:
        value = _as_float32(value)
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    sign, digits, point = _shortest_digits32(value) if bits == 32 else _shortest_digits(value)
    exponent = point - 1
    if value != 0 and (exponent < -4 or exponent >= 6):
        return sign + _exponent_form(digits, point, exponent_width=2)
    return sign + _plain_form(digits, point)


def object_number(value: Scalar) -> Scalar:
    """A scalar as the API machinery holds it in an object: whole numbers as int64, others as float64.

    It reads objects from JSON, where ``1.0`` is written ``1`` and so becomes an integer; ``1e21`` keeps its
    exponent and stays a float; an integer beyond int64 becomes a float. Source: sigs.k8s.io/json,
    ``PreserveInts``.
    """
    if isinstance(value, float):
        if value.is_integer() and abs(value) < 1e21:
            whole = int(json_number(value))
            return whole if INT64_MIN <= whole <= INT64_MAX else value
        return value
    if isinstance(value, int) and not INT64_MIN <= value <= INT64_MAX:
        return float(value)
    return value


def _shortest_digits(value: float) -> tuple[str, str, int]:
    """Sign, shortest decimal digits, and where the point stands among them (0: before the first digit)."""
    mantissa, _, exponent = repr(value).partition("e")
    sign = "-" if mantissa.startswith("-") else ""
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    return (sign, digits, point) if digits else (sign, "0", 1)


def _shortest_digits32(value: float) -> tuple[str, str, int]:
    """The same for a number that is exactly a float32: fewest digits that still name it among float32s."""
    for precision in range(9):
        text = f"{value:.{precision}e}"
        if _as_float32(float(text)) == value:
            break
    return _shortest_digits(float(text))


def _as_float32(value: float) -> float:
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def _exponent_form(digits: str, point: int, *, exponent_width: int) -> str:
    exponent = point - 1
    mantissa = digits[0] + ("." + digits[1:] if len(digits) > 1 else "")
    return f"{mantissa}e{'-' if exponent < 0 else '+'}{abs(exponent):0{exponent_width}d}"


def _plain_form(digits: str, point: int) -> str:
    if point <= 0:
        return "0." + "0" * -point + digits
    if len(digits) <= point:
        return digits + "0" * (point - len(digits))
    return digits[:point] + "." + digits[point:]
