"""What will happen to an object."""

from __future__ import annotations

from typing import Literal

Action = Literal[
    "create",
    "update",
    "replace",
    "delete",
    "keep",
    "adopt",
    "recreate",
    "unchanged",
    "hook",
    "fail",
    "unknown",
]
"""``keep``: left behind by resource policy; ``adopt``: live already and taken into the release;
``recreate``: was deleted live and comes back; ``unknown``: not predictable, ``why`` says what is missing."""
