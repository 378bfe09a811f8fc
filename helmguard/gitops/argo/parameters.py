"""What a generator gives for one Application."""

from __future__ import annotations

from typing import Any

from helmguard.model.unshown import Unshown


class NotExpandedError(Exception):
    """Why an ApplicationSet's Applications are not known; the argument is a sentence about it."""


class Parameters(Unshown, frozen=True):
    """``values`` by name, flat (``path.basename``) or, for Go templates, in maps.

    ``open_why``: more of them are known in the cluster only, and why; empty where these are all. ``reads``
    are the files that they come from, ``remarks`` are for the reader of the Applications.
    """

    values: dict[str, Any]
    open_why: str = ""
    reads: frozenset[str] = frozenset()
    remarks: tuple[str, ...] = ()

    def with_values(self, values: dict[str, Any], *others: Parameters) -> Parameters:
        """These values, of this and the other parameters' origin."""
        whys = dict.fromkeys(one.open_why for one in (self, *others) if one.open_why)
        return Parameters(
            values,
            open_why="; ".join(whys),
            reads=self.reads.union(*(one.reads for one in others)),
            remarks=tuple(dict.fromkeys(remark for one in (self, *others) for remark in one.remarks)),
        )
