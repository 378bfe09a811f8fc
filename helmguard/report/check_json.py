"""A check as JSON: ``helmguard.check/v1``, described in docs/check.schema.json and docs/check-format.md."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from helmguard.compare.weight import is_counted
from helmguard.masking.masker import Masker
from helmguard.model.check_report import CheckedRelease, CheckReport
from helmguard.model.declared_release import ChartNeed, Controller, FileLine
from helmguard.model.finding import Finding
from helmguard.model.json_value import JSONObject
from helmguard.model.plan import Plan, ResourceChange, Unknown
from helmguard.report.check_counts import check_summary
from helmguard.report.check_exit_code import check_exit_code
from helmguard.report.check_masker import check_masker
from helmguard.report.finding_lines import place_of
from helmguard.report.plan_counts import summary_of
from helmguard.report.plan_json import plan_to_dict

FORMAT_VERSION = "helmguard.check/v1"


def check_to_dict(
    report: CheckReport, show_secrets: bool = False, *, masker: Masker | None = None
) -> JSONObject:
    """The JSON of a check, secrets masked unless ``show_secrets``, or as the ``masker`` given does it."""
    masker = masker or check_masker(report, show=show_secrets)
    return {
        "formatVersion": FORMAT_VERSION,
        "base": masker.text(report.base),
        "head": masker.text(report.head),
        "live": report.live,
        "helm": report.helm,
        "baseHelm": report.base_helm,
        "releases": [_release(release, masker) for release in report.releases],
        "unknown": unknown_to_dicts(report.unknown, masker),
        "untouched": unknown_to_dicts(report.untouched, masker),
        "notes": [masker.text(note) for note in report.notes],
        "summary": check_summary(report),
        "failOn": report.fail_on,
        "failOnUnknown": report.fail_on_unknown,
        "exitCode": check_exit_code(report),
    }


def unknown_to_dicts(unknown: Iterable[Unknown], masker: Masker) -> list[JSONObject]:
    """What could not be found out, and why."""
    return [{"what": masker.text(one.what), "why": masker.text(one.why)} for one in unknown]


def _release(release: CheckedRelease, masker: Masker) -> JSONObject:
    declared = release.declared
    return {
        "identity": masker.text(declared.identity),
        "tool": declared.tool,
        "release": declared.name,
        "namespace": declared.namespace,
        "state": release.state,
        "declared": _place(declared.place, masker),
        "chart": _chart(declared.chart, masker),
        "baseChart": _chart(release.base.chart, masker) if release.base is not None else None,
        "because": [masker.text(text) for text in release.because],
        "controller": _controller(declared.controller, masker),
        "why": masker.text(release.why),
        "remedy": masker.command(release.remedy),
        "unknown": unknown_to_dicts(declared.unknown, masker),
        "places": [_place(place_of(finding, release), masker) for finding in _findings(release.plan)],
        "plan": _plan(release.plan, masker) if release.plan is not None else None,
    }


def _findings(plan: Plan | None) -> tuple[Finding, ...]:
    return plan.findings if plan is not None else ()


def _plan(plan: Plan, masker: Masker) -> JSONObject:
    """The plan with the objects that there is something to say of; its numbers are those of all."""
    shown = tuple(resource for resource in plan.resources if not _is_idle(resource))
    document = plan_to_dict(replace(plan, resources=shown), masker=masker)
    return {**document, "summary": summary_of(plan)}


def _is_idle(resource: ResourceChange) -> bool:
    """Unchanged, and nothing is to be said of it; hooks stand in the list of their own."""
    prediction = resource.prediction
    if resource.drift or resource.ignored or prediction.unknown or prediction.error:
        return False
    return resource.action == "unchanged" and not any(map(is_counted, resource.changes))


def _chart(chart: ChartNeed, masker: Masker) -> JSONObject:
    return {
        "kind": chart.kind,
        "path": chart.path,
        "url": masker.text(chart.url),
        "name": chart.name,
        "version": chart.version,
        "digest": chart.digest,
        "place": _place(chart.place, masker),
        "why": masker.text(chart.why),
    }


def _controller(controller: Controller, masker: Masker) -> JSONObject:
    return {
        "name": controller.name,
        "prunes": controller.prunes,
        "deletes": controller.deletes,
        "remarks": [masker.text(remark) for remark in controller.remarks],
    }


def _place(place: FileLine, masker: Masker) -> JSONObject:
    return {"file": masker.text(place.file), "line": place.line}
