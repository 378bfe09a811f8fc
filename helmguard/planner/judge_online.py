"""Judging against a cluster: what an answer lacks is read, and only that."""

from __future__ import annotations

from msgspec.structs import replace

from helmguard.model.plan import Plan
from helmguard.model.prediction import Prediction
from helmguard.planner.cluster_facts import read_wanted
from helmguard.planner.configured import configured
from helmguard.planner.inputs import PlanInputs
from helmguard.planner.make_plan import assembled, judged
from helmguard.planner.node_side import facts_for_nodes
from helmguard.planner.session import Report, Session
from helmguard.planner.unread_facts import with_unread
from helmguard.rules.judge import missing_facts


def judged_online(
    inputs: PlanInputs, prediction: Prediction | None, session: Session, report: Report
) -> Plan:
    """The plan, judged with all facts around the release that its rules turn out to need."""
    unjudged = assembled(inputs, prediction)
    asked: frozenset[str] = frozenset()
    while True:
        plan = judged(unjudged, inputs)
        names = (missing_facts(plan.findings) | facts_for_nodes(unjudged, inputs)) - asked
        if not names:
            return configured(with_unread(plan, inputs.cluster), inputs.gate)
        report(f"reading {_listed(names)}")
        facts = read_wanted(session, unjudged, sorted(names))
        inputs = replace(inputs, cluster=inputs.cluster.with_more(facts))
        asked |= names


def _listed(names: frozenset[str]) -> str:
    return ", ".join(sorted(name.split(".")[1] for name in names))
