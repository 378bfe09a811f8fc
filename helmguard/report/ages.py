"""How long ago something was, in words; the time is given."""

from __future__ import annotations

from datetime import UTC, datetime


def age_in_words(seconds: int) -> str:
    """``40 s``, ``12 min``, ``5 h``, ``3 days``."""
    for size, unit in ((86400, "day"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size or (unit == "min" and seconds >= 60):
            count = seconds // size
            return f"{count} {unit}s" if unit == "day" else f"{count} {unit}"
    return f"{seconds} s"


def ago(time: str, now: str) -> str:
    """``5 h ago``; ``at TIME`` where one of the two is no time."""
    seconds = seconds_between(time, now)
    return f"at {time}" if seconds is None else f"{age_in_words(seconds)} ago"


def seconds_between(earlier: str, later: str) -> int | None:
    """Whole seconds, not below 0, since two clocks may differ; None where one is no time."""
    first, second = moment_of(earlier), moment_of(later)
    if first is None or second is None:
        return None
    return max(0, int((second - first).total_seconds()))


def unix_seconds(time: str) -> int:
    """Seconds since 1970, 0 for what is no time."""
    found = moment_of(time)
    return int(found.timestamp()) if found else 0


def moment_of(text: str) -> datetime | None:
    """A time as the API or Helm writes it; one without a zone is taken for UTC."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
