"""What ``--reuse-values`` hides: defaults of the new chart that never arrive, and old ones that stay."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.field_change import MISSING
from helmguard.model.json_value import JSONObject
from helmguard.model.value_change import ValueWarning
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
