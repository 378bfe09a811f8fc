"""Lists that a ``--set`` word with an index leaves holes in."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.json_value import JSONObject
from helmguard.model.value_facts import IndexGap
from helmguard.values.provenance import Provenances, origin_of
from helmguard.values.value_tree import leaves

_BY_INDEX = ("--set", "--set-string", "--set-file")


def index_gaps(given: JSONObject, origins: Provenances) -> Iterator[IndexGap]:
    """Lists of this command with nulls before their last item: ``a[3]=x`` makes ``[null, null, null, x]``."""
    for path, value in leaves(given):
        if not isinstance(value, list):
            continue
        last = max((index for index, item in enumerate(value) if item is not None), default=-1)
        holes = tuple(index for index in range(last) if value[index] is None)
        origin = origin_of(path, origins)
        if holes and origin is not None and origin.kind in _BY_INDEX:
            yield IndexGap(path, holes, origin)
