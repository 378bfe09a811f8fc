"""What Argo CD does with an Application's objects, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from helmguard.gitops.argo.application import Application, texts_at
from helmguard.gitops.documents import dicts_at, text_at, value_at
from helmguard.model.declared_release import Controller
from helmguard.model.json_value import JSONObject

_FINALIZER = "resources-finalizer.argocd.argoproj.io"
_SKIP_RECONCILE = "argocd.argoproj.io/skip-reconcile"

_OPTIONS = {
    "ServerSideApply=true": "it applies server-side, as field manager argocd-controller",
    "ClientSideApplyMigration=false": (
        "it leaves the fields of earlier client-side applies with their manager"
    ),
    "Replace=true": "it replaces objects whole instead of patching them; a field that others set is lost",
    "Force=true": "it deletes and creates anew the objects that cannot be changed",
    "ApplyOutOfSyncOnly=true": "it applies only the objects that differ",
    "Delete=false": "the objects stay when the Application is deleted",
    "PruneLast=true": "it deletes objects that left the manifest last, after the others are healthy",
    "Validate=false": "it applies without the API server's validation",
    "FailOnSharedResource=true": "the sync fails where another Application has one of the objects",
    "SkipDryRunOnMissingResource=true": "objects of kinds that the cluster lacks do not stop the dry run",
    "Prune=confirm": "objects that left the manifest are deleted once a person confirms it",
    "Delete=confirm": "the objects are deleted with the Application once a person confirms it",
}


def controller_of(application: Application) -> Controller:
    """How far Argo CD carries a change of this Application out by itself."""
    spec = value_at(application.body, "spec")
    automated = value_at(spec, "syncPolicy", "automated")
    by_itself = isinstance(automated, dict) and automated.get("enabled") is not False
    options = _sync_options(spec)
    # A person who syncs by hand chooses whether to prune.
    prunes = value_at(automated, "prune") is True if by_itself else None
    if "Prune=false" in options:
        prunes = False
    deletes = _has_finalizer(application.body) and "Delete=false" not in options
    remarks = (
        *application.remarks,
        *_syncing(application.body, spec, by_itself),
        *(_OPTIONS[option] for option in options if option in _OPTIONS),
        *_ignored(spec, options),
    )
    return Controller("Argo CD", prunes=prunes, deletes=deletes, remarks=remarks)


def applies_server_side(application: Application) -> bool:
    """Whether the Application asks for server-side apply of all its objects."""
    return "ServerSideApply=true" in _sync_options(value_at(application.body, "spec"))


def _syncing(body: JSONObject, spec: Any, by_itself: bool) -> Iterator[str]:
    if text_at(body, "metadata", "annotations", _SKIP_RECONCILE).lower() == "true":
        yield "Argo CD does not reconcile this Application (annotation skip-reconcile)"
    if not by_itself:
        yield "Argo CD does not sync it by itself: the change waits until someone syncs the Application"
    limit = value_at(spec, "syncPolicy", "retry", "limit")
    if isinstance(limit, int) and limit:
        yield f"a failed sync is tried again {'without end' if limit < 0 else _times(limit)}"
    branch = text_at(spec, "sourceHydrator", "syncSource", "targetBranch")
    if branch:
        yield f"it is rendered into the branch {branch} first, and applied from there"


def _ignored(spec: Any, options: list[str]) -> Iterator[str]:
    """One sentence for each entry of ``ignoreDifferences``."""
    respected = "RespectIgnoreDifferences=true" in options
    for entry in dicts_at(spec, "ignoreDifferences"):
        kind, name = text_at(entry, "kind") or "every kind", text_at(entry, "name")
        fields = [*texts_at(entry, "jsonPointers"), *texts_at(entry, "jqPathExpressions")]
        managers = texts_at(entry, "managedFieldsManagers")
        if managers:
            fields.append(f"what {', '.join(managers)} set")
        effect = "leaves it as it is in the cluster" if respected else "still applies it in a sync"
        where = f"{kind} {name}" if name else kind
        yield f"Argo CD sees no difference at {', '.join(fields)} of {where}, and {effect}"


def _sync_options(spec: Any) -> list[str]:
    return [option.strip() for option in texts_at(spec, "syncPolicy", "syncOptions")]


def _has_finalizer(body: JSONObject) -> bool:
    finalizers = texts_at(body, "metadata", "finalizers")
    return any(finalizer.partition("/")[0] == _FINALIZER for finalizer in finalizers)


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
