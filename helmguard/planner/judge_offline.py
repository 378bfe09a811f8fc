"""Judging from a bundle: with the facts that it holds, as far as they are about this plan."""

from __future__ import annotations

from msgspec.structs import replace

from helmguard.model.cluster_facts import ClusterFacts
from helmguard.model.plan import Plan
from helmguard.planner.cluster_facts import facts_for
from helmguard.planner.configured import configured
from helmguard.planner.inputs import PlanInputs
from helmguard.planner.make_plan import assembled, judged
from helmguard.planner.unread_facts import with_unread


def judged_offline(inputs: PlanInputs) -> Plan:
    """The plan of these inputs; what the bundle lacks stays unknown."""
    unjudged = assembled(inputs)
    facts = _with_collected(facts_for(inputs.cluster, unjudged), inputs)
    plan = judged(unjudged, replace(inputs, cluster=facts))
    return configured(with_unread(plan, facts), inputs.gate)


def _with_collected(facts: ClusterFacts, inputs: PlanInputs) -> ClusterFacts:
    """The facts; where nobody will read the nodes they say so, and the collected ones are taken for all."""
    if not inputs.nodes or "nodes" in facts.lists:
        return facts
    return replace(facts, unread={"nodes": "only those are known whose facts were collected", **facts.unread})
