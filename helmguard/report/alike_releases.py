"""Releases whose change looks alike but for their names: the first is shown, the others are named."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from helmguard.model.check_report import CheckedRelease
from helmguard.report.plural import plural

_NAMED = 8
_SHORTEST_NAME = 3
"""A shorter name may stand in a text by chance."""


def alike_releases(
    releases: Iterable[CheckedRelease], text: Callable[[CheckedRelease], str]
) -> list[tuple[CheckedRelease, ...]]:
    """The releases in groups of which the same is said; ``text`` is what is said of one. In their order."""
    groups: dict[tuple[str, str], list[CheckedRelease]] = {}
    for release in releases:
        groups.setdefault((release.state, look_of(text(release), release)), []).append(release)
    return [tuple(group) for group in groups.values()]


def look_of(text: str, release: CheckedRelease) -> str:
    """The text without the release's own names, and without blanks, which move with them."""
    for name in (release.declared.name, release.declared.namespace):
        if len(name) >= _SHORTEST_NAME:
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "\0", text)
    return "".join(text.split())


def alike_text(names: Sequence[str]) -> str:
    """``2 more releases look alike but for their names: shop/a, shop/b``."""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    look = "looks alike but for its name" if len(names) == 1 else "look alike but for their names"
    return f"{plural(len(names), 'more release')} {look}: {', '.join(names[:_NAMED])}{more}"
