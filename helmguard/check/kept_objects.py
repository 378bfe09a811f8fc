"""Objects that leave the manifest and stay in the cluster, as the rendering itself says it. Pure."""

from __future__ import annotations

from helmguard.model.declared_release import DeclaredRelease
from helmguard.model.json_value import JSONObject
from helmguard.predict.deletions import keep_policy

_ARGO_OPTIONS = "argocd.argoproj.io/sync-options"


def why_kept(body: JSONObject, source: str, declared: DeclaredRelease, *, whole: bool) -> str:
    """Why an object of the old rendering stays, empty where it goes; ``source`` is its template.

    ``whole``: the release goes with all its objects. An upgrade takes the annotation as it is written, an
    uninstallation is lenient (helm/helm@v3.22.0 pkg/action/resource_policy.go).
    """
    policy = keep_policy(body)
    if policy == "keep" or (whole and policy is not None and policy.strip().lower() == "keep"):
        return "its annotation helm.sh/resource-policy: keep spares it"
    return why_controller_keeps(body, source, declared, whole=whole)


def why_controller_keeps(body: JSONObject, source: str, declared: DeclaredRelease, *, whole: bool) -> str:
    """The same of the controller's own ways alone, which Helm knows nothing of."""
    if declared.tool == "flux" and "/crds/" in source:
        return "Flux deletes no definition of crds/"
    if declared.controller.prunes is False and not whole:
        return f"{declared.controller.name} does not prune"
    option = "Delete=false" if whole else "Prune=false"
    if declared.controller.name == "Argo CD" and option in _sync_options(body):
        return f"its sync option {option} spares it"
    return ""


def _sync_options(body: JSONObject) -> list[str]:
    annotations = (body.get("metadata") or {}).get("annotations") or {}
    return [option.strip() for option in str(annotations.get(_ARGO_OPTIONS) or "").split(",")]
