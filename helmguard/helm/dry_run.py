"""Rendering by the upgrade itself: ``helm upgrade --dry-run=server -o json``."""

from __future__ import annotations

import json
from typing import Any

from helmguard.errors import HelmError
from helmguard.helm.chart_source import ChartSource
from helmguard.helm.command import HelmCommand
from helmguard.helm.command_words import dry_run_words
from helmguard.helm.flags import RenderOptions
from helmguard.helm.helm_errors import warnings_of
from helmguard.helm.render_errors import RenderContext, render_error
from helmguard.helm.rendered import Rendered, with_one_newline


def render_exact(
    command: HelmCommand,
    options: RenderOptions,
    source: ChartSource,
    context: RenderContext,
    *,
    stdin: bytes | None = None,
    why: str = "",
) -> Rendered:
    """Let helm simulate the upgrade (or the install, with ``--install``) against the cluster.

    ``stdin`` is what a values file named ``-`` holds. Nothing is changed in the cluster; helm reads the
    release record and every object that is new in the release.

    Raises:
        HelmguardError: helm failed; the message is helm's own, masked.
    """
    capabilities = command.helm.capabilities
    words = dry_run_words(options, str(source.path), capabilities, pulled=source.pulled)
    output = command.call(words, stdin)
    if output.exit_code != 0:
        raise render_error(output.stderr, context.hiding(command.known_secrets(output.words)))
    record = _read_record(output.stdout)
    info = record.get("info") or {}
    return Rendered(
        manifest=with_one_newline(str(record.get("manifest") or "")),
        hooks=tuple(record.get("hooks") or ()),
        helm=command.helm.version,
        how="dry-run-server",
        why=why,
        config=record.get("config"),
        chart=record.get("chart"),
        notes=str(info.get("notes") or ""),
        warnings=warnings_of(output.stderr),
        unsure=() if capabilities.supports("--dry-run=server") else ("lookup is empty before Helm 3.13",),
    )


def _read_record(stdout: bytes) -> dict[str, Any]:
    """The record in helm's output; a dependency update and Helm 4's registry lines come before it."""
    text = stdout.decode(errors="replace")
    start = 0 if text.startswith("{") else text.find("\n{") + 1
    try:
        record, _ = json.JSONDecoder().raw_decode(text, start)
    except ValueError:
        record = None
    if not isinstance(record, dict):
        raise HelmError("helm's dry run printed no release record")
    return record
