"""Why a helmfile, or a release of one, cannot be read."""

from __future__ import annotations


class NotReadError(Exception):
    """The message is a sentence without its end: what of it is not known here, and why."""
