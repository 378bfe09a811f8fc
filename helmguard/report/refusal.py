"""How a refused plan can be let pass, in one line."""

from __future__ import annotations

from helmguard.model.plan import Plan
from helmguard.report.exit_code import gating_findings


def how_to_accept(plan: Plan) -> str:
    """Empty where nothing but another plan helps: Helm will fail, or something is not known."""
    if plan.failure is not None:
        return "Nothing was changed. Helm would fail; --fail-on none lets it run all the same."
    rules = list(dict.fromkeys(finding.rule for finding in gating_findings(plan)))
    if not rules:
        return "Nothing was changed."
    words = " ".join(f"--accept {rule}=REASON" for rule in rules)
    return f"Nothing was changed. To go on all the same, say why: {words}"
