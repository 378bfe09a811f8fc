"""The size of the release record in a bundle's file and back: what is masked in it would weigh otherwise."""

from __future__ import annotations

from typing import Any

from helmguard.model.json_value import JSONObject
from helmguard.model.surroundings import RecordPart, RecordSize


def record_entry(record: RecordSize | None) -> JSONObject | None:
    """The entry of ``bundle.yaml``."""
    if record is None:
        return None
    return {
        "kind": record.kind,
        "size": record.size,
        "limit": record.limit,
        "exact": record.exact,
        "parts": {part.name: part.size for part in record.parts},
        "files": {part.name: part.size for part in record.files},
        "why": record.why,
    }


def read_record(entry: Any) -> RecordSize | None:
    """The size, None where the bundle does not tell it."""
    if not isinstance(entry, dict):
        return None
    return RecordSize(
        size=entry.get("size"),
        limit=int(entry.get("limit") or 0),
        kind=str(entry.get("kind") or "Secret"),
        exact=bool(entry.get("exact")),
        parts=_parts(entry.get("parts")),
        files=_parts(entry.get("files")),
        why=str(entry.get("why") or ""),
    )


def _parts(entries: Any) -> tuple[RecordPart, ...]:
    parts = [RecordPart(str(name), int(size)) for name, size in (entries or {}).items()]
    return tuple(sorted(parts, key=lambda part: -part.size))
