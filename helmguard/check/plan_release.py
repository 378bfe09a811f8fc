"""The plan of one release from its two renderings and, where there is one, its live side."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from helmguard.check.kept_objects import why_controller_keeps, why_kept
from helmguard.check.live_side import LiveRelease
from helmguard.check.old_findings import without_old_findings
from helmguard.check.random_names import object_name
from helmguard.check.random_values import with_new_random_values
from helmguard.check.release_notes import stale_definitions
from helmguard.check.render_side import SideRenderer, compared_values
from helmguard.check.rendered_side import RenderedSide
from helmguard.check.stand_in_revision import base_history
from helmguard.check.two_way import as_two_way
from helmguard.check.value_causes import repository_values
from helmguard.config.gate import Gate
from helmguard.errors import ChartError, HelmguardError, ValuesError
from helmguard.helm.binary import HelmBinary
from helmguard.manifest import yaml
from helmguard.manifest.rendered import source_documents
from helmguard.model.apply_options import ApplyOptions
from helmguard.model.declared_release import DeclaredRelease
from helmguard.model.plan import ChartRef, Plan, ResourceChange, Unknown, ValuesReport
from helmguard.model.release import History
from helmguard.model.surroundings import RecordSize
from helmguard.planner.chart_definitions import chart_definitions
from helmguard.planner.inputs import NewRevision, PlanInputs
from helmguard.planner.judge_offline import judged_offline
from helmguard.planner.known_secrets import secrets_in_values
from helmguard.planner.readable_manifest import readable
from helmguard.planner.record_size import record_of_chart, record_size
from helmguard.planner.same_chart import is_same_chart
from helmguard.planner.upgrade_values import UpgradeValues
from helmguard.planner.value_facts import with_failing_values
from helmguard.values.table import to_json

if TYPE_CHECKING:
    from helmguard.model.judged_node import JudgedNode


def plan_release(
    base: RenderedSide | None,
    head: RenderedSide | None,
    renderer: SideRenderer,
    gate: Gate,
    live: LiveRelease | None = None,
    why_not_live: str = "",
    nodes: tuple[JudgedNode, ...] = (),
) -> Plan:
    """What applying the head does where the base was applied before.

    ``renderer`` is the head's. One of the sides may be None: the release comes, or goes as a whole. ``nodes``
    are those of the cluster whose facts are known.
    """
    inputs = replace(_inputs(base, head, renderer, gate), nodes=nodes)
    if live is None:
        side = head or base
        assert side is not None
        why = partial(why_kept, declared=side.declared, whole=head is None)
        plan = as_two_way(judged_offline(inputs), why, why_not_live)
        plan = _without_settled_questions(plan, base, head)
    else:
        inputs = replace(inputs, new=_with_kept(inputs.new, base, head))
        if live.history is not None:
            inputs = replace(inputs, operation="upgrade", history=live.history)
        plan = _with_reasons(live.judged(inputs), base, head)
    plan = with_new_random_values(plan, base)
    return _without_old_findings(plan, base, renderer, gate)


def _without_settled_questions(plan: Plan, base: RenderedSide | None, head: RenderedSide | None) -> Plan:
    """Without what cannot be told of objects and definitions that the change leaves as they are."""
    if base is None or head is None:
        return plan
    stale = stale_definitions(base, head)
    idle = {f"CustomResourceDefinition/{one.name}" for one in chart_definitions(head.chart)}
    idle -= {f"CustomResourceDefinition/{name}" for name in stale}
    idle |= {str(one.prediction.key) for one in plan.resources if one.action == "unchanged"}
    idle -= {str(one.prediction.key) for one in plan.resources if one.action != "unchanged"}
    findings = tuple(
        finding
        for finding in plan.findings
        if finding.result != "unknown" or finding.where.on != "object" or finding.where.name not in idle
    )
    return replace(plan, findings=findings)


def _without_old_findings(plan: Plan, base: RenderedSide | None, renderer: SideRenderer, gate: Gate) -> Plan:
    if base is None or base.error is not None or not any(one.result == "fires" for one in plan.findings):
        return plan
    return without_old_findings(plan, judged_offline(_inputs(base, base, renderer, gate)))


def _inputs(
    base: RenderedSide | None, head: RenderedSide | None, renderer: SideRenderer, gate: Gate
) -> PlanInputs:
    side = head or base
    assert side is not None
    declared = side.declared
    history = base_history(base, declared.name, declared.namespace)
    values, report, error = _values(base, head, renderer, history)
    new = _new_revision(base, head, error)
    enabled = values.result.enabled_charts if values else ()
    # An upgrade leaves crds/ alone; where the controller applies them they are in the manifest.
    as_objects = declared.options.crds == "apply"
    definitions = chart_definitions(head.chart, enabled) if head and not as_objects else ()
    return PlanInputs(
        operation="upgrade" if base is not None else "install",
        release=declared.name,
        namespace=declared.namespace,
        helm=renderer.command.helm.version,
        options=_options(declared, renderer.command.helm),
        history=history,
        new=new,
        new_chart=_chart(side),
        values=with_failing_values(report, side.chart, new.error),
        live={},
        chart_crds=tuple(definition.body for definition in definitions),
        definitions=definitions,
        record=_record(head, renderer, new),
        kubernetes=side.kubernetes,
        discovery=renderer.discovery,
        same_chart=head is not None and _is_of_chart(history, head),
        config=values.result.config if values else None,
        gate=gate,
        unknown=tuple(_unknown(base, head)),
        known_secrets=_secrets(base, head),
    )


def _values(
    base: RenderedSide | None, head: RenderedSide | None, renderer: SideRenderer, history: History
) -> tuple[UpgradeValues | None, ValuesReport, HelmguardError | None]:
    if head is None:
        return None, ValuesReport("reset", "the release leaves the repository"), None
    if head.values is None:
        return None, renderer.question(head).refused(head.given), head.error
    try:
        values = compared_values(renderer, head, history)
        if base is None or base.values is None:
            return values, values.report, head.error
        nothing = base_history(None, base.declared.name, base.declared.namespace)
        old = compared_values(renderer, base, nothing).report.warnings if values.report.warnings else ()
    except (ValuesError, ChartError) as error:
        return None, renderer.question(head).refused(head.given), error
    return values, repository_values(values.report, base, head, old), head.error


def _new_revision(
    base: RenderedSide | None, head: RenderedSide | None, error: HelmguardError | None
) -> NewRevision:
    if head is None:
        return NewRevision("", (), "template", "the release leaves the repository")
    if error is not None:
        return NewRevision(error=error.message, error_remedy=error.remedy, rendered_by="template")
    return readable(
        NewRevision(
            head.manifest,
            head.hooks,
            "template",
            "rendered from the repository",
            warnings=(*head.warnings, *head.notes, *_random_notes(base, head)),
            unstable=head.unstable,
        )
    )


def _with_kept(new: NewRevision, base: RenderedSide | None, head: RenderedSide | None) -> NewRevision:
    """With the objects that the controller leaves as they are when they leave the manifest.

    Helm's engine, which compares with the live objects, knows nothing of them.
    """
    side = head or base
    if base is None or side is None or new.error:
        return new
    names = {object_name(text) for text in source_documents(new.manifest)}
    kept = "".join(
        text
        for text in source_documents(base.manifest)
        if object_name(text) not in names and _stays(text, side.declared, whole=head is None)
    )
    return replace(new, manifest=new.manifest + kept)


def _with_reasons(plan: Plan, base: RenderedSide | None, head: RenderedSide | None) -> Plan:
    """The plan, in which objects that only the controller keeps are kept: they stand in no new rendering."""
    side = head or base
    if base is None or side is None:
        return plan
    manifest = head.manifest if head is not None else ""
    names = {object_name(text)[::2] for text in source_documents(manifest)}

    def told(resource: ResourceChange) -> ResourceChange:
        prediction = resource.prediction
        if resource.action != "unchanged" or prediction.previous is None:
            return resource
        if (prediction.key.kind, prediction.key.name) in names:
            return resource
        whole = head is None
        why = why_controller_keeps(prediction.previous, prediction.source, side.declared, whole=whole)
        if not why:
            return resource
        kept = replace(prediction, action="keep", why=f"left the manifest; {why}")
        return replace(resource, prediction=kept)

    return replace(plan, resources=tuple(map(told, plan.resources)))


def _stays(text: str, declared: DeclaredRelease, *, whole: bool) -> bool:
    try:
        body = yaml.load(text)
    except yaml.YAMLError:
        return False
    source = text.partition("\n# Source: ")[2].partition("\n")[0]
    return isinstance(body, dict) and bool(why_controller_keeps(body, source, declared, whole=whole))


def _random_notes(base: RenderedSide | None, head: RenderedSide) -> list[str]:
    found = dict.fromkeys((*(base.random if base else ()), *head.random))
    if not found:
        return []
    return [f"not compared, since each rendering gives another name: {', '.join(found)}"]


def _options(declared: DeclaredRelease, helm: HelmBinary) -> ApplyOptions:
    # Whether somebody waits for the pods is the controller's matter, and no flag of a command.
    options = ApplyOptions(no_hooks=declared.options.disable_hooks, wait=True)
    if declared.tool != "argo" or helm.version.major < 4:
        return options
    # Argo CD patches client-side unless it is told otherwise, and never stops at a conflict.
    server_side = declared.options.server_side
    return replace(options, server_side="true" if server_side else "false", force_conflicts=server_side)


def _chart(side: RenderedSide) -> ChartRef:
    metadata = side.chart.metadata
    return ChartRef(
        metadata.name, metadata.version, metadata.app_version, str(side.declared.chart), side.found.digest
    )


def _is_of_chart(history: History, head: RenderedSide) -> bool:
    """Whether the last revision was made from the head's chart."""
    revision = history.last()
    return revision is not None and is_same_chart(head.chart, revision.chart)


def _record(head: RenderedSide | None, renderer: SideRenderer, new: NewRevision) -> RecordSize | None:
    if head is None or head.values is None or new.error or head.declared.tool in ("argo", "kustomize"):
        return None
    result = head.values
    contents = record_of_chart(head.chart, result.chart_values, result.config, new.manifest, new.hooks)
    return record_size(contents, renderer.command.helm.version)


def _unknown(base: RenderedSide | None, head: RenderedSide | None) -> Iterable[Unknown]:
    """What is not known of either side, each thing once."""
    sides = [side for side in (head, base) if side is not None]
    declared = [entry for side in sides for entry in side.declared.unknown]
    layers = [
        Unknown(f"values from {layer.source}", layer.why)
        for side in sides
        for layer in side.declared.layers
        if layer.kind == "unknown" and not any(layer.why in entry.why for entry in declared)
    ]
    rendering = [entry for side in sides for entry in side.unknown]
    return dict.fromkeys((*declared, *layers, *rendering))


def _secrets(base: RenderedSide | None, head: RenderedSide | None) -> frozenset[str]:
    found: frozenset[str] = frozenset()
    for side in (base, head):
        if side is not None:
            trees = (side.values.values, to_json(side.values.config)) if side.values else ()
            found |= secrets_in_values(side.chart, trees, None)
    return found
