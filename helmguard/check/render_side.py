"""Rendering a declared release: the chart had, the values laid, helm run once for each distinct input."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from helmguard.check.chart_store import ChartStore, FoundChart
from helmguard.check.given_values import given_values
from helmguard.check.random_names import without_random_names
from helmguard.check.rendered_side import RenderedSide
from helmguard.check.renderings import Renderings
from helmguard.check.request import DEFAULT_KUBERNETES
from helmguard.errors import ChartError, HelmError, HelmLimitError, ManifestError, RenderError, ValuesError
from helmguard.gitops.argo.argo_hooks import part_argo_hooks
from helmguard.gitops.documents import Documents
from helmguard.gitops.post_render import post_rendered
from helmguard.helm.chart import load_chart
from helmguard.helm.chart_source import ChartSource
from helmguard.helm.command import HelmCommand
from helmguard.helm.flags import RenderOptions
from helmguard.helm.render import Rendering, RenderTask
from helmguard.helm.render_way import scan
from helmguard.helm.rendered import Rendered, TemplateInputs
from helmguard.helm.template_scan import TemplateScan
from helmguard.helm.value_flags import fetch_schema_file
from helmguard.manifest import yaml
from helmguard.model.declared_release import DeclaredRelease
from helmguard.model.discovery import Discovery
from helmguard.model.plan import Unknown
from helmguard.model.release import History
from helmguard.planner.chart_definitions import ChartDefinition, chart_definitions
from helmguard.planner.unstable_rendering import unstable_of
from helmguard.planner.upgrade_values import UpgradeValues, ValuesQuestion
from helmguard.predict.schema.custom_types import custom_kinds
from helmguard.predict.scopes import is_namespaced
from helmguard.values.chart import Chart
from helmguard.values.differences import dialect_of
from helmguard.values.schema import FetchSchema
from helmguard.values.table import Table

_REMOTE_SCHEMA = re.compile(rb'"\$(?:ref|schema)"\s*:\s*"https?://(?!json-schema\.org/)')
_REMOTE_ID = re.compile(rb'"\$id"\s*:\s*"https?://')
_RELATIVE_REFERENCE = re.compile(rb'"\$ref"\s*:\s*"(?![#"]|[A-Za-z][A-Za-z0-9+.-]*:)')
_ENDLESS = "Look for a template that repeats itself without end."
_ABOUT_CAPABILITIES = ("asks for API version", "uses .Capabilities", "kubeVersion against")


class SideRenderer(msgspec.Struct, frozen=True):
    """What renders the releases of one side. ``discovery`` is the cluster's, where one is asked."""

    documents: Documents
    command: HelmCommand
    charts: ChartStore
    renderings: Renderings
    offline: bool = False
    kube_version: str = ""
    api_versions: tuple[str, ...] = ()
    discovery: Discovery | None = None

    def render(self, declared: DeclaredRelease) -> RenderedSide:
        """The release as this side renders it; on what Helm stops is in it.

        Raises:
            ChartError: the chart is not to be had, cannot be read, or takes too much to render.
        """
        found = self.charts.find(declared.chart, self.documents)
        helm = self.command.helm.version
        chart = load_chart(found.path, helm)
        side = RenderedSide(declared, found, chart, helm, Table(), kubernetes=self._kubernetes(declared))
        try:
            side = replace(side, given=given_values(declared.layers, dialect_of(helm)))
            question = self.question(side)
            side = replace(side, values=question.computed(side.given, self._fetch_schema()))
        except (ValuesError, ChartError) as error:
            return replace(side, error=error)
        try:
            return self._rendered(side)
        except HelmLimitError as error:
            # Whether helm would come to an end elsewhere is not known.
            raise ChartError(f"{found.reference}: {error.message}", remedy=_ENDLESS) from None
        except (HelmError, ValuesError, ChartError, ManifestError) as error:
            return replace(side, error=error)

    def question(self, side: RenderedSide) -> ValuesQuestion:
        """What the values of this side are, as of an install."""
        return ValuesQuestion.of(
            self._options(side.declared, side.found), self.command.helm, side.chart, None, _no_history(side)
        )

    def _options(self, declared: DeclaredRelease, found: FoundChart) -> RenderOptions:
        return RenderOptions(
            declared.name,
            str(found.path),
            declared.namespace,
            skip_schema_validation=declared.options.skip_schema_validation,
        )

    def _fetch_schema(self) -> FetchSchema | None:
        return None if self.offline else fetch_schema_file

    def _kubernetes(self, declared: DeclaredRelease) -> str:
        known = declared.options.kube_version or self.kube_version
        if not known and self.discovery is not None:
            return self.discovery.kubernetes_version
        return f"v{known.removeprefix('v')}" if known else ""

    def _api_versions(self, declared: DeclaredRelease) -> tuple[str, ...]:
        served = self.discovery.helm_api_versions() if self.discovery is not None else ()
        return tuple(dict.fromkeys((*served, *self.api_versions, *declared.options.api_versions)))

    def _rendered(self, side: RenderedSide) -> RenderedSide:
        declared, values = side.declared, side.values
        assert values is not None
        inputs = TemplateInputs(
            config=values.config,
            is_upgrade=declared.options.is_upgrade,
            kubernetes_version=side.kubernetes or DEFAULT_KUBERNETES,
            api_versions=self._api_versions(declared),
            given=values.given,
        )
        options = self._options(declared, side.found)
        notes = list(side.found.remarks)
        if self.offline and _asks_network_for_schema(side.chart) and not options.skip_schema_validation:
            options = replace(options, skip_schema_validation=True)
            notes.append(
                "values are not checked against the chart's schema: it is a URL, and this is offline"
            )
        source = ChartSource(side.found.path.absolute(), str(declared.chart), side.found.digest, pulled=True)
        task = RenderTask(self.command, options, source, side.chart, inputs)
        scanned = scan(side.chart, inputs)
        rendering, tried_without = self._rendering(task, side.found.digest, scanned)
        if tried_without:
            notes.append(tried_without)
        asked = scanned.asked if self.discovery is None else ()
        parts = without_random_names(rendering.rendered, rendering.again)
        definitions = chart_definitions(side.chart, values.enabled_charts)
        manifest, unknown = self._post_rendered(parts.rendered.manifest, declared)
        hooks = () if declared.options.disable_hooks else parts.rendered.hooks
        if declared.controller.name == "Argo CD":
            manifest, hooks = part_argo_hooks(manifest, hooks)
        if declared.options.crds == "apply":
            manifest = _with_definitions(manifest, definitions)
        custom = custom_kinds([definition.body for definition in definitions])

        def look_up(api_version: str, kind: str) -> bool | None:
            return is_namespaced(api_version, kind, self.discovery, custom)

        return replace(
            side,
            manifest=manifest,
            hooks=hooks,
            unstable=unstable_of(replace(rendering, rendered=parts.rendered), declared.namespace, look_up),
            random=parts.random,
            unknown=(*self._unsure(rendering.rendered, declared), *unknown),
            notes=tuple(notes),
            warnings=rendering.rendered.warnings,
            asked=asked,
            if_served=self._if_served(task, side.found.digest, scanned, rendering) if asked else "",
        )

    def _if_served(self, task: RenderTask, digest: str, scanned: TemplateScan, rendering: Rendering) -> str:
        """The manifest where the cluster serves what the templates ask for."""
        served = (*task.inputs.api_versions, *scanned.asked)
        again = replace(task, inputs=replace(task.inputs, api_versions=served))
        try:
            found, _ = self._rendering(again, digest, replace(scanned, asked=()))
        except HelmError:
            return ""
        same = found.rendered.manifest == rendering.rendered.manifest
        return "" if same else without_random_names(found.rendered, found.again).rendered.manifest

    def _rendering(self, task: RenderTask, digest: str, scanned: TemplateScan) -> tuple[Rendering, str]:
        try:
            return self.renderings.render(task, digest, scanned), ""
        except RenderError:
            if not _asks_network_for_schema(task.chart) or task.options.skip_schema_validation:
                raise
        unchecked = replace(task, options=replace(task.options, skip_schema_validation=True))
        rendering = self.renderings.render(unchecked, digest, scanned)
        return rendering, "values are not checked against the chart's schema: its URL could not be read"

    def _post_rendered(self, manifest: str, declared: DeclaredRelease) -> tuple[str, tuple[Unknown, ...]]:
        why = declared.options.post_renderer_unknown
        doubts = (Unknown("post-renderers", why),) if why else ()
        marks = declared.options.marks if self.discovery is not None else ()
        renderers = (*declared.options.post_renderers, *marks)
        if not renderers:
            return manifest, doubts
        changed, unknown = post_rendered(manifest, renderers)
        return changed, (*doubts, *unknown)

    def _unsure(self, rendered: Rendered, declared: DeclaredRelease) -> Sequence[Unknown]:
        doubts = rendered.unsure
        if declared.tool == "argo":
            # Argo CD renders by helm template, too, and tells it no more of the cluster than its versions.
            doubts = tuple(doubt for doubt in doubts if doubt.startswith(_ABOUT_CAPABILITIES))
        return [Unknown("rendering", reason) for reason in doubts]


def _no_history(side: RenderedSide) -> History:
    return History(side.declared.name, side.declared.namespace, ())


def compared_values(renderer: SideRenderer, side: RenderedSide, history: History) -> UpgradeValues:
    """The side's values compared with those of the last revision in ``history``, where it has one.

    Raises:
        ValuesError, ChartError: on what Helm stops.
    """
    question = renderer.question(side)
    if history.last() is not None:
        options = replace(question.options, value_words=("--reset-values",))
        question = ValuesQuestion.of(options, question.helm, side.chart, history.last(), history)
    return question.answer(side.given, None)


def _asks_network_for_schema(chart: Chart) -> bool:
    own = chart.schema is not None and _refers_to_network(chart.schema)
    return own or any(map(_asks_network_for_schema, chart.dependencies))


def _refers_to_network(schema: bytes) -> bool:
    """By a URL, or by a path beside the URL that the schema says to be its own."""
    beside = _REMOTE_ID.search(schema) is not None and _RELATIVE_REFERENCE.search(schema) is not None
    return beside or _REMOTE_SCHEMA.search(schema) is not None


def _with_definitions(manifest: str, definitions: Sequence[ChartDefinition]) -> str:
    texts = [f"---\n# Source: {one.source}\n{yaml.dump(one.body)}" for one in definitions]
    return "".join(text if text.endswith("\n") else f"{text}\n" for text in texts) + manifest
