"""Inside ``helmguard upgrade`` no command to paste goes round its gate."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from sample_plans import seed_story

from helmguard.report.own_commands import with_own_commands


@pytest.mark.parametrize(
    ("command", "own"),
    [
        ("helm upgrade web ./web --reuse-values", "helmguard upgrade web ./web --reuse-values"),
        ("helm rollback web 3 -n shop", "helmguard rollback web 3 -n shop"),
        ("helm get values web", "helm get values web"),
        ("helmguard upgrade web ./web", "helmguard upgrade web ./web"),
        ("first run: helm upgrade web", "first run: helm upgrade web"),
        ("", ""),
    ],
)
def test_a_command(command: str, own: str) -> None:
    story = seed_story()
    plan = replace(story, keep_command=command, findings=(replace(story.findings[0], remedy=(command,)),))
    shown = with_own_commands(plan)
    assert (shown.keep_command, shown.findings[0].remedy) == (own, (own,))
