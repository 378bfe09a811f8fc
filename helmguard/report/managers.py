"""Who owns which fields of a live object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from helmguard.compare.field_owners import FieldOwner, OwnedField, field_owners, fields_of_others, owners_of
from helmguard.masking.secret_marks import without_digest
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import Present
from helmguard.model.plan import ResourceChange
from helmguard.model.resource_key import ResourceKey
from helmguard.report.cause_marks import cause_letter
from helmguard.report.drift_fields import moment
from helmguard.report.layout import columns
from helmguard.report.page import Pen
from helmguard.report.styles import EMPTY, Line, Span

_FIELDS = 60
"""Fields of one owner that are named."""


def manager_lines(resource: ResourceChange, pen: Pen) -> Iterator[Line]:
    """The owners of the fields that change, then each owner but Helm with its fields."""
    live = resource.prediction.live
    if not isinstance(live, Present):
        yield (Span("There is no live object, so that nobody owns its fields.", "dim"),)
        return
    owners = field_owners(live.body)
    if not owners:
        yield (Span("The live object says nothing about the owners of its fields.", "dim"),)
        return
    yield (Span("Managers of the live object", "bold"),)
    yield from columns([_owner_row(owner, pen) for owner in owners], pen.page.columns, 2)
    yield from _changed(resource, live.body, pen)
    others: dict[FieldOwner, list[OwnedField]] = {}
    for field in fields_of_others(live.body, controllers=True):
        others.setdefault(field.owner, []).append(field)
    for owner, fields in others.items():
        yield EMPTY
        yield (pen.text(str(owner), "bold"), Span("  owns", "dim"))
        yield from _fields(resource.prediction.key, fields, pen)


def _owner_row(owner: FieldOwner, pen: Pen) -> Sequence[Line]:
    sign = Span("=", "dim") if owner.is_helm else Span("!", "warning")
    written = " ".join(part for part in (owner.operation.lower(), moment(owner.time)) if part)
    return [(sign,), (pen.text(str(owner)),), (pen.text(written, "dim"),)]


def _changed(resource: ResourceChange, live: JSONObject, pen: Pen) -> Iterator[Line]:
    rows = []
    for change in (*resource.changes, *resource.drift, *resource.latent):
        owners = ", ".join(str(owner) for owner in owners_of(live, change.path)) or "nobody"
        path = Span(pen.escape(without_digest(pen.masker.path(change.path))))
        rows.append([(cause_letter(change.cause),), (path,), (pen.text(owners, "dim"),)])
    if rows:
        yield EMPTY
        yield (Span("Owners of the fields that change or are adrift", "bold"),)
        yield from columns(rows[:_FIELDS], pen.page.columns, 2)


def _fields(key: ResourceKey, fields: Sequence[OwnedField], pen: Pen) -> Iterator[Line]:
    rows = []
    for field in fields[:_FIELDS]:
        path = Span(pen.escape(without_digest(pen.masker.path(field.path))))
        value = pen.values.value(pen.masker.field(key, field.path, field.value))
        rows.append([(Span(" "),), (path,), (Span(value, "dim"),)])
    yield from columns(rows, pen.page.columns, 2)
    if len(fields) > _FIELDS:
        yield (Span(f"    {pen.symbols.ellipsis} {len(fields) - _FIELDS} more", "dim"),)
