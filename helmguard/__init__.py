"""helmguard shows what a Helm upgrade or rollback will really do before it happens.

The public names are those of ``helmguard.api``; they are imported when first used, so that ``import
helmguard`` costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from helmguard.errors import HelmguardError
from helmguard.version import __version__

if TYPE_CHECKING:
    from helmguard.api import (
        CheckResult,
        DriftReport,
        NodeCheck,
        Plan,
        ReleaseReport,
        SavedPlan,
        ValuesResult,
        check_node,
        check_repository,
        compare_revisions,
        compute_values,
        drift,
        drift_bundle,
        drift_releases,
        plan,
        plan_bundle,
        read_saved_plan,
        release_history,
        release_status,
        verify_release,
    )

__all__ = [
    "CheckResult",
    "DriftReport",
    "HelmguardError",
    "NodeCheck",
    "Plan",
    "ReleaseReport",
    "SavedPlan",
    "ValuesResult",
    "__version__",
    "check_node",
    "check_repository",
    "compare_revisions",
    "compute_values",
    "drift",
    "drift_bundle",
    "drift_releases",
    "plan",
    "plan_bundle",
    "read_saved_plan",
    "release_history",
    "release_status",
    "verify_release",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'helmguard' has no attribute {name!r}")
    from helmguard import api

    value = getattr(api, name)
    globals()[name] = value
    return value
