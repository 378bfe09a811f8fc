"""Findings about values that are not lost overrides: defaults that never arrive, unknown keys, lost items."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.field_path import format_path
from helmguard.model.finding import Finding, Place, Severity
from helmguard.model.value_change import ValueWarning, ValueWarningKind
from helmguard.rules.facts import Facts

_RULES: dict[ValueWarningKind, tuple[str, Severity]] = {
    "new default ignored": ("reuse-values-missing-key", "warning"),
    "stale default": ("chart-default-stale", "warning"),
    "list replaced": ("values-list-replaced", "warning"),
    "type changed": ("values-type-change", "warning"),
    "unknown key": ("values-unknown-key", "warning"),
    "table conflict": ("values-table-conflict", "danger"),
}
"""Rule id and severity by kind of warning. Warnings that are not here are shown with the values only."""


_TITLES: dict[ValueWarningKind, str] = {
    "new default ignored": "this new default does not arrive",
    "stale default": "this new default is not taken",
}
"""What stands beside ``before → after`` where the kind's own name does not read well."""


def value_warnings(facts: Facts) -> Iterator[Finding]:
    """One finding for each warning that has a rule and may matter."""
    for warning in facts.values.warnings:
        if warning.kind in _RULES and not warning.is_idle:
            yield _finding(warning)


def _finding(warning: ValueWarning) -> Finding:
    rule, severity = _RULES[warning.kind]
    provenance = warning.provenance
    return Finding(
        rule=rule,
        severity=severity,
        title=_TITLES.get(warning.kind, warning.kind),
        where=Place(
            "value",
            format_path(warning.path),
            file=provenance.source if provenance and provenance.kind == "values file" else "",
            line=provenance.line if provenance else 0,
        ),
        before=warning.before,
        after=warning.after,
        consequence=warning.message,
    )
