"""What a scalar means: null, boolean, number or text.

Source: go.yaml.in/yaml v2.4.2 resolve.go, and Go's strconv for the syntax of numbers.
"""

from __future__ import annotations

import base64
import math
import re

from helmguard.manifest.goyaml.error import YAMLError
from helmguard.manifest.goyaml.timestamps import is_timestamp
from helmguard.manifest.numbers import INT64_MAX, INT64_MIN, UINT64_MAX, Scalar

TAG_PREFIX = "tag:yaml.org,2002:"
STR_TAG = TAG_PREFIX + "str"
BINARY_TAG = TAG_PREFIX + "binary"
FLOAT_TAG = TAG_PREFIX + "float"
MERGE_TAG = TAG_PREFIX + "merge"
TIMESTAMP_TAG = TAG_PREFIX + "timestamp"

_TYPED_TAGS = {TAG_PREFIX + name for name in ("str", "bool", "int", "float", "null", "timestamp")}

WORDS: dict[str, Scalar] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"), False),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), math.nan),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), math.inf),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), -math.inf),
}

_NUMBER_STARTS = frozenset("+-.0123456789")
# strconv.ParseInt with base 0, underscores already gone.
_INTEGER = re.compile(r"([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|(0[oO]?)([0-7]+)|([0-9]|[1-9][0-9]*))")
# A leftover of base 2 parsing: 0b may be followed by one more sign.
_SIGNED_BINARY = re.compile(r"0b([-+][01]+)")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
# A number that starts with its point goes to strconv.ParseFloat as it is: underscores only between digits.
_POINT_FLOAT = re.compile(r"\.[0-9](?:_?[0-9])*(?:[eE][-+]?[0-9](?:_?[0-9])*)?")

_BASE64 = re.compile("(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")


def resolve_plain(text: str) -> Scalar:
    """The value of an unquoted scalar without a tag."""
    if text in WORDS:
        return WORDS[text]
    if text[0] not in _NUMBER_STARTS:
        return text
    number = _float(text, _POINT_FLOAT) if text[0] == "." else _number(text.replace("_", ""))
    return text if number is None else number


def resolve_tagged(tag: str, text: str, line: int, column: int) -> Scalar:
    """The value of a scalar with an explicit ``tag`` (long form); unknown tags leave the text as it is.

    ``line`` and ``column`` count from 1 and only serve the error.

    Raises:
        YAMLError: the text is no value of that type, as in ``!!int x``.
    """
    if tag == BINARY_TAG:
        return _binary(text, line, column)
    if tag == STR_TAG or tag not in _TYPED_TAGS:
        return text
    if tag == TIMESTAMP_TAG and is_timestamp(text):
        return text
    value = resolve_plain(text)
    found = _type_tag(value)
    if found == tag:
        return value
    if tag == FLOAT_TAG and isinstance(value, int) and not isinstance(value, bool) and value <= INT64_MAX:
        return float(value)
    names = f"!!{found.removeprefix(TAG_PREFIX)} `{text}` as a !!{tag.removeprefix(TAG_PREFIX)}"
    raise YAMLError(f"yaml: cannot decode {names}", line=line, column=column)


def _number(text: str) -> int | float | None:
    integer = _integer(text)
    if integer is not None:
        return integer
    number = _float(text, _FLOAT)
    if number is not None:
        return number
    match = _SIGNED_BINARY.fullmatch(text)
    if match and INT64_MIN <= int(match[1], 2) <= INT64_MAX:
        return int(match[1], 2)
    return None


def _integer(text: str) -> int | None:
    """A signed number in int64, or an unsigned one in uint64."""
    match = _INTEGER.fullmatch(text)
    if match is None:
        return None
    sign, hexadecimal, binary, _, octal, decimal = match.groups()
    if hexadecimal:
        magnitude = int(hexadecimal, 16)
    elif binary:
        magnitude = int(binary, 2)
    elif octal:
        magnitude = int(octal, 8)
    elif len(decimal) > 20:
        return None
    else:
        magnitude = int(decimal)
    value = -magnitude if sign == "-" else magnitude
    return value if INT64_MIN <= value <= (INT64_MAX if sign else UINT64_MAX) else None


def _float(text: str, syntax: re.Pattern[str]) -> float | None:
    """None too where the number is beyond float64: Go calls that an error and keeps the text."""
    if syntax.fullmatch(text) is None:
        return None
    value = float(text)
    return None if math.isinf(value) else value


def _binary(text: str, line: int, column: int) -> str:
    """The bytes as text; like encoding/json, each byte that is not UTF-8 becomes U+FFFD."""
    text = text.replace("\r", "").replace("\n", "")
    if _BASE64.fullmatch(text) is None:
        raise YAMLError("yaml: !!binary value contains invalid base64 data", line=line, column=column)
    data = base64.b64decode(text)
    return data.decode("utf-8", errors="surrogateescape").translate(_REPLACE_STRAY_BYTES)


_REPLACE_STRAY_BYTES = {0xDC00 + byte: "\ufffd" for byte in range(128, 256)}


def _type_tag(value: Scalar) -> str:
    if value is None:
        name = "null"
    elif isinstance(value, bool):
        name = "bool"
    else:
        name = {int: "int", float: "float", str: "str"}[type(value)]
    return TAG_PREFIX + name
