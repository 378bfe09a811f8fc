"""The user's configuration over a plan: ignored changes, overridden and waived findings. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from helmguard.config.apply_config import Scope, apply_config
from helmguard.config.config import Config
from helmguard.config.gate import Gate
from helmguard.config.ignores import expired_matches, without_resting_on_ignored
from helmguard.config.ignores import without_ignored as _without_ignored
from helmguard.model.finding import Finding
from helmguard.model.plan import Plan, ResourceChange
from helmguard.rules.packs import NODE_PACK, builtin_packs


def without_ignored(resources: Iterable[ResourceChange], gate: Gate) -> tuple[ResourceChange, ...]:
    """The objects to judge: what the configuration ignores is moved aside."""
    return _without_ignored(resources, gate.config.ignores, gate.today)


def configured(plan: Plan, gate: Gate) -> Plan:
    """The plan, judged already, under the configuration."""
    findings = tuple(without_resting_on_ignored(plan.findings, plan.resources))
    found = apply_config(
        findings,
        _without_waivers_for_nodes(gate.config, findings),
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


def _without_waivers_for_nodes(config: Config, findings: Iterable[Finding]) -> Config:
    """A waiver of a rule about nodes that finds nothing in this plan is not unused: it is for their check."""
    if not config.waivers:
        return config
    found = {finding.rule for finding in findings}
    elsewhere = {rule.id for pack in builtin_packs() if pack.name == NODE_PACK for rule in pack.rules} - found
    return replace(config, waivers=tuple(each for each in config.waivers if each.rule not in elsewhere))
