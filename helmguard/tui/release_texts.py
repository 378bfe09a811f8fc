"""What is read for the texts about a release, and laid out for any width."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from helmguard.manifest.hooks import hooks_of
from helmguard.masking.masker import Masker
from helmguard.model.release import Revision
from helmguard.report.layout import wrapped
from helmguard.report.revision_texts import hooks_lines, notes_lines
from helmguard.report.status_page import status_lines
from helmguard.report.status_verdict import status_verdict
from helmguard.report.styles import Line
from helmguard.tui.screens.text import TextLayout
from helmguard.tui.sources.source import OpenRelease
from helmguard.tui.work import Report

if TYPE_CHECKING:
    from helmguard.tui.app import HelmguardApp

_NO_CLUSTER = (
    "What state a release is in, and which ways lead out of it, is asked of a cluster; {} is none. "
    "The time line says what status each revision has."
)


def read_notes(revision: Revision, masker: Masker, app: HelmguardApp) -> TextLayout:
    """Of one revision."""
    return lambda width: notes_lines(revision, app.pen(masker, width))


def read_hooks(revision: Revision, masker: Masker, app: HelmguardApp) -> TextLayout:
    """Of one revision.

    Raises:
        ManifestError: a hook cannot be read.
    """
    hooks = hooks_of(revision.hooks)
    return lambda width: hooks_lines(revision, hooks, app.pen(masker, width))


def read_status(opened: OpenRelease, show: bool, app: HelmguardApp, report: Report) -> TextLayout:
    """Of the release, as it is now.

    Raises:
        HelmguardError: the source has no cluster, or the cluster does not answer.
    """
    state = app.source.status(opened, report)
    if state is None:
        label = app.source.label
        return lambda width: wrapped([app.pen(Masker(), width).prose(_NO_CLUSTER.format(label))], width)
    masker = Masker(state.known_secrets, public=(state.name, state.namespace), show=show)

    def lines(width: int) -> Iterator[Line]:
        yield from status_lines(state, app.pen(masker, width))
        yield from wrapped(status_verdict(state), width)

    return lines
