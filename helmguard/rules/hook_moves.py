"""``object-becomes-hook``: an object that leaves the manifest for a hook is lost, or loses its marks."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.manifest.hooks import OPERATION_EVENTS
from helmguard.model.finding import Finding, Place, Severity
from helmguard.model.live_state import Present
from helmguard.rules.facts import Facts
from helmguard.rules.kubectl import keep_command


def hook_moves(facts: Facts) -> Iterator[Finding]:
    """The other way, from a hook to an object, is refused for want of marks: see ``adoption``."""
    hooks = {hook.key: hook for hook in facts.around.hooks}
    events = OPERATION_EVENTS.get(facts.operation, ("", ""))
    for resource in facts.resources:
        prediction = resource.prediction
        hook = hooks.get(prediction.key)
        if hook is None or prediction.previous is None or not isinstance(prediction.live, Present):
            continue
        skipped = facts.around.options.no_hooks
        moves = tuple(event for event in events if event in hook.events and not skipped)
        severity, title, text = _told(moves, ", ".join(hook.events))
        if prediction.predicted is None and severity == "warning":
            severity, title = "danger", f"becomes a {moves[0]} hook, and is deleted once it has run"
        yield Finding(
            rule="object-becomes-hook",
            severity=severity,
            title=title,
            where=Place("object", str(prediction.key)),
            consequence=text,
            remedy=(keep_command(prediction.key),) if severity == "danger" else (),
        )


def _told(moves: tuple[str, ...], all_events: str) -> tuple[Severity, str, str]:
    if not moves:
        return (
            "danger",
            f"becomes a hook of {all_events}, and is deleted now",
            "It left the manifest, so Helm deletes it; it comes back only when that event comes.",
        )
    if moves[0].startswith("pre-"):
        return (
            "danger",
            f"becomes a {moves[0]} hook, and is lost",
            "The hook is created first; then Helm deletes it again, because the old manifest holds it and "
            "the new one does not.",
        )
    return (
        "warning",
        f"becomes a {moves[0]} hook, and stays without the release's marks",
        "It is deleted as an object and created anew as a hook. Helm will refuse to take it back later.",
    )
