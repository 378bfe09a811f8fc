"""Objects of one kind whose changes look alike: the first is shown, the others are named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from helmguard.compare.weight import is_counted
from helmguard.model.field_change import FieldChange
from helmguard.model.plan import ResourceChange
from helmguard.model.resource_key import ResourceKey
from helmguard.report.field_rows import field_value
from helmguard.report.layout import wrapped
from helmguard.report.page import Pen
from helmguard.report.remark import NEEDS_EYES
from helmguard.report.styles import Line, Span

_ENOUGH = 3
"""So many objects that look alike are shown as one."""
_NAMES = 4

_Look = tuple[object, ...]


def alike(resources: Iterable[ResourceChange], pen: Pen) -> dict[ResourceKey, list[ResourceKey]]:
    """Under the first object of each group the others, which need not be shown."""
    groups: dict[_Look, list[ResourceKey]] = {}
    for resource in resources:
        look = _look(resource, pen)
        if look:
            groups.setdefault(look, []).append(resource.prediction.key)
    return {keys[0]: keys[1:] for keys in groups.values() if len(keys) >= _ENOUGH}


def alike_lines(others: list[ResourceKey], pen: Pen) -> Iterator[Line]:
    """``27 more look alike: a, b, c, d and 23 more``."""
    names = ", ".join(key.name for key in others[:_NAMES])
    more = f" and {len(others) - _NAMES} more" if len(others) > _NAMES else ""
    text = f"{len(others)} more look alike: {names}{more} (--show-noise)"
    yield from wrapped([Span("      "), pen.text(text, "dim")], pen.page.text_width, 8)


def _look(resource: ResourceChange, pen: Pen) -> _Look:
    """What is shown of the object but its name and the fields'; empty for what must be shown by itself."""
    changes = [change for change in resource.changes if is_counted(change)]
    if resource.action != "update" or resource.prediction.unknown or not changes:
        return ()
    if any(change.cause in NEEDS_EYES for change in changes):
        return ()
    key, hidden = resource.prediction.key, len(resource.changes) - len(changes)
    return (key.group, key.kind, key.namespace, hidden, *(_shown(key, item, pen) for item in changes))


def _shown(key: ResourceKey, change: FieldChange, pen: Pen) -> _Look:
    before, after = pen.masker.field_change(key, change)
    lines = pen.values.line_changes(before, after) or field_value(key, change, pen)
    return (change.path[:-1], "\n".join(span.text for span in lines), change.cause, change.value_path)
