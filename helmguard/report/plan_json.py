"""The plan as JSON: ``helmguard.plan/v1``, described in docs/plan.schema.json and docs/plan-format.md."""

from __future__ import annotations

from helmguard.masking.masker import Masker
from helmguard.model.action import Action
from helmguard.model.field_change import or_null
from helmguard.model.finding import Finding
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.live_state import Present
from helmguard.model.plan import ChartRef, HookRun, Plan, ResourceChange
from helmguard.model.prediction import Failure
from helmguard.model.value_change import Provenance, ValueChange, ValueWarning
from helmguard.report.change_json import field_change_to_dict, key_to_dict, sides
from helmguard.report.config_json import (
    config_to_dict,
    ignored_to_dict,
    overridden_to_dict,
    waiver_to_dict,
)
from helmguard.report.confirmation_json import confirmation_to_dict, dry_run_to_dict
from helmguard.report.drift_json import drift_to_dict
from helmguard.report.exit_code import exit_code
from helmguard.report.plan_counts import summary_of
from helmguard.report.surroundings_json import aftermath_to_dict, left_over_of, surroundings_to_dict

FORMAT_VERSION = "helmguard.plan/v1"


def plan_to_dict(plan: Plan, show_secrets: bool = False, *, masker: Masker | None = None) -> JSONObject:
    """The JSON of a plan, secrets masked unless ``show_secrets``.

    A ``masker`` that is given decides instead; its digests are then those of the other outputs it serves.
    """
    masker = masker or Masker.for_plan(plan, show=show_secrets)
    release, engine = plan.release, plan.engine
    return {
        "formatVersion": FORMAT_VERSION,
        "operation": plan.operation,
        **({"drift": drift_to_dict(plan, masker)} if plan.operation == "drift" else {}),
        "release": {
            "name": release.name,
            "namespace": release.namespace,
            "fromRevision": release.from_revision,
            "lastRevision": release.last_revision,
            "toRevision": release.to_revision,
            "status": release.status,
            "changed": release.changed,
            "chart": _chart(release.chart, masker) if release.chart else None,
            "newChart": _chart(release.new_chart, masker),
            "damaged": [masker.text(text) for text in release.damaged],
        },
        "engine": {
            "helm": engine.helm,
            "applyMethod": engine.apply_method,
            "why": masker.text(engine.why),
            "render": engine.render,
            "renderWhy": masker.text(engine.render_why),
            "kubernetes": engine.kubernetes,
        },
        "values": {
            "mode": plan.values.mode,
            "modeWhy": masker.text(plan.values.mode_why),
            "changes": [value_change_to_dict(change, masker) for change in plan.values.changes],
            "warnings": [value_warning_to_dict(warning, masker) for warning in plan.values.warnings],
        },
        "resources": [_resource(resource, masker) for resource in plan.resources],
        "hooks": [_hook(hook, plan) for hook in plan.hooks],
        "failure": {**_failure(plan.failure, masker), **aftermath_to_dict(plan)} if plan.failure else None,
        "findings": [finding_to_dict(finding, masker) for finding in plan.findings],
        "suppressed": [
            {"rule": one.rule, "name": masker.text(one.name), "because": masker.text(one.because)}
            for one in plan.suppressed
        ],
        **surroundings_to_dict(plan, masker),
        "unknown": [
            {"what": masker.text(unknown.what), "why": masker.text(unknown.why)} for unknown in plan.unknown
        ],
        "unstable": [masker.text(name) for name in plan.unstable],
        "notes": [masker.text(note) for note in plan.notes],
        "keepCommand": masker.command(plan.keep_command),
        "failOn": plan.fail_on,
        "failOnUnknown": plan.fail_on_unknown,
        "config": config_to_dict(plan, masker),
        "summary": summary_of(plan),
        "serverDryRun": dry_run_to_dict(plan, masker),
        "fingerprint": _texts_masked(plan.fingerprint, masker),
        "exitCode": exit_code(plan),
    }


def value_change_to_dict(change: ValueChange, masker: Masker) -> JSONObject:
    """One entry of ``values.changes``."""
    before, after = masker.value_change(change)
    return {
        "path": masker.path(change.path),
        **sides(before, after),
        "cause": change.cause,
        "provenance": provenance_to_dict(change.provenance_after, masker),
        "provenanceBefore": provenance_to_dict(change.provenance_before, masker),
        "note": masker.text(change.note),
    }


def value_warning_to_dict(warning: ValueWarning, masker: Masker) -> JSONObject:
    """One entry of ``values.warnings``."""
    return {
        "kind": warning.kind,
        "path": masker.path(warning.path),
        "message": masker.text(warning.message),
        "before": masker.value(warning.path, or_null(warning.before)),
        "after": masker.value(warning.path, or_null(warning.after)),
        "nearest": warning.nearest,
        "provenance": provenance_to_dict(warning.provenance, masker),
    }


def provenance_to_dict(provenance: Provenance | None, masker: Masker) -> JSONObject | None:
    """Where a value comes from; None where that is not known."""
    if provenance is None:
        return None
    return {
        "kind": provenance.kind,
        "source": masker.text(provenance.source),
        "revision": provenance.revision,
        "line": provenance.line,
        "column": provenance.column,
    }


def finding_to_dict(finding: Finding, masker: Masker) -> JSONObject:
    """One entry of ``findings``."""
    before, after = masker.finding(finding)
    place = finding.where
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        "result": finding.result,
        "title": masker.text(finding.title),
        "where": {
            "on": place.on,
            "name": masker.text(place.name),
            "field": masker.text(place.field),
            "file": place.file,
            "line": place.line,
        },
        "before": or_null(before),
        "after": or_null(after),
        "effects": [masker.text(effect) for effect in finding.effects],
        "consequence": masker.text(finding.consequence),
        "missing": [masker.text(fact) for fact in finding.missing],
        "remedy": [masker.command(command) for command in finding.remedy],
        "evidence": [masker.text(evidence) for evidence in finding.evidence],
        "waived": waiver_to_dict(finding.waived, masker),
        "key": masker.text(finding.waiver_key),
        "dataLoss": finding.data_loss,
        "overridden": overridden_to_dict(finding.overridden, masker),
        "configNote": masker.text(finding.config_note),
    }


def _chart(chart: ChartRef, masker: Masker) -> JSONObject:
    return {
        "name": chart.name,
        "version": chart.version,
        "appVersion": chart.app_version,
        "reference": masker.text(chart.reference),
        "digest": chart.digest,
    }


def _resource(resource: ResourceChange, masker: Masker) -> JSONObject:
    prediction = resource.prediction
    live = prediction.live.body if isinstance(prediction.live, Present) else None
    before = masker.object(without_managed_fields(live))
    same = prediction.predicted is live
    return {
        "apiVersion": prediction.api_version,
        "kind": prediction.key.kind,
        "namespace": prediction.key.namespace,
        "name": prediction.key.name,
        "hook": bool(resource.hook_events) or resource.action == "hook",
        "hookEvents": list(resource.hook_events),
        "action": stated_action(resource),
        "why": masker.text(prediction.why),
        "cause": resource.cause,
        "error": masker.text(prediction.error),
        "unknown": masker.text(prediction.unknown),
        "engine": prediction.engine,
        "source": prediction.source,
        "before": before,
        "after": before if same else masker.object(without_managed_fields(prediction.predicted)),
        "changes": [field_change_to_dict(prediction.key, change, masker) for change in resource.changes],
        "drift": [field_change_to_dict(prediction.key, change, masker) for change in resource.drift],
        "confirmed": resource.confirmed,
        **confirmation_to_dict(resource, masker),
        "latent": [field_change_to_dict(prediction.key, change, masker) for change in resource.latent],
        "ignored": ignored_to_dict(resource, masker),
    }


def stated_action(resource: ResourceChange) -> Action:
    """The action; of an object whose live state is not known, what the two manifests alone suggest.

    ``confirmed`` is ``unknown`` then: readers of the JSON need not know an action of its own for it.
    """
    prediction = resource.prediction
    if resource.action != "unknown":
        return resource.action
    if prediction.new is None:
        return "delete"
    if prediction.previous is None:
        return "create"
    return "unchanged" if prediction.previous == prediction.new else "update"


def without_managed_fields(body: JSONObject | None) -> JSONObject | None:
    """The object without the record of its field managers; what counts of it is in the changes."""
    metadata = body.get("metadata") if body else None
    if body is None or not isinstance(metadata, dict) or "managedFields" not in metadata:
        return body
    return {**body, "metadata": {name: value for name, value in metadata.items() if name != "managedFields"}}


def _hook(hook: HookRun, plan: Plan) -> JSONObject:
    return {
        "event": hook.event,
        "apiVersion": hook.api_version,
        "kind": hook.kind,
        "namespace": hook.namespace,
        "name": hook.name,
        "weight": hook.weight,
        "deletePolicies": list(hook.delete_policies),
        "order": hook.order,
        "source": hook.source,
        "leftOver": left_over_of(hook, plan),
    }


def _failure(failure: Failure, masker: Masker) -> JSONObject:
    return {
        "message": masker.text(failure.message),
        "stage": failure.stage,
        "resource": key_to_dict(failure.resource) if failure.resource else None,
        "appliedBefore": [key_to_dict(key) for key in failure.applied_before],
    }


def _texts_masked(tree: JSONValue, masker: Masker) -> JSONValue:
    """The fingerprint must compare: a resource version under the name of a Secret is no secret."""
    if isinstance(tree, dict):
        return {name: _texts_masked(value, masker) for name, value in tree.items()}
    if isinstance(tree, list):
        return [_texts_masked(item, masker) for item in tree]
    return masker.text(tree) if isinstance(tree, str) else tree
