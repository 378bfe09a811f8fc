"""JSON as Go's decoder reads it into an ``interface {}``: every number is a float64."""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

_BLANK = re.compile(r"[ \t\n\r]*")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")

_WORDS = {
    "Expecting property name enclosed in double quotes": "looking for beginning of object key string",
    "Illegal trailing comma before end of object": "looking for beginning of object key string",
    "Illegal trailing comma before end of array": "looking for beginning of value",
    "Expecting value": "looking for beginning of value",
    "Expecting ':' delimiter": "after object key",
    "Expecting ',' delimiter": "after object key:value pair",
    "Extra data": "after top-level value",
}


class GoJSONError(ValueError):
    """Text that Go's JSON decoder refuses; the message is Go's, as near as it can be told."""


def _not_in_json(name: str) -> NoReturn:
    raise GoJSONError(f"invalid character '{name[0]}' looking for beginning of value")


def _to_float(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise GoJSONError(f"json: cannot unmarshal number {text} into Go value of type float64")
    return number


_DECODER = json.JSONDecoder(parse_int=_to_float, parse_float=_to_float, parse_constant=_not_in_json)
_EXACT = json.JSONDecoder(parse_constant=_not_in_json)


def decode_first(text: str) -> tuple[Any, int]:
    """The first JSON value of ``text`` and the index after it; blanks before it are skipped.

    Raises:
        GoJSONError: there is no valid JSON value.
    """
    return _decode(_DECODER, text)


def decode_exact(text: str) -> Any:
    """The one JSON value that ``text`` is; integers stay integers (for schemas)."""
    value, end = _decode(_EXACT, text)
    _refuse_rest(text, end)
    return value


def decode_all(text: str) -> Any:
    """The one JSON value that ``text`` is, numbers as float64."""
    value, end = _decode(_DECODER, text)
    _refuse_rest(text, end)
    return value


def _refuse_rest(text: str, end: int) -> None:
    match = _BLANK.match(text, end)
    assert match is not None
    if match.end() < len(text):
        raise GoJSONError(f"invalid character '{text[match.end()]}' after top-level value")


def _decode(decoder: json.JSONDecoder, text: str) -> tuple[Any, int]:
    match = _BLANK.match(text)
    assert match is not None
    try:
        value, end = decoder.raw_decode(text, match.end())
        if "\\u" in text:
            value = _without_lone_surrogates(value)
    except json.JSONDecodeError as error:
        raise GoJSONError(_go_words(error)) from None
    except RecursionError:
        raise GoJSONError("exceeded max depth") from None
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if is_number and text[end : end + 1] in (".", "e", "E"):
        # Python ends a number before a point or exponent without digits, Go refuses it.
        raise GoJSONError(f"invalid character '{text[end]}' in numeric literal")
    return value, end


def _go_words(error: json.JSONDecodeError) -> str:
    if error.pos >= len(error.doc) or error.msg.startswith("Unterminated string"):
        return "unexpected EOF" if error.doc.strip() else "EOF"
    character = error.doc[error.pos]
    for message, words in _WORDS.items():
        if error.msg.startswith(message):
            return f"invalid character '{character}' {words}"
    return f"invalid character '{character}' in string literal"


def _without_lone_surrogates(value: Any) -> Any:
    """Go puts U+FFFD in place of half a surrogate pair, which Python keeps."""
    if isinstance(value, str):
        return _LONE_SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_without_lone_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {_without_lone_surrogates(key): _without_lone_surrogates(item) for key, item in value.items()}
    return value
