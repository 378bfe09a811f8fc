"""The top of the page: which release, which revisions, which Helm, which values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from helmguard.model.helm_version import HelmVersion
from helmguard.model.plan import ChartRef, Plan
from helmguard.model.value_change import ValueChange
from helmguard.report.layout import wrapped
from helmguard.report.page import Pen
from helmguard.report.section import dotted
from helmguard.report.styles import Line, Span

_RESET = "values RESET to chart defaults"
_NOTHING_LOST = "this command's values over the chart's defaults"
_MODES: dict[str, str] = {
    "install": "values from the chart and this command",
    "reset": _RESET,
    "given: reset": _RESET,
    "reuse": "old values and old chart defaults reused",
    "reset-then-reuse": "old overrides kept over the chart's defaults",
    "none given: previous reused": "old overrides kept over the chart's defaults",
    "stored": "the stored manifest is applied as it is",
    "unknown": "values not known",
}
_METHODS = {"csa": "patch client-side (three-way)", "ssa": "apply server-side"}


def header(plan: Plan, pen: Pen) -> Iterator[Line]:
    """Two or three lines, and the planner's notes."""
    yield from wrapped(dotted(_release(plan, pen), pen), pen.page.columns, 2)
    yield from wrapped(dotted(engine_parts(plan, pen), pen), pen.page.text_width, 2)
    for note in plan.notes:
        yield from wrapped([pen.text(note, "dim")], pen.page.text_width, 2)


def _release(plan: Plan, pen: Pen) -> list[Span]:
    release = plan.release
    parts = [pen.text(release.name, "bold"), pen.text(f"namespace {release.namespace}")]
    if release.from_revision is None:
        parts.append(Span(f"{plan.operation}, revision {release.to_revision}"))
    else:
        verb = "rollback, " if plan.operation == "rollback" else ""
        parts.append(
            Span(f"{verb}revision {release.from_revision} {pen.symbols.arrow} {release.to_revision}")
        )
    if release.last_revision not in (None, release.from_revision):
        parts.append(pen.text(f"revision {release.last_revision} is {release.status}", "warning"))
    elif release.status not in ("", "deployed") and release.from_revision is not None:
        parts.append(pen.text(f"now {release.status}", "warning"))
    parts.append(pen.text(charts_text(release.chart, release.new_chart, pen)))
    return parts


def charts_text(old: ChartRef | None, new: ChartRef, pen: Pen) -> str:
    if not new.version:
        return f"chart {new.name}, version not known"
    if old is None:
        return f"chart {new.name} {new.version}"
    if old.name != new.name:
        return f"chart {old.name} {old.version} {pen.symbols.arrow} {new.name} {new.version}"
    if old.version != new.version:
        return f"chart {new.name} {old.version} {pen.symbols.arrow} {new.version}"
    return f"chart {new.name} {new.version} (same)"


def engine_parts(plan: Plan, pen: Pen) -> list[Span]:
    """How Helm will act, and what becomes of the old values."""
    engine, values = plan.engine, plan.values
    method = f"Helm {engine.helm} will {_METHODS[engine.apply_method]}"
    if engine.why and is_helm_4(engine.helm):
        method = f"{method.replace(' (three-way)', ', three-way')} ({engine.why})"
    mode = mode_text(values.mode, values.mode_why, values.changes)
    parts = [pen.text(method)]
    if mode:
        parts.append(pen.text(mode, "warning" if "RESET" in mode else ""))
    return parts


def mode_text(mode: str, why: str, changes: Iterable[ValueChange]) -> str:
    """What becomes of the old values, and why, in words; empty where there is no mode."""
    text = _MODES.get(mode, f"value mode {mode}" if mode else "")
    if text == _RESET and not any(change.cause == "lost override" for change in changes):
        text = _NOTHING_LOST
    if text and why:
        text += f", {why}" if why.startswith("because") else f" ({why})"
    return text


def is_helm_4(version: str) -> bool:
    """Helm 3 knows only one way; for Helm 4 it matters why it takes the one it takes."""
    try:
        return HelmVersion.parse(version).major >= 4
    except ValueError:
        return True
