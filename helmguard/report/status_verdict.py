"""The last line of a status page: the verdict, and the reason for the exit code."""

from __future__ import annotations

from helmguard.model.release_state import ReleaseState
from helmguard.report.plural import plural
from helmguard.report.styles import Line, Span, Style


def status_verdict(state: ReleaseState) -> Line:
    """``Deployed and whole: 5 objects are as revision 3 says. Exit 0.``"""
    text, style = _verdict(state)
    return (Span(f"{text}.", style), Span(f" Exit {state.exit_code}.", "bold"))


def _verdict(state: ReleaseState) -> tuple[str, Style]:
    if state.exit_code == 0:
        said = f"{plural(state.objects, 'object')} {'is' if state.objects == 1 else 'are'}"
        return f"Deployed and whole: {said} as revision {state.base} says", "good"
    if state.condition == "deployed":
        told = sum(remark.attention for remark in state.remarks) + len(state.unknown)
        return f"Deployed, with {plural(told, 'thing')} to know", "warning"
    if state.condition == "uninstalled":
        return "Uninstalled, history kept", "warning"
    way = state.recommended
    if way is not None and way.kind == "wait":
        how = "a helm is likely at work on it: wait"
    elif way is not None:
        how = f"a way out was checked: {way.kind}"
        if way.revision is not None:
            how += f" to revision {way.revision}"
    else:
        how = "no way out passed the check"
    needed = state.exit_code == 3
    return f"{'Needs a way out' if needed else 'Deployed, but the last revision failed'}; {how}", (
        "bad" if needed else "warning"
    )
