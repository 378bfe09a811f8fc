"""``--dependency-update``: what helm does with it before it renders."""

from __future__ import annotations

from pathlib import Path

from helmguard.errors import ChartError
from helmguard.helm.command import HelmCommand
from helmguard.helm.flags import RenderOptions


def update_dependencies(chart: Path, options: RenderOptions, command: HelmCommand) -> None:
    """Fetch the dependencies into the chart's folder, in place as helm does even under a dry run.

    Raises:
        ChartError: helm could not; the text is helm's.
    """
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
        from helmguard.helm.helm_errors import error_text
        from helmguard.helm.masking import redact

        text = redact(error_text(output.stderr), command.known_secrets(output.words))
        raise ChartError(text, remedy=f"Run: helm dependency update {chart}")
