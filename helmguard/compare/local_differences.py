"""Where the API server's answer to a dry run differs from what was predicted without it."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.compare.bookkeeping import is_controllers
from helmguard.compare.comparable import comparable
from helmguard.compare.context import CompareContext
from helmguard.compare.differences import differences
from helmguard.model.field_change import MISSING
from helmguard.model.field_path import FieldPath
from helmguard.model.plan import LocalDifference
from helmguard.model.prediction import ResourcePrediction

_CLUSTERS_OWN: frozenset[FieldPath] = frozenset({("spec", "ipFamilies"), ("spec", "ipFamilyPolicy")})
"""What follows from how the cluster was set up, and nobody predicts without it."""


def local_differences(prediction: ResourcePrediction, context: CompareContext) -> Iterator[LocalDifference]:
    """Field by field; nothing where either side is a refusal, whose texts then tell, or nothing was asked.

    The server's own bookkeeping is no difference, and what it made up for the dry run is left out before.
    """
    confirmation = prediction.confirmation
    if confirmation is None or confirmation.error or confirmation.local_error:
        return
    if confirmation.server is None or confirmation.local is None:
        return
    schema = context.type_of(prediction.api_version, prediction.key.kind)
    local, server = comparable(confirmation.local), comparable(confirmation.server)
    for difference in differences(local, server, schema):
        if difference.before in ({}, []) or difference.after in ({}, []) or is_controllers(difference.path):
            continue
        if difference.before is not MISSING or difference.path not in _CLUSTERS_OWN:
            yield LocalDifference(difference.path, difference.before, difference.after)
