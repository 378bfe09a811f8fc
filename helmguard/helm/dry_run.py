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
from helmguard.helm.masking import secret_strings
from helmguard.helm.render_errors import RenderContext, render_error
from helmguard.helm.rendered import Rendered, with_one_newline
from helmguard.helm.values_transport import NotTransportableError, value_words
from helmguard.model.json_value import JSONObject


def render_exact(
    command: HelmCommand,
    options: RenderOptions,
    source: ChartSource,
    context: RenderContext,
    *,
    given: JSONObject,
    stdin: bytes | None = None,
    why: str = "",
) -> Rendered:
    """Let helm simulate the upgrade (or the install, with ``--install``) against the cluster.

    ``given`` are the values of this command, merged; they reach helm by its stdin. Only where that cannot
    hold them, helm gets the flags as typed, and ``stdin`` for a values file named ``-``. Nothing is changed
    in the cluster; helm reads the release record and every object that is new in the release.

    Raises:
        HelmguardError: helm failed; the message is helm's own, masked.
    """
    capabilities = command.helm.capabilities
    words = dry_run_words(options, str(source.path), capabilities, pulled=source.pulled)
    try:
        values, text = value_words(given)
    except NotTransportableError:
        values, text = list(options.value_words), stdin
    output = command.call([*words, *values], text)
    if output.exit_code != 0:
        secrets = command.known_secrets([*output.words, *options.value_words]) | secret_strings(given)
        raise render_error(output.stderr, context.hiding(secrets))
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
