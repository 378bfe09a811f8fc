"""A release's history read through helm, for storage that helmguard cannot read (``HELM_DRIVER=sql``).

helm prints no record as JSON with its chart, but ``helm get all --template`` runs a Go template on it. The
template here prints the record as a Python literal: Go's quoted strings are Python's, too.
"""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Sequence
from typing import Any

from helmguard.errors import HelmError, HelmguardError
from helmguard.helm.command import HelmCommand
from helmguard.helm.command_words import argument
from helmguard.model.json_value import JSONObject
from helmguard.model.release import DamagedRecord, History, Revision

_ALL_REVISIONS = 100_000
_AT_ONCE = 4

_DEFINITIONS = """
{{- define "value" -}}
{{- $type := printf "%T" . -}}
{{- if eq $type "string" }}{{ printf "%q" . }}
{{- else if eq $type "bool" }}{{ if . }}True{{ else }}False{{ end }}
{{- else if eq $type "float64" "int64" "int" "json.Number" }}{{ printf "%v" . }}
{{- else if eq $type "map[string]interface {}" "common.Values" "chartutil.Values" -}}
{ {{- range $key, $item := . }}{{ printf "%q" $key }}: {{ template "value" $item }}, {{ end -}} }
{{- else if eq $type "[]interface {}" -}}
[ {{- range . }}{{ template "value" . }}, {{ end -}} ]
{{- else }}None{{ end }}
{{- end -}}
{{- define "text" }}{{ printf "%q" (printf "%s" .) }}{{ end -}}
{{- define "texts" }}[ {{- range . }}{{ template "text" . }}, {{ end -}} ]{{ end -}}
{{- define "time" -}}
{{- if .IsZero }}""{{ else }}{{ printf "%q" (.Format "2006-01-02T15:04:05.999999999Z07:00") }}{{ end }}
{{- end -}}
{{- define "dependency" -}}
{
"name": {{ template "text" .Name }},
"version": {{ template "text" .Version }},
"alias": {{ template "text" .Alias }},
"repository": {{ template "text" .Repository }},
"condition": {{ template "text" .Condition }},
"tags": {{ template "texts" .Tags }},
}
{{- end -}}
{{- define "metadata" -}}
{
"name": {{ template "text" .Name }},
"version": {{ template "text" .Version }},
"appVersion": {{ template "text" .AppVersion }},
"apiVersion": {{ template "text" .APIVersion }},
"kubeVersion": {{ template "text" .KubeVersion }},
"type": {{ template "text" .Type }},
"description": {{ template "text" .Description }},
"deprecated": {{ template "value" .Deprecated }},
"dependencies": [ {{- range .Dependencies }}{{ template "dependency" . }}, {{ end -}} ],
}
{{- end -}}
{{- define "hook" -}}
{
"name": {{ template "text" .Name }},
"kind": {{ template "text" .Kind }},
"path": {{ template "text" .Path }},
"manifest": {{ template "text" .Manifest }},
"weight": {{ .Weight }},
"events": {{ template "texts" .Events }},
"delete_policies": {{ template "texts" .DeletePolicies }},
}
{{- end -}}
{{- define "info" -}}
{
"status": {{ template "text" .Status }},
"description": {{ template "text" .Description }},
"notes": {{ template "text" .Notes }},
"first_deployed": {{ template "time" .FirstDeployed }},
"last_deployed": {{ template "time" .LastDeployed }},
}
{{- end -}}
{{- define "chart" -}}
{
{{- with .Metadata }}"metadata": {{ template "metadata" . }}, {{ end }}
"values": {{ template "value" .Values }},
}
{{- end -}}
"""
_RECORD = """
{{- with .Release -}}
{
"name": {{ template "text" .Name }},
"namespace": {{ template "text" .Namespace }},
"version": {{ .Version }},
"config": {{ template "value" .Config }},
"manifest": {{ template "text" .Manifest }},
"hooks": [ {{- range .Hooks }}{{ template "hook" . }}, {{ end -}} ],
"labels": {
{{- range $key, $item := .Labels }}{{ template "text" $key }}: {{ template "text" $item }}, {{ end -}}
},
{{ with .Info }}"info": {{ template "info" . }}, {{ end }}
{{ with .Chart }}"chart": {{ template "chart" . }}, {{ end }}
"""
_APPLY_METHOD = '"apply_method": {{ template "text" .ApplyMethod }},'
_END = "}{{ end }}"


def record_template(helm_major: int) -> str:
    """The template for ``helm get all --template``; Helm 4's records know how they were applied."""
    return _DEFINITIONS + _RECORD + (_APPLY_METHOD if helm_major >= 4 else "") + _END


def read_history(command: HelmCommand, release: str) -> History:
    """All revisions of a release, oldest first.

    Raises:
        ReleaseNotFoundError: helm knows no such release.
        HelmguardError: helm failed; the message is helm's own.
    """
    return asyncio.run(_read_history(command, release))


async def _read_history(command: HelmCommand, release: str) -> History:
    listed = await command.history(release, max_revisions=_ALL_REVISIONS)
    versions = sorted(int(entry["revision"]) for entry in listed)
    slots = asyncio.Semaphore(_AT_ONCE)

    async def read(version: int) -> Revision | DamagedRecord:
        async with slots:
            return await _read_revision(command, release, version)

    records = await asyncio.gather(*map(read, versions))
    return _history(release, command.kube.namespace, records)


def _history(release: str, namespace: str, records: Sequence[Revision | DamagedRecord]) -> History:
    revisions = tuple(record for record in records if isinstance(record, Revision))
    damaged = tuple(record for record in records if isinstance(record, DamagedRecord))
    return History(release, revisions[-1].namespace if revisions else namespace, revisions, damaged)


async def _read_revision(command: HelmCommand, release: str, version: int) -> Revision | DamagedRecord:
    words = ["get", "all", argument(release, "release"), "--revision", str(version)]
    try:
        text = await command.run([*words, "--template", record_template(command.helm.version.major)])
        return revision_of(parse_record(text.decode(errors="replace")))
    except HelmguardError as error:
        return DamagedRecord(f"{release}.v{version}", version, error.message)


def parse_record(text: str) -> JSONObject:
    """The record that `record_template` printed.

    Raises:
        HelmError: it is no such literal.
    """
    try:
        record: Any = ast.literal_eval(text[text.index("{") :].strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        raise HelmError("helm printed a release record that cannot be read") from None
    if not isinstance(record, dict):
        raise HelmError("helm printed no release record")
    return record


def revision_of(record: JSONObject) -> Revision:
    """A record as printed by `record_template`, as a revision."""
    info = record.get("info") or {}
    status = str(info.get("status") or "unknown")
    return Revision(
        name=str(record.get("name") or ""),
        namespace=str(record.get("namespace") or ""),
        version=int(record.get("version") or 0),
        status=status,
        # The database's status column is written from the record.
        label_status=status,
        chart=record.get("chart") or {},
        config=record.get("config"),
        manifest=str(record.get("manifest") or ""),
        hooks=tuple(record.get("hooks") or ()),
        apply_method=str(record.get("apply_method") or ""),
        first_deployed=str(info.get("first_deployed") or ""),
        last_deployed=str(info.get("last_deployed") or ""),
        description=str(info.get("description") or ""),
        notes=str(info.get("notes") or ""),
        labels=tuple(sorted((record.get("labels") or {}).items())),
    )
