"""Schedules of CronJobs, read as github.com/robfig/cron v3 ParseStandard reads them."""

from __future__ import annotations

import re
from typing import Final

_MONTHS: Final = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_DAYS: Final = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
_FIELDS: Final[tuple[tuple[int, int, dict[str, int]], ...]] = (
    (0, 59, {}),
    (0, 23, {}),
    (1, 31, {}),
    (1, 12, {name: number for number, name in enumerate(_MONTHS, start=1)}),
    (0, 6, {name: number for number, name in enumerate(_DAYS)}),
)
_DESCRIPTORS: Final = frozenset(
    ["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"]
)


class _ScheduleError(Exception):
    pass


def schedule_problem(text: str) -> str:
    """What is wrong with a schedule, empty where nothing is."""
    if "TZ" in text:
        return "cannot use TZ or CRON_TZ in schedule, use timeZone field instead"
    if text.startswith("@"):
        known = text in _DESCRIPTORS or re.fullmatch(r"@every (\d+(\.\d*)?(ns|us|ms|s|m|h))+", text)
        return "" if known else f"unrecognized descriptor: {text}"
    words = text.split()
    if len(words) != len(_FIELDS):
        return f"expected exactly 5 fields, found {len(words)}: [{' '.join(words)}]"
    try:
        for word, field in zip(words, _FIELDS, strict=True):
            for part in filter(None, word.split(",")):
                _check(part, *field)
    except _ScheduleError as error:
        return str(error)
    return ""


def _check(text: str, low: int, high: int, names: dict[str, int]) -> None:
    span, *steps = text.split("/")
    ends = span.split("-")
    if ends[0] in ("*", "?"):
        start, end = low, high
    else:
        start = _number(ends[0], names)
        if len(ends) > 2:
            raise _ScheduleError(f"too many hyphens: {text}")
        end = _number(ends[1], names) if len(ends) > 1 else start
    if len(steps) > 1:
        raise _ScheduleError(f"too many slashes: {text}")
    if steps:
        step = _number(steps[0], {})
        end = high if len(ends) == 1 else end
        if step == 0:
            raise _ScheduleError(f"step of range should be a positive number: {text}")
    if start < low:
        raise _ScheduleError(f"beginning of range ({start}) below minimum ({low}): {text}")
    if end > high:
        raise _ScheduleError(f"end of range ({end}) above maximum ({high}): {text}")
    if start > end:
        raise _ScheduleError(f"beginning of range ({start}) beyond end of range ({end}): {text}")


def _number(text: str, names: dict[str, int]) -> int:
    if text.lower() in names:
        return names[text.lower()]
    if not re.fullmatch(r"[+-]?\d+", text):
        raise _ScheduleError(
            f'failed to parse int from {text}: strconv.Atoi: parsing "{text}": invalid syntax'
        )
    if int(text) < 0:
        raise _ScheduleError(f"negative number ({int(text)}) not allowed: {text}")
    return int(text)
