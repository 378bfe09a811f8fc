"""``--dependency-update``: what helm does with it before it renders."""

from __future__ import annotations

from pathlib import Path

from helmguard.errors import ChartError
from helmguard.helm.chart import load_chart
from helmguard.helm.command import HelmCommand
from helmguard.helm.flags import RenderOptions
from helmguard.helm.helm_errors import error_text
from helmguard.helm.masking import redact
from helmguard.values.dependencies import check_dependencies
from helmguard.values.differences import dialect_of


def update_missing_dependencies(chart: Path, options: RenderOptions, command: HelmCommand) -> None:
    """Fetch the dependencies into the chart's folder if any is missing, as helm does even under a dry run.

    Raises:
        ChartError: the chart cannot be read, or helm could not fetch them; the text is helm's.
    """
    helm = command.helm.version
    try:
        check_dependencies(load_chart(chart, helm), dialect_of(helm))
    except ChartError as error:
        if "missing in charts/ directory" not in error.message:
            raise
        _update(chart, options, command)


def _update(chart: Path, options: RenderOptions, command: HelmCommand) -> None:
    words = ["dependency", "update", str(chart)]
    for flag, value in (
        ("--keyring", options.keyring),
        ("--registry-config", options.registry_config),
        ("--repository-config", options.repository_config),
        ("--repository-cache", options.repository_cache),
    ):
        if value:
            words += [flag, value]
    output = command.call(words)
    if output.exit_code != 0:
        text = redact(error_text(output.stderr), command.known_secrets(output.words))
        raise ChartError(text, remedy=f"Run: helm dependency update {chart}")
