"""Rendering a chart as Helm would for one upgrade or install."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

import msgspec
from msgspec.structs import replace

from helmguard.errors import HelmError, HelmguardError, PermissionDeniedError
from helmguard.helm.chart_source import ChartSource
from helmguard.helm.command import HelmCommand
from helmguard.helm.dry_run import render_exact
from helmguard.helm.flags import RenderOptions
from helmguard.helm.later_clock import with_later_clock
from helmguard.helm.process import stop_running
from helmguard.helm.render_errors import RenderContext
from helmguard.helm.render_way import ChosenWay, choose_way, scan
from helmguard.helm.rendered import Rendered, TemplateInputs, ends_in_block
from helmguard.helm.template_render import render_fast
from helmguard.helm.template_scan import TemplateScan
from helmguard.helm.values_transport import NotTransportableError
from helmguard.values.chart import Chart

_LAST_BLOCK = "the last document ends in a text whose white space helm template does not show"


class RenderTask(msgspec.Struct, frozen=True):
    """All that rendering needs. ``stdin`` is what a values file named ``-`` holds."""

    command: HelmCommand
    options: RenderOptions
    source: ChartSource
    chart: Chart
    inputs: TemplateInputs
    stdin: bytes | None = None

    @property
    def context(self) -> RenderContext:
        """What helps to explain a failure."""
        return RenderContext(
            capabilities=self.command.helm.capabilities,
            chart=str(self.source.path),
            release=self.options.release,
            reuse_values=self.inputs.chart_values is not None,
            defaults=self.chart.values,
        )


class Rendering(msgspec.Struct, frozen=True):
    """The rendering, and a second one where the templates use functions with another result each time.

    ``unstable_functions`` names them; what differs between the two is unstable
    (`helmguard.helm.unstable_documents`).
    """

    rendered: Rendered
    again: Rendered | None = None
    unstable_functions: tuple[str, ...] = ()


def render(
    task: RenderTask, *, cluster: bool = True, exact: bool = False, scanned: TemplateScan | None = None
) -> Rendering:
    """Render by the cheapest way that gives what Helm would apply.

    ``cluster`` tells whether helm may talk to the cluster; ``exact`` asks for helm's own dry run in any case.
    ``scanned`` is what `scan` says of the task, where the caller knows it.

    Raises:
        HelmguardError: the chart does not render, or helm cannot be run; the message is helm's own, masked.
    """
    found = scanned or scan(task.chart, task.inputs)
    way = choose_way(found, task.options, cluster=cluster)
    if exact and cluster:
        way = ChosenWay("dry-run-server", "asked for", doubts=way.doubts)
    if not found.unstable:
        return Rendering(_render(task, way, cluster=cluster))
    with _task_for_second_run(task, found.unstable) as again:
        first, second = _twice(
            lambda: _render(task, way, cluster=cluster), lambda: _render(again, way, cluster=cluster)
        )
    return Rendering(first, second, found.unstable)


@contextmanager
def _task_for_second_run(task: RenderTask, unstable: Collection[str]) -> Iterator[RenderTask]:
    """The same task; with another time on the clock where templates ask for it."""
    if "now" not in unstable:
        yield task
        return
    with with_later_clock(task.source, task.command.helm.version) as source:
        yield replace(task, source=source)


def _render(task: RenderTask, way: ChosenWay, *, cluster: bool) -> Rendered:
    if way.how == "dry-run-server":
        return _exact(task, way)
    try:
        rendered = _template(task, way)
    except NotTransportableError as error:
        if cluster:
            return _exact(task, _dry_run_because(str(error)))
        raise HelmError(f"cannot render without a cluster: {error}") from None
    if task.command.helm.version.major < 4 or not ends_in_block(rendered.manifest):
        return rendered
    if cluster:
        return _exact(task, _dry_run_because(_LAST_BLOCK))
    return replace(rendered, unsure=(*rendered.unsure, _LAST_BLOCK))


def _dry_run_because(why: str) -> ChosenWay:
    return ChosenWay("dry-run-server", why, doubts=why)


def _exact(task: RenderTask, way: ChosenWay) -> Rendered:
    try:
        return render_exact(
            task.command,
            task.options,
            task.source,
            task.context,
            given=task.inputs.given,
            stdin=task.stdin,
            why=way.why,
        )
    except HelmguardError as error:
        reason = _reason_to_render_without(error)
        if not reason:
            raise
        stops = f"helm's dry run stops: {reason}"
        unsure = (f"{way.doubts}; {stops}",) if way.doubts else ()
        return _template(task, ChosenWay("template", stops, unsure=unsure))


def _reason_to_render_without(error: HelmguardError) -> str:
    """Why helm's dry run stopped although the chart renders, empty where it does not.

    The dry run builds and looks up every object. It cannot do that for kinds whose definitions the chart
    brings in ``crds/``, nor without the right to read them; an object's owner is a matter for the prediction.
    """
    if isinstance(error, PermissionDeniedError):
        return "helm may not read all objects"
    if "no matches for kind" in error.message:
        return "a kind is not served by the cluster"
    if "cannot be imported into the current release" in error.message:
        return "an object belongs to another owner"
    return ""


def _template(task: RenderTask, way: ChosenWay) -> Rendered:
    try:
        return _fast(task, way)
    except HelmguardError as error:
        reason = _reason_to_render_without(error)
        if not way.ask_cluster or not reason:
            raise
    not_asked = f"the cluster could not be asked: {reason}"
    return _fast(
        task, ChosenWay("template", f"{way.why}; {not_asked}", unsure=(f"{way.doubts}; {not_asked}",))
    )


def _fast(task: RenderTask, way: ChosenWay) -> Rendered:
    return render_fast(
        task.command,
        task.options,
        task.source,
        task.inputs,
        task.context,
        ask_cluster=way.ask_cluster,
        why=way.why,
        unsure=way.unsure,
    )


def _twice(
    run: Callable[[], Rendered], run_again: Callable[[], Rendered]
) -> tuple[Rendered, Rendered | None]:
    """Run both at the same time; the second result is None where only the second failed."""
    second: list[Rendered] = []

    def run_second() -> None:
        try:
            second.append(run_again())
        except HelmguardError:
            # The first run reports the failure, or succeeded: then there is nothing to compare with.
            return

    thread = threading.Thread(target=run_second, daemon=True)
    thread.start()
    try:
        first = run()
    except KeyboardInterrupt:
        stop_running()
        raise
    finally:
        thread.join()
    return first, second[0] if second else None
