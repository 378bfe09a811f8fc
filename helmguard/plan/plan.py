"""Moved to ``helmguard.model.plan``."""

from helmguard.model.plan import *  # noqa: F403
