"""helmguard shows what a Helm upgrade or rollback will really do before it happens."""

from __future__ import annotations

from helmguard.version import __version__

__all__ = ["__version__"]
