"""May this user do all that helm will do: found out before helm is let run, since it would fail half way."""

from __future__ import annotations

from helmguard.cluster.access_review import may
from helmguard.cluster.storage_driver import storage_driver
from helmguard.errors import HelmguardError
from helmguard.execute.operation import Operation
from helmguard.model.execution import MissingRight


def missing_rights(operation: Operation) -> tuple[MissingRight, ...]:
    """The writes that the API server would forbid; empty where nothing forbids any, or nobody was asked.

    The objects' are known from the plan, whose writes were sent as dry runs; where new revisions are stored,
    the authorizer is asked.
    """
    found = [
        MissingRight(str(change.prediction.key), confirmation.why)
        for change in operation.plan.resources
        if (confirmation := change.prediction.confirmation) is not None and confirmation.lacks_right
    ]
    return (*_of_records(operation), *found)


def _of_records(operation: Operation) -> tuple[MissingRight, ...]:
    session = operation.session
    if session.connection.driver == "sql":
        return ()
    plural = storage_driver(session.connection.driver).plural
    try:
        allowed = may(session.connection, "create", "", plural, session.namespace)
    except HelmguardError:
        # Nobody can be asked; helm will find out before it has changed anything.
        return ()
    if allowed:
        return ()
    why = f"you may not create {plural} in namespace {session.namespace}, where helm stores its revisions"
    return (MissingRight(f"the record of {operation.plan.release.name}", why),)
