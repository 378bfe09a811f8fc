"""Why facts that the rules needed could not be read, told among all else that is not known."""

from __future__ import annotations

from msgspec.structs import replace

from helmguard.model.cluster_facts import ClusterFacts
from helmguard.model.plan import Plan, Unknown
from helmguard.planner.cluster_facts import fact_names
from helmguard.rules.judge import missing_facts


def with_unread(plan: Plan, facts: ClusterFacts) -> Plan:
    """The judged plan with the reasons; lists that no answer lacks are passed over."""
    missing = fact_names(missing_facts(plan.findings))
    unread = tuple(
        Unknown(f"cluster.{name}", facts.unread[name]) for name in sorted(missing) if name in facts.unread
    )
    return replace(plan, unknown=(*plan.unknown, *unread)) if unread else plan
