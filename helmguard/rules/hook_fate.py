"""What becomes of the object that is live under a hook's name."""

from __future__ import annotations

from typing import Literal

from helmguard.model.live_state import Absent, Present
from helmguard.model.release import ApplyMethod
from helmguard.model.surroundings import HookObject
from helmguard.predict.hook_effects import BEFORE_CREATION

Fate = Literal["none", "deleted first", "collides", "patched", "unknown"]


def left_over_fate(hook: HookObject, method: ApplyMethod) -> Fate:
    """What becomes of the object that is live under the hook's name."""
    if isinstance(hook.live, Absent):
        return "none"
    if not isinstance(hook.live, Present):
        return "unknown"
    if BEFORE_CREATION in hook.delete_policies and hook.key.kind != "CustomResourceDefinition":
        return "deleted first"
    return "collides" if method == "csa" else "patched"
