"""The one place that holds helmguard's version."""

__version__ = "0.1.0"
