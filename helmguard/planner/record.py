"""A revision in the shape of the record, as far as values are concerned."""

from __future__ import annotations

from helmguard.model.json_value import JSONObject
from helmguard.model.release import Revision


def record_of(revision: Revision) -> JSONObject:
    """``{"config", "chart", "version"}``."""
    return {"config": revision.config, "chart": revision.chart, "version": revision.version}
