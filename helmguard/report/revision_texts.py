"""What a stored revision holds beside values and manifest: its notes and its hooks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from helmguard.manifest.hooks import Hook, hooks_for
from helmguard.masking.secret_marks import without_digest
from helmguard.model.release import Revision
from helmguard.report.drift_fields import moment
from helmguard.report.hooks import delete_words
from helmguard.report.layout import wrapped
from helmguard.report.page import Pen
from helmguard.report.plural import plural
from helmguard.report.styles import EMPTY, Line, Span, Style

_PHASES: dict[str, Style] = {"Succeeded": "good", "Failed": "bad", "Running": "warning"}


def notes_lines(revision: Revision, pen: Pen) -> Iterator[Line]:
    """As Helm shows them after the revision was made."""
    if not revision.notes.strip():
        yield (Span(f"Revision {revision.version} has no notes: its chart writes none.", "dim"),)
        return
    # Masked as a whole: a secret may have several lines.
    for text in pen.masker.text(revision.notes).rstrip("\n").split("\n"):
        yield from wrapped([Span(pen.escape(without_digest(text)))], pen.page.columns)


def hooks_lines(revision: Revision, hooks: Sequence[Hook], pen: Pen) -> Iterator[Line]:
    """The hooks by event in the order in which they run, then what each one creates."""
    if not hooks:
        yield (Span(f"Revision {revision.version} has no hooks.", "dim"),)
        return
    yield (Span(plural(len(hooks), "hook"), "bold"), Span(f" of revision {revision.version}", "dim"))
    for event in dict.fromkeys(event for hook in hooks for event in hook.events):
        yield EMPTY
        yield (pen.text(event, "bold"),)
        for hook in hooks_for(event, hooks):
            yield from wrapped(_summary(hook, pen), pen.page.columns, 6)
    for hook in hooks:
        yield EMPTY
        yield (pen.text(_name(hook), "bold"), Span("  "), pen.text(hook.path, "dim"))
        yield from _manifest(hook, pen)


def _summary(hook: Hook, pen: Pen) -> list[Span]:
    spans = [
        Span("  "),
        pen.text(_name(hook)),
        Span(f"  weight {hook.weight}", "dim"),
        pen.text(f"  {delete_words(hook.delete_policies)}", "dim"),
    ]
    phase = str(hook.last_run.get("phase") or "")
    ended = str(hook.last_run.get("completed_at") or "")
    if phase and phase != "Unknown":
        spans.append(pen.text(f"  {phase.lower()}", _PHASES.get(phase, "")))
        spans.append(pen.text(f" {moment(ended)}" if ended else "", "dim"))
    return spans


def _name(hook: Hook) -> str:
    return f"{hook.object.kind}/{hook.object.name}"


def _manifest(hook: Hook, pen: Pen) -> Iterator[Line]:
    from helmguard.manifest import yaml

    masked = pen.masker.object(hook.object.body) or {}
    for text in yaml.dump(masked, sort_keys=False).rstrip("\n").split("\n"):
        yield (Span(f"  {pen.escape(without_digest(text))}"),)
