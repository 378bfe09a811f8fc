"""The exit code of a run, and what it says in words."""

from __future__ import annotations

from typing import Final

from helmguard.model.execution import Execution
from helmguard.model.verification import Verification
from helmguard.report.exit_code import ERROR, NOTHING_TO_DO

NOT_AS_PLANNED: Final = 4


def execution_code(execution: Execution, verification: Verification | None, *, interrupted: int = 0) -> int:
    """0 done and as planned, 1 helm failed, 4 done but not as planned (or that could not be found out).

    ``interrupted`` is the code of a signal that came meanwhile, 0 for none: it counts where helm or the
    verification did not come to its end.
    """
    if execution.end != "succeeded":
        return interrupted or ERROR
    if verification is None:
        return interrupted or NOT_AS_PLANNED
    return NOTHING_TO_DO if verification.ok else NOT_AS_PLANNED
