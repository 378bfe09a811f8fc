"""A check as JUnit XML: a suite a release, a case a finding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

import msgspec

from helmguard.masking.masker import Masker
from helmguard.model.check_report import CheckReport
from helmguard.report.check_cells import release_names
from helmguard.report.check_items import CheckItem, check_items
from helmguard.report.check_unknown import unanswered_rules
from helmguard.report.check_verdict import verdict_text
from helmguard.report.escaping import escape_line, escape_text
from helmguard.report.page import Page, Pen
from helmguard.report.sarif import message_text

_REPOSITORY = "repository"


class JunitCase(msgspec.Struct, frozen=True):
    """One case. ``result``: ``failure``, ``error``, ``skipped``, or empty for a case that passes."""

    name: str
    result: str = ""
    kind: str = ""
    message: str = ""
    text: str = ""


def render_junit(report: CheckReport, masker: Masker) -> str:
    """The document. A failure is what refuses, an error what could not be compared and refuses.

    What could not be read and does not refuse is skipped; findings below the gate pass, with their text.
    """
    pen = Pen(Page(width=200), masker)
    return junit_of_suites(list(_suites(report, pen)))


def junit_of_suites(suites: Sequence[tuple[str, Sequence[JunitCase]]]) -> str:
    """The document of these suites, by name."""
    cases = [case for _, found in suites for case in found]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<testsuites name={_attribute('helmguard')} {_counts(cases)}>",
    ]
    for name, found in suites:
        lines += _suite(name, found)
    return "\n".join([*lines, "</testsuites>", ""])


def _suites(report: CheckReport, pen: Pen) -> Iterator[tuple[str, list[JunitCase]]]:
    items = check_items(report, pen.masker)
    by_release: dict[str, list[CheckItem]] = {}
    for item in items:
        by_release.setdefault(item.release, []).append(item)
    own = [junit_case(item) for item in by_release.get("", ())]
    rules = unanswered_rules(report)
    if rules is not None:
        own.append(
            JunitCase(
                "rules that need facts of a cluster",
                "skipped",
                message=str(rules),
                text="\n".join((*rules.rules, "", "of", *(pen.text(name).text for name in rules.releases))),
            )
        )
    if own or not report.releases:
        yield _REPOSITORY, own or [JunitCase(verdict_text(report))]
    for name in (pen.text(one).text for one in release_names(report).values()):
        found = by_release.get(name, [])
        yield name, [junit_case(item) for item in found] or [JunitCase("nothing dangerous was found")]


def junit_case(item: CheckItem) -> JunitCase:
    """One item."""
    text = "\n".join(part for part in (str(item.place), message_text(item)) if part)
    name = f"{item.rule} {item.title}"
    if item.waived:
        return JunitCase(name, "skipped", message=f"waived: {item.waived}", text=text)
    unread = item.kind in ("not-compared", "not-read")
    if item.refuses:
        return JunitCase(name, "error" if unread else "failure", item.severity, item.title, text)
    return JunitCase(name, "skipped" if unread else "", message=item.title, text=text)


def _suite(name: str, cases: Sequence[JunitCase]) -> Iterator[str]:
    skipped = sum(case.result == "skipped" for case in cases)
    yield f'  <testsuite name={_attribute(name)} {_counts(cases)} skipped="{skipped}" time="0">'
    for case in cases:
        yield f'    <testcase name={_attribute(case.name)} classname={_attribute(name)} time="0">'
        yield from _outcome(case)
        yield "    </testcase>"
    yield "  </testsuite>"


def _outcome(case: JunitCase) -> Iterator[str]:
    if not case.result:
        if case.text:
            yield f"      <system-out>{_content(case.text)}</system-out>"
        return
    kind = f" type={_attribute(case.kind)}" if case.kind else ""
    message = f" message={_attribute(case.message)}"
    yield f"      <{case.result}{message}{kind}>{_content(case.text)}</{case.result}>"


def _counts(cases: Iterable[JunitCase]) -> str:
    results = [case.result for case in cases]
    failures, errors = results.count("failure"), results.count("error")
    return f'tests="{len(results)}" failures="{failures}" errors="{errors}"'


def _attribute(text: str) -> str:
    return quoteattr(escape_line(text))


def _content(text: str) -> str:
    return escape(escape_text(text))
