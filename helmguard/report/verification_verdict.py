"""The last line of a verification: whether all is as it was to be."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.verification import Verification
from helmguard.report.plural import plural
from helmguard.report.styles import Line, Span, Style
from helmguard.report.verification_json import verification_code


def verification_verdict(verification: Verification) -> Line:
    """``Not verified: 1 object differs; 1 workload stuck. Exit 4.``"""
    text, style = verification_words(verification)
    return (Span(f"{text}.", style), Span(f" Exit {verification_code(verification)}.", "bold"))


def verification_words(verification: Verification) -> tuple[str, Style]:
    """The verdict without its full stop and exit code."""
    not_known = not_known_words(verification)
    if not verification.ok:
        return f"Not verified: {'; '.join([*_troubles(verification), *not_known])}", "bad"
    said = f"Verified: {plural(verification.compared, 'object')} as in {verification.against}"
    done = len(verification.rollouts)
    parts = [said, f"{plural(done, 'workload')} done" if done else ""]
    passed = sum(step.state == "passed" for step in verification.steps)
    parts += [f"{plural(passed, 'step')} passed" if passed else "", *not_known]
    return "; ".join(part for part in parts if part), "warning" if not_known else "good"


def not_known_words(verification: Verification) -> list[str]:
    """``2 things not known``, or nothing."""
    count = len(verification.unknown) + sum(hook.state == "unknown" for hook in verification.hooks)
    return [f"{plural(count, 'thing')} not known"] if count else []


def _troubles(verification: Verification) -> Iterator[str]:
    if verification.nothing_compared:
        yield "no object could be compared"
    yield from verification.trouble
    for kind, words in (
        ("differs", "not as predicted"),
        ("missing", "missing"),
        ("still there", "still there"),
        ("not expected", "not expected"),
        ("unreadable", "unreadable"),
    ):
        count = sum(item.kind == kind for item in verification.differences)
        if count:
            yield f"{plural(count, 'object')} {words}"
    for state, words in (
        ("failed", "failed"),
        ("stuck", "stuck"),
        ("progressing", "on the way"),
        ("unknown", "not known"),
    ):
        count = sum(item.state == state for item in verification.rollouts)
        if count:
            yield f"{plural(count, 'workload')} {words}"
    for state in ("failed", "running"):
        count = sum(item.state == state for item in verification.hooks)
        if count:
            yield f"{plural(count, 'hook')} {state}"
    for state, words in (("failed", "failed"), ("waiting", "waiting"), ("unknown", "not known")):
        count = sum(item.state == state for item in verification.steps)
        if count:
            yield f"{plural(count, 'step')} {words}"
