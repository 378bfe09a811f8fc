"""What of a plan form can be seen to be wrong before anything is planned."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec
from msgspec.structs import replace

from helmguard.errors import HelmguardError, UsageError
from helmguard.tui.plan_form import PlanForm

Field = Literal["chart", "version", "files", "sets", "mode", "revision", "other"]


class FormTrouble(msgspec.Struct, frozen=True):
    """What is wrong, and in which field it was typed."""

    field: Field
    error: HelmguardError


def form_troubles(form: PlanForm, common_words: Sequence[str], *, offline: bool) -> list[FormTrouble]:
    """In the order of the fields; empty where all can be read.

    ``offline``: a bundle holds the chart and the values files.
    """
    found = [] if form.is_rollback or offline else _chart_and_files(form)
    bare = replace(form, sets=(), other="")
    parts: tuple[tuple[Field, PlanForm], ...] = (
        ("revision" if form.is_rollback else "chart", bare),
        ("sets", replace(bare, chart="", sets=form.sets)),
        ("other", replace(bare, chart="", other=form.other)),
    )
    for field, part in parts:
        error = _unreadable(part, common_words)
        if error is not None:
            return [*found, FormTrouble(field, error)]
    return found


def _chart_and_files(form: PlanForm) -> list[FormTrouble]:
    found: list[FormTrouble] = []
    if not form.chart:
        found.append(FormTrouble("chart", UsageError("the chart is missing")))
    elif form.chart.startswith(("./", "../", "/")) and not Path(form.chart).exists():
        found.append(FormTrouble("chart", UsageError(f"{form.chart}: no such file or folder")))
    missing = [
        name for name in form.values_files if "://" not in name and name != "-" and not Path(name).is_file()
    ]
    if missing:
        found.append(FormTrouble("files", UsageError(f"{missing[0]}: no such file")))
    elif "-" in form.values_files:
        error = UsageError("values cannot be read from standard input here: it is your keyboard")
        found.append(FormTrouble("files", error))
    return found


def _unreadable(form: PlanForm, common_words: Sequence[str]) -> HelmguardError | None:
    from helmguard.cli.plan import build_parser

    try:
        build_parser().parse(form.all_words(common_words))
    except UsageError as error:
        return error
    return None
