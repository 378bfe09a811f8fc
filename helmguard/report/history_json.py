"""The history of a release as JSON: ``helmguard.history/v1``, described in docs/status-and-history.md."""

from __future__ import annotations

from helmguard.masking.masker import Masker
from helmguard.model.field_change import MISSING
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.revision_changes import HistoryEntry, ObjectChange, ReleaseHistory, RevisionChanges
from helmguard.model.value_change import ValueChange
from helmguard.report.change_json import key_to_dict
from helmguard.report.status_json import revision_to_dict

FORMAT_VERSION = "helmguard.history/v1"


def history_to_dict(history: ReleaseHistory, masker: Masker) -> JSONObject:
    """The whole document; every text and value is masked."""
    return {
        "formatVersion": FORMAT_VERSION,
        "release": {"name": history.name, "namespace": history.namespace},
        "helm": history.helm,
        "leftOut": history.left_out,
        "revisions": [_entry(entry, masker) for entry in history.entries],
        "exitCode": 0,
    }


def _entry(entry: HistoryEntry, masker: Masker) -> JSONObject:
    common: JSONObject = {"revision": entry.version, "storageName": entry.storage_name}
    if entry.damage:
        return {**common, "state": "unreadable", "why": masker.text(entry.damage)}
    revision = revision_to_dict(entry.revision, masker)
    if revision is None:
        return {"revision": entry.version, "to": entry.last_version, "state": "not stored"}
    return {
        **common,
        "state": "stored",
        **revision,
        "labelStatus": entry.label_status,
        "rollbackTo": entry.rollback_to or None,
        "objects": entry.objects,
        "valuesSet": entry.values,
        "changes": _changes(entry.changes, masker),
    }


def _changes(changes: RevisionChanges | None, masker: Masker) -> JSONObject | None:
    if changes is None:
        return None
    return {
        "comparedWith": changes.compared_with,
        "nothing": changes.is_nothing,
        "values": [_value(change, masker) for change in changes.values],
        "valuesWithoutEffect": [masker.path(path) for path in changes.idle],
        "chart": _pair(changes.chart),
        "appVersion": _pair(changes.app_version),
        "objects": [_object(change, masker) for change in changes.objects],
        "hooks": [_object(change, masker) for change in changes.hooks],
        "notCompared": masker.text(changes.unread),
    }


def _value(change: ValueChange, masker: Masker) -> JSONObject:
    before, after = masker.value_change(change)
    return {
        "path": masker.path(change.path),
        "cause": change.cause,
        **({} if before is MISSING else {"before": before}),
        **({} if after is MISSING else {"after": after}),
    }


def _object(change: ObjectChange, masker: Masker) -> JSONObject:
    return {
        "resource": key_to_dict(change.key),
        "apiVersion": change.api_version,
        "change": change.change,
        "fields": [masker.path(path) for path in change.paths],
        "bookkeepingOnly": change.bookkeeping,
    }


def _pair(pair: tuple[str, str] | None) -> JSONValue:
    return None if pair is None else {"before": pair[0], "after": pair[1]}
