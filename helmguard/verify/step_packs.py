"""Which packs have steps for a release."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from helmguard.errors import RuleFileError
from helmguard.model.json_value import JSONObject
from helmguard.model.plan import Plan
from helmguard.model.release import Revision
from helmguard.rules.engine.cel import CelFailure
from helmguard.rules.engine.rule import Pack
from helmguard.rules.engine.source import RuleError
from helmguard.rules.engine.verification_file import step_engine, verification_of
from helmguard.rules.engine.verification_steps import PackVerification
from helmguard.rules.packs import builtin_packs


class StepPack(msgspec.Struct, frozen=True):
    name: str
    verification: PackVerification


def step_packs(packs: Sequence[Pack]) -> list[StepPack]:
    """The built-in packs and these, as far as they have steps.

    Raises:
        RuleFileError: a verification.yaml cannot be used.
    """
    found = []
    for pack in (*builtin_packs(), *packs):
        try:
            verification = verification_of(pack)
        except RuleError as error:
            raise RuleFileError(str(error), remedy="See docs/verification.md for the format.") from None
        if verification is not None:
            found.append(StepPack(pack.name, verification))
    return found


def packs_for(release: JSONObject, packs: Sequence[Pack]) -> list[StepPack]:
    """Those of ``step_packs`` that apply to the release; a condition without an answer counts as met."""
    scope = step_engine().scope({"release": release})
    return [pack for pack in step_packs(packs) if _applies(pack, scope)]


def _applies(pack: StepPack, scope: object) -> bool:
    applies = pack.verification.applies
    if applies is None:
        return True
    answer = applies.evaluate(step_engine(), scope)
    return isinstance(answer, CelFailure) or answer is True


def release_of_plan(plan: Plan) -> JSONObject:
    """``release`` in the expressions of steps: as the operation leaves it."""
    chart = plan.release.new_chart
    return {
        "name": plan.release.name,
        "namespace": plan.release.namespace,
        "revision": plan.release.to_revision or plan.release.from_revision or 0,
        "chart": chart.name,
        "chartVersion": chart.version,
        "appVersion": chart.app_version,
        "config": plan.values.config or {},
    }


def release_of_revision(revision: Revision) -> JSONObject:
    """The same for a stored revision."""
    return {
        "name": revision.name,
        "namespace": revision.namespace,
        "revision": revision.version,
        "chart": revision.chart_name,
        "chartVersion": revision.chart_version,
        "appVersion": revision.app_version,
        "config": revision.config or {},
    }
