"""How Flux's helm-controller renders and applies a release, and how far by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from helmguard.gitops.documents import Document, dicts_at, text_at, value_at
from helmguard.gitops.flux.kinds import KUSTOMIZE_GROUP, title
from helmguard.gitops.post_render import origin_labels
from helmguard.model.declared_release import Controller, ReleaseOptions
from helmguard.model.json_value import JSONObject, JSONValue

_CRDS: dict[str, Literal["keep", "apply", "skip"]] = {"CreateReplace": "apply", "Skip": "skip"}
_PRUNE = f"{KUSTOMIZE_GROUP}/prune"


def options_of(release: Document) -> ReleaseOptions:
    """What the HelmRelease says about rendering an upgrade.

    ``crds`` left out means ``Create``: CRDs that are missing are created, the others kept as they are
    (helm-controller internal/action/crds.go).
    """
    upgrade = _map(release, "upgrade")
    renderers = tuple(dicts_at(release.spec, "postRenderers"))
    metadata = _map(release, "commonMetadata")
    return ReleaseOptions(
        crds=_CRDS.get(text_at(upgrade, "crds"), "keep"),
        skip_schema_validation=upgrade.get("disableSchemaValidation") is True,
        disable_hooks=upgrade.get("disableHooks") is True,
        post_renderers=(*renderers, {"commonMetadata": metadata}) if metadata else renderers,
        marks=(origin_labels(release.namespace, release.name),),
    )


def controller_of(release: Document, chain: Sequence[Document], remarks: Sequence[str] = ()) -> Controller:
    """Flux, with what it does of its own accord with this release. ``chain``: its Kustomizations."""
    return Controller("Flux", True, _deletes(release, chain), (*_remarks(release, chain), *remarks))


def _deletes(release: Document, chain: Sequence[Document]) -> bool | None:
    """Whether leaving the repository uninstalls: the Kustomization prunes, and nothing is suspended."""
    if not chain:
        return None
    labels = (release.metadata.get("labels"), release.metadata.get("annotations"))
    if any(isinstance(holder, dict) and holder.get(_PRUNE) == "disabled" for holder in labels):
        return False
    if release.spec.get("suspend") is True:
        return False
    return chain[-1].spec.get("prune") is True


def _remarks(release: Document, chain: Sequence[Document]) -> Iterator[str]:
    spec = release.spec
    upgrade = _map(release, "upgrade")
    if not chain and not release.rendered_by:
        yield "no Flux Kustomization in this repository reaches it"
    for kustomization in chain:
        if kustomization.spec.get("suspend") is True:
            yield f"{title(kustomization)} is suspended: Flux takes nothing from it until it is resumed"
    if spec.get("suspend") is True:
        yield "it is suspended: Flux does not upgrade it until it is resumed"
    elsewhere = [it for it in (*chain[-1:], release) if isinstance(it.spec.get("kubeConfig"), dict)]
    if elsewhere:
        yield f"it is installed in another cluster, that of the kubeConfig of {title(elsewhere[0])}"
    if text_at(spec, "storageNamespace") not in ("", release.namespace):
        yield f"its revisions are stored in namespace {text_at(spec, 'storageNamespace')}"
    yield from _applying(upgrade)
    yield from _failing(upgrade)
    test = _map(release, "test")
    if test.get("enable") is True:
        ignored = value_at(upgrade, "remediation", "ignoreTestFailures")
        ignored = test.get("ignoreFailures") if ignored is None else ignored
        outcome = "their failure is ignored" if ignored is True else "their failure is the upgrade's"
        yield f"its tests run after each upgrade, and {outcome}"
    yield from _drift(_map(release, "driftDetection"))
    strategy = text_at(spec, "postRenderStrategy")
    if strategy and spec.get("postRenderers"):
        yield f"hooks go through the post-renderers by the strategy {strategy}"


def _applying(upgrade: JSONObject) -> Iterator[str]:
    yield (
        "helm-controller 1.5 and later (Flux 2.8) upgrades with Helm 4, earlier ones with Helm 3; "
        "it takes over objects of other owners"
        if upgrade.get("disableTakeOwnership") is not True
        else "helm-controller 1.5 and later (Flux 2.8) upgrades with Helm 4, earlier ones with Helm 3"
    )
    match text_at(upgrade, "serverSideApply"):
        case "enabled":
            yield "it is applied server-side, and Flux takes fields from other managers by force"
        case "disabled":
            yield "it is applied client-side"
        case _:
            yield (
                "it is applied as its last revision was: server-side if Flux installed it with Helm 4, "
                "then taking fields from other managers by force"
            )
    if upgrade.get("force") is True:
        yield "upgrade.force: objects are replaced, not patched, unless they are applied server-side"
    if upgrade.get("preserveValues") is True:
        yield "upgrade.preserveValues: the values of the last revision are kept below these"
    if upgrade.get("disableWait") is True:
        yield "Flux does not wait for its objects to become ready"
    if upgrade.get("disableOpenAPIValidation") is True:
        yield "its objects are not validated against the cluster's schema"


def _failing(upgrade: JSONObject) -> Iterator[str]:
    """Retries and remediation (helm-controller api/v2 `UpgradeRemediation`)."""
    remediation = value_at(upgrade, "remediation")
    retries = value_at(remediation, "retries")
    if text_at(upgrade, "strategy", "name") == "RetryOnFailure":
        yield "a failed upgrade is retried without being rolled back"
    elif isinstance(retries, int) and retries != 0:
        action = "uninstalled" if text_at(remediation, "strategy") == "uninstall" else "rolled back"
        times = "without end" if retries < 0 else "once" if retries == 1 else f"{retries} times"
        last = value_at(remediation, "remediateLastFailure")
        left = "; the last failure is left as it is" if last is False else ""
        yield f"a failed upgrade is {action} and retried {times}{left}"
    if upgrade.get("cleanupOnFail") is True:
        yield "a failed upgrade deletes the objects that it has created"


def _drift(detection: JSONObject) -> Iterator[str]:
    match text_at(detection, "mode"):
        case "enabled":
            yield "Flux reverts changes that others make to its objects"
        case "warn":
            yield "Flux reports changes that others make to its objects, and leaves them"
    ignored = [
        f"{', '.join(map(str, rule.get('paths') or ()))}{_target(rule.get('target'))}"
        for rule in dicts_at(detection, "ignore")
    ]
    if ignored:
        yield f"drift is ignored in {'; '.join(ignored)}"


def _target(target: JSONValue) -> str:
    names = [text_at(target, field) for field in ("kind", "namespace", "name") if text_at(target, field)]
    return f" of {' '.join(names)}" if names else ""


def _map(release: Document, field: str) -> JSONObject:
    found = release.spec.get(field)
    return found if isinstance(found, dict) else {}
