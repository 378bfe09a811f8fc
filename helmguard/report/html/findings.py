"""The findings of one plan: what is dangerous, what it reaches, what to do instead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter

from helmguard.model.finding import SEVERITIES, Finding
from helmguard.model.plan import Plan
from helmguard.report.config_use import overridden_text, waiver_text
from helmguard.report.fact_text import facts_text
from helmguard.report.failure import covers_failure, failure_order
from helmguard.report.finding_place import changed_spans
from helmguard.report.findings import severity_sign
from helmguard.report.html.markup import NOTHING, Markup, element, joined
from helmguard.report.html.page_pen import PagePen, folded, marked
from helmguard.report.notes import is_note
from helmguard.report.plural import plural
from helmguard.report.remedies import labelled_remedies

_ALIKE = 3
"""Findings of one rule, below danger, that stand open; the others are folded."""

_COMMANDS = ("helmguard ", "helm ", "kubectl ", "git ")

Anchors = Mapping[str, str]
"""The ids of the objects on the page, by their names."""


def findings(plan: Plan, pen: PagePen, anchors: Anchors) -> Iterator[Markup]:
    """The failure that is foreseen, then every finding that fires and needs a decision, gravest first."""
    yield from _failure(plan, pen)
    fired = [finding for finding in plan.findings if finding.result == "fires" and not is_note(finding, pen)]
    fired.sort(key=lambda finding: (finding.waived is not None, SEVERITIES.index(finding.severity)))
    for open_ones, others in _grouped(fired):
        yield from (_finding(finding, plan, pen, anchors) for finding in open_ones)
        if others:
            title = f"{len(others)} more of {others[0].rule}"
            yield folded(title, *(_finding(finding, plan, pen, anchors) for finding in others))


def notes(plan: Plan, pen: PagePen) -> Markup:
    """The findings that only inform, folded."""
    found = [finding for finding in plan.findings if is_note(finding, pen)]
    if not found:
        return NOTHING
    rows = [
        element("li", _head(finding, pen, {}), _effects(finding.effects, pen), class_="item")
        for finding in found
    ]
    return folded(plural(len(found), "note"), element("ul", *rows, class_="plain"))


def severity_badge(severity: str, count: str, pen: PagePen) -> Markup:
    """``▲ 2 DANGER``: sign, word and colour."""
    known = next(name for name in SEVERITIES if name == severity)
    words = f"{severity_sign(known, pen).text} {count}{severity.upper()}"
    return element("span", words, class_=f"badge {severity}")


def severity_badges(found: Iterable[Finding], pen: PagePen) -> list[Markup]:
    """What fires and is not waived, by severity, without what only informs; then how many are waived."""
    fired = [finding for finding in found if finding.result == "fires"]
    counts = Counter(finding.severity for finding in fired if finding.waived is None)
    badges = [
        severity_badge(severity, f"{counts[severity]} ", pen)
        for severity in SEVERITIES
        if counts[severity] and severity != "info"
    ]
    waived = sum(finding.waived is not None for finding in fired)
    return [*badges, *([element("span", f"{waived} WAIVED", class_="badge waived")] if waived else [])]


def _grouped(fired: Sequence[Finding]) -> Iterator[tuple[list[Finding], list[Finding]]]:
    """Findings of one severity and rule together: those that stand open, those that are folded."""
    groups: dict[tuple[bool, str, str], list[Finding]] = {}
    for finding in fired:
        key = (finding.waived is not None, finding.severity, finding.rule)
        groups.setdefault(key, []).append(finding)
    for (is_waived, severity, _), group in groups.items():
        shown = 0 if is_waived and len(group) > _ALIKE else _ALIKE
        shown = len(group) if severity in ("blocker", "danger") and not is_waived else shown
        yield group[:shown], group[shown:]


def _failure(plan: Plan, pen: PagePen) -> Iterator[Markup]:
    if plan.failure is None or any(covers_failure(finding, plan) for finding in plan.findings):
        return
    where = str(plan.failure.resource) if plan.failure.resource else plan.release.name
    yield element(
        "article",
        element("h4", _will_fail(pen), " ", element("code", pen.text(where).text, class_="place")),
        element("p", pen.prose(plan.failure.message).text),
        element("p", pen.text(failure_order(plan)).text),
        class_="finding item blocker",
    )


def _will_fail(pen: PagePen) -> Markup:
    return element("span", f"{pen.symbols.fail} WILL FAIL", class_="badge blocker")


def _finding(finding: Finding, plan: Plan, pen: PagePen, anchors: Anchors) -> Markup:
    is_waived = finding.waived is not None
    return element(
        "article",
        element("h4", _badge(finding, plan, pen), " ", _head(finding, pen, anchors)),
        *_remarks(finding, pen),
        *(() if is_waived else _details(finding, plan, pen)),
        class_=f"finding item {'waived' if is_waived else finding.severity}",
    )


def _badge(finding: Finding, plan: Plan, pen: PagePen) -> Markup:
    if finding.waived is not None:
        return element("span", f"WAIVED {finding.severity.upper()}", class_="badge waived")
    return _will_fail(pen) if covers_failure(finding, plan) else severity_badge(finding.severity, "", pen)


def _head(finding: Finding, pen: PagePen, anchors: Anchors) -> Markup:
    place = finding.where
    name: Markup | str = pen.text(place.name).text
    if place.on == "object" and place.name in anchors:
        name = element("a", name, href=f"#{anchors[place.name]}")
    parts: list[Markup | str | None] = [element("code", name, class_="place")]
    if place.field:
        parts += [" ", element("code", pen.text(place.field).text, class_="place")]
    change = changed_spans(finding, pen)[1:]
    if change:
        parts += [" ", element("code", marked(change), class_="change")]
    parts += [element("span", f" {pen.symbols.dash} "), pen.prose(finding.title).text]
    return joined([*parts, " ", _meta(finding, pen)])


def _meta(finding: Finding, pen: PagePen) -> Markup:
    """Which rule, and the file that it leads to."""
    place = finding.where
    file = f"{place.file}:{place.line}" if place.line else place.file
    parts = [element("code", pen.text(name).text) for name in (finding.rule, file) if name]
    return element("span", *(joined([part, " "]) for part in parts), class_="meta")


def _remarks(finding: Finding, pen: PagePen) -> Iterator[Markup]:
    """What the user's configuration did to the finding."""
    rows: list[tuple[str, list[str]]] = []
    if finding.waived is not None:
        rows.append(("waived", [pen.prose(waiver_text(finding.waived)).text]))
    if finding.overridden is not None:
        rows.append(("severity", [pen.prose(overridden_text(finding, finding.overridden)).text]))
    if finding.config_note:
        rows.append(("config", [pen.prose(finding.config_note).text]))
    yield _labelled(rows)


def _details(finding: Finding, plan: Plan, pen: PagePen) -> Iterator[Markup]:
    if finding.consequence:
        yield element("p", pen.prose(finding.consequence).text)
    effects = [effect for effect in finding.effects if effect != finding.where.name]
    names = {str(resource.prediction.key) for resource in plan.resources}
    reached = [effect for effect in effects if effect.split(" ", 1)[0] in names]
    then = [effect for effect in effects if effect not in reached]
    rows = [("reaches", _texts(reached, pen)), ("then", _texts(then, pen))]
    if finding.missing:
        rows.append(("not read", [pen.prose(facts_text(finding.missing)).text]))
    if covers_failure(finding, plan) and not _says_order(plan):
        rows.append(("order", [pen.text(failure_order(plan)).text]))
    yield _labelled(rows)
    yield _remedies(finding, pen)
    if finding.evidence:
        known = [element("li", text) for text in _texts(finding.evidence, pen)]
        yield folded("what this rests on", element("ul", *known), class_="small")


def _says_order(plan: Plan) -> bool:
    """Whether a finding says what is already changed by the time Helm fails."""
    effects = [effect for finding in plan.findings for effect in finding.effects]
    return any("already changed" in text or "nothing will have been changed" in text for text in effects)


def _remedies(finding: Finding, pen: PagePen) -> Markup:
    rows: list[Markup] = []
    for label, group in groupby(labelled_remedies(finding.remedy), itemgetter(0)):
        rows.append(element("dt", label))
        rows += [element("dd", remedy_text(remedy, pen)) for _, remedy in group]
    return element("dl", *rows, class_="labelled") if rows else NOTHING


def remedy_text(remedy: str, pen: PagePen) -> Markup | str:
    """A command to paste as such, else prose."""
    if not remedy.startswith(_COMMANDS):
        return pen.prose(remedy).text
    return element("code", pen.command(remedy).text, class_="command")


def _texts(items: Iterable[str], pen: PagePen) -> list[str]:
    return [pen.prose(item).text for item in items]


def _labelled(rows: Sequence[tuple[str, Sequence[str]]]) -> Markup:
    parts: list[Markup] = []
    for label, texts in rows:
        if texts:
            parts += [element("dt", label), *(element("dd", said) for said in texts)]
    return element("dl", *parts, class_="labelled") if parts else NOTHING


def _effects(effects: Sequence[str], pen: PagePen) -> Markup:
    return element("ul", *(element("li", effect) for effect in _texts(effects, pen))) if effects else NOTHING
