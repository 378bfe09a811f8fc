"""Errors on their way to whoever called: their words tell no secret."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from helmguard.errors import HelmguardError
from helmguard.masking.masker import Masker
from helmguard.masking.secret_marks import without_digest

_QUOTED_BY_YAML = re.compile(r"(cannot unmarshal !!\w+ )`[^`]*`")
"""Go's YAML quotes the beginning of what it cannot use; nothing tells whether that is a secret."""


def mask_error(error: HelmguardError, known: Iterable[str] = ()) -> None:
    """Replace secrets in the error's message and remedy: ``known`` ones, and what has the form of one."""
    masker = Masker(known)

    def masked(text: str) -> str:
        return without_digest(masker.text(_QUOTED_BY_YAML.sub(r"\1`(secret)`", text)))

    error.message, error.remedy = masked(error.message), masked(error.remedy)
    error.args = (error.message,)


@contextmanager
def masked_errors(known: Callable[[], Iterable[str]] = tuple) -> Iterator[None]:
    """Errors that leave the block are masked; ``known`` is asked only then."""
    try:
        yield
    except HelmguardError as error:
        mask_error(error, known())
        raise
