"""Which releases a change concerns, and by which of their inputs. Pure."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping

import msgspec

from helmguard.check.inputs_digest import ReleaseInputs, inputs_of
from helmguard.gitops.documents import Documents
from helmguard.model.declared_release import DeclaredRelease


class Concerned(msgspec.Struct, frozen=True):
    """A release whose inputs differ; one side is None where it comes or goes.

    ``unread`` says which of its values change that cannot be read, empty for none.
    """

    base: DeclaredRelease | None
    head: DeclaredRelease | None
    because: tuple[str, ...]
    unread: str = ""

    @property
    def identity(self) -> str:
        """The same on both sides."""
        found = self.head or self.base
        assert found is not None
        return found.identity


def concerned_releases(
    base: Mapping[str, DeclaredRelease],
    head: Mapping[str, DeclaredRelease],
    base_documents: Documents,
    head_documents: Documents,
) -> Iterator[Concerned]:
    """Those that differ, sorted by identity; the mappings are by identity."""
    for identity in sorted({**base, **head}):
        before, after = base.get(identity), head.get(identity)
        if before is None or after is None:
            yield Concerned(before, after, (_came_or_went(before, after),))
            continue
        old, new = inputs_of(before, base_documents), inputs_of(after, head_documents)
        if old != new:
            unread = tuple(_unread(old, new))
            reasons = (*_reasons(before, after, old, new), *unread)
            yield Concerned(before, after, reasons, "; ".join(unread))


def _came_or_went(before: DeclaredRelease | None, after: DeclaredRelease | None) -> str:
    if before is None:
        assert after is not None
        return f"declared anew in {after.place.file}"
    return f"no longer declared; it was in {before.place.file}"


def _reasons(
    before: DeclaredRelease, after: DeclaredRelease, old: ReleaseInputs, new: ReleaseInputs
) -> Iterator[str]:
    if old.name != new.name:
        yield f"its release is called {new.name}, not {old.name} any more"
    if old.namespace != new.namespace:
        yield f"its namespace changes: {old.namespace} -> {new.namespace}"
    if old.chart != new.chart:
        yield f"chart: {_chart_change(before, after)}"
    elif old.chart_content != new.chart_content:
        yield f"the chart's files change: {after.chart.path}"
    yield from _layer_reasons(old, new)
    if old.options != new.options:
        yield f"how it is rendered or applied changes in {after.place.file}"
    if old.controller != new.controller:
        yield f"what {after.controller.name} does with it changes in {after.place.file}"


def _unread(old: ReleaseInputs, new: ReleaseInputs) -> Iterator[str]:
    for source in dict.fromkeys(source for source, mark in new.unread if (source, mark) not in old.unread):
        yield f"values that cannot be read change: {source}"


def _chart_change(before: DeclaredRelease, after: DeclaredRelease) -> str:
    old, new = before.chart, after.chart
    if (old.kind, old.url, old.name, old.path) == (new.kind, new.url, new.name, new.path):
        name = new.name or posixpath.basename(new.url.rstrip("/")) or new.path
        return f"{name} {old.version or old.digest or 'latest'} -> {new.version or new.digest or 'latest'}"
    return f"{old} -> {new}"


def _layer_reasons(old: ReleaseInputs, new: ReleaseInputs) -> Iterator[str]:
    if old.layers == new.layers:
        return
    before, after = [source for source, _ in old.layers], [source for source, _ in new.layers]
    gone = [source for source in before if source not in after]
    come = [source for source in after if source not in before]
    changed = [
        source for source, digest in new.layers if source in before and (source, digest) not in old.layers
    ]
    for sources, text in (
        (changed, "values change"),
        (come, "values are read from another file"),
        (gone, "values are no longer read from"),
    ):
        for source in dict.fromkeys(sources):
            yield f"{text}: {source}"
    if not gone and not come and not changed:
        yield "its values are laid over each other in another order"
