"""One entry of a kustomization's ``helmCharts`` as a release."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from msgspec.structs import replace

from helmguard.gitops.argo.application import texts_at
from helmguard.gitops.argo.origin import Origin
from helmguard.gitops.documents import Documents, text_at, value_at
from helmguard.gitops.kustomize_transformations import Layer
from helmguard.gitops.tree import joined
from helmguard.model.declared_release import (
    ChartNeed,
    Controller,
    DeclaredRelease,
    FileLine,
    ReleaseOptions,
    Tool,
    ValuesLayer,
)
from helmguard.model.json_value import JSONObject
from helmguard.model.plan import Unknown
from helmguard.model.unshown import Unshown


class Applier(Unshown, frozen=True):
    """What builds and applies a kustomization. ``namespace`` is where objects go that name none."""

    identity: str
    controller: Controller
    tool: Tool = "kustomize"
    namespace: str = ""
    server_side: bool = False
    reads: frozenset[str] = frozenset()
    unknown: tuple[Unknown, ...] = ()


def chart_release(
    documents: Documents, entry: JSONObject, layers: tuple[Layer, ...], applier: Applier
) -> DeclaredRelease:
    """The release of a chart entry; ``layers`` are the kustomizations over it, its own first that has it."""
    own = next(layer for layer in layers if _holds(layer, entry))
    origin = _origin(documents, own)
    at = tuple(entry["at"])
    name = text_at(entry, "releaseName") or text_at(entry, "name")
    outer = next((layer.namespace for layer in reversed(layers) if layer.namespace), "")
    chart_namespace = text_at(entry, "namespace")
    remarks = list(_remarks(entry, outer))
    return DeclaredRelease(
        tool=applier.tool,
        identity=f"{applier.identity} › {name}",
        name=name,
        namespace=chart_namespace or outer or applier.namespace or "default",
        place=origin.place(*at, "name"),
        chart=_chart(documents, entry, own, origin.place(*at, "version")),
        controller=replace(applier.controller, remarks=(*remarks, *applier.controller.remarks)),
        layers=tuple(_values(documents, entry, own, origin)),
        options=ReleaseOptions(
            is_upgrade=False,
            server_side=applier.server_side,
            crds="apply" if entry.get("includeCRDs") is True else "skip",
            disable_hooks=entry.get("skipHooks") is True,
            kube_version=text_at(entry, "kubeVersion"),
            api_versions=tuple(texts_at(entry, "apiVersions")),
            post_renderers=tuple(one for layer in layers for one in layer.renderers),
            post_renderer_unknown=_not_done(layers, chart_namespace, outer),
        ),
        unknown=applier.unknown,
    )


def _holds(layer: Layer, entry: JSONObject) -> bool:
    field, *rest = entry["at"]
    if field == "generators":
        return bool(layer.body.get("generators"))
    return value_at(layer.body, field, *rest) is not None and text_at(entry, "name") in (
        text_at(layer.body, field, *rest, "name"),
        text_at(layer.body, field, *rest, "chartName"),
    )


def _origin(documents: Documents, layer: Layer) -> Origin:
    return Origin(documents.of_file(layer.path)[0])


def _chart(documents: Documents, entry: JSONObject, own: Layer, place: FileLine) -> ChartNeed:
    """A chart under ``chartHome`` is used as it is, whatever ``version`` says; else it is pulled."""
    name, repo, version = (text_at(entry, field) for field in ("name", "repo", "version"))
    home = joined(own.folder, text_at(entry, "chartHome") or "charts")
    for inside in (name, f"{name}-{version}/{name}") if home is not None else ():
        path = posixpath.join(home or "", inside)
        if posixpath.join(path, "Chart.yaml") in documents.tree.entries:
            return ChartNeed("path", path=path, place=place)
    if not repo:
        return ChartNeed(
            "unknown", place=place, why=f"{name} has no repo, and {home}/{name} is not in the tree"
        )
    if repo.startswith("oci://"):
        url, digest = f"{repo.rstrip('/')}/{name}", text_at(entry, "digest")
        return ChartNeed("oci", url=url, name=name, version=version, digest=digest, place=place)
    return ChartNeed("repository", url=repo, name=name, version=version, place=place)


def _values(documents: Documents, entry: JSONObject, own: Layer, origin: Origin) -> Iterator[ValuesLayer]:
    """``valuesFile`` stands for the chart's own values.yaml, ``valuesInline`` is laid over it or under it."""
    merge = text_at(entry, "valuesMerge") or "override"
    file = text_at(entry, "valuesFile")
    inline = entry.get("valuesInline")
    inline = inline if isinstance(inline, dict) else {}
    given = [_file(documents, own, file)] if file else []
    if inline:
        path = (*entry["at"], "valuesInline")
        layer = origin.map_layer(path, inline)
        if merge == "replace":
            given = [layer]
        elif merge == "merge" and not file:
            why = "valuesMerge: merge lays them under the chart's own values, which are not in the tree"
            given = [ValuesLayer("unknown", own.path, line=origin.line(*path), why=why)]
        else:
            given = [layer, *given] if merge == "merge" else [*given, layer]
    yield from given
    for more in texts_at(entry, "additionalValuesFiles"):
        yield _file(documents, own, more)


def _file(documents: Documents, own: Layer, name: str) -> ValuesLayer:
    if "://" in name:
        return ValuesLayer(
            "unknown", name.partition("?")[0], why=f"{name.partition('?')[0]} is not in the tree"
        )
    path = joined(own.folder, name)
    if path is None or path not in documents.tree.entries:
        why = f"{name} is not in the tree, so kustomize cannot build {own.path}"
        return ValuesLayer("unknown", path or name, why=why)
    return ValuesLayer("yaml", path, text=documents.tree.read(path))


def _remarks(entry: JSONObject, outer: str) -> Iterator[str]:
    if not text_at(entry, "releaseName"):
        yield "it has no releaseName: Helm makes a new name at each build; the chart's name stands for it"
    if outer and not text_at(entry, "namespace"):
        yield f"templates see the namespace default; kustomize moves the objects to {outer}"


def _not_done(layers: tuple[Layer, ...], chart_namespace: str, outer: str) -> str:
    words = [f"{layer.path}: {', '.join(layer.not_done)}" for layer in layers if layer.not_done]
    if outer and chart_namespace and outer != chart_namespace:
        words.append(f"its objects are moved from the namespace {chart_namespace} to {outer}")
    return f"what kustomize does after rendering is not worked out: {'; '.join(words)}" if words else ""
