"""The ``format`` checks that Helm asserts for schemas up to draft 7 (santhosh-tekuri/jsonschema@v6.0.3)."""

from __future__ import annotations

import datetime
import ipaddress
import re
from collections.abc import Callable
from urllib.parse import urlsplit

from helmguard.values.go_format import quote, quote_runes
from helmguard.values.go_url import url_problem
from helmguard.values.schema_patterns import PatternError, python_pattern

_LOCAL = re.compile(r"[a-zA-Z0-9.!#$%&'*+\-/=?^_`{|}~]*")
_TIME = re.compile(r"(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[zZ]|([+-])(\d\d):(\d\d))", re.ASCII)
_DURATION = re.compile(
    r"P(?:\d+W|(?=.)(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=.)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)", re.ASCII | re.DOTALL
)
_UUID_GROUPS = (8, 4, 4, 4, 12)
_SEMVER = re.compile(
    r"(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)"
    r"(?:-(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?"
    r"(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?",
    re.ASCII,
)


def format_problem(name: str, text: str) -> str:
    """Why ``text`` is not of the format, empty if it is or Helm knows no such format."""
    check = _FORMATS.get(name)
    return check(text) if check is not None else ""


def _hostname(text: str) -> str:
    text = text.removesuffix(".")
    if len(text.encode()) > 253:
        return "more than 253 characters long"
    for label in text.split("."):
        if not 1 <= len(label.encode()) <= 63:
            return "label must be 1 to 63 characters long"
        if label.startswith("-"):
            return "label starts with hyphen"
        if label.endswith("-"):
            return "label ends with hyphen"
        if strange := re.search("[^a-zA-Z0-9-]", label):
            return f"invalid character {quote_runes(strange.group())[1:-1]}"
    return ""


def _ipv4(text: str) -> str:
    groups = text.split(".")
    if len(groups) != 4:
        return "expected four decimals"
    for group in groups:
        if len(group) > 1 and group[0] == "0":
            return "leading zeros"
        if not (group.isascii() and group.isdigit()):
            return f'strconv.Atoi: parsing "{group}": invalid syntax'
        if int(group) > 255:
            return "decimal must be between 0 and 255"
    return ""


def _ipv6(text: str) -> str:
    if ":" not in text:
        return "missing colon"
    try:
        address = ipaddress.IPv6Address(text)
    except ValueError:
        return f'ParseAddr("{text}"): unable to parse IP'
    return "zone id is not a part of ipv6 address" if address.scope_id else ""


def _email(text: str) -> str:
    local, at, domain = text.rpartition("@")
    if len(text.encode()) > 254:
        return "more than 255 characters long"
    if not at:
        return "missing @"
    if len(local.encode()) > 64:
        return "local part more than 64 characters long"
    return _local_part(local) or _email_domain(domain)


def _local_part(local: str) -> str:
    if len(local) > 1 and local.startswith('"') and local.endswith('"'):
        inside = local[1:-1]
        bad = "\\" in inside or '"' in inside
        return "backslash and quote are not allowed within quoted local part" if bad else ""
    if local.startswith("."):
        return "starts with dot"
    if local.endswith("."):
        return "ends with dot"
    if ".." in local:
        return "consecutive dots"
    return "" if _LOCAL.fullmatch(local) else "invalid character in local part"


def _email_domain(domain: str) -> str:
    if domain.startswith("[") and domain.endswith("]"):
        inside = domain[1:-1]
        if inside.startswith("IPv6:"):
            problem, kind = _ipv6(inside.removeprefix("IPv6:")), "ipv6"
        else:
            problem, kind = _ipv4(inside), "ipv4"
        return problem and f"invalid {kind} address: {problem}"
    problem = _hostname(domain)
    return problem and f"invalid domain: {problem}"


def _date(text: str) -> str:
    try:
        if re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII) and not text.startswith("0000"):
            datetime.date.fromisoformat(text)
            return ""
    except ValueError:
        pass
    return f'parsing time {quote(text)} as "2006-01-02": cannot parse {quote(text)} as "2006"'


def _time(text: str) -> str:
    if len(text.encode()) < 9:
        return "less than 9 characters long"
    if text[2] != ":" or text[5] != ":":
        return "missing colon in correct place"
    match = _TIME.fullmatch(text)
    if match is None:
        return "not a time of RFC 3339"
    hour, minute, second = (int(part) for part in match.group(1, 2, 3))
    if hour > 23 or minute > 59 or second > 60:
        return "hour/min/sec out of range"
    sign, offset_hour, offset_minute = match.group(4), int(match.group(5) or 0), int(match.group(6) or 0)
    if offset_hour > 23 or offset_minute > 59:
        return "hour/min in offset out of range"
    offset = (offset_hour * 60 + offset_minute) * (-1 if sign == "+" else 1)
    utc = (hour * 60 + minute + offset) % (24 * 60)
    return "invalid leap second" if second == 60 and utc != 23 * 60 + 59 else ""


def _date_time(text: str) -> str:
    if len(text) < 20:
        return "less than 20 characters long"
    if text[10] not in "tT":
        return "11th character must be t or T"
    if problem := _date(text[:10]):
        return f"invalid date element: {problem}"
    problem = _time(text[11:])
    return problem and f"invalid time element: {problem}"


def _duration(text: str) -> str:
    if not text.startswith("P"):
        return "must start with P"
    return "" if _DURATION.fullmatch(text) else "not a duration of RFC 3339"


def _uuid(text: str) -> str:
    groups = text.split("-")
    if len(groups) != len(_UUID_GROUPS):
        return f"must have {len(_UUID_GROUPS)} elements"
    for number, (group, length) in enumerate(zip(groups, _UUID_GROUPS, strict=True), 1):
        if len(group) != length:
            return f"element {number} must be {length} characters long"
        if not re.fullmatch("[0-9a-fA-F]*", group):
            return "non-hex character"
    return ""


def _json_pointer(text: str) -> str:
    if text and not text.startswith("/"):
        return "not starting with /"
    return "~ must be followed by 0 or 1" if re.search("~(?![01])", text) else ""


def _relative_json_pointer(text: str) -> str:
    match = re.match(r"0|[1-9][0-9]*", text)
    if match is None:
        return "must start with non-negative integer"
    rest = text[match.end() :]
    return "" if rest == "#" else _json_pointer(rest)


def _uri(text: str) -> str:
    return _uri_reference(text) or ("" if re.match(r"[a-zA-Z][a-zA-Z0-9+.\-]*:", text) else "relative url")


def _uri_reference(text: str) -> str:
    if "\\" in text:
        return "contains \\"
    if problem := url_problem(text):
        return f"parse {quote(text)}: {problem}"
    try:
        parts = urlsplit(text)
        host = parts.hostname or ""
        _ = parts.port
    except ValueError as error:
        return f'parse "{text}": {error}'
    return "invalid character in host name" if " " in host else ""


def _regex(text: str) -> str:
    try:
        python_pattern(text)
    except PatternError as error:
        return str(error) if error.refused else ""
    return ""


def _semver(text: str) -> str:
    return "" if _SEMVER.fullmatch(text) else "not a semantic version"


_FORMATS: dict[str, Callable[[str], str]] = {
    "date": _date,
    "date-time": _date_time,
    "duration": _duration,
    "email": _email,
    "hostname": _hostname,
    "ipv4": _ipv4,
    "ipv6": _ipv6,
    "iri": _uri,
    "iri-reference": _uri_reference,
    "json-pointer": _json_pointer,
    "regex": _regex,
    "relative-json-pointer": _relative_json_pointer,
    "semver": _semver,
    "time": _time,
    "uri": _uri,
    "uri-reference": _uri_reference,
    "uuid": _uuid,
}
FORMAT_NAMES = tuple(_FORMATS)
