"""Facts made by hand, one danger at a time."""

from __future__ import annotations

from typing import Any

from helmguard.model.field_change import FieldChange
from helmguard.model.live_state import Absent
from helmguard.model.plan import ChartRef, Engine, ReleaseSummary, ResourceChange, ValuesReport
from helmguard.model.prediction import ResourcePrediction
from helmguard.model.resource_key import ResourceKey
from helmguard.model.value_change import ValueChange, ValueWarning
from helmguard.rules.facts import Facts


def release(**more: Any) -> ReleaseSummary:
    """A healthy release at revision 1."""
    chart = ChartRef("web", "1.0.0")
    given: dict[str, Any] = {"from_revision": 1, "last_revision": 1, "to_revision": 2, "status": "deployed"}
    return ReleaseSummary("web", "shop", chart=chart, new_chart=chart, **{**given, **more})


def resource(
    *changes: FieldChange, name: str = "web", action: str = "update", error: str = ""
) -> ResourceChange:
    """A Deployment."""
    prediction = ResourcePrediction(
        key=ResourceKey("apps", "Deployment", "shop", name),
        api_version="apps/v1",
        action=action,  # type: ignore[arg-type]
        previous=None,
        new=None,
        live=Absent(),
        predicted=None,
        error=error,
    )
    return ResourceChange(prediction, changes)


def facts(
    *resources: ResourceChange,
    changes: tuple[ValueChange, ...] = (),
    warnings: tuple[ValueWarning, ...] = (),
    **more: Any,
) -> Facts:
    """An upgrade in which nothing is wrong but what is given."""
    given: dict[str, Any] = {
        "operation": "upgrade",
        "release": release(),
        "engine": Engine("3.22.0", "csa", "Helm 3 patches client-side", "template"),
        "values": ValuesReport("reuse", "because --reuse-values was given", changes, warnings),
        "resources": resources,
    }
    return Facts(**{**given, **more})
