"""A plan in one line, for the title of a screen: where to, what was found, whether it may run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from helmguard.model.field_path import FieldPath
from helmguard.model.finding import SEVERITIES, Waiver
from helmguard.model.plan import Plan
from helmguard.report.exit_code import CHANGES, FINDINGS, exit_code, is_uncertain
from helmguard.report.header import mode_text
from helmguard.report.page import Pen
from helmguard.report.section import dotted
from helmguard.report.styles import Line, Span, Style

_LEADS = {"rollback": "Rollback: ", "install": "Install: ", "drift": "Drift: ", "comparison": ""}
_MOST_PATHS = 3


def plan_title(plan: Plan, pen: Pen) -> Line:
    """``Plan: gpu-operator 3 -> 4 · 1 BLOCKER · refused``."""
    release = plan.release
    revisions = f"revision {release.to_revision}"
    if release.from_revision is not None:
        revisions = f"{release.from_revision} {pen.symbols.arrow} {release.to_revision}"
    name = pen.text(release.name, "bold")
    head = Span(f"{name.text} {revisions}", "bold")
    parts = [head, *found_counts(plan), plan_word(plan)]
    return (Span(_lead(plan), "bold"), *dotted(parts, pen))


def _lead(plan: Plan) -> str:
    if plan.operation == "rollback" and plan.around.rollback_to is not None:
        return f"Rollback to {plan.around.rollback_to}: "
    return _LEADS.get(plan.operation, "Plan: ")


def plan_remark(plan: Plan, pen: Pen) -> Line:
    """What becomes of the old values, and why; empty where there is nothing to say."""
    text = mode_text(plan.values.mode, plan.values.mode_why, plan.values.changes)
    return (pen.text(text, "warning" if "RESET" in text else "dim"),) if text else ()


def found_counts(plan: Plan) -> list[Span]:
    """``1 BLOCKER``, ``2 DANGER``: what fires and is not waived; then how many are waived."""
    fired = Counter(
        finding.severity for finding in plan.findings if finding.result == "fires" and not finding.waived
    )
    counted = [
        Span(f"{fired[severity]} {severity.upper()}", severity)
        for severity in SEVERITIES
        if fired[severity] and severity != "info"
    ]
    waived = sum(finding.waived is not None for finding in plan.findings)
    return [*counted, *([Span(f"{waived} waived")] if waived else [])]


def plan_word(plan: Plan) -> Span:
    """The verdict in a word or two."""
    word, style = _word(plan)
    return Span(word, style)


def _word(plan: Plan) -> tuple[str, Style]:
    code = exit_code(plan)
    if plan.failure is not None:
        return "helm will fail", "bad"
    if code == FINDINGS:
        return "refused", "bad"
    if code != CHANGES:
        return "nothing to do", "good"
    if is_uncertain(plan):
        return "passes, not certain", "warning"
    return ("passes, no gate", "warning") if plan.fail_on == "none" else ("passes", "good")


def loss_line(lost: Sequence[FieldPath], unknown: str, pen: Pen) -> Line:
    """``loses 1: driver.enabled``, ``keeps all``, ``not known: why``."""
    if unknown:
        return (Span("not known: ", "warning"), pen.text(unknown))
    if not lost:
        return (Span("keeps all", "good"),)
    names = ", ".join(pen.masker.path(path) for path in lost[:_MOST_PATHS])
    more = f" and {len(lost) - _MOST_PATHS} more" if len(lost) > _MOST_PATHS else ""
    return (Span(f"loses {len(lost)}: ", "danger"), pen.text(f"{names}{more}"))


def waived_in_file(waiver: Waiver, pen: Pen) -> str:
    """Where a waiver stands that was not given here."""
    place = f"{waiver.file}:{waiver.line}" if waiver.line else waiver.file
    return pen.text(f"It is waived in {place} ({waiver.reason}); change it there.").text
