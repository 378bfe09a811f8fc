"""Planning from a bundle: the same plan without the cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from helmguard.errors import BundleError
from helmguard.helm.binary import HelmBinary
from helmguard.model.apply_options import Operation
from helmguard.model.judged_node import JudgedNode
from helmguard.model.plan import ChartRef, Plan, Unknown
from helmguard.model.release import Revision
from helmguard.model.surroundings import RecordSize
from helmguard.planner.bundle_contents import BundleContents
from helmguard.planner.bundle_files import open_bundle_folder
from helmguard.planner.bundle_format import BundleRequest
from helmguard.planner.bundle_read import read_bundle
from helmguard.planner.bundle_values import (
    NO_CHART,
    BundleValues,
    chart_of_bundle,
    current_of_bundle,
    only_mode_differs,
    values_of_bundle,
)
from helmguard.planner.chart_definitions import chart_definitions
from helmguard.planner.inputs import NewRevision, PlanInputs
from helmguard.planner.judge_offline import judged_offline
from helmguard.planner.kube_version import kube_version_refusal
from helmguard.planner.readable_manifest import readable
from helmguard.planner.record_size import LIMIT, record_of_chart, record_size
from helmguard.planner.request import BundleOverrides
from helmguard.planner.rollback_inputs import (
    rollback_target,
    stored_chart,
    stored_record_size,
    stored_revision,
)
from helmguard.planner.same_chart import is_same_chart
from helmguard.planner.session import Report
from helmguard.planner.stored_values import stored_values
from helmguard.planner.unstable_entries import read_unstable
from helmguard.planner.upgrade_values import UpgradeValues
from helmguard.planner.value_facts import with_failing_values
from helmguard.values.chart import Chart


def plan_from_bundle(
    path: str | Path,
    overrides: BundleOverrides | None = None,
    report: Report = lambda _: None,
) -> Plan:
    """Plan what the bundle was made for, or what ``overrides`` ask instead.

    Raises:
        BundleError: the bundle is missing, damaged, or lacks what the overrides need.
        HelmguardError: a values flag or file cannot be read.
    """
    overrides = overrides or BundleOverrides()
    report("reading the bundle")
    with open_bundle_folder(path) as folder:
        return plan_of_contents(read_bundle(folder), overrides)


def plan_of_contents(contents: BundleContents, overrides: BundleOverrides) -> Plan:
    """The same of a bundle that is read already, while its folder is there.

    Raises:
        BundleError: it lacks what the overrides need.
        HelmguardError: a values flag or file cannot be read.
    """
    contents = with_options(contents, overrides)
    check_release(contents, overrides)
    return judged_offline(inputs_of_bundle(contents, overrides))


def inputs_of_bundle(contents: BundleContents, overrides: BundleOverrides) -> PlanInputs:
    """What the plan is computed from.

    Raises:
        BundleError: the bundle lacks what the overrides need.
        HelmguardError: a values flag or file cannot be read.
    """
    is_rollback = overrides.rollback or contents.request.operation == "rollback"
    inputs = _rollback(contents, overrides) if is_rollback else _upgrade(contents, overrides)
    return replace(inputs, cluster=contents.facts, nodes=tuple(_nodes(contents, overrides)))


def _nodes(contents: BundleContents, overrides: BundleOverrides) -> Iterator[JudgedNode]:
    """What is given, and of the bundle's nodes the others."""
    yield from overrides.nodes
    given = {node.facts.name for node in overrides.nodes}
    yield from (node for node in contents.nodes if node.facts.name not in given)


def check_release(contents: BundleContents, overrides: BundleOverrides) -> None:
    """Raise a ``BundleError`` where another release is asked for than the bundle holds."""
    held = contents.request.release
    if overrides.release and overrides.release != held:
        raise BundleError(f"the bundle holds release {held!r}, not {overrides.release!r}")
    namespace = contents.request.namespace
    if overrides.namespace and overrides.namespace != namespace:
        raise BundleError(f"the bundle's release is in namespace {namespace!r}, not {overrides.namespace!r}")


def with_options(contents: BundleContents, overrides: BundleOverrides) -> BundleContents:
    """The bundle with the flags given in place of its own."""
    capabilities = HelmBinary("helm", contents.request.helm).capabilities
    for name in ("force_conflicts", "server_side"):
        if name in overrides.options:
            capabilities.require(f"--{name.replace('_', '-')}")
    options = replace(contents.request.options, **overrides.options)
    return replace(contents, request=replace(contents.request, options=options))


def _rollback(contents: BundleContents, overrides: BundleOverrides) -> PlanInputs:
    request, history = contents.request, contents.history
    asked_for = overrides.rollback_to if overrides.rollback else request.rollback_to
    number = rollback_target(history, asked_for)
    last, target = history.last(), history.get(number)
    if last is None:
        raise BundleError("the bundle holds no revision to roll back from")
    return PlanInputs(
        operation="rollback",
        release=request.release,
        namespace=request.namespace,
        helm=request.helm,
        options=request.options,
        history=history,
        new=stored_revision(target, number),
        new_chart=stored_chart(target or last),
        values=stored_values(last, target, request.helm),
        live=contents.live,
        crds=contents.crds,
        discovery=contents.discovery,
        kubernetes=_version(request.kubernetes),
        rollback_to=number,
        record=_rollback_record(request, overrides, target),
        config=target.config if target else None,
        gate=overrides.gate,
        unknown=recorded_unknown(contents),
    )


def _version(kubernetes: str) -> str:
    """As discovery writes it: with a ``v``."""
    return f"v{kubernetes.removeprefix('v')}" if kubernetes else ""


def _upgrade(contents: BundleContents, overrides: BundleOverrides) -> PlanInputs:
    request, history = contents.request, contents.history
    operation: Operation = "install" if request.operation == "install" else "upgrade"
    current = current_of_bundle(contents)
    chart = chart_of_bundle(contents, overrides)
    computed = values_of_bundle(contents, overrides, chart, current)
    new = readable(_new_revision(contents, overrides, chart, current, computed))
    enabled = computed.values.result.enabled_charts if computed.values else ()
    definitions = chart_definitions(chart, enabled) if chart else ()
    return PlanInputs(
        operation=operation,
        release=request.release,
        namespace=request.namespace,
        helm=request.helm,
        options=request.options,
        history=history,
        new=new,
        new_chart=_chart_ref(contents, chart, current),
        values=with_failing_values(computed.report, chart, new.error),
        live=contents.live,
        crds=contents.crds,
        chart_crds=tuple(definition.body for definition in definitions),
        definitions=definitions,
        record=_record(contents, overrides, chart, computed.values, new),
        discovery=contents.discovery,
        kubernetes=_version(request.kubernetes),
        same_chart=_is_same(contents, chart, current),
        config=computed.values.result.config if computed.values else None,
        keep_command=computed.values.keep_command if computed.values else "",
        gate=overrides.gate,
        unknown=(*recorded_unknown(contents), *_without_chart(chart)),
    )


def _record(
    contents: BundleContents,
    overrides: BundleOverrides,
    chart: Chart | None,
    values: UpgradeValues | None,
    new: NewRevision,
) -> RecordSize:
    """The size that the bundle tells, unless something else is to be stored; a chart in it may be masked."""
    request = contents.request
    if request.record is not None and not overrides.value_words and not overrides.chart:
        return request.record
    if chart is None or values is None or new.error:
        why = "there is no new revision" if new.error else NO_CHART
        return RecordSize(None, LIMIT, why=why)
    result = values.result
    record = record_of_chart(chart, result.chart_values, result.config, new.manifest, new.hooks)
    return record_size(record, request.helm)


def _rollback_record(
    request: BundleRequest, overrides: BundleOverrides, target: Revision | None
) -> RecordSize:
    if request.operation == "rollback" and request.record is not None and not overrides.rollback:
        return request.record
    return stored_record_size(target, request.helm)


def _new_revision(
    contents: BundleContents,
    overrides: BundleOverrides,
    chart: Chart | None,
    current: Revision | None,
    computed: BundleValues,
) -> NewRevision:
    request = contents.request
    if computed.error is not None:
        return NewRevision(error=computed.error.message, error_remedy=computed.error.remedy)
    refusal = kube_version_refusal(chart, request.kubernetes) if chart else ""
    if refusal:
        return NewRevision(
            error=refusal, error_remedy="Use a chart version made for this Kubernetes version."
        )
    if request.render_error and not overrides.value_words:
        return NewRevision(error=request.render_error, error_remedy=request.render_error_remedy)
    stored = contents.renders.get(computed.values.mode) if computed.values else None
    if stored and not overrides.chart and only_mode_differs(overrides.value_words, request.value_words):
        return NewRevision(*stored, rendered_by="given", why="rendered when the bundle was written")
    if overrides.value_words or overrides.chart:
        return _render(contents, overrides, chart, current, computed.values)
    if _lacks_rendering(contents, chart):
        with suppress(BundleError):
            return _render(contents, overrides, chart, current, computed.values)
    if contents.manifest is None:
        raise BundleError(
            "the bundle holds no rendered manifest",
            remedy="Write it again with helmguard bundle, chart given.",
        )
    return NewRevision(
        manifest=contents.manifest,
        hooks=contents.hooks,
        rendered_by="given",
        why=request.render_why or f"rendered when the bundle was written ({request.render_by})",
        warnings=request.warnings,
        unstable=read_unstable(request.unstable),
        counterfactuals=contents.counterfactuals,
    )


def _render(
    contents: BundleContents,
    overrides: BundleOverrides,
    chart: Chart | None,
    current: Revision | None,
    values: UpgradeValues | None,
) -> NewRevision:
    # Few plans from bundles need helm, and what runs it takes long to import.
    from helmguard.planner.bundle_rendering import render_of_bundle

    return render_of_bundle(contents, overrides, chart, current, values)


def _lacks_rendering(contents: BundleContents, chart: Chart | None) -> bool:
    """Whether a recording has no manifest although its chart has templates: it may not render at all."""
    empty = contents.manifest is not None and not contents.manifest.strip() and not contents.hooks
    return empty and contents.request.render_by == "given" and chart is not None and bool(chart.templates)


def _is_same(contents: BundleContents, chart: Chart | None, current: Revision | None) -> bool:
    if contents.request.same_chart is not None:
        return contents.request.same_chart
    return chart is not None and current is not None and is_same_chart(chart, current.chart)


def _chart_ref(contents: BundleContents, chart: Chart | None, current: Revision | None) -> ChartRef:
    reference = contents.request.reference
    if chart is not None:
        return ChartRef(
            chart.metadata.name,
            chart.metadata.version,
            chart.metadata.app_version,
            reference,
            contents.request.chart_digest,
        )
    name = current.chart_name if current else "?"
    return ChartRef(name, "", "", reference)


def recorded_unknown(contents: BundleContents) -> tuple[Unknown, ...]:
    """What could not be read when the bundle was written."""
    return tuple(
        Unknown(str(entry.get("what") or ""), str(entry.get("why") or ""))
        for entry in contents.request.unknown
    )


def _without_chart(chart: Chart | None) -> tuple[Unknown, ...]:
    if chart is not None:
        return ()
    return (Unknown("values", f"{NO_CHART}; give it with: plan --bundle DIR RELEASE CHART"),)
