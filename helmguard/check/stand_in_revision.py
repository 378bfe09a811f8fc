"""The base side in the place of the stored revision that an upgrade compares with."""

from __future__ import annotations

import base64

from helmguard.check.rendered_side import RenderedSide
from helmguard.model.json_value import JSONObject
from helmguard.model.release import History, Revision
from helmguard.values.table import to_json


def base_history(base: RenderedSide | None, name: str, namespace: str) -> History:
    """A history of one deployed revision: what the base renders; empty for a release that comes."""
    if base is None:
        return History(name, namespace, ())
    return History(name, namespace, (stand_in_revision(base),))


def stand_in_revision(base: RenderedSide) -> Revision:
    """The revision as the base's own Helm would have stored it after applying that side."""
    result = base.values
    metadata = base.chart.metadata
    chart: JSONObject = {
        "metadata": {
            "name": metadata.name,
            "version": metadata.version,
            "appVersion": metadata.app_version,
            "dependencies": [{"name": child.name} for child in base.chart.dependencies],
        },
        "values": to_json(result.chart_values) if result and result.chart_values is not None else {},
        "templates": [
            {"name": file.name, "data": base64.b64encode(file.data).decode()} for file in base.chart.templates
        ],
    }
    return Revision(
        name=base.declared.name,
        namespace=base.declared.namespace,
        version=1,
        status="deployed",
        label_status="deployed",
        chart=chart,
        config=to_json(result.config) if result else {},
        manifest=base.manifest,
        hooks=base.hooks,
        apply_method="ssa" if base.helm.major >= 4 and base.declared.tool != "argo" else "",
    )
