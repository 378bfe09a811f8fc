"""Rendering by ``helm template`` with computed values: fast, and possible without a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec.structs import replace

from helmguard.helm.chart_source import ChartSource
from helmguard.helm.chart_with_values import write_chart_with_values
from helmguard.helm.command import HelmCommand
from helmguard.helm.command_words import argument, flag_words
from helmguard.helm.flags import RenderOptions
from helmguard.helm.helm_errors import warnings_of
from helmguard.helm.masking import secret_strings
from helmguard.helm.render_errors import RenderContext, render_error
from helmguard.helm.rendered import Rendered, TemplateInputs, with_one_newline
from helmguard.helm.temporary_folder import temporary_folder
from helmguard.helm.values_transport import integer_words, values_document
from helmguard.manifest.rendered import split_template_output
from helmguard.model.json_value import JSONObject

_API_VERSIONS_A_WORD = 200
# A storage driver that needs a database would be opened although nothing is read from it.
_ANY_STORAGE = {"HELM_DRIVER": "secret"}


def render_fast(
    command: HelmCommand,
    options: RenderOptions,
    source: ChartSource,
    inputs: TemplateInputs,
    context: RenderContext,
    *,
    ask_cluster: bool = False,
    why: str = "",
    unsure: tuple[str, ...] = (),
) -> Rendered:
    """Render with ``helm template``, fed so that the result is what the upgrade would render.

    ``ask_cluster`` lets ``lookup`` and the capabilities come from the cluster. See
    `helmguard.helm.template_scan` for the charts for which the result may differ nevertheless.

    Raises:
        NotTransportableError: the values cannot be handed over exactly.
        HelmguardError: helm failed; the message is helm's own, masked.
    """
    with _chart_to_render(source, inputs, command) as chart:
        run = _TemplateRun(command, chart, source, inputs, context, ask_cluster)
        manifest, hooks, warnings = run.manifest_and_hooks(options)
    return Rendered(
        manifest=with_one_newline(manifest),
        hooks=hooks,
        helm=command.helm.version,
        how="template",
        why=why,
        config=inputs.config,
        warnings=warnings,
        unsure=unsure,
    )


class _TemplateRun(msgspec.Struct, frozen=True):
    command: HelmCommand
    chart: Path
    source: ChartSource
    inputs: TemplateInputs
    context: RenderContext
    ask_cluster: bool

    def manifest_and_hooks(
        self, options: RenderOptions
    ) -> tuple[str, tuple[JSONObject, ...], tuple[str, ...]]:
        if not options.post_renderer or self.command.helm.capabilities.post_renderer_is_plugin:
            text, warnings = self.output(options)
            stored = split_template_output(text, self.command.helm.version.major)
            return stored.manifest, stored.hooks, warnings
        # Helm 3's post-renderer gets the manifest without hooks, and its output is taken as it is.
        manifest, warnings = self.output(options, "--no-hooks")
        plain, _ = self.output(replace(options, post_renderer="", post_renderer_args=()))
        hooks = split_template_output(plain, self.command.helm.version.major).hooks
        return manifest, hooks, warnings

    def output(self, options: RenderOptions, *more: str) -> tuple[str, tuple[str, ...]]:
        words = template_words(
            self.command,
            options,
            self.chart,
            self.inputs,
            ask_cluster=self.ask_cluster,
            pulled=self.source.pulled,
        )
        text = values_document(self.inputs.config)
        output = self.command.call([*words, *more], text, environ=_ANY_STORAGE)
        if output.exit_code != 0:
            secrets = self.command.known_secrets(output.words) | secret_strings(self.inputs.config)
            raise render_error(output.stderr, self.context.hiding(secrets))
        return output.stdout.decode(errors="replace"), warnings_of(output.stderr)


@contextmanager
def _chart_to_render(source: ChartSource, inputs: TemplateInputs, command: HelmCommand) -> Iterator[Path]:
    if inputs.chart_values is None:
        yield source.path
        return
    with temporary_folder("helmguard-render-") as folder:
        yield write_chart_with_values(source.path, inputs.chart_values, folder, command.helm.version)


def template_words(
    command: HelmCommand,
    options: RenderOptions,
    chart: Path,
    inputs: TemplateInputs,
    *,
    ask_cluster: bool,
    pulled: bool = False,
) -> list[str]:
    """``template RELEASE CHART ...`` with the values from stdin.

    Raises:
        UsageError: a flag was given that this helm does not know.
        NotTransportableError: a value that ``--set`` cannot express.
    """
    capabilities = command.helm.capabilities
    names = (argument(options.release, "release"), argument(str(chart), "chart"))
    words = ["template", *names, "--values=-", *integer_words(inputs.config)]
    if options.namespace and not command.kube.namespace:
        words += ["--namespace", options.namespace]
    if inputs.is_upgrade:
        words.append("--is-upgrade")
    if ask_cluster:
        words += ["--dry-run=server", "--disable-openapi-validation"]
        words += ["--validate"] if capabilities.supports("--validate") else []
        words += ["--take-ownership"] if capabilities.supports("--take-ownership") else []
    else:
        words += ["--kube-version", inputs.kubernetes_version, *_api_version_words(inputs.api_versions)]
    copied = inputs.chart_values is not None
    return words + flag_words(options, "template", capabilities, local=True, verified=pulled or copied)


def _api_version_words(api_versions: tuple[str, ...]) -> list[str]:
    """The list in words of moderate length: one word may hold 128 KiB."""
    words: list[str] = []
    for start in range(0, len(api_versions), _API_VERSIONS_A_WORD):
        words += ["--api-versions", ",".join(api_versions[start : start + _API_VERSIONS_A_WORD])]
    return words
