"""Fetching a chart with the user's helm, which has the user's registry logins."""

from __future__ import annotations

import json
import re
from pathlib import Path

from msgspec.structs import replace

from helmguard.check.chart_address import credentials_in, is_exact, shown
from helmguard.errors import ChartError, HelmError
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
    try:
        return _pull(need, _options(need), command, into)
    except ChartError:
        # `helm pull --repo` uses no login; that of `helm repo add` goes with the repository's name there.
        name = _added_as(need, command)
        if not name:
            raise
        try:
            return _pull(need, replace(_options(need), chart=f"{name}/{need.name}", repo=""), command, into)
        except ChartError:
            pass
        raise


def _added_as(need: ChartNeed, command: HelmCommand) -> str:
    """The name by which the user added the repository, empty where it is none that was added."""
    if need.kind != "repository":
        return ""
    listed = command.call(["repo", "list", "--output", "json"], timeout=FETCH_TIMEOUT)
    try:
        repositories = json.loads(listed.stdout or b"[]")
    except ValueError:
        return ""
    wanted = need.url.rstrip("/")
    return next((str(one["name"]) for one in repositories if one.get("url", "").rstrip("/") == wanted), "")


def _pull(need: ChartNeed, options: RenderOptions, command: HelmCommand, into: Path) -> Path:
    secrets = {*command.known_secrets(()), *credentials_in(need.url)}
    try:
        output = command.call(
            pull_words(options, str(into), command.helm.capabilities), timeout=FETCH_TIMEOUT
        )
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
