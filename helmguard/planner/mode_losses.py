"""What each value mode would take from the user's values: computed without rendering."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from helmguard.errors import ChartError, ValuesError
from helmguard.helm.value_flags import fetch_schema_file
from helmguard.model.field_path import FieldPath
from helmguard.model.value_change import ValueChange
from helmguard.planner.bundle_contents import BundleContents
from helmguard.planner.bundle_values import NO_CHART, chart_of_bundle, current_of_bundle, question_of_bundle
from helmguard.planner.request import BundleOverrides
from helmguard.planner.upgrade_values import MODE_FLAGS, ValuesQuestion
from helmguard.values.table import Table


class ModeLoss(msgspec.Struct, frozen=True):
    """What one value mode would lose; ``mode`` is a name of `MODE_FLAGS`.

    ``lost`` are the values that the user once set and whose effect the command loses. ``unknown`` says why
    they are not known, or why this mode cannot be used; ``lost`` is empty then.
    """

    mode: str
    lost: tuple[FieldPath, ...] = ()
    unknown: str = ""


def mode_losses(question: ValuesQuestion, given: Table) -> tuple[ModeLoss, ...]:
    """For each value mode; empty for an install, which has nothing to lose.

    ``given`` are the user's values of this command, which are the same in every mode.
    """
    if question.current is None:
        return ()
    return tuple(_loss(question, given, mode, flag) for mode, flag in MODE_FLAGS.items())


def losses_of_bundle(contents: BundleContents, overrides: BundleOverrides) -> tuple[ModeLoss, ...]:
    """The same for a plan from a bundle; empty for a rollback, too, which takes the values as they were.

    Raises:
        HelmguardError: the chart, a values flag or a file cannot be read.
    """
    current = current_of_bundle(contents)
    if overrides.rollback or contents.request.operation == "rollback" or current is None:
        return ()
    chart = chart_of_bundle(contents, overrides)
    if chart is None:
        return tuple(ModeLoss(mode, unknown=NO_CHART) for mode in MODE_FLAGS)
    return mode_losses(*question_of_bundle(contents, overrides, chart, current))


def lost_paths(changes: Iterable[ValueChange]) -> tuple[FieldPath, ...]:
    """The values whose override the changes lose."""
    return tuple(change.path for change in changes if change.cause == "lost override")


def _loss(question: ValuesQuestion, given: Table, mode: str, flag: str) -> ModeLoss:
    helm = question.helm
    if not helm.capabilities.supports(flag):
        return ModeLoss(mode, unknown=f"helm {helm.version} does not know {flag}")
    try:
        changes = question.in_mode(flag).changes(given, fetch_schema_file)
    except (ValuesError, ChartError) as error:
        return ModeLoss(mode, unknown=f"Helm refuses the values: {error.message}")
    return ModeLoss(mode, lost_paths(changes))
