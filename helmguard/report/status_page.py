"""The state of a release as a page for people."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.masking.masker import Masker
from helmguard.model.release_state import AppliedObject, ReleaseState, Remark, RevisionRef
from helmguard.report.drift_fields import moment
from helmguard.report.drift_page import left_over, named_object
from helmguard.report.layout import wrapped
from helmguard.report.page import Page, Pen
from helmguard.report.plural import plural
from helmguard.report.section import HEADING_WIDTH, counts_line, dotted
from helmguard.report.status_verdict import status_verdict
from helmguard.report.status_ways import ways_out
from helmguard.report.styles import EMPTY, Line, Span, Style, to_text
from helmguard.report.unknown import unknown_lines

_SHOWN = 25
_SIGNS: dict[str, tuple[str, Style]] = {
    "create": ("+", "create"),
    "update": ("~", "update"),
    "delete": ("-", "delete"),
}
_DONE = {"create": "created", "update": "updated", "delete": "deleted"}


def render_status(state: ReleaseState, page: Page, masker: Masker, *, quiet: bool = False) -> str:
    """The whole page, or with ``quiet`` its last line; ends with a line feed."""
    last = status_verdict(state)
    if quiet:
        return to_text([last], colour=page.colour)
    pen = Pen(page, masker)
    lines = [EMPTY, *status_lines(state, pen), *wrapped(last, page.columns)]
    return to_text(lines, colour=page.colour)


def status_lines(state: ReleaseState, pen: Pen) -> Iterator[Line]:
    """All but the verdict: what is the case, how far it came, what is left, what to do."""
    yield from wrapped(dotted(_header(state, pen), pen), pen.page.columns, 2)
    yield EMPTY
    yield from _story(state, pen)
    yield from _progress(state, pen)
    yield from left_over(state.left_over, state.namespace, pen)
    yield from _remarks(state.remarks, pen)
    yield from unknown_lines([(item.what, item.why) for item in state.unknown], pen)
    yield from ways_out(state, pen)
    yield from _records(state, pen)


def _header(state: ReleaseState, pen: Pen) -> list[Span]:
    parts = [pen.text(state.name, "bold"), pen.text(f"namespace {state.namespace}")]
    last, deployed = state.last, state.deployed
    if last is not None:
        parts.append(_revision(last, pen, "" if last.status == "deployed" else "warning"))
    if deployed is not None and last is not None and deployed.version != last.version:
        parts.append(_revision(deployed, pen, ""))
    shown = deployed or last
    if shown is not None:
        parts.append(pen.text(f"chart {shown.chart}"))
        parts.append(pen.text(f"since {moment(shown.updated)}"))
    return parts


def _revision(revision: RevisionRef, pen: Pen, style: Style) -> Span:
    return pen.text(f"revision {revision.version} {revision.status}", style)


def _story(state: ReleaseState, pen: Pen) -> Iterator[Line]:
    if state.condition == "deployed":
        return
    signs: dict[int, tuple[str, Style]] = {2: ("!", "warning"), 3: (pen.symbols.fail, "bad")}
    sign, style = signs.get(state.exit_code, ("!", "warning"))
    yield from wrapped([Span(f"{sign} ", style), pen.prose(state.summary, style)], pen.page.text_width, 2)
    for sentence in state.story:
        yield from wrapped([Span("  "), pen.prose(sentence)], pen.page.text_width, 4)
    for sign_of_life in state.running.signs if state.running else ():
        yield from wrapped([Span("    "), pen.prose(sign_of_life, "dim")], pen.page.text_width, 6)
    yield EMPTY


def _progress(state: ReleaseState, pen: Pen) -> Iterator[Line]:
    progress = state.progress
    if progress is None or not progress.objects:
        return
    where = "gone" if state.condition == "uninstalling" else "in the cluster"
    counts: list[tuple[str, Style]] = [
        (f"{progress.count('applied')} of {len(progress.objects)} {where}", "warning")
    ]
    if progress.unchanged:
        counts.append((f"{progress.unchanged} unchanged by it", "dim"))
    yield from wrapped(counts_line("Half way", counts, pen), pen.page.text_width, HEADING_WIDTH)
    shown = progress.objects if pen.page.show_noise else progress.objects[:_SHOWN]
    for item in shown:
        sign, style = _SIGNS[item.change]
        yield from named_object(item.key, state.namespace, pen, Span(sign, style), applied_text(item, pen))
    if len(shown) < len(progress.objects):
        more = len(progress.objects) - len(shown)
        yield (Span(f"  {pen.symbols.ellipsis} {more} more objects (--show-noise)", "dim"),)
    yield EMPTY


def applied_text(item: AppliedObject, pen: Pen) -> str:
    """``created``; ``not updated: spec.replicas``; ``updated in part, not: data.b``."""
    if item.state == "applied":
        text = _DONE[item.change]
    elif item.state == "unknown":
        text = f"not known whether it was {_DONE[item.change]}"
    else:
        partly = item.state == "partly"
        text = f"{_DONE[item.change]} in part" if partly else f"not {_DONE[item.change]}"
        if item.missing:
            paths = ", ".join(pen.masker.path(path) for path in item.missing[:3])
            more = f" and {len(item.missing) - 3} more" if len(item.missing) > 3 else ""
            text += f"{', not' if partly else ''}: {paths}{more}"
    return f"{text} ({item.why})" if item.why else text


def _remarks(remarks: tuple[Remark, ...], pen: Pen) -> Iterator[Line]:
    """But for what has a section of its own."""
    told = [remark for remark in remarks if remark.kind != "left-over"]
    for remark in told:
        style: Style = "warning" if remark.attention else "dim"
        sign = "!" if remark.attention else "-"
        yield from wrapped([Span(f"{sign} ", style), pen.prose(remark.text)], pen.page.text_width, 2)
        for text in remark.remedy:
            yield from wrapped([Span("    see  ", "dim"), pen.command(text, "good")], pen.page.columns, 9)
    if told:
        yield EMPTY


def _records(state: ReleaseState, pen: Pen) -> Iterator[Line]:
    record, kept = state.record, state.kept
    parts: list[tuple[str, Style]] = []
    if kept is not None:
        of = f" of {kept.limit} kept" if kept.limit else ""
        parts.append((f"{plural(kept.stored, 'revision')} stored{of}", "dim"))
    if record is not None and record.size is not None:
        limit = " of 1024 KiB" if record.limit else ""
        grown = 0 if record.before is None else record.size - record.before
        more = f" ({'+' if grown > 0 else '-'}{_kib(abs(grown))})" if abs(grown) > 100 else ""
        parts.append((f"the last takes {_kib(record.size)}{limit}{more}", "dim"))
    if parts:
        yield from wrapped(counts_line("Records", parts, pen), pen.page.text_width, HEADING_WIDTH)
        yield EMPTY


def _kib(size: int) -> str:
    return f"{size / 1024:.1f} KiB"
