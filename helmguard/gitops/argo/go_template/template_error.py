"""Why a template gives no text."""

from __future__ import annotations


class TemplateError(Exception):
    """The template cannot be read, fails, or uses what is not implemented; the message says which."""


class MissingKeyError(TemplateError):
    """A parameter that is not there; the argument is its path."""

    def __init__(self, path: str) -> None:
        super().__init__(f"there is no parameter {path}")
        self.path = path
