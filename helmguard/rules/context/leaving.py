"""The objects that this operation takes out of the release: to be deleted, unless something spares them."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import Present, Unreadable
from helmguard.model.plan import ResourceChange
from helmguard.model.resource_key import ResourceKey
from helmguard.predict.deletions import is_kept, keep_policy
from helmguard.rules.facts import Facts


class Leaving(msgspec.Struct, frozen=True):
    """``document`` is the old manifest's; ``live`` is None where it could not be read."""

    resource: ResourceChange
    document: JSONObject
    live: JSONObject | None

    @property
    def key(self) -> ResourceKey:
        """Which object."""
        return self.resource.prediction.key

    @property
    def body(self) -> JSONObject:
        """The live object, or the document where that could not be read."""
        return self.document if self.live is None else self.live

    @property
    def live_policy(self) -> str | None:
        """The keep annotation of the live object."""
        return None if self.live is None else keep_policy(self.live)

    @property
    def manifest_policy(self) -> str | None:
        """The keep annotation of the old manifest's document."""
        return keep_policy(self.document)


def leaving_objects(facts: Facts) -> Iterator[Leaving]:
    """What is to be deleted, also where Helm fails before it would come to it; without what stays."""
    yield from (leaving for leaving in _leaving(facts) if leaving.live is None or not is_kept(leaving.live))


def kept_objects(facts: Facts) -> Iterator[Leaving]:
    """What leaves the manifest and stays: its live annotation says ``keep``."""
    yield from (leaving for leaving in _leaving(facts) if leaving.live is not None and is_kept(leaving.live))


def _leaving(facts: Facts) -> Iterator[Leaving]:
    """Those that are live, or of which it is not known; what a hook takes over does not leave.

    Where Helm cannot render there is no new manifest, and nothing leaves it.
    """
    stops_before = facts.failure is not None and facts.failure.stage == "before"
    if stops_before and all(resource.prediction.new is None for resource in facts.resources):
        return
    hooks = {hook.key for hook in facts.around.hooks}
    for resource in facts.resources:
        prediction = resource.prediction
        if prediction.previous is None or prediction.new is not None or prediction.key in hooks:
            continue
        if isinstance(prediction.live, Present):
            yield Leaving(resource, prediction.previous, prediction.live.body)
        elif isinstance(prediction.live, Unreadable):
            yield Leaving(resource, prediction.previous, None)
