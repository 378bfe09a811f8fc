"""What is told while helm runs."""

from __future__ import annotations

from typing import get_args

import pytest

from helmguard.helm.run_events import EventKind, RunEvent
from helmguard.model.resource_key import ResourceKey
from helmguard.model.verification import Rollout
from helmguard.report.run_words import event_words, rollout_words


@pytest.mark.parametrize("kind", get_args(EventKind))
def test_every_event_has_words(kind: EventKind) -> None:
    assert event_words(RunEvent(kind, "Job/migrate", "(hook)")).endswith(" Job/migrate (hook)")
    assert not event_words(RunEvent(kind)).endswith(" ")


def test_a_rollout_says_why_it_is_no_further() -> None:
    key = ResourceKey("apps", "Deployment", "shop", "web")
    assert (
        rollout_words(Rollout(key, "done", "3 of 3 pods ready")) == "Deployment/web  done: 3 of 3 pods ready"
    )
    stuck = Rollout(key, "stuck", "0 of 3 pods ready", ("ImagePullBackOff", "more"))
    assert rollout_words(stuck) == "Deployment/web  stuck: 0 of 3 pods ready  (ImagePullBackOff)"
