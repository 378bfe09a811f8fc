"""A check as SARIF 2.1.0 (OASIS), as GitHub's code scanning and other viewers read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import quote

from helmguard.masking.masker import Masker
from helmguard.model.check_report import CheckReport
from helmguard.model.finding import Severity
from helmguard.model.json_value import JSONObject
from helmguard.report.check_exit_code import check_exit_code
from helmguard.report.check_items import CheckItem, check_items
from helmguard.report.check_unknown import unanswered_rules
from helmguard.report.check_verdict import verdict_text
from helmguard.report.json_output import to_json
from helmguard.report.plural import plural
from helmguard.report.rule_texts import RuleText, rule_texts
from helmguard.version import __version__

MOST_RESULTS: Final = 5000
"""GitHub shows no more of one run; the gravest are kept."""

FINGERPRINT: Final = "helmguardFinding/v1"
"""A name of its own: GitHub's upload computes ``primaryLocationLineHash`` itself, and warns of another's."""

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_IN_PATHS = "/-._~!$&'()*+,;=@"
_LEVELS: dict[Severity, str] = {"blocker": "error", "danger": "error", "warning": "warning", "info": "note"}
_SCORES: dict[Severity, str] = {"blocker": "9.0", "danger": "7.0", "warning": "4.0", "info": "1.0"}
"""``security-severity``: GitHub calls 9.0 and above critical, 7.0 high, 4.0 medium, the rest low."""


def render_sarif(report: CheckReport, masker: Masker) -> str:
    """The document as JSON text."""
    return to_json(sarif_document(report, masker))


def sarif_document(report: CheckReport, masker: Masker) -> JSONObject:
    """One run: a result for each finding that fires and each thing that was not read.

    Rules that lacked a fact are told as notifications of the run, since they say nothing of any line.
    """
    notes = [notification(verdict_text(report), "note")]
    rules = unanswered_rules(report)
    if rules is not None:
        notes.append(notification(f"{rules}: {', '.join(rules.rules)}", "warning"))
    notes += [notification(masker.text(note), "note") for note in report.notes]
    return sarif_of_items(check_items(report, masker), notes, check_exit_code(report))


def sarif_of_items(
    items: Sequence[CheckItem], notifications: Sequence[JSONObject], exit_code: int
) -> JSONObject:
    """One run with these results; ``notifications`` are those of the run, in SARIF's form."""
    shown = items[:MOST_RESULTS]
    texts = rule_texts(item.rule for item in shown)
    places = {name: index for index, name in enumerate(texts)}
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "helmguard",
                        "semanticVersion": __version__,
                        "rules": [_rule(text, shown) for text in texts.values()],
                    }
                },
                "automationDetails": {"id": "helmguard/"},
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The root of the repository."}}},
                "invocations": [_invocation(notifications, exit_code, len(items) - len(shown))],
                "results": [_result(item, places) for item in shown],
            }
        ],
    }


def _rule(text: RuleText, items: Sequence[CheckItem]) -> JSONObject:
    severity = next(item.severity for item in items if item.rule == text.id)
    lines = [f"{text.summary}.", *(f"Evidence: {one}" for one in text.evidence)]
    command = f"helmguard rules show {text.id}"
    return {
        "id": text.id,
        "shortDescription": {"text": _plain(text.summary)},
        "fullDescription": {"text": _plain(f"{text.summary}.")},
        "help": {
            "text": "\n".join([*lines, f"{command} prints the rule."]),
            "markdown": "\n\n".join([*lines, f"`{command}` prints the rule."]),
        },
        "defaultConfiguration": {"level": _LEVELS[severity]},
        "properties": {
            "tags": ["helm", "kubernetes", *([text.category] if text.category else [])],
            "security-severity": _SCORES[severity],
            "precision": "high",
        },
    }


def _result(item: CheckItem, places: Mapping[str, int]) -> JSONObject:
    result: JSONObject = {
        "ruleId": item.rule,
        "ruleIndex": places[item.rule],
        "level": _LEVELS[item.severity],
        "message": {"text": _plain(message_text(item))},
        "locations": [_location(item)],
        "partialFingerprints": {FINGERPRINT: item.fingerprint},
        "properties": {"severity": item.severity, "release": item.release, "refuses": item.refuses},
    }
    if item.waived:
        result["suppressions"] = [
            {"kind": "external", "status": "accepted", "justification": _plain(item.waived)}
        ]
    return result


def message_text(item: CheckItem) -> str:
    """The item in full, a line for each part."""
    head = f"{item.release}: {item.title}" if item.release else item.title
    return "\n".join([head, *item.details, *(f"Do: {text}" for text in item.remedy)])


def _location(item: CheckItem) -> JSONObject:
    """Relative to the root of the repository; what has no line is at the first one."""
    artifact: JSONObject = {"uri": quote(item.file, safe=_IN_PATHS), "uriBaseId": "%SRCROOT%"}
    if item.file.startswith("/"):
        artifact = {"uri": f"file://{quote(item.file, safe=_IN_PATHS)}"}
    region = {"startLine": max(1, item.place.line)}
    return {"physicalLocation": {"artifactLocation": artifact, "region": region}}


def _invocation(notifications: Sequence[JSONObject], exit_code: int, left_out: int) -> JSONObject:
    notes = list(notifications)
    if left_out:
        notes.append(notification(f"{plural(left_out, 'result')} of less weight left out", "warning"))
    return {"executionSuccessful": True, "exitCode": exit_code, "toolExecutionNotifications": notes}


def notification(text: str, level: str) -> JSONObject:
    """A remark on the run as a whole."""
    return {"level": level, "message": {"text": _plain(text)}}


def _plain(text: str) -> str:
    """The text without what viewers take for a link: ``[text](target)``."""
    return text.replace("](", "] (")
