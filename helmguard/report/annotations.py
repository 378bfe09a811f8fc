"""A check as GitHub annotations: workflow commands that a step prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from helmguard.masking.masker import Masker
from helmguard.model.check_report import CheckReport
from helmguard.report.check_items import CheckItem, check_items
from helmguard.report.check_unknown import unanswered_rules
from helmguard.report.check_verdict import verdict_text
from helmguard.report.plural import plural

MOST: Final = 10
"""GitHub shows so many of each level a step."""

_LEVELS: Final = ("error", "warning", "notice")


def render_annotations(report: CheckReport, masker: Masker) -> str:
    """A line an annotation, the gravest first; where there are more than are shown, the last one says so."""
    rules = unanswered_rules(report)
    unanswered = str(rules) if rules is not None else ""
    return annotations_of_items(check_items(report, masker), unanswered, verdict_text(report))


def annotations_of_items(items: Sequence[CheckItem], unanswered: str, verdict: str) -> str:
    """The same of items that are at hand; ``unanswered`` says what rules lacked, empty where nothing."""
    lines = [line for level in _LEVELS for line in _of_level(level, items)]
    notices = sum(line.startswith("::notice") for line in lines)
    if unanswered and notices < MOST:
        lines.append(_command("notice", unanswered, title="helmguard: not all is known"))
    return "".join(f"{line}\n" for line in lines) or f"{verdict}\n"


def level_of(item: CheckItem) -> str:
    """The level of an item, empty for one that only informs."""
    if item.waived:
        return ""
    if item.refuses or item.severity in ("blocker", "danger"):
        return "error"
    if item.severity == "warning":
        return "warning"
    return "notice" if item.kind == "not-read" else ""


def _of_level(level: str, items: Sequence[CheckItem]) -> Iterator[str]:
    found = [item for item in items if level_of(item) == level]
    shown = found if len(found) <= MOST else found[: MOST - 1]
    for item in shown:
        head = f"{item.rule} in {item.release}" if item.release else item.rule
        text = "\n".join([item.title, *item.details, *(f"Do: {one}" for one in item.remedy)])
        yield _command(level, text, title=head, file=item.place.file, line=item.place.line)
    if len(shown) < len(found):
        rest = found[len(shown) :]
        releases = ", ".join(dict.fromkeys(item.release or "the repository" for item in rest))
        yield _command(level, f"{plural(len(rest), 'more item')}: {releases}", title="helmguard")


def _command(level: str, message: str, *, title: str, file: str = "", line: int = 0) -> str:
    settings = [f"file={_property(file)}"] if file else []
    settings += [f"line={line}"] if file and line else []
    settings.append(f"title={_property(title)}")
    return f"::{level} {','.join(settings)}::{_data(message)}"


def _data(text: str) -> str:
    """As actions/toolkit's packages/core/src/command.ts escapes what stands behind the command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """As the same escapes a command's properties."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
