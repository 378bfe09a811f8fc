"""The objects that this operation takes out of the release, and is to delete unless something spares them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import Present
from helmguard.model.plan import ResourceChange
from helmguard.predict.deletions import is_kept, keep_policy
from helmguard.rules.facts import Facts


@dataclass(frozen=True, slots=True)
class LeavingObject:
    """``live_policy`` and ``manifest_policy`` are the keep policy's annotation, None where it is missing."""

    resource: ResourceChange
    live: JSONObject
    live_policy: str | None
    manifest_policy: str | None

    @property
    def is_kept(self) -> bool:
        """Whether an upgrade spares it."""
        return is_kept(self.live)


def leaving_objects(facts: Facts) -> Iterator[LeavingObject]:
    """Those that are live, also where Helm fails before it would come to them."""
    hooks = {hook.key for hook in facts.around.hooks}
    for resource in facts.resources:
        prediction = resource.prediction
        if prediction.previous is None or prediction.new is not None or prediction.key in hooks:
            continue
        if isinstance(prediction.live, Present):
            live = prediction.live.body
            yield LeavingObject(resource, live, keep_policy(live), keep_policy(prediction.previous))
