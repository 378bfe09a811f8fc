"""Ids of the rules that are functions of this package still, not files of a pack."""

from __future__ import annotations

DETECTOR_RULES = frozenset(
    [
        "adoption-conflict",
        "chart-default-stale",
        "cr-field-pruned",
        "cr-kind-missing",
        "crd-not-upgraded",
        "drift-deleted-upstream",
        "drift-not-corrected-cr",
        "duplicate-object",
        "generate-name",
        "hook-collides",
        "hook-deletes-foreign-object",
        "hook-needs-lost",
        "hook-not-run-again",
        "hook-removed-left-behind",
        "keep-not-live",
        "keep-orphans",
        "last-failed-partial",
        "merge-loses-item",
        "no-deployed-revision",
        "no-hooks-flag",
        "object-becomes-hook",
        "orphaned-by-failed-revision",
        "owned-by-other-release",
        "record-unreadable",
        "release-pending",
        "release-record-too-big",
        "reuse-values-missing-key",
        "rollback-to-failed",
        "stored-manifest-api-removed",
        "values-list-replaced",
        "values-table-conflict",
        "values-type-change",
        "values-unknown-key",
    ]
)
