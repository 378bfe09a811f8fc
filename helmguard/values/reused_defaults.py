"""What ``--reuse-values`` hides: defaults of the new chart that never arrive, and old ones that stay."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.field_change import MISSING
from helmguard.model.json_value import JSONObject
from helmguard.model.value_change import ValueWarning
from helmguard.values.provenance import Provenances, origin_of
from helmguard.values.table import to_json
from helmguard.values.value_tree import find, is_set, leaves, same_value


def reused_default_warnings(
    result: JSONObject, fresh: JSONObject, origins: Provenances
) -> Iterator[ValueWarning]:
    """The effective values ``result`` beside those with the new defaults, sub-charts too.

    ``fresh`` are the effective values of the same command with ``--reset-then-reuse-values``, ``origins``
    their provenance.
    """
    for path, default in leaves(fresh):
        kept = find(result, path)
        if same_value(kept, default):
            continue
        origin = origin_of(path, origins)
        if kept is MISSING and not is_set(result, path):
            message = (
                "is new in the chart and stays unset, because --reuse-values keeps the old chart's defaults"
            )
            yield ValueWarning(
                "new default ignored", path, message, after=to_json(default), provenance=origin
            )
        else:
            message = "keeps the old chart's default, because --reuse-values does not take the new one"
            before = None if kept is MISSING else to_json(kept)
            yield ValueWarning(
                "stale default", path, message, before=before, after=to_json(default), provenance=origin
            )
