"""Decoding one release record: base64 of gzip of JSON, as Helm's storage drivers write it.

Source: helm/helm@v3.22.0 pkg/storage/driver/util.go; a record without the gzip magic is plain JSON.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from typing import Any

from helmguard.model.json_value import JSONObject
from helmguard.model.release import Revision

LARGEST_RECORD_BYTES = 128 * 1024 * 1024
"""Decoded size above which a record is refused: etcd's 1 MiB of gzip could unpack to a gigabyte."""

SYSTEM_LABELS = frozenset({"name", "owner", "status", "version", "createdAt", "modifiedAt"})

_GZIP_MAGIC = b"\x1f\x8b\x08"


class RecordDamage(ValueError):
    """Why a record cannot be read; the text never quotes the record."""


def decode_record(data: str | bytes) -> Revision:
    """The revision in a ConfigMap's ``data.release``, or a Secret's after its own base64 is taken off.

    ``label_status`` is empty and ``labels`` too: they are on the storage object, not in the record.

    Raises:
        RecordDamage: bad base64, truncated gzip, bad JSON, or no name and version in it.
    """
    return revision_of(decode_json(data))


def decode_json(data: str | bytes) -> JSONObject:
    """The record as JSON; errors as ``decode_record``."""
    packed = _from_base64(data)
    plain = _unpack(packed) if packed.startswith(_GZIP_MAGIC) else packed
    try:
        record = json.loads(plain.decode("utf-8", errors="replace"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        where = f" at byte {error.pos}" if isinstance(error, json.JSONDecodeError) else ""
        raise RecordDamage(f"the record is not valid JSON{where}") from None
    if not isinstance(record, dict):
        raise RecordDamage("the record is not a JSON object")
    return record


def revision_of(
    record: JSONObject,
    *,
    labels: Mapping[str, str] | None = None,
    storage_name: str = "",
    namespace: str = "",
    stored_size: int = 0,
) -> Revision:
    """The record as a ``Revision``; ``labels`` are those of the storage object, ``namespace`` its own.

    Raises:
        RecordDamage: name or version are missing, or a part is of another type than Helm writes.
    """
    labels = labels or {}
    name, version = record.get("name"), record.get("version")
    if not isinstance(name, str) or not name:
        raise RecordDamage("the record has no release name")
    if type(version) is not int or version < 1:
        raise RecordDamage("the record has no revision number")
    info, config = _part(record, "info", dict), _part(record, "config", dict)
    hooks = _part(record, "hooks", list) or []
    chart = _part(record, "chart", dict) or {}
    for part, kind in (("metadata", dict), ("values", dict), ("templates", list), ("files", list)):
        _part(chart, part, kind, "chart's ")
    return Revision(
        name=name,
        namespace=_part(record, "namespace", str) or namespace,
        version=version,
        status=_text((info or {}).get("status")),
        label_status=labels.get("status", ""),
        chart=chart,
        config=config,
        manifest=_part(record, "manifest", str) or "",
        hooks=tuple(hook for hook in hooks if isinstance(hook, dict)),
        apply_method=_text(record.get("apply_method")),
        first_deployed=_text((info or {}).get("first_deployed")),
        last_deployed=_text((info or {}).get("last_deployed")),
        description=_text((info or {}).get("description")),
        notes=_text((info or {}).get("notes")),
        labels=tuple(sorted((key, value) for key, value in labels.items() if key not in SYSTEM_LABELS)),
        storage_name=storage_name,
        stored_size=stored_size,
    )


def _from_base64(data: str | bytes) -> bytes:
    raw = data.encode("ascii", errors="replace") if isinstance(data, str) else data
    try:
        return base64.b64decode(raw.translate(None, b"\r\n"), validate=True)
    except (binascii.Error, ValueError):
        raise RecordDamage("the record is not valid base64") from None


def _unpack(packed: bytes) -> bytes:
    """All members of a gzip stream, as Go's reader reads them."""
    parts: list[bytes] = []
    size = 0
    while packed:
        unpacker = zlib.decompressobj(wbits=31)
        try:
            parts.append(unpacker.decompress(packed, LARGEST_RECORD_BYTES + 1 - size))
        except zlib.error:
            raise RecordDamage("the record's gzip data is corrupt") from None
        size += len(parts[-1])
        if size > LARGEST_RECORD_BYTES:
            raise RecordDamage(f"the record unpacks to more than {LARGEST_RECORD_BYTES >> 20} MiB")
        if not unpacker.eof:
            raise RecordDamage("the record's gzip data is truncated")
        packed = unpacker.unused_data
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _part(record: JSONObject, name: str, kind: type, of: str = "") -> Any:
    value = record.get(name)
    if value is not None and not isinstance(value, kind):
        raise RecordDamage(f"the record's {of}{name} is of the wrong type")
    return value


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _refuse_constant(word: str) -> Any:
    raise ValueError(word)
