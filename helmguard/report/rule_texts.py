"""What the rules that a check's items name are about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from helmguard.report.check_items import NOT_COMPARED, NOT_READ, WILL_FAIL


class RuleText(msgspec.Struct, frozen=True):
    """A rule's ``summary`` in a sentence, its category, empty where it is not known, and public evidence."""

    id: str
    summary: str
    category: str = ""
    evidence: tuple[str, ...] = ()


_OWN: Final = (
    RuleText(
        WILL_FAIL, "Helm will fail on an object, in the middle of the operation or before it", "failure"
    ),
    RuleText(
        NOT_COMPARED, "A release could not be compared, so that what becomes of it is not known", "unknown"
    ),
    RuleText(NOT_READ, "Something could not be read, so that what hangs on it is not known", "unknown"),
)


def rule_texts(ids: Iterable[str]) -> Mapping[str, RuleText]:
    """The texts of these rules, in the order of their ids; of a rule of the user's own its id alone."""
    from helmguard.rules.packs import builtin_packs

    known = {
        rule.id: RuleText(rule.id, rule.summary, rule.category, tuple(rule.evidence))
        for pack in builtin_packs()
        for rule in pack.rules
    }
    known |= {text.id: text for text in _OWN}
    return {
        name: known.get(name, RuleText(name, f"Rule {name} of this project")) for name in sorted(set(ids))
    }
