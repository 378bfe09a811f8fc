"""A verification as a page for people: what is not well first, what is well in one line each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from helmguard.masking.masker import Masker
from helmguard.masking.secret_marks import without_digest
from helmguard.model.field_change import MISSING
from helmguard.model.resource_key import ResourceKey
from helmguard.model.verification import (
    FieldDifference,
    HookResult,
    ObjectDifference,
    Rollout,
    Verification,
    VerificationStep,
)
from helmguard.report.drift_fields import moment
from helmguard.report.layout import columns, wrapped
from helmguard.report.page import Page, Pen
from helmguard.report.plural import plural
from helmguard.report.section import HEADING_WIDTH, counts_line, dotted
from helmguard.report.shell_lines import command_lines
from helmguard.report.styles import EMPTY, Line, Span, Style, to_text
from helmguard.report.unknown import unknown_lines
from helmguard.report.verification_verdict import verification_verdict

_SHOWN = 25
_STYLES: dict[str, Style] = {
    "failed": "bad",
    "stuck": "bad",
    "progressing": "warning",
    "running": "warning",
    "waiting": "warning",
    "unknown": "warning",
    "skipped": "dim",
    "not run": "dim",
}
_WORDS = {"progressing": "on the way"}


def render_verification(
    verification: Verification, page: Page, masker: Masker, *, verdict: bool = True, quiet: bool = False
) -> str:
    """The whole page, or with ``quiet`` its last line; ends with a line feed.

    Without a ``verdict`` it goes on where another page has ended.
    """
    pen = Pen(page, masker)
    last = verification_verdict(verification)
    if quiet:
        return to_text([last], colour=page.colour)
    lines = [*verification_header(verification, pen), EMPTY, *verification_lines(verification, pen)]
    if verdict:
        lines = [EMPTY, *lines, *wrapped(last, page.columns)]
    return to_text(lines, colour=page.colour)


def verification_lines(verification: Verification, pen: Pen) -> Iterator[Line]:
    """The sections."""
    for text in verification.trouble:
        yield from wrapped([Span(f"{pen.symbols.fail} ", "bad"), pen.text(text, "bad")], pen.page.columns, 2)
    if verification.trouble:
        yield EMPTY
    yield from _objects(verification, pen)
    yield from _remarks(verification, pen)
    yield from _rollouts(verification.rollouts, pen)
    yield from _hooks(verification.hooks, pen)
    yield from _steps(verification.steps, pen)
    yield from unknown_lines([(item.what, item.why) for item in verification.unknown], pen)


def verification_header(verification: Verification, pen: Pen) -> Iterator[Line]:
    """What was compared with what."""
    parts = [pen.text(verification.release, "bold"), pen.text(f"namespace {verification.namespace}")]
    revision = f"revision {verification.revision}"
    if verification.revision is not None and verification.against != revision:
        parts.append(Span(revision))
    parts.append(pen.text(f"compared with {verification.against}"))
    yield from wrapped(dotted(parts, pen), pen.page.columns, 2)


def _objects(verification: Verification, pen: Pen) -> Iterator[Line]:
    found = verification.differences
    counts: list[tuple[str, Style]] = [(f"{plural(verification.compared, 'object')} compared", "")]
    many = "1 differs" if len(found) == 1 else f"{len(found)} differ"
    counts.append((many, "bad") if found else ("none differs", "good"))
    yield from wrapped(counts_line("Objects", counts, pen), pen.page.text_width, HEADING_WIDTH)
    for item in found:
        yield from _object(item, verification, pen, Span(pen.symbols.fail, "bad"))
    yield EMPTY


def _remarks(verification: Verification, pen: Pen) -> Iterator[Line]:
    """What others did since; what the server filled in only where all is to be shown."""
    shown = []
    for item in verification.remarks:
        fields = tuple(field for field in item.fields if pen.page.show_noise or field.manager)
        if fields or item.why:
            shown.append(ObjectDifference(item.key, item.api_version, item.kind, fields, item.why))
    if not shown:
        return
    heading = counts_line(
        "Since", [(f"{plural(len(shown), 'object')} changed by others, no difference", "dim")], pen
    )
    yield from wrapped(heading, pen.page.text_width, HEADING_WIDTH)
    for item in shown:
        yield from _object(item, verification, pen, Span("~", "dim"))
    yield EMPTY


def _object(item: ObjectDifference, verification: Verification, pen: Pen, sign: Span) -> Iterator[Line]:
    spans = [Span("  "), sign, Span(" "), pen.text(str(item.key), "bold")]
    if item.key.namespace is not None and item.key.namespace != verification.namespace:
        spans.append(pen.text(f" in {item.key.namespace}"))
    said: list[str] = [item.kind] if item.kind != "differs" else []
    said += [item.why] if item.why else []
    if said:
        spans += [Span("  "), pen.prose(", ".join(said))]
    yield from wrapped(spans, pen.page.columns, 6)
    fields = item.fields if pen.page.show_noise else item.fields[:_SHOWN]
    yield from columns([_field(item.key, field, pen) for field in fields], pen.page.columns, 6)
    more = len(item.fields) - len(fields)
    if more:
        yield (Span(f"      {pen.symbols.ellipsis} {more} more fields (--show-noise)", "dim"),)


def _field(key: ResourceKey, field: FieldDifference, pen: Pen) -> list[Line]:
    """``! spec.replicas  3 predicted, is 5  kubectl (scale), 2026-11-30 06:22 UTC``."""
    predicted, actual = (
        pen.masker.field(key, field.path, value) for value in (field.predicted, field.actual)
    )
    sign = "+" if predicted is MISSING else "-" if actual is MISSING else "!"
    path = Span(pen.escape(without_digest(pen.masker.path(field.path))))
    who = ", ".join(part for part in (field.manager, moment(field.since), field.note) if part)
    return [(Span(sign, "warning"),), (path,), tuple(pen.change(predicted, actual)), (pen.text(who, "dim"),)]


def _rollouts(rollouts: Sequence[Rollout], pen: Pen) -> Iterator[Line]:
    if not rollouts:
        return
    yield from _heading("Rollouts", [item.state for item in rollouts], "done", pen)
    for item in rollouts:
        if item.state == "done" and not pen.page.show_noise and not item.reasons:
            continue
        yield from rollout_lines(item, pen)
    yield EMPTY


def rollout_lines(rollout: Rollout, pen: Pen) -> Iterator[Line]:
    """A workload, how far it is, and why it is no further."""
    head = [_sign(rollout.state, pen), pen.text(str(rollout.key), "bold"), Span("  ")]
    yield from wrapped([*head, pen.prose(rollout.words), *_state(rollout.state)], pen.page.columns, 6)
    for reason in rollout.reasons:
        yield from wrapped([Span("      "), pen.prose(reason)], pen.page.columns, 8)


def _hooks(hooks: Sequence[HookResult], pen: Pen) -> Iterator[Line]:
    if not hooks:
        return
    yield from _heading("Hooks", [item.state for item in hooks], "succeeded", pen)
    for item in hooks:
        if item.state == "succeeded" and not pen.page.show_noise:
            continue
        spans = [
            _sign(item.state, pen),
            pen.text(f"{item.kind}/{item.name}", "bold"),
            pen.text(f" {item.event}"),
        ]
        why = [Span("  "), pen.prose(item.why)] if item.why else []
        yield from wrapped([*spans, *_state(item.state), *why], pen.page.columns, 6)
    yield EMPTY


def _steps(steps: Sequence[VerificationStep], pen: Pen) -> Iterator[Line]:
    if not steps:
        return
    yield from _heading("Steps", [item.state for item in steps], "passed", pen)
    for item in steps:
        if item.state in ("passed", "skipped") and not pen.page.show_noise:
            continue
        yield from wrapped(
            [_sign(item.state, pen), pen.prose(item.what), *_state(item.state)], pen.page.columns, 6
        )
        if item.why:
            yield from wrapped([Span("      "), pen.prose(item.why)], pen.page.columns, 8)
        if item.on_fail:
            command = pen.command(item.on_fail).text
            yield from command_lines("look", command, pen.page.columns, 6, 8)
    yield EMPTY


def _heading(name: str, states: Sequence[str], good: str, pen: Pen) -> list[Line]:
    counts: list[tuple[str, Style]] = []
    for state in dict.fromkeys([good, *sorted(states)]):
        count = states.count(state)
        if count:
            counts.append(
                (f"{count} {_WORDS.get(state, state)}", "good" if state == good else _STYLES[state])
            )
    return wrapped(counts_line(name, counts, pen), pen.page.text_width, HEADING_WIDTH)


def _sign(state: str, pen: Pen) -> Span:
    style = _STYLES.get(state, "")
    sign = (
        pen.symbols.fail
        if style == "bad"
        else "?"
        if state == "unknown"
        else "="
        if style in ("", "dim")
        else "~"
    )
    return Span(f"  {sign} ", style)


def _state(state: str) -> list[Span]:
    """The state in words, where it is not well."""
    style = _STYLES.get(state)
    return [Span("  "), Span(_WORDS.get(state, state), style)] if style else []
