"""A check of nodes for CI systems: SARIF, JUnit, annotations, code quality."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from helmguard.masking.masker import Masker
from helmguard.model.declared_release import FileLine
from helmguard.model.finding import Finding
from helmguard.model.node_report import NodeReport
from helmguard.report.annotations import annotations_of_items
from helmguard.report.check_items import (
    NOT_READ,
    CheckItem,
    finding_item,
    fingerprint_of,
    ordered_items,
)
from helmguard.report.code_quality import code_quality_of_items
from helmguard.report.fact_text import facts_text
from helmguard.report.json_output import to_json
from helmguard.report.junit import JunitCase, junit_case, junit_of_suites
from helmguard.report.node_exit_code import node_exit_code
from helmguard.report.node_verdict import node_verdict_text
from helmguard.report.page import Page, Pen
from helmguard.report.plural import plural
from helmguard.report.sarif import notification, sarif_of_items

_ARCHIVES: Final = (".gz", ".tgz", ".json", ".jsonl", ".toml", "-")
"""What facts come from that is no folder of the node's own files."""


def node_ci_text(report: NodeReport, name: str, masker: Masker) -> str:
    """As ``sarif``, ``junit``, ``annotations`` or ``code-quality``."""
    items = node_items(report, masker)
    if name == "sarif":
        notes = [notification(node_verdict_text(report), "note")]
        unanswered = _unanswered(report)
        notes += [notification(unanswered, "warning")] if unanswered else []
        notes += [notification(masker.text(note), "note") for note in report.notes]
        return to_json(sarif_of_items(items, notes, node_exit_code(report)))
    if name == "junit":
        return junit_of_suites(list(_suites(report, items, masker)))
    if name == "annotations":
        return annotations_of_items(items, _unanswered(report), node_verdict_text(report))
    return to_json(code_quality_of_items(items))


def node_items(report: NodeReport, masker: Masker) -> list[CheckItem]:
    """Each finding that fires, and what could not be found out; what refuses first, waived ones last."""
    pen = Pen(Page(width=200), masker)
    items = [_of_finding(one, report, pen) for one in report.findings if one.result == "fires"]
    refuses = report.fail_on_unknown and report.fail_on != "none"
    for one in report.unknown:
        items.append(
            CheckItem(
                kind="not-read",
                rule=NOT_READ,
                severity="info",
                title=f"{pen.text(one.what).text}: {pen.prose(one.why).text}",
                place=FileLine(),
                fingerprint=fingerprint_of(NOT_READ, "nodes", one.what),
                release=_node_named_by(one.what, report),
                refuses=refuses,
            )
        )
    return ordered_items(items)


def _of_finding(finding: Finding, report: NodeReport, pen: Pen) -> CheckItem:
    place = FileLine(_file_in_repository(finding, report), finding.where.line)
    item = finding_item(finding, place, "nodes", report.fail_on, pen)
    # The title begins with the node's name, and so would every line that says whose item it is.
    title = item.title.removeprefix(f"{pen.text(finding.where.name).text}: ")
    return replace(item, title=title, release=pen.text(finding.where.name).text)


def _file_in_repository(finding: Finding, report: NodeReport) -> str:
    """Viewers want paths from the repository's root: below the folder of the node's files where they were
    read from there, else below the node's name."""
    file = finding.where.file
    if not file.startswith("/"):
        return file
    node = next((one for one in report.nodes if one.name == finding.where.name), None)
    source = node.facts.source if node is not None else ""
    if source.endswith(".toml") and node is not None and file == node.facts.containerd.config_path:
        return source
    is_folder = source and not source.startswith("/") and not source.endswith(_ARCHIVES)
    return f"{source.rstrip('/')}{file}" if is_folder else f"{finding.where.name}{file}"


def _node_named_by(what: str, report: NodeReport) -> str:
    return next((node.name for node in report.nodes if what.endswith(f" of {node.name}")), "")


def _unanswered(report: NodeReport) -> str:
    lacking = [one for one in report.findings if one.result == "unknown"]
    if not lacking:
        return ""
    rules = sorted({one.rule for one in lacking})
    facts = dict.fromkeys(fact for one in lacking for fact in one.missing)
    said = f"{plural(len(rules), 'rule')} cannot be answered without {facts_text(facts) or 'what is missing'}"
    return f"{said}: {', '.join(rules)}"


def _suites(
    report: NodeReport, items: list[CheckItem], masker: Masker
) -> Iterator[tuple[str, list[JunitCase]]]:
    """A suite a node; what is about no single one stands in a suite of the cluster."""
    names = [masker.text(node.name) for node in report.nodes]
    rest = [junit_case(item) for item in items if item.release not in names]
    unanswered = _unanswered(report)
    if unanswered:
        rest.append(JunitCase("rules that need more facts", "skipped", message=unanswered))
    for name in names:
        found = [junit_case(item) for item in items if item.release == name]
        yield name, found or [JunitCase("nothing dangerous was found")]
    if rest or not names:
        yield "cluster", rest or [JunitCase(node_verdict_text(report))]
