"""How large the new revision's record will be in Helm's storage, which holds 1 MiB at most.

The record is JSON, compressed by gzip at its best level, then base64: helm/helm@v3.22.0 and @v4.3.1
pkg/storage/driver/util.go. The API server counts the bytes of a Secret's or ConfigMap's data
(k8s.io/kubernetes@v1.36.3 pkg/apis/core/validation, MaxSecretSize).
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from helmguard.model.helm_version import HelmVersion
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.release import Revision
from helmguard.model.surroundings import NEAR_LIMIT, RecordPart, RecordSize
from helmguard.planner.gzip_size import go_gzip_size
from helmguard.values.chart import Chart, ChartFile

if TYPE_CHECKING:
    from helmguard.planner.inputs import PlanInputs

LIMIT = 1024 * 1024
RECORD_EXISTS = "release: already exists"
"""Helm's text where an object of the new record's name is stored already."""
_CLOSE = 0.08
_LARGEST_FILES = 5
_TIME = "2026-01-02T03:04:05.678901234Z"
"""Stands for the times in a record: they are all of this length."""


class RecordContents(msgspec.Struct, frozen=True):
    """What a record holds beside its bookkeeping; of the charts only the parent's files are stored."""

    chart: JSONObject
    config: JSONValue
    manifest: str
    hooks: Iterable[JSONObject]
    templates: tuple[ChartFile, ...] = ()
    files: tuple[ChartFile, ...] = ()
    stored: Mapping[str, Any] = {}


def record_of_chart(
    chart: Chart, values: JSONObject | None, config: JSONValue, manifest: str, hooks: Iterable[JSONObject]
) -> RecordContents:
    """The contents of an upgrade's or install's record; sub-charts are not stored."""
    metadata = chart.metadata
    return RecordContents(
        chart={
            "metadata": {
                "name": metadata.name,
                "version": metadata.version,
                "description": metadata.description,
                "appVersion": metadata.app_version,
                "annotations": metadata.annotations,
            },
            "lock": None,
            "values": values,
            "schema": base64.b64encode(chart.schema).decode() if chart.schema else None,
        },
        config=config,
        manifest=manifest,
        hooks=hooks,
        templates=chart.templates,
        files=chart.files,
    )


def record_of_revision(revision: Revision) -> RecordContents | None:
    """The contents of a rollback's record: all of the target's; None where its chart is not stored whole."""
    if "templates" not in revision.chart:
        return None
    return RecordContents(
        chart={},
        config=revision.config,
        manifest=revision.manifest,
        hooks=revision.hooks,
        stored=revision.chart,
    )


def record_size(contents: RecordContents, helm: HelmVersion, driver: str = "") -> RecordSize:
    """The size, computed only where it comes near the limit: each step is dearer than the one before.

    A computed size is right to 6 %, within 8 % of the limit to 0.5 %.
    """
    if driver in ("sql", "memory"):
        return RecordSize(None, 0, why=f"the storage driver {driver} has no such limit")
    kind = "ConfigMap" if driver.startswith("configmap") else "Secret"
    document = _document(contents, helm)
    size = _encoded(len(document))
    if size < NEAR_LIMIT * LIMIT:
        return RecordSize(size, LIMIT, kind)
    size = _encoded(len(_gzip(document, 1)))
    if size < NEAR_LIMIT * LIMIT:
        return RecordSize(size, LIMIT, kind)
    size = _encoded(len(_gzip(document, 9)))
    if abs(size - LIMIT) < _CLOSE * LIMIT:
        size = _encoded(go_gzip_size(document))
    return RecordSize(size, LIMIT, kind, True, _parts(contents, helm), _largest_files(contents, helm))


def record_refusal(inputs: PlanInputs) -> str:
    """Helm's text where the record will not be stored, empty where it will, or nobody knows."""
    last = inputs.history.last()
    number = (last.version if last else 0) + 1
    if any(damaged.version == number for damaged in inputs.history.damaged):
        # Helm counts on from the last record it can read; the storage has an object of that name.
        return RECORD_EXISTS
    record = inputs.record
    if record is None or not record.limit or record.size is None or record.size <= record.limit:
        return ""
    name = f"sh.helm.release.v1.{inputs.release}.v{number}"
    what = "data" if record.kind == "Secret" else "[]"
    return (
        f'create: failed to create: {record.kind} "{name}" is invalid: {what}: Too long: '
        f"may not be more than {record.limit} bytes"
    )


def _document(contents: RecordContents, helm: HelmVersion) -> bytes:
    info = {
        "first_deployed": _TIME,
        "last_deployed": _TIME,
        "deleted": "",
        "description": "Preparing upgrade",
        "status": "pending-upgrade",
    }
    record = {
        "name": "",
        "info": info,
        "chart": contents.stored
        or {
            **contents.chart,
            "templates": _files(contents.templates, helm),
            "files": _files(contents.files, helm),
        },
        "config": contents.config,
        "manifest": contents.manifest,
        "hooks": list(contents.hooks),
        "version": 1,
        "namespace": "",
    }
    return _go_json(record)


def _files(files: Iterable[ChartFile], helm: HelmVersion) -> list[JSONObject]:
    stamp = {"modtime": _TIME} if helm.major >= 4 else {}
    return [
        {"name": file.name, "data": base64.b64encode(file.data).decode("ascii"), **stamp} for file in files
    ]


def _go_json(value: JSONValue) -> bytes:
    """As ``json.Marshal`` writes it: keys sorted, no blanks, what HTML could read escaped.

    By the standard library's encoder, which is fast: a number in another form weighs a few bytes at most.
    """
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False, sort_keys=True)
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text.encode("utf-8", "replace")


def _gzip(data: bytes, level: int) -> bytes:
    packer = zlib.compressobj(level, wbits=31)
    return packer.compress(data) + packer.flush()


def _encoded(size: int) -> int:
    """The length of this many bytes in base64."""
    return (size + 2) // 3 * 4


def _parts(contents: RecordContents, helm: HelmVersion) -> tuple[RecordPart, ...]:
    """Each part packed by itself, largest first."""
    chart = contents.stored or contents.chart
    templates, files = chart.get("templates"), chart.get("files")
    named: dict[str, JSONValue] = {
        "templates": templates or _files(contents.templates, helm),
        "files": files or _files(contents.files, helm),
        "chart values": chart.get("values"),
        "schema": chart.get("schema"),
        "user values": contents.config,
        "manifest": contents.manifest,
        "hooks": list(contents.hooks),
    }
    parts = [RecordPart(name, _packed(value)) for name, value in named.items() if value]
    return tuple(sorted(parts, key=lambda part: -part.size))


def _largest_files(contents: RecordContents, helm: HelmVersion) -> tuple[RecordPart, ...]:
    """The files of the chart that weigh most."""
    chart = contents.stored
    stored = [*(chart.get("templates") or ()), *(chart.get("files") or ())]
    entries = stored or _files([*contents.templates, *contents.files], helm)
    entries.sort(key=lambda entry: -len(str(entry.get("data") or "")))
    parts = [RecordPart(str(entry.get("name")), _packed(entry)) for entry in entries[:_LARGEST_FILES]]
    return tuple(sorted(parts, key=lambda part: -part.size))


def _packed(value: JSONValue) -> int:
    return _encoded(len(_gzip(_go_json(value), 6)))
