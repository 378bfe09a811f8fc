"""What is told while helm runs and rollouts go on, in a line each. It may hold secrets: mask it."""

from __future__ import annotations

from helmguard.helm.run_events import EventKind, RunEvent
from helmguard.model.verification import Rollout

_WORDS: dict[EventKind, str] = {
    "record": "stores the new revision",
    "created": "created",
    "updated": "writes",
    "unchanged": "leaves",
    "deleting": "deletes",
    "running": "waits for hook",
    "waiting": "waits",
    "finishing": "has applied everything",
}


def event_words(event: RunEvent) -> str:
    """``writes Deployment/web``; helm is who does it."""
    return " ".join(part for part in (_WORDS[event.kind], event.name, event.text) if part)


def rollout_words(rollout: Rollout) -> str:
    """``Deployment/web  progressing: 1 of 3 pods ready  (ImagePullBackOff)``."""
    why = f"  ({rollout.reasons[0]})" if rollout.reasons else ""
    return f"{rollout.key}  {rollout.state}: {rollout.words}{why}"
