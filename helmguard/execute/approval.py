"""May it run: what the gate says, what was accepted on the command line, what must be asked. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from difflib import get_close_matches

import msgspec
from msgspec.structs import replace

from helmguard.errors import UsageError
from helmguard.model.execution import Acceptance
from helmguard.model.finding import Finding, Waiver
from helmguard.model.plan import Plan

COMMAND_LINE = "--accept"
"""What a report names as the place of such a waiver."""


_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f]")
"""A reason is stored in the cluster, and helm prints it as it is: it must not steer anybody's terminal."""


class Question(msgspec.Struct, frozen=True):
    """What the user is asked: to type ``answer``, and nothing else counts. ``why`` are lines above it."""

    text: str
    answer: str
    why: tuple[str, ...] = ()


def read_acceptance(word: str) -> Acceptance:
    """``RULE=reason`` as typed.

    Raises:
        UsageError: there is no rule or no reason.
    """
    rule, _, reason = word.partition("=")
    if not rule.strip() or not reason.strip():
        raise UsageError(
            f"--accept {word!r}: a rule and a reason are wanted",
            remedy="Write --accept RULE=reason: --accept gpu-driver-turned-on='nodes are drained'.",
        )
    return Acceptance(rule.strip(), " ".join(_UNPRINTABLE.sub(" ", reason).split()))


def accepted(plan: Plan, acceptances: Sequence[Acceptance]) -> Plan:
    """The plan with the findings of these rules waived, as a waiver in the configuration does it."""
    reasons = {each.rule: each.reason for each in acceptances}
    findings = tuple(
        replace(finding, waived=Waiver(reasons[finding.rule], file=COMMAND_LINE))
        if finding.rule in reasons and finding.waived is None
        else finding
        for finding in plan.findings
    )
    return replace(plan, findings=findings)


def not_accepted(plan: Plan) -> Plan:
    """The plan as it was judged, before anything was accepted for one run."""
    findings = tuple(
        replace(finding, waived=None) if _is_accepted(finding) else finding for finding in plan.findings
    )
    return replace(plan, findings=findings)


def acceptances_in(plan: Plan) -> tuple[Acceptance, ...]:
    """What was accepted for one run, each rule once."""
    found = {
        finding.rule: Acceptance(finding.rule, finding.waived.reason)
        for finding in plan.findings
        if finding.waived is not None and _is_accepted(finding)
    }
    return tuple(found.values())


def _is_accepted(finding: Finding) -> bool:
    return finding.waived is not None and finding.waived.file == COMMAND_LINE


def without_effect(plan: Plan, acceptances: Sequence[Acceptance]) -> tuple[str, ...]:
    """The rules that were accepted and found nothing."""
    rules = {finding.rule for finding in plan.findings}
    return tuple(each.rule for each in acceptances if each.rule not in rules)


def why_useless(rule: str, known: Collection[str]) -> str:
    """Why an accepted rule found nothing; ``known`` are the ids of all rules that may speak.

    Raises:
        UsageError: no rule is called so, and one nearly is.
    """
    if rule in known:
        return "this rule found nothing here"
    near = get_close_matches(rule, sorted(known), 1, cutoff=0.75)
    if near:
        raise UsageError(
            f"--accept {rule}: no rule is called {rule!r}; did you mean {near[0]!r}?",
            remedy="helmguard rules list names them all.",
        )
    return f"no rule is called {rule!r} here; helmguard rules list names them all"


def used(plan: Plan, acceptances: Sequence[Acceptance]) -> tuple[Acceptance, ...]:
    """The acceptances that let a finding of the plan pass."""
    rules = {each.rule for each in acceptances_in(plan)}
    return tuple(each for each in acceptances if each.rule in rules)


_VERBS: dict[str, tuple[str, str]] = {
    "upgrade": ("upgrade", "Upgrade"),
    "install": ("install", "Install"),
    "rollback": ("roll back", "Roll back"),
}


def question(plan: Plan) -> Question:
    """Terraform's ``yes``; the release's name where data is destroyed."""
    _, verb = _VERBS[plan.operation]
    name = plan.release.name
    place = f"{name} in namespace {plan.release.namespace}"
    losses = data_losses(plan)
    if losses:
        why = tuple(f"{finding.where.name} {finding.title}" for finding in losses)
        return Question(f"{verb} {place}? This destroys data. Type the release's name to go on:", name, why)
    return Question(f"{verb} {place}? Only 'yes' is accepted:", "yes")


def data_losses(plan: Plan) -> list[Finding]:
    """The findings that fire and say that data is destroyed, accepted or not."""
    return [finding for finding in plan.findings if finding.data_loss and finding.result == "fires"]
