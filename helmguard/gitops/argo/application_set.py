"""The Applications that an ApplicationSet makes (applicationset/controllers/template/template.go)."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.gitops.argo.application import Application, Surroundings, texts_at
from helmguard.gitops.argo.generators import Generators, override
from helmguard.gitops.argo.names import sanitized
from helmguard.gitops.argo.origin import Origin
from helmguard.gitops.argo.parameters import NotExpandedError, Parameters
from helmguard.gitops.argo.rendering import Dialect, Rendering
from helmguard.gitops.argo.source_kind import merge_patch
from helmguard.gitops.documents import Document, dicts_at, text_at, value_at
from helmguard.manifest import yaml
from helmguard.model.json_value import JSONObject, JSONValue

_FINALIZER = "resources-finalizer.argocd.argoproj.io"
_KINDS = ("list", "git", "matrix", "merge", "clusters", "clusterDecisionResource", "plugin", "scmProvider")
_KEEPING = {
    "create-only": "the ApplicationSet only creates Applications: it neither changes nor deletes them",
    "create-update": "the ApplicationSet never deletes Applications",
    "create-delete": "the ApplicationSet never changes Applications that exist",
}


def applications_of(
    document: Document, parents: tuple[str, ...], surroundings: Surroundings
) -> list[Application]:
    """Every Application of the set.

    Raises:
        NotExpandedError: they are not known; a sentence about the set says why.
    """
    dialect = Dialect(
        document.spec.get("goTemplate") is True, tuple(texts_at(document.spec, "goTemplateOptions"))
    )
    template = document.spec.get("template")
    if not isinstance(template, dict):
        raise NotExpandedError("it has no template")
    expanding = _Expanding(document, dialect, (*parents, title(document)))
    generators = Generators(dialect, surroundings)
    found: dict[str, Application] = {}
    for generator in dicts_at(document.spec, "generators"):
        own = _filled(_template_of(generator), template)
        for parameters in generators.parameters(generator):
            application = expanding.application(own, parameters)
            if application.name in found:
                raise NotExpandedError(f"Argo CD refuses it: two Applications are called {application.name}")
            found[application.name] = application
    return list(found.values())


def title(document: Document) -> str:
    """Kind, namespace and name of the set."""
    name = f"{document.namespace}/{document.name}" if document.namespace else document.name
    return f"ApplicationSet {name}"


class _Expanding:
    def __init__(self, document: Document, dialect: Dialect, parents: tuple[str, ...]) -> None:
        self.document = document
        self.dialect = dialect
        self.parents = parents
        self.origin = Origin(document, ("spec", "template"))
        self.remarks = tuple(_remarks(document))

    def application(self, template: JSONObject, parameters: Parameters) -> Application:
        rendering = Rendering(self.dialect, parameters)
        # With no parameters at all Argo CD leaves the template as it is, and adds no finalizer either.
        has_parameters = bool(parameters.values or parameters.open_why)
        body: JSONObject = rendering.deep(template) if has_parameters else dict(template)
        metadata = value_at(body, "metadata")
        metadata = dict(metadata) if isinstance(metadata, dict) else {}
        if has_parameters and not metadata.get("finalizers") and not self._preserves:
            metadata["finalizers"] = [_FINALIZER]
        body["metadata"] = metadata
        patch = text_at(self.document.spec, "templatePatch")
        if patch:
            body = _patched(body, rendering.text(patch))
        body = self._in_place(body, opened=bool(rendering.opened))
        return Application(
            body,
            self.origin,
            parents=self.parents,
            reads=parameters.reads,
            remarks=(*parameters.remarks, *self.remarks),
            open_texts=tuple(rendering.opened),
            open_why=parameters.open_why,
        )

    @property
    def _preserves(self) -> bool:
        return value_at(self.document.spec, "syncPolicy", "preserveResourcesOnDeletion") is True

    def _in_place(self, body: JSONObject, *, opened: bool) -> JSONObject:
        """The Application is where its set is; placeholders in names become parts of them."""
        metadata: JSONObject = {**body["metadata"], "name": text_at(body, "metadata", "name")}
        if self.document.namespace:
            metadata["namespace"] = self.document.namespace
        body = {**body, "apiVersion": self.document.api_version, "kind": "Application", "metadata": metadata}
        if not metadata["name"]:
            raise NotExpandedError("its template has no name")
        if not opened:
            return body
        metadata["name"] = _as_part(metadata["name"])
        spec = body.get("spec")
        namespace = text_at(spec, "destination", "namespace")
        if isinstance(spec, dict) and "<" in namespace:
            destination = {**spec["destination"], "namespace": _as_part(namespace)}
            body["spec"] = {**spec, "destination": destination}
        return body


def _as_part(name: str) -> str:
    """A name with placeholders (``<cluster.name>-web``) as one that Helm takes (``cluster.name-web``)."""
    return sanitized(name.replace("<", "").replace(">", ""))


def _template_of(generator: JSONObject) -> JSONObject:
    """A generator's own template, which wins over the set's."""
    found = (value_at(generator, kind, "template") for kind in _KINDS)
    return next((template for template in found if isinstance(template, dict)), {})


def _filled(own: JSONObject, template: JSONObject) -> JSONObject:
    """``own``, and what it leaves empty from ``template`` (mergo without override)."""
    merged = dict(own)
    for key, value in template.items():
        below = merged.get(key)
        if isinstance(below, dict) and isinstance(value, dict):
            merged[key] = _filled(below, value)
        elif not below:
            merged[key] = value
    return merged


def _patched(body: JSONObject, text: str) -> JSONObject:
    """The Application after ``templatePatch``; its project stays (controllers/template/patch.go).

    An Application's lists are replaced by a strategic merge patch as by a JSON merge patch, its finalizers
    alone are joined.
    """
    try:
        patch = yaml.load(text)
    except yaml.YAMLError as error:
        raise NotExpandedError(f"its templatePatch is not YAML: {error.message}") from None
    if patch is None:
        return body
    if not isinstance(patch, dict):
        raise NotExpandedError("its templatePatch is no map")
    if _has_directive(patch):
        raise NotExpandedError("its templatePatch has $patch directives, which are not worked out")
    merged = merge_patch(body, patch)
    assert isinstance(merged, dict)
    finalizers = [*texts_at(body, "metadata", "finalizers"), *texts_at(patch, "metadata", "finalizers")]
    fixed: JSONObject = {
        "metadata": {"finalizers": list(dict.fromkeys(finalizers))},
        "spec": {"project": value_at(body, "spec", "project")},
    }
    return override(merged, fixed)


def _has_directive(value: JSONValue) -> bool:
    if isinstance(value, dict):
        return any(key.startswith("$") or _has_directive(item) for key, item in value.items())
    return isinstance(value, list) and any(_has_directive(item) for item in value)


def _remarks(document: Document) -> Iterator[str]:
    policy = text_at(document.spec, "syncPolicy", "applicationsSync")
    if policy in _KEEPING:
        yield _KEEPING[policy]
    if value_at(document.spec, "syncPolicy", "preserveResourcesOnDeletion") is True:
        yield "the objects stay when the ApplicationSet drops the Application (preserveResourcesOnDeletion)"
    steps = value_at(document.spec, "strategy", "rollingSync", "steps")
    if text_at(document.spec, "strategy", "type") == "RollingSync" and isinstance(steps, list):
        yield f"the ApplicationSet syncs its Applications in {len(steps)} steps, one after another"
