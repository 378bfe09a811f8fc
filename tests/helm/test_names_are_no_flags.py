"""A stranger's file names releases and charts: no name may reach helm as a flag (``--post-renderer=...``)."""

from __future__ import annotations

from pathlib import Path

import pytest

from helmguard.errors import HelmError
from helmguard.helm.command import HelmCommand
from helmguard.helm.command_words import dry_run_words, pull_words, upgrade_words
from helmguard.helm.flags import RenderOptions
from helmguard.helm.rendered import TemplateInputs
from helmguard.helm.template_render import template_words
from helmguard.values.table import Table

FLAGS = ["--post-renderer=./evil.sh", "-f/etc/passwd", "--help", "-"]


@pytest.mark.parametrize("word", FLAGS)
def test_no_name_is_taken_for_a_flag(command: HelmCommand, word: str) -> None:
    capabilities = command.helm.capabilities
    release, chart = RenderOptions(word, "./web"), RenderOptions("web", word)
    inputs = TemplateInputs(config=Table(), is_upgrade=True, kubernetes_version="v1.36.0", api_versions=())
    with pytest.raises(HelmError, match="begins with a hyphen"):
        template_words(command, release, Path("/web"), inputs, ask_cluster=False)
    with pytest.raises(HelmError, match="begins with a hyphen"):
        pull_words(chart, "/into", capabilities)
    with pytest.raises(HelmError, match="begins with a hyphen"):
        dry_run_words(release, "/web", capabilities)
    for options in (release, chart):
        with pytest.raises(HelmError, match="begins with a hyphen"):
            upgrade_words(options, capabilities)
