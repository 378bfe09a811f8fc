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
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec.structs import fields

from helmguard.api_node import NodeCheck, check_node
from helmguard.api_release import ReleaseReport, release_history, release_status, verify_release
from helmguard.errors import HelmguardError
from helmguard.helm.value_flags import compute_values
from helmguard.model.finding import FailOn
from helmguard.model.json_value import JSONObject
from helmguard.model.plan import Plan as PlanData
from helmguard.model.unread_release import UnreadRelease
from helmguard.model.unshown import Unshown
from helmguard.values.compute import ValuesResult

if TYPE_CHECKING:
    from helmguard.config.gate import Gate
    from helmguard.model.check_report import CheckReport
    from helmguard.report.drift_rows import DriftRow

__all__ = [
    "CheckResult",
    "DriftReport",
    "HelmguardError",
    "NodeCheck",
    "Plan",
    "ReleaseReport",
    "SavedPlan",
    "ValuesResult",
    "check_node",
    "check_repository",
    "compare_revisions",
    "compute_values",
    "drift",
    "drift_bundle",
    "drift_releases",
    "plan",
    "plan_bundle",
    "read_saved_plan",
    "release_history",
    "release_status",
    "verify_release",
]


class Plan(PlanData, frozen=True):
    """A plan with its JSON and exit code."""

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
    helm_binary: str = "",
    fail_on: FailOn | None = None,
    fail_on_unknown: bool = False,
    config: str | Path | None = None,
    no_config: bool = False,
    today: date | None = None,
) -> Plan:
    """Plan from a bundle, without a cluster.

    ``words`` are value flags that replace the bundle's, ``chart`` a chart that replaces its chart;
    ``rollback`` asks for a rollback, to that revision or with 0 to helm's default. ``fail_on``,
    ``fail_on_unknown``, ``config`` and ``no_config`` are what the flags of these names are: without them
    ``.helmguard.yaml`` is looked for from the working directory upward. ``today`` is the day on which
    waivers are looked at, None for the real one.

    Raises:
        ConfigError: the configuration cannot be used.
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
        gate=_gate(fail_on, fail_on_unknown, config, no_config, today),
    )
    return _public(plan_from_bundle(path, overrides))


class SavedPlan(msgspec.Struct, frozen=True):
    """What ``helmguard plan --out`` wrote: ``plan`` is the JSON as saved, ``header`` the file's own."""

    plan: JSONObject
    header: JSONObject


def read_saved_plan(path: str | Path) -> SavedPlan:
    """A saved plan, without helm and cluster; secrets are masked as they are in the file.

    Raises:
        SavedPlanError: the file is missing, no saved plan, damaged, or of a newer format.
    """
    from helmguard.saved_plan.read import read_saved_plan

    saved = read_saved_plan(path)
    return SavedPlan(saved.plan, msgspec.to_builtins(saved.header))


def compare_revisions(
    release: str, before: int, after: int | Literal["live"] = 0, words: Sequence[str] = ()
) -> Plan:
    """What a stored revision has otherwise than another; a plan with operation ``comparison``.

    ``after`` is 0 for the last revision; with ``live`` it is the cluster, and the plan's operation ``drift``.
    ``words`` are the flags of ``helmguard history`` as typed: ``["-n", "shop"]``.

    Raises:
        HelmguardError: there is no such release or revision, or it cannot be read.
    """
    from helmguard.cli.history import build_parser, read_compare_request
    from helmguard.release_state.compare_online import compare_online

    options = build_parser().parse([release, str(before), str(after), *words])
    return _public(compare_online(read_compare_request(options)))


class CheckResult(Unshown, frozen=True):
    """What a change of a repository does: ``report`` has the releases concerned, each with its plan."""

    report: CheckReport

    def to_dict(self, show_secrets: bool = False) -> JSONObject:
        """``helmguard.check/v1``; see docs/check-format.md."""
        from helmguard.report.check_json import check_to_dict

        return check_to_dict(self.report, show_secrets)

    @property
    def exit_code(self) -> int:
        """0 nothing changes and all was read, 2 something changes or is not known, 3 refused."""
        from helmguard.report.check_exit_code import check_exit_code

        return check_exit_code(self.report)


def check_repository(words: Sequence[str] = ()) -> CheckResult:
    """What merging a change does to each Helm release that a repository declares.

    ``words`` are the flags of ``helmguard check`` as typed: ``["--repository", "gitops", "--base", "main"]``.

    Raises:
        HelmguardError: a side cannot be read, or there is no helm.
    """
    from helmguard.check.check import check_repository as check_now
    from helmguard.cli.check import build_parser, read_check_request

    return CheckResult(check_now(read_check_request(build_parser().parse(words))))


class DriftReport(msgspec.Struct, frozen=True):
    """The drift of several releases; ``unread`` are those that could not be read."""

    plans: tuple[Plan, ...]
    unread: tuple[UnreadRelease, ...] = ()

    def to_dict(self, show_secrets: bool = False) -> JSONObject:
        """``helmguard.drift/v1``; see docs/plan-format.md."""
        from helmguard.report.drift_many_json import release_to_dict, releases_to_dict

        releases = (release_to_dict(found, show_secrets=show_secrets) for found in self.plans)
        return releases_to_dict(releases, self.unread, self._rows())

    @property
    def exit_code(self) -> int:
        """0 no drift, 2 drift, 3 an upgrade that will fail, 1 none of the releases could be read."""
        from helmguard.report.drift_rows import exit_code_of_all

        return exit_code_of_all(self._rows())

    def _rows(self) -> list[DriftRow]:
        from helmguard.report.drift_rows import row_of

        return [*map(row_of, self.plans), *map(row_of, self.unread)]


def drift(release: str, words: Sequence[str] = ()) -> Plan:
    """What the cluster has that ``release`` does not say; a plan with operation ``drift``.

    ``words`` are the flags of ``helmguard drift`` as typed: ``["-n", "shop"]``.

    Raises:
        HelmguardError: there is no such release, or it cannot be read.
    """
    from helmguard.cli.drift import build_parser
    from helmguard.cli.drift_request import read_drift_request
    from helmguard.planner.drift_online import drift_online

    return _public(drift_online(read_drift_request(build_parser().parse([release, *words]))))


def drift_releases(words: Sequence[str] = ()) -> DriftReport:
    """The drift of several releases: ``["--all-namespaces"]``, ``["-n", "shop", "--filter", "^web"]``.

    Raises:
        HelmguardError: the releases cannot be listed, or none fits the filter.
    """
    from helmguard.cli.drift import build_parser
    from helmguard.cli.drift_request import read_releases_request
    from helmguard.planner.drift_many import drift_of_releases

    plans: list[Plan] = []
    unread: list[UnreadRelease] = []
    for found in drift_of_releases(read_releases_request(build_parser().parse(words))):
        if isinstance(found, UnreadRelease):
            unread.append(found)
        else:
            plans.append(_public(found))
    return DriftReport(tuple(plans), tuple(unread))


def drift_bundle(
    path: str | Path,
    *,
    fail_on: FailOn | None = None,
    fail_on_unknown: bool = False,
    config: str | Path | None = None,
    no_config: bool = False,
    today: date | None = None,
) -> Plan:
    """The drift of a bundle's release, without a cluster; the gate's arguments are those of `plan_bundle`.

    Raises:
        ConfigError: the configuration cannot be used.
        BundleError: the bundle is missing or damaged, or holds no revision.
    """
    from helmguard.planner.drift_offline import drift_from_bundle
    from helmguard.planner.request import BundleOverrides

    gate = _gate(fail_on, fail_on_unknown, config, no_config, today)
    return _public(drift_from_bundle(path, BundleOverrides(gate=gate)))


def _gate(
    fail_on: FailOn | None,
    fail_on_unknown: bool,
    config: str | Path | None,
    no_config: bool,
    today: date | None,
) -> Gate:
    from helmguard.planner.config_file import find_config, read_gate_file

    file = Path(config) if config else None if no_config else find_config()
    return read_gate_file(file, today or date.today(), fail_on=fail_on, fail_on_unknown=fail_on_unknown)


def _public(found: PlanData) -> Plan:
    return Plan(**{field.name: getattr(found, field.name) for field in fields(found)})
