"""``helmguard values``: effective values with the source of every leaf."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from helmguard.masking.known_secrets import KnownSecrets
from helmguard.masking.masker import Masker
from helmguard.masking.secret_marks import without_digest
from helmguard.model.field_path import FieldPath
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.unshown import Unshown
from helmguard.model.value_change import Provenance, ValueChange, ValueWarning
from helmguard.report.header import mode_text
from helmguard.report.layout import columns, wrapped
from helmguard.report.page import Page, Pen
from helmguard.report.plan_json import provenance_to_dict, value_change_to_dict, value_warning_to_dict
from helmguard.report.plural import plural
from helmguard.report.provenance_text import provenance_text
from helmguard.report.styles import EMPTY, Line, Span, to_text
from helmguard.report.values import change_rows


class EffectiveValues(Unshown, frozen=True):
    """What ``helmguard values`` shows.

    ``charts``: by chart path (``parent/charts/sub``) the values its templates see; ``root`` names the chart
    that is installed. ``config`` is what Helm will store as the user's values. ``provenance`` is by leaf of
    the root chart's values: a scalar, a null, an empty map, or a list and the leaves inside it.
    ``known_secrets`` are those of the values and of the current revision's objects.
    """

    root: str
    charts: Mapping[str, JSONObject]
    config: JSONObject
    provenance: Mapping[FieldPath, Provenance]
    changes: Sequence[ValueChange] = ()
    warnings: Sequence[ValueWarning] = ()
    mode: str = ""
    mode_why: str = ""
    known_secrets: frozenset[str] = frozenset()


def masker_for_values(values: EffectiveValues, *, salt: bytes | None = None, show: bool = False) -> Masker:
    """A masker that knows the secrets of these values."""
    if show:
        return Masker(show=True)
    known = KnownSecrets()
    known.texts.update(values.known_secrets)
    for tree in (*values.charts.values(), values.config):
        known.add_tree(tree)
    for change in values.changes:
        known.add_value_change(change)
    return Masker(known.texts, salt=salt)


def values_to_dict(
    values: EffectiveValues, show_secrets: bool = False, *, masker: Masker | None = None
) -> JSONObject:
    """``{"effective", "config", "charts", "changes", "provenance", "warnings", "mode"}``.

    ``effective`` are the root chart's values; ``charts`` those of every chart by its path; ``provenance`` is
    by the leaf's path as text.
    """
    masker = masker or masker_for_values(values, show=show_secrets)
    return {
        "effective": masker.tree(values.charts.get(values.root, {})),
        "config": masker.tree(values.config),
        "charts": {path: masker.tree(tree) for path, tree in values.charts.items()},
        "changes": [value_change_to_dict(change, masker) for change in values.changes],
        "provenance": {
            masker.path(path): provenance_to_dict(provenance, masker)
            for path, provenance in values.provenance.items()
        },
        "warnings": [value_warning_to_dict(warning, masker) for warning in values.warnings],
        "mode": values.mode,
        "modeWhy": masker.text(values.mode_why),
    }


def render_values(values: EffectiveValues, page: Page, masker: Masker) -> str:
    """Every leaf of the root chart's values with its source, then what changes, then the warnings."""
    pen = Pen(page, masker)
    return to_text(_page(values, pen), colour=page.colour)


def _page(values: EffectiveValues, pen: Pen) -> Iterator[Line]:
    head = mode_text(values.mode, values.mode_why, values.changes)
    if head:
        yield from wrapped([Span("Values   ", "bold"), pen.text(head)], pen.page.text_width, 9)
    yield from columns(list(_leaf_rows(values, pen)), pen.page.columns, 2)
    others = len(values.charts) - 1
    if others > 0:
        yield (Span(f"  and the values of {plural(others, 'sub-chart')} (-o json)", "dim"),)
    yield EMPTY
    if values.changes:
        yield (Span("Changes  ", "bold"), Span(plural(len(values.changes), "value")))
        rows = [row for change in values.changes for row in change_rows(change, pen)]
        yield from columns(rows, pen.page.columns, 2)
        yield EMPTY
    for warning in values.warnings:
        spans = [Span("! ", "warning"), _path(warning.path, pen), Span("  "), pen.text(warning.message)]
        yield from wrapped(spans, pen.page.columns, 4)


def _leaf_rows(values: EffectiveValues, pen: Pen) -> Iterator[list[Line]]:
    tree = values.charts.get(values.root, {})
    for path, value in leaves(tree):
        masked = pen.masker.value(path, value)
        text = pen.values.value(masked)
        source = pen.text(provenance_text(values.provenance.get(path)), "dim")
        yield [(Span(" "),), (_path(path, pen),), (Span(text),), (source,)]


def _path(path: FieldPath, pen: Pen) -> Span:
    return Span(pen.escape(without_digest(pen.masker.path(path))))


def leaves(tree: JSONValue, path: FieldPath = ()) -> Iterator[tuple[FieldPath, JSONValue]]:
    """Scalars, nulls, lists and empty maps with their paths, in the order of the keys."""
    if isinstance(tree, dict) and (tree or not path):
        for name in sorted(tree):
            yield from leaves(tree[name], (*path, name))
    else:
        yield path, tree
