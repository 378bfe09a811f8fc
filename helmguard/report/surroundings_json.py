"""What lies around the objects, as JSON: definitions, left-overs, the record, the history, the aftermath."""

from __future__ import annotations

from helmguard.masking.masker import Masker
from helmguard.model.json_value import JSONObject
from helmguard.model.plan import HookRun, Plan
from helmguard.model.surroundings import DefinitionState, RecordPart, RecordSize
from helmguard.report.change_json import key_to_dict
from helmguard.rules.hook_fate import left_over_fate

_LISTED = 50


def surroundings_to_dict(plan: Plan, masker: Masker) -> JSONObject:
    """The names of the plan's document that are about what lies around the objects."""
    around = plan.around
    return {
        "definitions": [_definition(state, masker) for state in around.definitions],
        "orphans": [
            {**key_to_dict(orphan.key), "apiVersion": orphan.api_version, "revisions": list(orphan.revisions)}
            for orphan in around.orphans
        ],
        "leftFields": [
            {
                **key_to_dict(left.key),
                "path": masker.path(left.path),
                "value": masker.field(left.key, left.path, left.value),
                "revision": left.revision,
            }
            for left in around.left_fields
        ],
        "history": [
            {
                "revision": one.version,
                "status": one.status,
                "updated": one.updated,
                "chart": one.chart,
                "description": masker.text(one.description),
            }
            for one in around.history
        ],
        "record": _record(around.record) if around.record is not None else None,
    }


def aftermath_to_dict(plan: Plan) -> JSONObject:
    """What ``failure`` says beside where and why."""
    after = plan.around.aftermath
    if after is None:
        return {}
    return {
        "hooksRun": list(after.hooks_run),
        "notReached": [key_to_dict(key) for key in after.not_reached],
        "afterwards": {
            "revision": after.revision if after.record else None,
            "status": after.record,
            "deployedRevision": after.deployed,
            "text": after.text,
        },
    }


def left_over_of(hook: HookRun, plan: Plan) -> str:
    """What becomes of the object that is live under the hook's name."""
    for known in plan.around.hooks:
        if (known.key.kind, known.key.name, known.key.namespace) == (hook.kind, hook.name, hook.namespace):
            return left_over_fate(known, plan.engine.apply_method)
    return "unknown"


def _definition(state: DefinitionState, masker: Masker) -> JSONObject:
    differences = state.differences
    return {
        "name": state.name,
        "kind": state.kind,
        "source": state.source,
        "state": state.status,
        "added": list(differences.added[:_LISTED]),
        "removed": list(differences.removed[:_LISTED]),
        "changed": list(differences.changed[:_LISTED]),
        "more": sum(
            max(0, len(listed) - _LISTED)
            for listed in (differences.added, differences.removed, differences.changed)
        ),
        "textsDiffer": differences.texts_only,
        "release": state.release,
        "managers": list(state.managers),
        "appliedBy": state.applied_by,
        "why": masker.text(state.why),
    }


def _record(record: RecordSize) -> JSONObject:
    return {
        "kind": record.kind,
        "size": record.size,
        "exact": record.exact,
        "limit": record.limit or None,
        "parts": _parts(record.parts),
        "largestFiles": _parts(record.files),
        "why": record.why,
    }


def _parts(parts: tuple[RecordPart, ...]) -> list[JSONObject]:
    return [{"name": part.name, "size": part.size} for part in parts]
