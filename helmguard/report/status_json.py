"""The state of a release as JSON: ``helmguard.status/v1``, described in docs/status-and-history.md."""

from __future__ import annotations

from helmguard.masking.masker import Masker
from helmguard.model.json_value import JSONObject
from helmguard.model.release_state import (
    Progress,
    ReleaseState,
    RevisionRef,
    Running,
    WayOut,
)
from helmguard.report.change_json import key_to_dict
from helmguard.report.drift_json import left_over_to_dict

FORMAT_VERSION = "helmguard.status/v1"


def status_to_dict(state: ReleaseState, masker: Masker) -> JSONObject:
    """The whole document; every text is masked."""
    return {
        "formatVersion": FORMAT_VERSION,
        "release": {
            "name": state.name,
            "namespace": state.namespace,
            "condition": state.condition,
            "last": revision_to_dict(state.last, masker),
            "deployed": revision_to_dict(state.deployed, masker),
            "comparesWith": state.base,
        },
        "helm": state.helm,
        "storageDriver": state.driver or "secret",
        "summary": masker.text(state.summary),
        "story": [masker.text(sentence) for sentence in state.story],
        "running": _running(state.running),
        "progress": _progress(state.progress, masker),
        "objects": state.objects,
        "drift": masker.text(state.drift),
        "leftOver": [left_over_to_dict(left) for left in state.left_over],
        "remarks": [
            {
                "kind": remark.kind,
                "text": masker.text(remark.text),
                "attention": remark.attention,
                "remedy": [masker.command(text) for text in remark.remedy],
            }
            for remark in state.remarks
        ],
        "waysOut": [_way(way, masker) for way in state.ways_out],
        "records": _records(state),
        "unknown": [{"what": item.what, "why": masker.text(item.why)} for item in state.unknown],
        "exitCode": state.exit_code,
    }


def revision_to_dict(revision: RevisionRef | None, masker: Masker) -> JSONObject | None:
    """A revision in short."""
    if revision is None:
        return None
    return {
        "revision": revision.version,
        "status": revision.status,
        "updated": revision.updated,
        "description": masker.text(revision.description),
        "chart": revision.chart,
        "appVersion": revision.app_version,
        "applyMethod": revision.apply_method,
        "size": revision.size or None,
    }


def _running(running: Running | None) -> JSONObject | None:
    if running is None:
        return None
    return {
        "verdict": running.verdict,
        "seconds": running.seconds,
        "since": running.since,
        "manager": running.manager,
        "signs": list(running.signs),
    }


def _progress(progress: Progress | None, masker: Masker) -> JSONObject | None:
    if progress is None:
        return None
    return {
        "revision": progress.revision,
        "comparedWith": progress.compared_with,
        "unchanged": progress.unchanged,
        "objects": [
            {
                "resource": key_to_dict(item.key),
                "apiVersion": item.api_version,
                "change": item.change,
                "state": item.state,
                "missing": [masker.path(path) for path in item.missing],
                "why": masker.text(item.why),
            }
            for item in progress.objects
        ],
    }


def _way(way: WayOut, masker: Masker) -> JSONObject:
    return {
        "kind": way.kind,
        "why": masker.text(way.why),
        "recommended": way.recommended,
        "revision": way.revision,
        "commands": [masker.command(command) for command in way.commands],
        "helmCommands": [masker.command(command) for command in way.helm_commands],
        "accepts": list(way.accepts),
        "check": {
            "result": way.check.result,
            "text": masker.text(way.check.text),
            "changes": way.check.changes,
            "byServer": way.check.by_server,
            "findings": list(way.check.findings),
        },
    }


def _records(state: ReleaseState) -> JSONObject:
    record, kept = state.record, state.kept
    return {
        "stored": kept.stored if kept else 0,
        "historyMax": kept.limit if kept else 0,
        "first": kept.first if kept else None,
        "missing": list(kept.pruned) if kept else [],
        "nextRemoved": kept.next_removed if kept else None,
        "size": record.size if record else None,
        "limit": record.limit if record else 0,
        "sizeBefore": record.before if record else None,
        "revisionsLeft": record.revisions_left if record else None,
    }
