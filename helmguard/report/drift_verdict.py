"""The last line of a drift page: the verdict, and the reason for the exit code."""

from __future__ import annotations

from helmguard.compare.object_drift import drift_of
from helmguard.model.plan import Plan
from helmguard.model.release import PENDING_STATUSES
from helmguard.report.drift_json import drift_counts
from helmguard.report.exit_code import FINDINGS, exit_code, gating_findings
from helmguard.report.plural import plural
from helmguard.report.styles import Line, Span, Style
from helmguard.report.unknown import unknown_items

_WORDS: tuple[tuple[str, str, str], ...] = (
    ("missing", "object", "missing"),
    ("beingDeleted", "object", "being deleted"),
    ("notServed", "object", "of a kind no longer served"),
    ("failing", "object", "that will fail"),
    ("conflicts", "field", "in conflict"),
    ("reverted", "field", "to be reverted"),
    ("kept", "field", "kept"),
    ("latent", "field", "with a latent owner"),
    ("ownership", "object", "with wrong marks"),
    ("leftOver", "object", "left over"),
)


def drift_verdict(plan: Plan) -> Line:
    """``Drift: 1 object missing, 2 fields to be reverted. Exit 2.``"""
    text, style = _verdict(plan)
    return (Span(text, style), Span(f" Exit {exit_code(plan)}.", "bold"))


def drift_words(counts: dict[str, int]) -> str:
    """``1 object missing, 2 fields kept``; empty where there is no drift."""
    return ", ".join(f"{plural(counts[name], noun)} {words}" for name, noun, words in _WORDS if counts[name])


def _verdict(plan: Plan) -> tuple[str, Style]:
    counts = drift_counts(drift_of(plan), plan.left_over)
    drift = drift_words(counts)
    not_known = len(unknown_items(plan))
    unsure = f"{plural(not_known, 'thing')} not known" if not_known else ""
    refused = exit_code(plan) == FINDINGS
    if refused or plan.failure is not None:
        parts = [f"Drift: {drift}" if drift else "", unsure, _refusal(plan)]
        return f"{'; '.join(part for part in parts if part)}.", "bad" if refused else "warning"
    if drift:
        return f"{'; '.join(part for part in (f'Drift: {drift}', unsure) if part)}.", "warning"
    if unsure:
        return f"Not certain: no drift found, but {unsure}.", "warning"
    if plan.release.status == "uninstalled":
        return "No drift: the release is uninstalled, and nothing of it is left.", "good"
    said = f"{plural(counts['objects'], 'object')} {'is' if counts['objects'] == 1 else 'are'}"
    ignored = f", {plural(counts['ignored'], 'change')} ignored" if counts["ignored"] else ""
    return f"No drift: {said} as revision {plan.release.from_revision} says{ignored}.", "good"


def _refusal(plan: Plan) -> str:
    if plan.release.status in PENDING_STATUSES:
        return "the next upgrade will be refused: an operation is pending"
    if plan.failure is not None or any(resource.prediction.error for resource in plan.resources):
        return "the next upgrade will fail"
    found = gating_findings(plan)
    if not found:
        return "what is not known refuses too"
    return f"{plural(len(found), 'finding')} at or above the gate ({plan.fail_on})"
