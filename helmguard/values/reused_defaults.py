"""What ``--reuse-values`` hides: defaults of the new chart that never arrive, and old ones that stay."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.field_change import MISSING
from helmguard.model.json_value import JSONObject
from helmguard.model.value_change import ValueWarning
from helmguard.values.provenance import Provenances, origin_of
from helmguard.values.table import to_json
from helmguard.values.value_tree import find, is_set, leaves, same_value


def ignored_new_defaults(
    new_defaults: JSONObject, old_defaults: JSONObject, effective: JSONObject
) -> Iterator[ValueWarning]:
    """Defaults that the new chart brings and the reused values lack: templates see nothing there."""
    for path, value in leaves(new_defaults):
        if path and find(effective, path) is MISSING and not is_set(old_defaults, path):
            yield ValueWarning(
                "new default ignored",
                path,
                "is new in the chart and stays unset, because --reuse-values keeps the old chart's defaults",
                after=value,
            )


def stale_defaults(
    new_defaults: JSONObject, old_defaults: JSONObject, config: JSONObject
) -> Iterator[ValueWarning]:
    """Defaults that the new chart changed and the reused values keep as they were."""
    for path, value in leaves(new_defaults):
        old = find(old_defaults, path)
        if path and old is not MISSING and not same_value(old, value) and not is_set(config, path):
            yield ValueWarning(
                "stale default",
                path,
                "keeps the old chart's default, because --reuse-values does not take the new one",
                before=old,
                after=value,
            )


def reused_default_warnings(
    result: JSONObject, fresh: JSONObject, origins: Provenances
) -> Iterator[ValueWarning]:
    """The same for the whole chart, sub-charts too: effective values beside those with the new defaults.

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
