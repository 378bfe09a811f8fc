"""What Python programs use: plans and values, without a process for each call.

::

    import helmguard

    plan = helmguard.plan("web", "./web", ["-n", "shop", "-f", "prod.yaml"])
    if plan.exit_code == 3:
        for finding in plan.findings:
            print(finding.rule, finding.where.name)
    document = plan.to_dict()           # helmguard.plan/v1, secrets masked

Nothing here prints. Every error is a ``helmguard.HelmguardError`` with ``message``, ``remedy`` and
``exit_code``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

from helmguard.errors import HelmguardError
from helmguard.helm.value_flags import compute_values
from helmguard.model.finding import Severity
from helmguard.model.json_value import JSONObject
from helmguard.model.plan import Plan as PlanData
from helmguard.values.compute import ValuesResult

__all__ = ["HelmguardError", "Plan", "ValuesResult", "compute_values", "plan", "plan_bundle"]


class Plan(PlanData):
    """A plan with its JSON and exit code."""

    __slots__ = ()

    def to_dict(self, show_secrets: bool = False) -> JSONObject:
        """The plan's JSON, ``helmguard.plan/v1``; see docs/plan-format.md."""
        from helmguard.report.plan_json import plan_to_dict

        return plan_to_dict(self, show_secrets)

    @property
    def exit_code(self) -> int:
        """0 nothing to do, 2 changes, 3 findings at or above the gate or a failure foretold."""
        from helmguard.report.exit_code import exit_code

        return exit_code(self)


def plan(release: str, chart: str = "", words: Sequence[str] = ()) -> Plan:
    """Plan an upgrade, install or rollback of ``release`` in the cluster.

    ``words`` are the flags of ``helmguard plan`` as typed, which are helm's own: ``["-n", "shop", "--set",
    "a=1"]``; a rollback is ``plan("web", words=["--rollback", "3"])``.

    Raises:
        HelmguardError: what a plan needs cannot be had.
    """
    from helmguard.cli.plan import build_parser
    from helmguard.cli.request import read_plan_request
    from helmguard.planner.online import plan_online

    options = build_parser().parse([release, *([chart] if chart else []), *words])
    return _public(plan_online(read_plan_request(options)))


def plan_bundle(
    path: str | Path,
    *,
    words: Sequence[str] = (),
    chart: str = "",
    rollback: int | None = None,
    gate: Severity = "danger",
    helm_binary: str = "",
) -> Plan:
    """Plan from a bundle, without a cluster.

    ``words`` are value flags that replace the bundle's, ``chart`` a chart that replaces its chart;
    ``rollback`` asks for a rollback, to that revision or with 0 to helm's default.

    Raises:
        BundleError: the bundle is missing, damaged or lacks what is asked for.
        HelmguardError: a flag or file cannot be read.
    """
    from helmguard.planner.offline import plan_from_bundle
    from helmguard.planner.request import BundleOverrides

    overrides = BundleOverrides(
        chart=chart,
        value_words=tuple(words),
        rollback=rollback is not None,
        rollback_to=rollback or 0,
        helm_binary=helm_binary,
        gate=gate,
    )
    return _public(plan_from_bundle(path, overrides))


def _public(found: PlanData) -> Plan:
    return Plan(**{field.name: getattr(found, field.name) for field in fields(found)})
