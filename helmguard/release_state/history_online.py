"""The history of one release, read from the cluster."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import msgspec

from helmguard.cluster.release_list import release_not_found
from helmguard.model.release import DamagedRecord, History, Revision
from helmguard.model.revision_changes import HistoryEntry, ReleaseHistory
from helmguard.planner.request import PlanRequest
from helmguard.planner.session import Report, Session, open_session

if TYPE_CHECKING:
    from helmguard.release_state.history_secrets import HistorySecrets

_ROLLBACK_TO = re.compile(r"Rollback to (\d+)")


class HistoryRequest(msgspec.Struct, frozen=True):
    """``most``: how many revisions to show, the last ones; 0 for all."""

    plan: PlanRequest
    most: int = 0


def history_online(request: HistoryRequest, report: Report = lambda _: None) -> ReleaseHistory:
    """Read all records, and compare each with the one before.

    Raises:
        ReleaseNotFoundError: there is no such release.
        HelmguardError: the records cannot be read.
    """
    session = open_session(request.plan, report, meanwhile=_import_the_rest)
    history = session.history
    if not history.revisions and not history.damaged:
        raise release_not_found(session.connection, session.namespace, request.plan.release)
    report("comparing the revisions")
    from helmguard.release_state.history_secrets import HistorySecrets

    secrets = HistorySecrets()
    entries = list(_entries(session, secrets))
    shown = entries[-request.most :] if request.most else entries
    return ReleaseHistory(
        name=history.name,
        namespace=session.namespace,
        helm=str(session.helm.version),
        entries=tuple(shown),
        left_out=len(entries) - len(shown),
        known_secrets=secrets.known(),
    )


def _import_the_rest() -> None:
    """What is needed for the answers only."""
    import helmguard.predict.scopes
    import helmguard.release_state.history_secrets
    import helmguard.release_state.revision_changes  # noqa: F401 - the imports are the work


def _entries(session: Session, secrets: HistorySecrets) -> Iterator[HistoryEntry]:
    """In the order of the numbers; records without one come last."""
    from helmguard.predict.scopes import is_namespaced
    from helmguard.release_state.condition import revision_ref
    from helmguard.release_state.revision_changes import ReadRevision, changes_between, read_revision

    def look_up(api_version: str, kind: str) -> bool | None:
        return is_namespaced(api_version, kind, session.discovery, {})

    before: ReadRevision | None = None
    expected = 1
    for number, item in _numbered(session.history):
        if number > expected and number:
            yield HistoryEntry(expected, number - 1)
        expected = max(expected, number + 1)
        if isinstance(item, DamagedRecord):
            yield HistoryEntry(number, number, damage=item.why, storage_name=item.storage_name)
            continue
        after = read_revision(item, session.namespace, look_up)
        secrets.add(after)
        to = _ROLLBACK_TO.match(item.description)
        yield HistoryEntry(
            version=number,
            last_version=number,
            revision=revision_ref(item),
            label_status=item.label_status,
            changes=changes_between(before, after, session.helm.version) if before is not None else None,
            objects=len(after.objects),
            values=sum(1 for _ in _set_values(item)),
            rollback_to=int(to[1]) if to else 0,
            storage_name=item.storage_name,
        )
        before = after


def _set_values(revision: Revision) -> Iterable[object]:
    from helmguard.values.value_tree import leaves

    return (path for path, _ in leaves(revision.config or {}) if path)


def _numbered(history: History) -> list[tuple[int, Revision | DamagedRecord]]:
    found: list[tuple[int, Revision | DamagedRecord]] = [(each.version, each) for each in history.revisions]
    found += [(record.version or 0, record) for record in history.damaged]
    return sorted(found, key=lambda pair: (pair[0] == 0, pair[0]))
