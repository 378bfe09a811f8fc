"""Gathering what an upgrade's or install's plan is computed from: values, rendering, live state."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import msgspec

from helmguard.cluster.concurrently import run_concurrently
from helmguard.errors import ChartError, HelmguardError, RenderError, ValuesError
from helmguard.helm.chart import load_chart
from helmguard.helm.chart_source import ChartSource, chart_source, files_digest
from helmguard.helm.render import Rendering, RenderTask, render
from helmguard.helm.render_way import scan
from helmguard.helm.template_inputs import template_inputs
from helmguard.helm.value_flags import RecordingReader, fetch_schema_file
from helmguard.model.plan import ChartRef, Unknown, ValuesReport
from helmguard.model.release import Revision
from helmguard.model.surroundings import RecordSize
from helmguard.planner.apply_options import apply_options
from helmguard.planner.chart_definitions import chart_definitions
from helmguard.planner.failed_revisions import failed_revisions
from helmguard.planner.frozen_reader import FrozenReader
from helmguard.planner.inputs import NewRevision, PlanInputs
from helmguard.planner.known_secrets import secrets_in_values
from helmguard.planner.live_reading import (
    LiveObjects,
    Wanted,
    merge_live,
    read_live_objects,
    wanted_definitions,
    wanted_objects,
    wanted_of_revisions,
)
from helmguard.planner.readable_manifest import readable
from helmguard.planner.record import record_of
from helmguard.planner.record_size import LIMIT, record_of_chart, record_size
from helmguard.planner.same_chart import is_same_chart
from helmguard.planner.session import Report, Session
from helmguard.planner.unstable_rendering import unstable_of
from helmguard.planner.upgrade_values import UpgradeValues, ValuesQuestion
from helmguard.planner.value_facts import with_failing_values
from helmguard.values.chart import Chart
from helmguard.values.table import Table


class UpgradeInputs(msgspec.Struct, frozen=True):
    """The inputs, and what is needed to render again: ``task`` is None where rendering failed.

    ``files`` holds what the value flags read, by the names as typed; ``asked`` and ``given`` are what the
    values were computed from.
    """

    inputs: PlanInputs
    values: UpgradeValues | None
    live: LiveObjects
    chart: Chart
    source: ChartSource
    asked: ValuesQuestion
    given: Table
    task: RenderTask | None = None
    files: Mapping[str, bytes] = {}


@contextmanager
def upgrade_inputs(session: Session, install: bool, report: Report) -> Iterator[UpgradeInputs]:
    """Everything for the plan; a pulled chart is there until the block ends.

    Raises:
        HelmguardError: the chart, a values file or a flag cannot be read, or the cluster cannot.
    """
    frozen = session.request.frozen
    if frozen is not None:
        yield _gather(session, frozen.source(session.options), install, report)
        return
    with chart_source(session.options, session.command) as source:
        yield _gather(session, source, install, report)


def current_record(session: Session, install: bool) -> Revision | None:
    """The revision whose values and manifest the upgrade builds on; None for an install.

    Where Helm refuses the upgrade (no deployed revision), the last one stands in, to show what it holds.
    """
    if install:
        return None
    return session.history.current_for_upgrade() or session.history.last()


def _gather(session: Session, source: ChartSource, install: bool, report: Report) -> UpgradeInputs:
    report("computing values")
    chart = load_chart(source.path, session.helm.version)
    current = current_record(session, install)
    reader, stdin = _readers(session)
    asked = ValuesQuestion.of(session.options, session.helm, chart, current, session.history)
    given = asked.read_given(reader)
    values, report_of_values, error = _values(asked, given)
    task = render_task(session, source, chart, current, values, stdin()) if values else None
    report("rendering the chart and reading live objects")
    rendering, live = _render_and_read(session, task, current)
    new = readable(_new_revision(session, rendering, error))
    definitions = chart_definitions(chart, values.result.enabled_charts if values else ())
    crds = tuple(definition.body for definition in definitions)
    after = wanted_objects(new.manifest, new.hooks, session.namespace, session.discovery, crds)
    after |= wanted_definitions(crds)
    missing = {key: version for key, version in after.items() if live.api_versions.get(key) != version}
    if missing:
        live = merge_live(live, read_live_objects(session.connection, session.discovery, missing))
    inputs = PlanInputs(
        operation="install" if install else "upgrade",
        release=session.request.release,
        namespace=session.namespace,
        helm=session.helm.version,
        options=apply_options(session.options),
        history=session.history,
        new=new,
        new_chart=_chart_ref(chart, source),
        values=with_failing_values(report_of_values, chart, new.error),
        live=live.states,
        crds=live.crds,
        chart_crds=crds,
        definitions=definitions,
        record=_record(session, chart, values, new),
        discovery=session.discovery,
        same_chart=current is not None and is_same_chart(chart, current.chart),
        config=values.result.config if values else None,
        keep_command=values.keep_command if values else "",
        gate=session.request.gate,
        unknown=(*live.unknown, *_unsure(rendering)),
        known_secrets=_known_secrets(chart, values, report_of_values, current),
    )
    return UpgradeInputs(inputs, values, live, chart, source, asked, given, task, reader.read)


def _known_secrets(
    chart: Chart, values: UpgradeValues | None, report: ValuesReport, current: Revision | None
) -> frozenset[str]:
    effective = values.result.values if values else None
    return secrets_in_values(chart, (effective, report.config), current)


def _record(session: Session, chart: Chart, values: UpgradeValues | None, new: NewRevision) -> RecordSize:
    if values is None or new.error:
        return RecordSize(None, LIMIT, why="there is no new revision")
    result = values.result
    contents = record_of_chart(chart, result.chart_values, result.config, new.manifest, new.hooks)
    return record_size(contents, session.helm.version, session.connection.driver)


def _readers(session: Session) -> tuple[RecordingReader, Callable[[], bytes | None]]:
    """What reads the values files, and what tells afterwards what standard input held."""
    frozen = session.request.frozen
    if frozen is not None:
        return RecordingReader(read_file=FrozenReader(frozen.files)), frozen.standard_input
    stdin = _Stdin()
    return RecordingReader(read_stdin=stdin), lambda: stdin.content


class _Stdin:
    """Standard input, read once: ``-f -`` is needed by our own reading and by helm."""

    content: bytes | None = None

    def __call__(self) -> bytes:
        if self.content is None:
            self.content = sys.stdin.buffer.read()
        return self.content


def _values(
    asked: ValuesQuestion, given: Table
) -> tuple[UpgradeValues | None, ValuesReport, HelmguardError | None]:
    """The values, or the error on which Helm stops before it changes anything."""
    try:
        values = asked.answer(given, fetch_schema_file)
    except (ValuesError, ChartError) as error:
        return None, asked.refused(given), error
    return values, values.report, None


def render_task(
    session: Session,
    source: ChartSource,
    chart: Chart,
    current: Revision | None,
    values: UpgradeValues,
    stdin: bytes | None,
) -> RenderTask:
    """What to render for these values."""
    inputs = template_inputs(
        values.result,
        current=record_of(current) if current else None,
        helm=session.helm.version,
        kubernetes_version=session.discovery.kubernetes_version,
        api_versions=session.discovery.helm_api_versions(),
    )
    return RenderTask(session.command, session.options, source, chart, inputs, stdin)


def _wanted_before(session: Session, current: Revision | None) -> Wanted:
    """The old manifest's objects, its hooks, and what failed revisions brought."""
    failed = failed_revisions(session.history, current)
    wanted = wanted_of_revisions(failed, session.namespace, session.discovery)
    if current is not None:
        wanted |= wanted_objects(current.manifest, current.hooks, session.namespace, session.discovery)
    return wanted


def _render_and_read(
    session: Session, task: RenderTask | None, current: Revision | None
) -> tuple[Rendering | HelmguardError | None, LiveObjects]:
    """Side by side: helm is a process of its own, and reading the old manifest takes as long as it does."""
    # Helm takes longest: what has to be known before it starts is not done beside other work.
    scanned = scan(task.chart, task.inputs) if task else None

    def render_it() -> Any:
        if task is None:
            return None
        try:
            return render(task, exact=session.request.render_by == "dry-run", scanned=scanned)
        except (RenderError, ValuesError, ChartError) as error:
            return error

    def read_it() -> Any:
        wanted = _wanted_before(session, current)
        return read_live_objects(session.connection, session.discovery, wanted)

    tasks: list[Callable[[], Any]] = [render_it, read_it]
    rendering, live = run_concurrently(tasks)
    return rendering, live


def _new_revision(
    session: Session, rendering: Rendering | HelmguardError | None, error: HelmguardError | None
) -> NewRevision:
    if isinstance(rendering, HelmguardError):
        error = rendering
    if error is not None or not isinstance(rendering, Rendering):
        message = error.message if error else "the chart was not rendered"
        return NewRevision(error=message, error_remedy=error.remedy if error else "", rendered_by="template")
    rendered = rendering.rendered
    return NewRevision(
        manifest=rendered.manifest,
        hooks=rendered.hooks,
        rendered_by=rendered.how,
        why=rendered.why,
        warnings=rendered.warnings,
        unstable=unstable_of(rendering, session.namespace, session.discovery.is_namespaced),
    )


def _unsure(rendering: Rendering | HelmguardError | None) -> list[Unknown]:
    if not isinstance(rendering, Rendering):
        return []
    return [Unknown("rendering", reason) for reason in rendering.rendered.unsure]


def _chart_ref(chart: Chart, source: ChartSource) -> ChartRef:
    metadata = chart.metadata
    digest = source.digest or files_digest([*chart.files, *chart.templates])
    return ChartRef(metadata.name, metadata.version, metadata.app_version, source.reference, digest)
