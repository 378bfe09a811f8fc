"""One release as one side of a change renders it."""

from __future__ import annotations

from collections.abc import Mapping

from helmguard.check.chart_store import FoundChart
from helmguard.errors import HelmguardError
from helmguard.model.declared_release import DeclaredRelease
from helmguard.model.field_path import FieldPath
from helmguard.model.helm_version import HelmVersion
from helmguard.model.json_value import JSONObject
from helmguard.model.plan import Unknown
from helmguard.model.resource_key import ResourceKey
from helmguard.model.unshown import Unshown
from helmguard.values.chart import Chart
from helmguard.values.compute import ValuesResult
from helmguard.values.table import Table


class RenderedSide(Unshown, frozen=True):
    """``error`` is on what Helm stops (values, schema, templates); ``values`` is None where it is the values.

    ``manifest`` and ``hooks`` are as the controller gets them, objects with random names left out
    (``random`` describes them). ``unknown`` is what this way of rendering could not know, ``notes`` are
    remarks on how it was rendered. ``kubernetes`` is the cluster's version, empty where nobody says it.
    ``asked`` are API versions that the templates ask for and that nobody says are served; ``if_served`` is
    the manifest where they are, empty where that makes no difference.
    """

    declared: DeclaredRelease
    found: FoundChart
    chart: Chart
    helm: HelmVersion
    given: Table
    values: ValuesResult | None = None
    manifest: str = ""
    hooks: tuple[JSONObject, ...] = ()
    unstable: Mapping[ResourceKey, frozenset[FieldPath]] = {}
    random: tuple[str, ...] = ()
    error: HelmguardError | None = None
    unknown: tuple[Unknown, ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    kubernetes: str = ""
    asked: tuple[str, ...] = ()
    if_served: str = ""
