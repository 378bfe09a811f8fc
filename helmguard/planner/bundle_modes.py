"""Renderings in the other value modes, so that a bundle can answer for them without helm."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.errors import HelmguardError
from helmguard.helm.render import render
from helmguard.helm.value_flags import fetch_schema_file
from helmguard.model.json_value import JSONObject
from helmguard.planner.session import Session
from helmguard.planner.upgrade_inputs import UpgradeInputs, current_record, render_task
from helmguard.planner.upgrade_values import MODE_FLAGS, ValuesQuestion, with_mode

ModeRendering = tuple[str, str, tuple[JSONObject, ...]]
"""Mode, manifest, hooks."""


def render_modes(session: Session, gathered: UpgradeInputs) -> Iterator[ModeRendering]:
    """A rendering for each mode in which the chart renders; nothing for an install."""
    current = current_record(session, gathered.inputs.operation == "install")
    if current is None or gathered.values is None:
        return
    for mode, flag in MODE_FLAGS.items():
        options = with_mode(session.options, flag)
        question = ValuesQuestion.of(options, session.helm, gathered.chart, current, session.history)
        try:
            values = question.answer(gathered.values.given, fetch_schema_file)
            task = render_task(session, gathered.source, gathered.chart, current, values, None)
            rendered = render(task).rendered
        except HelmguardError:
            # Helm fails in this mode; a plan that asks for it renders anew and reports why.
            continue
        yield mode, rendered.manifest, rendered.hooks
