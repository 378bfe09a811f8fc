"""An object field by field: what the manifests say, what is live, and what will be."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import replace

from helmguard.compare.comparable import comparable
from helmguard.compare.equal_trees import same_tree
from helmguard.compare.find_field import find_field
from helmguard.compare.list_items import choose_keys, item_key
from helmguard.masking.masker import Masker
from helmguard.masking.secret_marks import MARK, is_masked, without_digest
from helmguard.model.field_change import MISSING, FieldChange
from helmguard.model.field_path import FieldPath
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.live_state import Present
from helmguard.model.plan import Plan, ResourceChange
from helmguard.model.prediction import ResourcePrediction
from helmguard.report.cause_marks import cause_letter
from helmguard.report.display_width import display_width
from helmguard.report.field_rows import field_row, text_lines
from helmguard.report.layout import padded, wrapped
from helmguard.report.page import Pen
from helmguard.report.styles import Line, Span, Style, width_of
from helmguard.report.value_text import ValueWriter

_TABLE_FROM = 96
"""With fewer columns the values stand below the field's name."""
_WIDEST_CELL = 36
_LEAST_CELL = 10
_WIDEST_PATH = 60
_CAUSE_ROOM = 28
_AROUND = 6
"""Characters shown before the difference inside a word that does not fit."""
_MANIFEST_COLUMNS = ("previous", "live", "chart", "after")
_STORED_COLUMNS = ("before", "after")


class ThreeWayRow(msgspec.Struct, frozen=True):
    """One field; the four values are masked, MISSING where there is none. ``change`` is None where nothing
    about the field changes."""

    path: FieldPath
    previous: JSONValue
    live: JSONValue
    new: JSONValue
    after: JSONValue
    change: FieldChange | None = None


def three_way_rows(
    resource: ResourceChange, masker: Masker, *, all_fields: bool = False
) -> list[ThreeWayRow]:
    """The fields that change, are adrift or have another owner; with ``all_fields`` every declared one."""
    return rows_of_fields(resource, fields_of(resource, all_fields=all_fields), masker)


def fields_of(resource: ResourceChange, *, all_fields: bool = False) -> list[FieldChange | FieldPath]:
    """What `three_way_rows` shows: changes, and the paths of fields that nothing happens to."""
    ignored = [item.change for item in resource.ignored]
    changes = [*resource.changes, *resource.drift, *resource.latent, *ignored]
    if not all_fields:
        return list(changes)
    told = {change.path for change in changes}
    declared = _States.of(resource.prediction).declared()
    others = [
        path for path in declared if not any(path[:length] in told for length in range(1, len(path) + 1))
    ]
    return [*changes, *others]


def rows_of_fields(
    resource: ResourceChange, fields: Sequence[FieldChange | FieldPath], masker: Masker
) -> list[ThreeWayRow]:
    """The rows of some of these fields: of a large object not all are looked at."""
    states = _States.of(resource.prediction)
    return [
        three_way_row(resource, field, masker)
        if isinstance(field, FieldChange)
        else _row(field, states.at(field), resource, masker)
        for field in fields
    ]


def three_way_row(resource: ResourceChange, change: FieldChange, masker: Masker) -> ThreeWayRow:
    """The row of one change."""
    values = (change.previous, change.before, change.new, change.after)
    return replace(_row(change.path, values, resource, masker), change=change)


def _row(
    path: FieldPath,
    values: tuple[JSONValue, JSONValue, JSONValue, JSONValue],
    resource: ResourceChange,
    masker: Masker,
) -> ThreeWayRow:
    previous, live, new, after = (masker.field(resource.prediction.key, path, value) for value in values)
    return ThreeWayRow(path, previous, live, new, after)


class _States(msgspec.Struct, frozen=True):
    """The four documents in comparable form."""

    previous: JSONObject
    live: JSONObject
    new: JSONObject
    after: JSONObject

    @classmethod
    def of(cls, prediction: ResourcePrediction) -> _States:
        live = prediction.live.body if isinstance(prediction.live, Present) else None
        return cls(
            comparable(prediction.previous),
            comparable(live),
            comparable(prediction.new),
            comparable(prediction.predicted),
        )

    def at(self, path: FieldPath) -> tuple[JSONValue, JSONValue, JSONValue, JSONValue]:
        return (
            find_field(self.previous, path),
            find_field(self.live, path),
            find_field(self.new, path),
            find_field(self.after, path),
        )

    def declared(self) -> Iterator[FieldPath]:
        """The leaves of both manifests, the new one's first; its identity needs no telling."""
        paths = dict.fromkeys([*_leaves(self.new, ()), *_leaves(self.previous, ())])
        return (path for path in paths if path not in _IDENTITY)


_IDENTITY: frozenset[FieldPath] = frozenset(
    [("apiVersion",), ("kind",), ("metadata", "name"), ("metadata", "namespace")]
)


def _leaves(value: JSONValue, path: FieldPath) -> Iterator[FieldPath]:
    if isinstance(value, dict) and value:
        for name, inner in value.items():
            yield from _leaves(inner, (*path, name))
    elif isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        keys = choose_keys(value, (), ())
        for index, item in enumerate(value):
            yield from _leaves(item, (*path, item_key(item, keys) if keys else index))
    elif path:
        yield path


def columns_of(plan: Plan) -> tuple[str, ...]:
    """The names of the values: two where two stored revisions are compared."""
    return _STORED_COLUMNS if plan.operation == "comparison" else _MANIFEST_COLUMNS


def three_way_table(
    resource: ResourceChange, rows: Sequence[ThreeWayRow], plan: Plan, pen: Pen
) -> tuple[list[Line], list[list[Line]]]:
    """The names of the columns, and the lines of each row.

    Where there is no room for columns, labelled values stand below the field's name, and nothing above.
    """
    names = columns_of(plan)
    texts = [_texts(row, names, pen) for row in rows]
    if pen.page.columns < _TABLE_FROM or not rows:
        return [], [_stacked(resource, *both, names, plan, pen) for both in zip(rows, texts, strict=True)]
    widths = _widths(rows, texts, names, pen)
    cells = zip(["", "field", *names, "cause"], [1, *widths, 5], strict=True)
    head = tuple(Span(name.ljust(width) + "  ", "dim") for name, width in cells)
    return [head], [
        _in_columns(resource, row, each, widths, plan, pen) for row, each in zip(rows, texts, strict=True)
    ]


def _values_of(row: ThreeWayRow, names: Sequence[str]) -> list[JSONValue]:
    if len(names) == len(_STORED_COLUMNS):
        return [row.live, row.after]
    return [row.previous, row.live, row.new, row.after]


def _texts(row: ThreeWayRow, names: Sequence[str], pen: Pen) -> list[str]:
    return value_texts(_values_of(row, names), pen, _cell_room(pen, len(names)))


def value_texts(values: Sequence[JSONValue], pen: Pen, width: int) -> list[str]:
    """Masked values that stand for each other, in words of at most ``width`` columns each.

    Of long texts the common beginning is left out, and different secrets are told apart by numbers.
    """
    values = _numbered(values)
    writer = ValueWriter(pen.symbols, not pen.page.unicode, width)
    skipped = _common_start(values, writer.width)
    return [_written(value, skipped, writer) for value in values]


def _cell_room(pen: Pen, count: int) -> int:
    if pen.page.columns < _TABLE_FROM:
        return max(24, min(60, pen.page.columns - 16))
    return max(_LEAST_CELL, min(_WIDEST_CELL, (pen.page.columns - 52) // count))


def _written(value: JSONValue, skipped: int, writer: ValueWriter) -> str:
    if value is MISSING:
        return "-"
    if isinstance(value, _Secret):
        return value.text
    if isinstance(value, str) and skipped:
        return writer.symbols.ellipsis + replace(writer, width=writer.width - 1).value(value[skipped:])
    return writer.value(value)


class _Secret(msgspec.Struct, frozen=True):
    text: str


def _numbered(values: Sequence[JSONValue]) -> list[JSONValue]:
    """Each whole secret as words: numbered where several differ, since the marks themselves look alike."""
    marks: dict[str, int] = {}
    for value in values:
        for found in MARK.findall(json.dumps(value)) if value is not MISSING else ():
            marks.setdefault(found, len(marks) + 1)
    if len(marks) < 2:
        return [_Secret("(secret)") if is_masked(value) else value for value in values]
    return [_with_numbers(value, marks) for value in values]


def _with_numbers(value: JSONValue, marks: dict[str, int]) -> JSONValue:
    if is_masked(value):
        return _Secret(f"(secret {marks[value]})")
    if isinstance(value, str):
        return MARK.sub(lambda found: f"(secret {marks[found.group()]})", value)
    if isinstance(value, dict):
        return {name: _plain(_with_numbers(inner, marks)) for name, inner in value.items()}
    if isinstance(value, list):
        return [_plain(_with_numbers(inner, marks)) for inner in value]
    return value


def _plain(value: JSONValue) -> JSONValue:
    return value.text if isinstance(value, _Secret) else value


def _common_start(values: Sequence[JSONValue], width: int) -> int:
    """How much of long texts is the same in all and need not be shown, back to the start of a word."""
    texts = [value for value in values if isinstance(value, str)]
    if len(set(texts)) < 2 or max(map(len, texts)) + 2 <= width:
        return 0
    low, high = min(texts), max(texts)
    common = next((i for i, sign in enumerate(low) if high[i : i + 1] != sign), len(low))
    token = max(low.rfind(sign, 0, common) for sign in "/:,@ \n=") + 1
    return token if common - token <= width - 6 else common - _AROUND


def _widths(
    rows: Sequence[ThreeWayRow], texts: Sequence[Sequence[str]], names: Sequence[str], pen: Pen
) -> list[int]:
    """Columns of the field's name and of each value."""
    cells = [
        max([len(name), *(display_width(row[index]) for row in texts)]) for index, name in enumerate(names)
    ]
    room = pen.page.columns - sum(cells) - 2 * len(cells) - 4
    longest = max((len(_path_text(row, pen)) for row in rows), default=5)
    return [max(16, min(longest, room - _CAUSE_ROOM, _WIDEST_PATH)), *cells]


def _path_text(row: ThreeWayRow, pen: Pen) -> str:
    return pen.escape(without_digest(pen.masker.path(row.path)))


def _in_columns(
    resource: ResourceChange,
    row: ThreeWayRow,
    texts: Sequence[str],
    widths: Sequence[int],
    plan: Plan,
    pen: Pen,
) -> list[Line]:
    name, *sizes = widths
    path = Span(_path_text(row, pen), "" if row.change else "dim")
    cells = [
        padded((Span(text, style),), size)
        for text, style, size in zip(texts, _styles(row, texts), sizes, strict=True)
    ]
    spans: list[Span] = [_letter(row), Span("  ")]
    lines: list[Line] = []
    if width_of((path,)) <= name:
        spans += padded((path,), name)
    else:
        lines = wrapped([*spans, path], pen.page.columns, 5)
        spans = [Span(" " * (name + 3))]
    for cell in cells:
        spans += [Span("  "), *cell]
    why = _why(resource, row, plan, pen)
    beside = [*spans, Span("  "), *why]
    if width_of(beside) <= pen.page.columns:
        return [*lines, tuple(beside)]
    return [*lines, tuple(spans), *wrapped([Span("     "), *why], pen.page.columns, 7)]


def _stacked(
    resource: ResourceChange,
    row: ThreeWayRow,
    texts: Sequence[str],
    names: Sequence[str],
    plan: Plan,
    pen: Pen,
) -> list[Line]:
    """The field and its cause, then ``previous: 3  live: 7`` in as few lines as the width allows."""
    path = Span(_path_text(row, pen), "" if row.change else "dim")
    head = [_letter(row), Span("  "), path, Span("  "), *_why(resource, row, plan, pen)]
    lines = wrapped(head, pen.page.columns, 5)
    current: list[Span] = []
    for name, text, style in zip(names, texts, _styles(row, texts), strict=True):
        pair = [Span(f"{name} ", "dim"), Span(text, style)]
        if current and width_of(current) + width_of(pair) + 3 > pen.page.columns:
            lines.append(tuple(current))
            current = []
        current += [Span("   " if current else "     "), *pair]
    return [*lines, tuple(current)]


def _letter(row: ThreeWayRow) -> Span:
    return cause_letter(row.change.cause) if row.change is not None else Span(" ")


def _why(resource: ResourceChange, row: ThreeWayRow, plan: Plan, pen: Pen) -> Line:
    if row.change is None:
        return (Span("equal", "dim"),) if same_tree(row.live, row.after) else ()
    return field_row(resource.prediction.key, row.change, plan, pen)[3]


def _styles(row: ThreeWayRow, texts: Sequence[str]) -> list[Style]:
    """What will be stands out where it is not what is live."""
    styles: list[Style] = ["dim" if text == "-" else "" for text in texts]
    if row.change is not None and not same_tree(row.live, row.after):
        styles[-1] = "bold"
    elif row.change is None:
        styles = ["dim" for _ in texts]
    return styles


def changed_text_lines(resource: ResourceChange, change: FieldChange, pen: Pen) -> list[Line]:
    """The changed lines of a text of several lines."""
    return [(Span("     "), span) for span in text_lines(resource.prediction.key, change, pen)]
