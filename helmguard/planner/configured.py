"""The user's configuration over a plan: ignored changes, overridden and waived findings. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from helmguard.config.apply_config import Scope, apply_config
from helmguard.config.gate import Gate
from helmguard.config.ignores import expired_matches, without_resting_on_ignored
from helmguard.config.ignores import without_ignored as _without_ignored
from helmguard.model.plan import Plan, ResourceChange


def without_ignored(resources: Iterable[ResourceChange], gate: Gate) -> tuple[ResourceChange, ...]:
    """The objects to judge: what the configuration ignores is moved aside."""
    return _without_ignored(resources, gate.config.ignores, gate.today)


def configured(plan: Plan, gate: Gate) -> Plan:
    """The plan, judged already, under the configuration."""
    found = apply_config(
        without_resting_on_ignored(plan.findings, plan.resources),
        gate.config,
        Scope(plan.release.name, plan.release.namespace, plan.operation),
        gate.today,
        expired_matches(plan.resources, gate.config.ignores, gate.today),
    )
    return replace(
        plan,
        findings=found.findings,
        disabled=found.disabled,
        fail_on=gate.fail_on,
        fail_on_unknown=gate.fail_on_unknown,
        config_file=gate.config.file,
        notes=(*plan.notes, *gate.notes),
    )
