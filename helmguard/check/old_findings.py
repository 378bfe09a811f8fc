"""What a pull request is not to be told: what was so before, and that what is edited changes. Pure."""

from __future__ import annotations

from msgspec.structs import replace

from helmguard.model.field_path import format_path
from helmguard.model.finding import Finding, Suppressed
from helmguard.model.plan import Plan

BECAUSE = "it was so before the change"
EDITED = "the list is edited in the file that has it; no other list takes its place"


def without_old_findings(plan: Plan, before: Plan) -> Plan:
    """The plan without the findings that ``before``, a plan of the base over itself, has alike.

    That plan changes nothing: what fires in it is about a state, not about a change. Whatever differs in a
    finding but its place makes it a new one. Nor is there a word of items that leave a list in the very file
    that gives it on both sides: they are among the values that change.
    """
    old = [_content(finding) for finding in before.findings if finding.result == "fires"]
    kept: list[Finding] = []
    dropped: list[Suppressed] = []
    for finding in plan.findings:
        if finding.result == "fires" and _content(finding) in old:
            old.remove(_content(finding))
            dropped.append(Suppressed(finding.rule, finding.where.name, BECAUSE))
            continue
        if _is_edited_list(finding, plan):
            dropped.append(Suppressed(finding.rule, finding.where.name, EDITED))
            continue
        kept.append(finding)
    if not dropped:
        return plan
    return replace(plan, findings=tuple(kept), suppressed=(*plan.suppressed, *dropped))


def _is_edited_list(finding: Finding, plan: Plan) -> bool:
    if finding.rule != "values-list-replaced" or finding.result != "fires":
        return False
    name = finding.where.name
    inside = [
        (change.provenance_before, change.provenance_after)
        for change in plan.values.changes
        if (path := format_path(change.path)) == name or path.startswith(f"{name}[")
    ]
    return bool(inside) and all(
        before is not None
        and after is not None
        and {before.kind, after.kind} == {"values file"}
        and before.source == after.source
        for before, after in inside
    )


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
