"""Facts from before an operation that the packs' steps compare with."""

from __future__ import annotations

import msgspec

from helmguard.model.json_value import JSONObject


class Baseline(msgspec.Struct, frozen=True):
    """Lists of trimmed objects by the name a pack reads them under (``gpu-operator.nodes``).

    ``unread`` says, by the same names, why a list is not there. JSON-serialisable by msgspec.
    """

    taken: str = ""
    lists: dict[str, list[JSONObject]] = {}
    unread: dict[str, str] = {}
