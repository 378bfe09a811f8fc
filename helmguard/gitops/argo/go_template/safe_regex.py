"""Regular expressions of templates, of which Go's engine never backtracks and Python's does."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from helmguard.gitops.argo.go_template.template_error import TemplateError

_LONGEST_TEXT = 300
_MOST_REPEATS = 3
_REPEAT = re.compile(r"(?<!\\)(?:[*+]|\{\d*,\d*\})")
_REPEATED_GROUP = re.compile(r"(?<!\\)\)(?:[*+?]|\{)")
_GO_ONLY = re.compile(r"\\[pPzQECK]|\[\[:|\(\?[a-zA-Z]*[sUmi-]+[a-zA-Z]*:")
_REFERENCE = re.compile(r"\$(?:\{(\w+)\}|(\w+)|(\$))")


@lru_cache(maxsize=256)
def _compiled(regex: str) -> re.Pattern[str]:
    if len(_REPEAT.findall(regex)) > _MOST_REPEATS or _REPEATED_GROUP.search(regex) or _GO_ONLY.search(regex):
        raise TemplateError(f"the regular expression {regex} is more than is implemented")
    try:
        return re.compile(regex, re.ASCII)
    except re.error as error:
        raise TemplateError(f"the regular expression {regex} cannot be read: {error}") from None


def compiled(regex: str, text: str) -> re.Pattern[str]:
    """The expression, where matching the text takes no time to speak of.

    Raises:
        TemplateError: it might, or is none.
    """
    if len(text) > _LONGEST_TEXT:
        raise TemplateError(f"the text for the regular expression {regex} is too long")
    return _compiled(regex)


def go_replacement(template: str) -> Callable[[re.Match[str]], str]:
    """What ``$1`` and ``${name}`` of Go's replacements stand for; unknown ones are empty."""

    def replaced(match: re.Match[str]) -> str:
        return _REFERENCE.sub(
            lambda found: "$" if found[3] else _group(match, found[1] or found[2]), template
        )

    return replaced


def _group(match: re.Match[str], name: str) -> str:
    try:
        return match[int(name) if name.isdigit() else name] or ""
    except IndexError:
        return ""
