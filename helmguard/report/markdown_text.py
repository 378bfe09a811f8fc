"""Foreign text made inert for Markdown as GitHub and GitLab read it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from helmguard.report.escaping import escape_line

LONGEST = 65_000
"""Characters; GitHub refuses comments above 65,536."""
_TICKS = re.compile(r"`+")
_MARKUP = re.compile(r"[\\`*_\[\]|~$]|^[-+=#]|^\d+(?=[.)])")
"""What is markup anywhere, and what would be at the beginning of a line."""
_SPACE = "\u200b"
"""Zero-width space: it stands between a sign and a name so that nobody is called by it."""


def code(text: str, *, html: bool = False) -> str:
    """The text as a code span: nothing in it is markup, a mention or a link.

    ``html``: for table cells, which are cut at their pipes first, and for places inside HTML.
    """
    safe = escape_line(text) or " "
    if html:
        return f"<code>{_entities(safe)}</code>"
    fence = "`" * (max((len(run) for run in _TICKS.findall(safe)), default=0) + 1)
    blank = " " if safe.startswith("`") or safe.endswith("`") else ""
    return f"{fence}{blank}{safe}{blank}{fence}"


def prose(text: str) -> str:
    """The text as plain words: no markup, HTML, mention, issue number or link comes out of it."""
    safe = _MARKUP.sub(_escaped, escape_line(text))
    safe = safe.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    safe = safe.replace("@", f"@{_SPACE}").replace("#", f"#{_SPACE}")
    return safe.replace("://", f":{_SPACE}//").replace("www.", f"www{_SPACE}.")


def _escaped(sign: re.Match[str]) -> str:
    text = sign.group()
    return f"{text}{_SPACE}" if text.isdigit() else f"\\{text}"


def fenced(lines: Sequence[str], language: str = "") -> str:
    """Lines in a code block whose fence is longer than any run of backticks in them."""
    safe = [escape_line(line) for line in lines]
    longest = max((len(run) for line in safe for run in _TICKS.findall(line)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([f"{fence}{language}", *safe, fence])


def fitting(blocks: Iterable[str], room: int, command: str) -> str:
    """As many parts as fit into ``room`` characters; the others are counted, and ``command`` shows them."""
    kept: list[str] = []
    size = left_out = 0
    for block in blocks:
        if left_out or size + len(block) + 1 > room:
            left_out += 1
            continue
        kept.append(block)
        size += len(block) + 1
    if left_out:
        kept.append(f"\n**Shortened**: {left_out} more parts did not fit. `{command}` shows them all.\n")
    return "\n".join(kept)


def _entities(text: str) -> str:
    signs = {
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        "@": f"@{_SPACE}",
        "\\": "&#92;",
        "`": "&#96;",
        "*": "&#42;",
    }
    signs |= {
        "|": "&#124;",
        "_": "&#95;",
        "[": "&#91;",
        "]": "&#93;",
        "#": "&#35;",
        "~": "&#126;",
        "$": "&#36;",
    }
    return "".join(signs.get(character, character) for character in text)
