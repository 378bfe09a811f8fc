"""The last line of a run: what came of it, and the exit code."""

from __future__ import annotations

from helmguard.model.execution import Execution, RevisionFound
from helmguard.model.verification import Verification
from helmguard.report.plural import plural
from helmguard.report.styles import Line, Span, Style


def execution_verdict(
    execution: Execution, verification: Verification | None, unverified: str, code: int
) -> Line:
    """``Done: revision 4 is deployed and as planned. Exit 0.``"""
    text, style = _verdict(execution, verification, unverified)
    return (Span(f"{text}.", style), Span(f" Exit {code}.", "bold"))


def _verdict(execution: Execution, verification: Verification | None, unverified: str) -> tuple[str, Style]:
    if execution.end != "succeeded":
        return _not_done(execution), "bad"
    own = execution.own_revision
    made = f"revision {own.number} is {own.status}" if own else "helm succeeded"
    if verification is None:
        return f"Done: {made}, but not verified: {unverified}", "warning"
    if verification.ok:
        return f"Done: {made} and as planned{_checked(verification)}", "good"
    wrong = _wrong(verification)
    if not wrong:
        unknown = plural(len(verification.unknown), "thing")
        return f"Done: {made}; whether it is as planned is not known ({unknown} not comparable)", "warning"
    return f"Done: {made}, but {wrong}", "bad"


def _not_done(execution: Execution) -> str:
    words = {
        "failed": "Failed",
        "stopped": "Stopped at your wish",
        "killed": "Killed",
    }
    if execution.read_back:
        return f"{words[execution.end]}; what the cluster holds now is not known"
    changed = sum(each.state in ("done", "otherwise") for each in execution.objects)
    left = sum(each.state == "not done" for each in execution.objects)
    unsure = sum(each.state == "unknown" for each in execution.objects)
    own = execution.own_revision
    record = f"revision {own.number} is {own.status}" if own else "no revision of it is stored"
    undone = rolled_back_by(execution)
    if undone is not None:
        record += f", and was rolled back: revision {undone.number} is {undone.status}"
    parts = [f"{plural(changed, 'object')} changed", f"{left} not"]
    if unsure:
        parts.append(f"{unsure} not known")
    return f"{words[execution.end]}: {record}; {', '.join(parts)}"


def rolled_back_by(execution: Execution) -> RevisionFound | None:
    """The revision with which helm itself undid the run (``--atomic``, ``--rollback-on-failure``)."""
    own = execution.own_revision
    if own is None or own.status != "failed":
        return None
    following = (each for each in execution.revisions if each.number == own.number + 1)
    return next((each for each in following if each.description.startswith("Rollback to ")), None)


def _checked(verification: Verification) -> str:
    done = len(verification.rollouts)
    passed = sum(step.state == "passed" for step in verification.steps)
    parts = [plural(verification.compared, "object") + " compared"]
    if done:
        parts.append(f"{plural(done, 'rollout')} done")
    if passed:
        parts.append(f"{plural(passed, 'step')} passed")
    if verification.unknown:
        parts.append(f"{len(verification.unknown)} not comparable")
    return f" ({', '.join(parts)})"


def _wrong(verification: Verification) -> str:
    parts = list(verification.trouble)
    if verification.differences:
        parts.append(f"{plural(len(verification.differences), 'object')} not as planned")
    rollouts = sum(each.state != "done" for each in verification.rollouts)
    if rollouts:
        parts.append(f"{plural(rollouts, 'rollout')} not done")
    hooks = sum(each.state in ("failed", "running") for each in verification.hooks)
    if hooks:
        parts.append(f"{plural(hooks, 'hook')} not done")
    steps = sum(each.state not in ("passed", "skipped") for each in verification.steps)
    if steps:
        parts.append(f"{plural(steps, 'step')} not passed")
    return ", ".join(parts)
