"""The commands on the page of a program that itself runs helm: they go through its gate, too."""

from __future__ import annotations

import re

from msgspec.structs import replace

from helmguard.model.plan import Plan

_GOES_ROUND_THE_GATE = re.compile(r"^helm (?=(upgrade|rollback) )")


def with_own_commands(plan: Plan) -> Plan:
    """The plan for a page: ``helmguard upgrade``, which takes helm's flags, in place of ``helm upgrade``."""
    return replace(
        plan,
        keep_command=_own(plan.keep_command),
        findings=tuple(
            replace(finding, remedy=tuple(map(_own, finding.remedy))) for finding in plan.findings
        ),
    )


def _own(command: str) -> str:
    return _GOES_ROUND_THE_GATE.sub("helmguard ", command)
