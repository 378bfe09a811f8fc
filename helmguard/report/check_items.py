"""What a check has to say, item by item with file and line: what CI systems show one by one."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from helmguard.masking.masker import Masker
from helmguard.model.check_report import CheckedRelease, CheckReport
from helmguard.model.declared_release import FileLine
from helmguard.model.finding import SEVERITIES, FailOn, Finding, Severity, at_or_above
from helmguard.model.plan import Plan, Unknown
from helmguard.report.check_cells import release_names
from helmguard.report.config_use import waiver_text
from helmguard.report.failure import covers_failure, failure_order
from helmguard.report.finding_lines import place_of
from helmguard.report.finding_place import changed_spans
from helmguard.report.likely_findings import likely_findings, likely_text
from helmguard.report.page import Page, Pen

ItemKind = Literal["finding", "failure", "not-compared", "not-read"]
NOT_COMPARED: Final = "helmguard-not-compared"
NOT_READ: Final = "helmguard-not-read"
WILL_FAIL: Final = "helm-will-fail"

_A_FILE = re.compile(r"^(\S*/)?\S+\.\w+(?= |$)")
"""What is not read is named with its file first."""


class CheckItem(msgspec.Struct, frozen=True):
    """One item. ``title`` is one line, ``details`` are further ones; all texts are masked and escaped.

    ``refuses``: it keeps the change from being merged. ``waived`` is the waiver in words, empty for none.
    ``fingerprint`` stays the same for the same finding of the same release, wherever its line moves.
    ``release`` is empty for what concerns the repository.
    """

    kind: ItemKind
    rule: str
    severity: Severity
    title: str
    place: FileLine
    fingerprint: str
    release: str = ""
    details: tuple[str, ...] = ()
    remedy: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    refuses: bool = False
    waived: str = ""

    @property
    def file(self) -> str:
        """The file; the release's name where there is none, since viewers refuse what is nowhere."""
        return self.place.file or self.release or "."


def check_items(report: CheckReport, masker: Masker) -> list[CheckItem]:
    """What refuses comes first, then the gravest; waived items are the last.

    Rules that lacked a fact and objects that cannot be predicted in full are no items: no line of the
    repository is the cause (``check_unknown`` has them). Losses that only a live object could avert are.
    """
    pen = Pen(Page(width=200), masker)
    items: list[CheckItem] = []
    names = release_names(report)
    for release in report.releases:
        name = pen.text(names[release.declared.identity]).text
        items += [replace(item, release=name) for item in _of_release(release, report, pen)]
    items += [_not_read(one, None, report, pen) for one in report.unknown]
    return ordered_items(items)


def ordered_items(items: Iterable[CheckItem]) -> list[CheckItem]:
    """What refuses first, then the gravest; waived items last."""
    return sorted(items, key=_order)


def _order(item: CheckItem) -> tuple[bool, bool, int, bool]:
    grave = SEVERITIES.index(item.severity)
    return (bool(item.waived), not item.refuses, grave, item.kind in ("not-compared", "not-read"))


def _of_release(release: CheckedRelease, report: CheckReport, pen: Pen) -> Iterator[CheckItem]:
    plan = release.plan
    if release.state == "unknown":
        yield _not_compared(release, report, pen)
    if plan is not None:
        if plan.failure is not None and not any(covers_failure(one, plan) for one in plan.findings):
            yield _failure(release, plan, pen)
        for finding in plan.findings:
            if finding.result == "fires":
                yield _finding(finding, release, plan, pen)
        for finding in likely_findings(release):
            told = replace(finding, title=likely_text(finding), severity="warning", remedy=(), consequence="")
            yield replace(_finding(told, release, plan, pen), refuses=False)
    for one in release.declared.unknown:
        if one.why != release.why:
            yield _not_read(one, release, report, pen)


def _finding(finding: Finding, release: CheckedRelease, plan: Plan, pen: Pen) -> CheckItem:
    identity = release.declared.identity
    return finding_item(finding, place_of(finding, release), identity, plan.fail_on, pen)


def finding_item(finding: Finding, place: FileLine, identity: str, fail_on: FailOn, pen: Pen) -> CheckItem:
    """One finding at a place; ``identity`` tells what it is about from the others of the report."""
    where = " ".join(part for part in (finding.where.name, finding.where.field) if part)
    change = "".join(span.text for span in changed_spans(finding, pen)).strip()
    head = f"{pen.text(where).text} {change}".rstrip()
    gates = finding.waived is None and at_or_above(finding.severity, fail_on)
    return CheckItem(
        kind="finding",
        rule=finding.rule,
        severity=finding.severity,
        title=f"{head}: {pen.prose(finding.title).text}",
        place=_safe(place, pen),
        fingerprint=fingerprint_of(finding.rule, identity, finding.where.on, finding.waiver_key),
        details=tuple(pen.prose(text).text for text in (finding.consequence, *finding.effects) if text),
        remedy=tuple(pen.command(text).text for text in finding.remedy),
        evidence=tuple(pen.text(text).text for text in finding.evidence),
        refuses=gates,
        waived=pen.prose(waiver_text(finding.waived)).text if finding.waived is not None else "",
    )


def _failure(release: CheckedRelease, plan: Plan, pen: Pen) -> CheckItem:
    assert plan.failure is not None
    where = str(plan.failure.resource) if plan.failure.resource else plan.release.name
    return CheckItem(
        kind="failure",
        rule=WILL_FAIL,
        severity="blocker",
        title=f"{pen.text(where).text}: Helm will fail",
        place=_safe(release.declared.place, pen),
        fingerprint=_fingerprint(WILL_FAIL, release, where),
        details=(pen.prose(plan.failure.message).text, pen.text(failure_order(plan)).text),
        refuses=plan.fail_on != "none",
    )


def _not_compared(release: CheckedRelease, report: CheckReport, pen: Pen) -> CheckItem:
    return CheckItem(
        kind="not-compared",
        rule=NOT_COMPARED,
        severity="warning",
        title=f"could not be compared: {pen.prose(release.why or 'not all of it was read').text}",
        place=_safe(release.declared.place, pen),
        fingerprint=_fingerprint(NOT_COMPARED, release),
        remedy=(pen.command(release.remedy).text,) if release.remedy else (),
        refuses=_unknown_refuses(report),
    )


def _not_read(one: Unknown, release: CheckedRelease | None, report: CheckReport, pen: Pen) -> CheckItem:
    found = _A_FILE.match(one.what)
    place = FileLine(found.group()) if found else release.declared.place if release else FileLine()
    return CheckItem(
        kind="not-read",
        rule=NOT_READ,
        severity="info",
        title=f"{pen.text(one.what).text}: {pen.prose(one.why).text}",
        place=_safe(place, pen),
        fingerprint=_fingerprint(NOT_READ, release, one.what),
        refuses=_unknown_refuses(report),
    )


def _unknown_refuses(report: CheckReport) -> bool:
    return report.fail_on_unknown and report.fail_on != "none"


def _safe(place: FileLine, pen: Pen) -> FileLine:
    """The path masked; a path with signs that cannot be shown is shown with escapes, and so is no file."""
    return FileLine(pen.text(place.file).text, place.line)


def _fingerprint(rule: str, release: CheckedRelease | None, *parts: str) -> str:
    identity = release.declared.identity if release is not None else ""
    return fingerprint_of(rule, identity, *parts)


def fingerprint_of(rule: str, identity: str, *parts: str) -> str:
    """The same for the same parts, whatever else changes."""
    text = "\0".join((rule, identity, *parts))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
