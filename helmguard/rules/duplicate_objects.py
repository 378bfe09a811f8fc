"""``duplicate-object``: the new manifest holds one object more than once."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.finding import Finding, Place
from helmguard.model.surroundings import Duplicate
from helmguard.rules.facts import Facts


def duplicate_objects(facts: Facts) -> Iterator[Finding]:
    """A blocker where the documents differ: one of them is lost, or the install fails."""
    for duplicate in facts.around.duplicates:
        yield Finding(
            rule="duplicate-object",
            severity="warning" if duplicate.identical and not _install_fails(facts) else "blocker",
            title=f"is {len(duplicate.sources)} times in the new manifest",
            where=Place("object", str(duplicate.key)),
            effects=(f"from {', '.join(dict.fromkeys(duplicate.sources))}",)
            if any(duplicate.sources)
            else (),
            consequence=_outcome(duplicate, facts),
            remedy=("take it out of one of the templates, or rename it",),
        )


def _install_fails(facts: Facts) -> bool:
    return facts.operation == "install" and facts.engine.apply_method == "csa"


def _outcome(duplicate: Duplicate, facts: Facts) -> str:
    if _install_fails(facts):
        return "Helm creates the first and fails on the second: it exists already."
    if duplicate.identical:
        return "All say the same, so an upgrade hardly notices; a fresh install by Helm 3 fails on them."
    if facts.engine.apply_method == "ssa":
        return (
            "Helm applies one over the other without a word: only the fields of the last one sent remain; at "
            "an install they are sent side by side, so which is last is chance."
        )
    return (
        "Helm patches one after the other without a word: what the last one says is what remains. A fresh "
        "install by Helm 3 fails on them."
    )
