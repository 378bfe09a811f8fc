"""docs/rule-context.md: every name that rules may use, from the records themselves."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.rules.context.record import (
    AnyJSON,
    Field,
    ListOf,
    MapOf,
    Record,
    RecordOf,
    Scalar,
    Shape,
    fields_of,
)
from helmguard.rules.context.root import VERSION, Root

_HEAD = f"""\
# The rule context

Version {VERSION}. What the expressions of a rule may name: the topics below, `it` (the item of the rule's
`over`) and `data` (the tables of its pack). `helmguard plan ... --show-context` prints it for a real plan,
secrets masked. Names may be added within a version; none changes its meaning or goes.

A field marked *fact* is absent where it is not known: a rule that needs it answers *unknown*. `any` is what a
manifest or a values file holds; take fields of it with `at(value, "a.b", default)`. This page is generated
(`tools/generate/rule_context.py`).
"""


def context_markdown() -> str:
    """The whole page."""
    lines = [_HEAD, "## Topics", *_table(Root)]
    for record in _records(Root):
        lines += ["", f"## {record.__name__}", "", _sentence(record), *_table(record)]
    return "\n".join(lines) + "\n"


def _records(root: type[Record]) -> list[type[Record]]:
    """Every record that the root leads to, each once, in the order in which a reader meets them."""
    found: dict[type[Record], None] = {}
    waiting = [root]
    while waiting:
        inner = [one for field in fields_of(waiting.pop(0)).values() for one in _inside(field.shape)]
        for record in inner:
            if record not in found:
                found[record] = None
                waiting.append(record)
    return list(found)


def _inside(shape: Shape) -> Iterator[type[Record]]:
    match shape:
        case RecordOf(record):
            yield record
        case ListOf(item) | MapOf(item):
            yield from _inside(item)


def _table(record: type[Record]) -> list[str]:
    rows = ["", "| name | type | what it is |", "|---|---|---|"]
    for field in fields_of(record).values():
        doc = field.doc.replace("|", "\\|")
        rows.append(f"| `{field.name}` | {_type(field)} | {doc} |")
    return rows


def _type(field: Field) -> str:
    shown = _shape(field.shape)
    if field.nullable:
        shown += " or null"
    return f"{shown}, *fact*" if field.fact else shown


def _shape(shape: Shape) -> str:
    match shape:
        case Scalar(name, _):
            return name
        case ListOf(item):
            return f"list of {_shape(item)}"
        case MapOf(item):
            return f"map of {_shape(item)}"
        case RecordOf(record):
            return f"[{record.__name__}](#{record.__name__.lower()})"
        case AnyJSON():
            return "any"


def _sentence(record: type[Record]) -> str:
    return " ".join((record.__doc__ or "").split())
