"""A check as a GitLab code quality report (docs.gitlab.com/ci/testing/code_quality)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from helmguard.masking.masker import Masker
from helmguard.model.check_report import CheckReport
from helmguard.model.finding import Severity
from helmguard.model.json_value import JSONObject
from helmguard.report.check_items import CheckItem, check_items
from helmguard.report.json_output import to_json

_SEVERITIES: Final[dict[Severity, str]] = {
    "blocker": "blocker",
    "danger": "critical",
    "warning": "major",
    "info": "info",
}


def render_code_quality(report: CheckReport, masker: Masker) -> str:
    """The document as JSON text."""
    return to_json(code_quality_document(report, masker))


def code_quality_document(report: CheckReport, masker: Masker) -> list[JSONObject]:
    """A list with an entry for each item that is not waived; no two have one fingerprint."""
    return code_quality_of_items(check_items(report, masker))


def code_quality_of_items(items: Iterable[CheckItem]) -> list[JSONObject]:
    """The same of items that are at hand."""
    seen: Counter[str] = Counter()
    entries: list[JSONObject] = []
    for item in items:
        if not item.waived:
            seen[item.fingerprint] += 1
            entries.append(_entry(item, seen[item.fingerprint]))
    return entries


def _entry(item: CheckItem, number: int) -> JSONObject:
    about = f"{item.release}: {item.title}" if item.release else item.title
    return {
        "description": ". ".join([about, *item.details[:1]]),
        "check_name": item.rule,
        "fingerprint": item.fingerprint if number == 1 else f"{item.fingerprint}-{number}",
        "severity": "minor" if item.kind == "not-read" else _SEVERITIES[item.severity],
        "location": {"path": item.file, "lines": {"begin": max(1, item.place.line)}},
    }
