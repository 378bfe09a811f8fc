"""``helmguard.verification/v1``: what there is beside what there was to be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from helmguard.masking.masker import Masker
from helmguard.model.field_change import MISSING, or_null
from helmguard.model.json_value import JSONObject
from helmguard.model.resource_key import ResourceKey
from helmguard.model.verification import (
    FieldDifference,
    HookResult,
    ObjectDifference,
    Rollout,
    Verification,
    VerificationStep,
)
from helmguard.report.change_json import key_to_dict
from helmguard.report.execution_code import NOT_AS_PLANNED
from helmguard.report.exit_code import NOTHING_TO_DO

FORMAT_VERSION = "helmguard.verification/v1"


def verification_to_dict(verification: Verification, masker: Masker) -> JSONObject:
    """The document of docs/verification.schema.json."""
    return {
        "formatVersion": FORMAT_VERSION,
        "release": {
            "name": verification.release,
            "namespace": verification.namespace,
            "revision": verification.revision,
        },
        "against": verification.against,
        "ok": verification.ok,
        "trouble": [masker.text(text) for text in verification.trouble],
        "compared": verification.compared,
        "differences": [_object(item, masker) for item in verification.differences],
        "remarks": [_object(item, masker) for item in verification.remarks],
        "rollouts": [_rollout(item, masker) for item in verification.rollouts],
        "hooks": [_hook(item, masker) for item in verification.hooks],
        "steps": [_step(item, masker) for item in verification.steps],
        "unknown": [
            {"what": masker.text(item.what), "why": masker.text(item.why)} for item in verification.unknown
        ],
        "summary": _summary(verification),
        "exitCode": verification_code(verification),
    }


def verification_code(verification: Verification) -> int:
    """0 all is well, 4 it is not."""
    return NOTHING_TO_DO if verification.ok else NOT_AS_PLANNED


def _object(item: ObjectDifference, masker: Masker) -> JSONObject:
    return {
        **key_to_dict(item.key),
        "apiVersion": item.api_version,
        "difference": item.kind,
        "why": masker.text(item.why),
        "fields": [_field(item.key, field, masker) for field in item.fields],
    }


def _field(key: ResourceKey, field: FieldDifference, masker: Masker) -> JSONObject:
    both = {"predicted": field.predicted, "actual": field.actual}
    entry: JSONObject = {
        "path": masker.path(field.path),
        **{name: or_null(masker.field(key, field.path, value)) for name, value in both.items()},
        "manager": masker.text(field.manager),
        "since": field.since,
        "note": masker.text(field.note),
    }
    absent = [name for name, value in both.items() if value is MISSING]
    return {**entry, "absent": absent} if absent else entry


def _rollout(item: Rollout, masker: Masker) -> JSONObject:
    return {
        **key_to_dict(item.key),
        "state": item.state,
        "words": masker.text(item.words),
        "reasons": [masker.text(reason) for reason in item.reasons],
    }


def _hook(item: HookResult, masker: Masker) -> JSONObject:
    return {
        "event": item.event,
        "kind": item.kind,
        "name": item.name,
        "state": item.state,
        "why": masker.text(item.why),
    }


def _step(item: VerificationStep, masker: Masker) -> JSONObject:
    return {
        "pack": item.pack,
        "id": item.id,
        "what": masker.text(item.what),
        "state": item.state,
        "why": masker.text(item.why),
        "onFail": masker.command(item.on_fail),
    }


def _summary(verification: Verification) -> JSONObject:
    return {
        "differences": len(verification.differences),
        "rollouts": _states([item.state for item in verification.rollouts]),
        "hooks": _states([item.state for item in verification.hooks]),
        "steps": _states([item.state for item in verification.steps]),
        "unknown": len(verification.unknown),
    }


def _states(states: Sequence[str]) -> dict[str, int]:
    return dict(sorted(Counter(states).items()))
