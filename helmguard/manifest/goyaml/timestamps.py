"""The four spellings that an explicit ``!!timestamp`` accepts.

Without the tag Go leaves timestamps as text, so nothing here makes a date.
Source: go.yaml.in/yaml v2.4.2 resolve.go, and the parsing rules of Go's time package.
"""

from __future__ import annotations

import calendar
import re

_DATE = r"(?P<year>[0-9]{4})-(?P<month>[0-9]{1,2})-(?P<day>[0-9]{1,2})"
_CLOCK = r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{1,2}):(?P<second>[0-9]{1,2})(?:[.,][0-9]+)?"
_ZONE = r"(?:Z|[-+](?P<zone_hour>[0-9]{2}):(?P<zone_minute>[0-9]{2}))"
_TIMESTAMP = re.compile(rf"{_DATE}(?:[Tt]{_CLOCK}{_ZONE}|[ ]+{_CLOCK.replace('?P<', '?P<plain_')})?")


def is_timestamp(text: str) -> bool:
    """Whether Go's reader takes ``text`` for a timestamp."""
    match = _TIMESTAMP.fullmatch(text)
    if match is None:
        return False
    parts = {name: int(value) for name, value in match.groupdict().items() if value is not None}
    if not 1 <= parts["month"] <= 12:
        return False
    last_day = calendar.monthrange(parts["year"] or 4, parts["month"])[1]
    return (
        1 <= parts["day"] <= last_day
        and parts.get("hour", parts.get("plain_hour", 0)) < 24
        and parts.get("minute", parts.get("plain_minute", 0)) < 60
        and parts.get("second", parts.get("plain_second", 0)) < 60
        and parts.get("zone_hour", 0) <= 24
        and parts.get("zone_minute", 0) <= 60
    )
