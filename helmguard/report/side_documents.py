"""The objects of a plan as texts to be laid beside each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from helmguard.masking.secret_marks import without_digest
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import Present
from helmguard.model.plan import Plan, ResourceChange
from helmguard.model.resource_key import ResourceKey
from helmguard.report.page import Pen
from helmguard.report.plan_counts import objects_of
from helmguard.report.side_by_side import SideRow, side_rows
from helmguard.report.yaml_diff import yaml_lines

Sides = Literal["cluster", "manifests"]
"""``cluster``: what is live, and what will be; ``manifests``: the previous manifest, and the new one."""

Report = Callable[[str], None]


class SideDocument(msgspec.Struct, frozen=True):
    """One object on both sides, None where a side lacks it."""

    key: ResourceKey
    left: JSONObject | None
    right: JSONObject | None


def names_of(plan: Plan, sides: Sides) -> tuple[str, str]:
    """What stands on the two sides."""
    if plan.operation == "comparison":
        return f"revision {plan.release.from_revision}", f"revision {plan.release.to_revision}"
    return ("live", "after") if sides == "cluster" else ("previous manifest", "new manifest")


def side_document(resource: ResourceChange, sides: Sides) -> SideDocument:
    """The two states of one object."""
    prediction = resource.prediction
    if sides == "manifests":
        return SideDocument(prediction.key, prediction.previous, prediction.new)
    live = prediction.live.body if isinstance(prediction.live, Present) else None
    return SideDocument(prediction.key, live, prediction.predicted)


def text_of(body: JSONObject | None, pen: Pen) -> str:
    """An object's YAML as it may be copied: masked."""
    return "".join(f"{without_digest(text)}\n" for text in yaml_lines(body, pen))


def side_documents(plan: Plan, sides: Sides) -> list[SideDocument]:
    """All objects in the plan's order, then the hooks of two revisions that are compared."""
    found = list(objects_of(plan))
    if plan.operation == "comparison":
        found += [item for item in plan.resources if item.hook_events]
    return [side_document(resource, sides) for resource in found]


def document_rows(document: SideDocument, pen: Pen) -> list[SideRow]:
    """One object, masked."""
    left = yaml_lines(document.left, pen)
    if document.right is document.left:
        return [SideRow("same", text, text, index, index) for index, text in enumerate(left, 1)]
    return side_rows(left, yaml_lines(document.right, pen))


def rows_of_documents(documents: Sequence[SideDocument], pen: Pen, report: Report) -> list[SideRow]:
    """All objects below each other, each under its name; ``report`` is told how far it is."""
    rows: list[SideRow] = []
    for index, document in enumerate(documents):
        if index % 20 == 0:
            report(f"{index} of {len(documents)} objects")
        rows.append(SideRow("head", pen.text(_name(document)).text))
        rows += document_rows(document, pen)
    return _numbered(rows)


def _name(document: SideDocument) -> str:
    key = document.key
    where = f" in {key.namespace}" if key.namespace else ""
    return f"{key}{where}"


def _numbered(rows: Iterable[SideRow]) -> list[SideRow]:
    """Line numbers that go on from object to object."""
    return list(_counted(rows))


def _counted(rows: Iterable[SideRow]) -> Iterator[SideRow]:
    left, right = 0, 0
    for row in rows:
        left += bool(row.left_number)
        right += bool(row.right_number)
        if row.kind == "head":
            yield row
        else:
            yield replace(
                row,
                left_number=left if row.left_number else 0,
                right_number=right if row.right_number else 0,
            )
