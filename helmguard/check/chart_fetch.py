"""Fetching a chart with the user's helm, which has the user's registry logins."""

from __future__ import annotations

import re
from pathlib import Path

from helmguard.check.chart_address import credentials_in, is_exact, shown
from helmguard.errors import ChartError, HelmError, UsageError
from helmguard.helm.command import HelmCommand
from helmguard.helm.command_words import pull_words
from helmguard.helm.flags import RenderOptions
from helmguard.helm.helm_errors import error_text
from helmguard.helm.masking import redact
from helmguard.model.declared_release import ChartNeed
from helmguard.values.semver import is_range

FETCH_TIMEOUT = 180.0
"""Seconds for one chart; some repositories' indexes have tens of megabytes."""

_ALIAS = re.compile(r"(?:@|alias:)([^/]+)")
_ARCHIVES = (".tgz", ".gz", ".tar")


def fetch(need: ChartNeed, command: HelmCommand, into: Path) -> Path:
    """Pull the chart into an empty folder; gives the archive. A digest is checked by helm.

    Raises:
        ChartError: it is not to be had; the text is helm's, without credentials.
    """
    options = _options(need)
    secrets = {*command.known_secrets(()), *credentials_in(need.url)}
    try:
        output = command.call(
            pull_words(options, str(into), command.helm.capabilities), timeout=FETCH_TIMEOUT
        )
    except UsageError:
        raise
    except HelmError as error:
        raise _not_fetched(need, redact(error.message, secrets)) from None
    if output.exit_code != 0:
        raise _not_fetched(need, redact(error_text(output.stderr), secrets))
    archives = sorted(path for path in into.iterdir() if path.suffix in _ARCHIVES)
    if not archives:
        raise _not_fetched(need, "helm pull succeeded and left no chart archive")
    return archives[0]


def _options(need: ChartNeed) -> RenderOptions:
    version = need.version
    if need.kind == "oci":
        if need.digest:
            return RenderOptions("", f"{need.url}@{need.digest}")
        if is_exact(version):
            version = version.replace("_", "+")
        elif version and not is_range(version):
            raise ChartError(
                f"{shown(need)} can't be fetched: helm takes charts by version, and {version!r} is none",
                remedy="Name a version, or a digest; or add the chart to the chart map (charts:).",
            )
        return RenderOptions("", need.url, version=version)
    alias = _ALIAS.fullmatch(need.url)
    if alias is not None:
        return RenderOptions("", f"{alias[1]}/{need.name}", version=version)
    return RenderOptions("", need.name, version=version, repo=need.url)


def _not_fetched(need: ChartNeed, why: str) -> ChartError:
    return ChartError(
        f"{shown(need)} can't be fetched: {why}",
        remedy="Check address, version and login (helm registry login, helm repo add),"
        " or add the chart to the chart map (charts: in .helmguard.yaml).",
    )
