"""A release's stored revisions as a time line: each beside the one before. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from helmguard.model.discovery import Discovery
from helmguard.model.helm_version import HelmVersion
from helmguard.model.release import DamagedRecord, History, Revision
from helmguard.model.revision_changes import HistoryEntry, ReleaseHistory
from helmguard.predict.scopes import is_namespaced
from helmguard.release_state.condition import revision_ref
from helmguard.release_state.history_secrets import HistorySecrets
from helmguard.release_state.revision_changes import ReadRevision, changes_between, read_revision
from helmguard.values.value_tree import leaves

_ROLLBACK_TO = re.compile(r"Rollback to (\d+)")


def history_of(
    history: History, namespace: str, discovery: Discovery | None, helm: HelmVersion
) -> ReleaseHistory:
    """All revisions, oldest first; records without a number come last.

    Without ``discovery`` a custom kind is taken to live in a namespace.
    """
    secrets = HistorySecrets()
    entries = tuple(_entries(history, namespace, discovery, helm, secrets))
    return ReleaseHistory(
        name=history.name,
        namespace=namespace,
        helm=str(helm),
        entries=entries,
        known_secrets=secrets.known(),
    )


def _entries(
    history: History,
    namespace: str,
    discovery: Discovery | None,
    helm: HelmVersion,
    secrets: HistorySecrets,
) -> Iterator[HistoryEntry]:
    def look_up(api_version: str, kind: str) -> bool | None:
        return is_namespaced(api_version, kind, discovery, {})

    before: ReadRevision | None = None
    expected = 1
    for number, item in _numbered(history):
        if number > expected and number:
            yield HistoryEntry(expected, number - 1)
        expected = max(expected, number + 1)
        if isinstance(item, DamagedRecord):
            yield HistoryEntry(number, number, damage=item.why, storage_name=item.storage_name)
            continue
        after = read_revision(item, namespace, look_up)
        secrets.add(after)
        to = _ROLLBACK_TO.match(item.description)
        yield HistoryEntry(
            version=number,
            last_version=number,
            revision=revision_ref(item),
            label_status=item.label_status,
            changes=changes_between(before, after, helm) if before is not None else None,
            objects=len(after.objects),
            values=sum(1 for _ in _set_values(item)),
            rollback_to=int(to[1]) if to else 0,
            storage_name=item.storage_name,
        )
        before = after


def _set_values(revision: Revision) -> Iterable[object]:
    return (path for path, _ in leaves(revision.config or {}) if path)


def _numbered(history: History) -> list[tuple[int, Revision | DamagedRecord]]:
    found: list[tuple[int, Revision | DamagedRecord]] = [(each.version, each) for each in history.revisions]
    found += [(record.version or 0, record) for record in history.damaged]
    return sorted(found, key=lambda pair: (pair[0] == 0, pair[0]))
