"""The exit code of a run, and what it says in words."""

from __future__ import annotations

from typing import Final

from helmguard.model.execution import Execution
from helmguard.model.verification import Verification
from helmguard.report.exit_code import ERROR, NOTHING_TO_DO

NOT_AS_PLANNED: Final = 4


def execution_code(execution: Execution, verification: Verification | None, *, interrupted: int = 0) -> int:
    """0 done and as planned, 1 helm failed, 4 done but not as planned (or that could not be found out).

    ``interrupted`` is the code of a signal that came meanwhile, 0 for none: whoever sent it gets its code,
    even where helm had done its work by then.
    """
    if interrupted:
        return interrupted
    if execution.end != "succeeded":
        return ERROR
    return NOTHING_TO_DO if verification is not None and verification.ok else NOT_AS_PLANNED
