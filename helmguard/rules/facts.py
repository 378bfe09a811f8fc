"""All that a detector may look at."""

from __future__ import annotations

from dataclasses import dataclass, field

from helmguard.model.plan import Engine, HookRun, PlanOperation, ReleaseSummary, ResourceChange, ValuesReport
from helmguard.model.prediction import Failure
from helmguard.model.surroundings import Surroundings


@dataclass(frozen=True, slots=True)
class Facts:
    """A plan without its findings.

    ``keep_command`` is the command that keeps every override, empty where nothing is lost or none does.
    ``failure_remedy`` says what to do about a rendering that fails. ``around`` is what the plan knows
    around the objects.
    """

    operation: PlanOperation
    release: ReleaseSummary
    engine: Engine
    values: ValuesReport
    resources: tuple[ResourceChange, ...]
    hooks: tuple[HookRun, ...] = ()
    failure: Failure | None = None
    failure_remedy: str = ""
    keep_command: str = ""
    around: Surroundings = field(default_factory=Surroundings)
