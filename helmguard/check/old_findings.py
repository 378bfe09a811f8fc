"""What the rules said before the change already: a pull request is asked about what it brings. Pure."""

from __future__ import annotations

from msgspec.structs import replace

from helmguard.model.finding import Finding, Suppressed
from helmguard.model.plan import Plan

BECAUSE = "it was so before the change"


def without_old_findings(plan: Plan, before: Plan) -> Plan:
    """The plan without the findings that ``before``, a plan of the base over itself, has alike.

    That plan changes nothing: what fires in it is about a state, not about a change. Whatever differs in a
    finding but its place makes it a new one.
    """
    old = [_content(finding) for finding in before.findings if finding.result == "fires"]
    kept: list[Finding] = []
    dropped: list[Suppressed] = []
    for finding in plan.findings:
        if finding.result == "fires" and _content(finding) in old:
            dropped.append(Suppressed(finding.rule, finding.where.name, BECAUSE))
            continue
        kept.append(finding)
    if not dropped:
        return plan
    return replace(plan, findings=tuple(kept), suppressed=(*plan.suppressed, *dropped))


def _content(finding: Finding) -> tuple[object, ...]:
    """What makes it the same; the line of a value moves with every edit above it."""
    where = finding.where
    return (
        finding.rule,
        finding.severity,
        where.on,
        where.name,
        where.field,
        repr(finding.before),
        repr(finding.after),
        finding.effects,
        finding.key,
    )
