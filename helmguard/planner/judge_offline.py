"""Judging from a bundle: with the facts that it holds, as far as they are about this plan."""

from __future__ import annotations

from msgspec.structs import replace

from helmguard.model.plan import Plan
from helmguard.planner.cluster_facts import facts_for
from helmguard.planner.configured import configured
from helmguard.planner.inputs import PlanInputs
from helmguard.planner.make_plan import assembled, judged
from helmguard.planner.unread_facts import with_unread


def judged_offline(inputs: PlanInputs) -> Plan:
    """The plan of these inputs; what the bundle lacks stays unknown."""
    unjudged = assembled(inputs)
    facts = facts_for(inputs.cluster, unjudged)
    plan = judged(unjudged, replace(inputs, cluster=facts))
    return configured(with_unread(plan, facts), inputs.gate)
