"""The commands that do what a plan form stands for."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from helmguard.model.execution import Acceptance
from helmguard.tui.plan_form import PlanForm


def run_command(form: PlanForm, common_words: Sequence[str], acceptances: Sequence[Acceptance]) -> str:
    """``helmguard upgrade ...`` or ``rollback ...``; it may hold secrets: show it by ``Pen.command``.

    Raises:
        UsageError: a field of the form cannot be read.
    """
    accepted = [word for each in acceptances for word in ("--accept", f"{each.rule}={each.reason}")]
    if not form.is_rollback:
        return shlex.join(["helmguard", "upgrade", *form.all_words(common_words), *accepted])
    flags = form.words()[1:]
    at = flags.index("--rollback")
    del flags[at : at + (2 if form.rollback_to else 1)]
    revision = [str(form.rollback_to)] if form.rollback_to else []
    words = ["helmguard", "rollback", form.release, *revision, *common_words, *flags, *accepted]
    return shlex.join(words)
