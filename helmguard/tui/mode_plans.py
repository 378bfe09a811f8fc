"""The value modes of one plan form: which forms they are, and what is known of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from helmguard.model.plan import Plan
from helmguard.planner.mode_losses import ModeLoss, lost_paths
from helmguard.planner.upgrade_values import MODE_FLAGS
from helmguard.report.page import Pen
from helmguard.report.plan_title import loss_line, plan_word
from helmguard.tui.plan_form import PlanForm
from helmguard.tui.sources.source import Planned
from helmguard.tui.widgets.value_modes import ValueMode

AS_TYPED = ""
"""The mode that helm chooses for the form as it was filled in."""

_NAMED = {"reset": "reset", "given: reset": "reset", "reuse": "reuse", "reset-then-reuse": "reset-then-reuse"}


def mode_forms(typed: PlanForm, plan: Plan) -> dict[str, PlanForm]:
    """The form in each value mode; empty where there is none: for an install and a rollback.

    ``plan`` is the plan of ``typed``. Where helm's own choice comes to the same as a mode that has a name, it
    stands under that name, else as `AS_TYPED`.
    """
    if plan.operation != "upgrade":
        return {}
    same = _NAMED.get(plan.values.mode, AS_TYPED)
    forms = {} if same else {AS_TYPED: typed}
    return forms | {mode: typed if mode == same else typed.with_mode(mode) for mode in MODE_FLAGS}


def mode_rows(
    forms: Mapping[str, PlanForm],
    losses: Sequence[ModeLoss],
    planned: Callable[[PlanForm], Planned | None],
    pen: Pen,
) -> list[ValueMode]:
    """A row for each mode; ``planned`` gives the plan of a form, if it is made."""
    found = {loss.mode: loss for loss in losses}
    rows = []
    for mode, form in forms.items():
        made = planned(form)
        loss = found.get(mode)
        if loss is None:
            loss = (
                ModeLoss(mode, lost_paths(made.plan.values.changes))
                if made
                else ModeLoss(mode, unknown="not planned")
            )
        rows.append(
            ValueMode(
                key=str([AS_TYPED, *MODE_FLAGS].index(mode)),
                mode=mode,
                name=_name(mode, form),
                loss=loss_line(loss.lost, loss.unknown, pen),
                verdict=(plan_word(made.plan),) if made else (),
                usable=not loss.unknown,
            )
        )
    return rows


def _name(mode: str, form: PlanForm) -> str:
    if mode == AS_TYPED:
        return "as typed"
    return mode if form.mode else f"{mode}, as typed"
