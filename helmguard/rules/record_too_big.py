"""``release-record-too-big``: the record that Helm stores of the new revision against the limit of 1 MiB."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.finding import Finding, Place
from helmguard.model.surroundings import NEAR_LIMIT, RecordSize
from helmguard.rules.facts import Facts
from helmguard.rules.failure_effects import failure_effects

_PARTS = 4


def record_too_big(facts: Facts) -> Iterator[Finding]:
    """A blocker above the limit, a warning from 80 % of it."""
    record = facts.around.record
    if record is None or not record.limit or record.size is None or record.size < NEAR_LIMIT * record.limit:
        return
    over = record.size > record.limit
    share = round(100 * record.size / record.limit)
    yield Finding(
        rule="release-record-too-big",
        severity="blocker" if over else "warning",
        title=f"the release record will take {share} % of what the API server stores ({_kib(record.limit)})",
        where=Place("release", facts.release.name),
        before=None,
        after=None,
        effects=(_biggest(record), *(failure_effects(facts) if over and facts.failure else ())),
        consequence=(
            facts.failure.message
            if over and facts.failure is not None and "Too long" in facts.failure.message
            else "Helm stores chart, values and manifest of each revision in one object. Above the limit the "
            "upgrade fails before it changes anything."
        ),
        remedy=("list files that no template reads in the chart's .helmignore, or split the chart",),
        evidence=("helm/helm#9788", "helm/helm#7126"),
    )


def _biggest(record: RecordSize) -> str:
    parts = ", ".join(f"{part.name} {_kib(part.size)}" for part in record.parts[:_PARTS])
    files = ", ".join(f"{part.name} {_kib(part.size)}" for part in record.files[:_PARTS])
    return f"of that about {parts}" + (f"; largest files: {files}" if files else "")


def _kib(size: int) -> str:
    return f"{max(1, round(size / 1024))} KiB"
