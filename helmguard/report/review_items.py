"""What a review's tree is made of."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from helmguard.compare.object_drift import ObjectDrift
from helmguard.model.field_change import FieldChange
from helmguard.model.finding import Finding, Severity
from helmguard.model.plan import HookRun, LeftOver, ResourceChange, Unknown
from helmguard.model.prediction import Failure
from helmguard.model.value_change import ValueChange, ValueWarning
from helmguard.report.styles import Style

FieldKind = Literal["change", "drift", "latent", "ignored"]
SectionName = Literal["failure", "findings", "values", "objects", "hooks", "drift", "unknown", "unchanged"]


class Section(msgspec.Struct, frozen=True):
    """A heading; ``counts`` say what is below it."""

    name: SectionName
    title: str
    counts: tuple[tuple[str, Style], ...]


class SeverityGroup(msgspec.Struct, frozen=True):
    """The findings of one severity; ``severity`` None for those that are waived."""

    severity: Severity | None
    count: int

    def holds(self, finding: Finding) -> bool:
        """Whether the finding is one of them."""
        if finding.waived is not None:
            return self.severity is None
        return finding.severity == self.severity


class FindingDetails(msgspec.Struct, frozen=True):
    """What stands below a finding that is unfolded."""

    finding: Finding


class ReviewedField(msgspec.Struct, frozen=True):
    """One field of an object."""

    resource: ResourceChange
    change: FieldChange
    kind: FieldKind


class ReviewedHook(msgspec.Struct, frozen=True):
    """A hook that runs, with the object that stands for it."""

    run: HookRun
    resource: ResourceChange | None


class DriftedObject(msgspec.Struct, frozen=True):
    """An object that is not as its release says."""

    drift: ObjectDrift

    @property
    def resource(self) -> ResourceChange:
        """The object."""
        return self.drift.resource


class Counted(msgspec.Struct, frozen=True):
    """What is there and not shown."""

    text: str


ReviewItem: TypeAlias = (
    Section
    | SeverityGroup
    | Finding
    | FindingDetails
    | Failure
    | ValueChange
    | ValueWarning
    | ResourceChange
    | DriftedObject
    | ReviewedField
    | ReviewedHook
    | LeftOver
    | Unknown
    | Counted
)


class ReviewNode(msgspec.Struct, frozen=True, eq=False):
    """``key`` is the same for the same thing in another plan. ``is_change``: n and N stop here. ``is_open``:
    unfolded at first."""

    key: str
    item: ReviewItem
    children: tuple[ReviewNode, ...] = ()
    is_change: bool = False
    is_open: bool = True


def item_of(node: ReviewNode | None) -> ReviewItem | None:
    """What the node stands for; of a finding's details, the finding."""
    if node is None:
        return None
    return node.item.finding if isinstance(node.item, FindingDetails) else node.item


def object_of(item: ReviewItem | None) -> ResourceChange | None:
    """The object that the item is, or is of."""
    if isinstance(item, ResourceChange):
        return item
    if isinstance(item, ReviewedField | DriftedObject | ReviewedHook):
        return item.resource
    return None
