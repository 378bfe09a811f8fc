"""A check as one review comment that is edited in place: the table first, the details folded a release."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from helmguard.masking.masker import Masker
from helmguard.model.check_report import CheckedRelease, CheckReport
from helmguard.model.finding import Finding
from helmguard.report.alike_releases import alike_releases, alike_text
from helmguard.report.check_cells import (
    change_words,
    finding_spans,
    gravest_first,
    release_names,
    result_span,
)
from helmguard.report.check_page import all_notes, check_header
from helmguard.report.check_release_page import (
    Remark,
    chart_words,
    controller_texts,
    shared_remarks,
    told_plan,
)
from helmguard.report.check_table import folded_texts, rows_of, unread_texts
from helmguard.report.check_unknown import (
    likely_unknown,
    own_unknown,
    shared_unknown,
    shown_releases,
    unanswered_rules,
    untouched_text,
)
from helmguard.report.check_verdict import verdict_text
from helmguard.report.finding_lines import place_of
from helmguard.report.markdown import change_blocks, folded, grave_blocks
from helmguard.report.markdown_text import code, fitting, prose
from helmguard.report.page import Page, Pen
from helmguard.report.plural import plural
from helmguard.report.unread_alike import unread_alike

LONGEST: Final = 60_000
"""Characters of the whole comment; GitHub refuses more than 65,536."""

_EMPTY_LINES = re.compile(r"\n{3,}")
_COMMAND = "helmguard check"
_LISTED = 20
_TAIL = 1500
"""Kept free for saying what was left out."""


class _Section(msgspec.Struct, frozen=True):
    """The part of one release, and of ``others`` that look alike; ``names`` are all of theirs.

    ``about`` and ``grave`` must be said, ``further`` is said where there is room.
    """

    release: CheckedRelease
    about: str
    grave: tuple[str, ...]
    further: tuple[str, ...]
    names: tuple[str, ...] = ()

    @property
    def must(self) -> tuple[str, ...]:
        """What is said in any case, as blocks."""
        alike = (f"{prose(alike_text(self.names[1:]))}.\n",) if len(self.names) > 1 else ()
        return (self.about, *alike, *self.grave)


def comment_marker(name: str = "") -> str:
    """The first line, by which the comment is found again; ``name`` tells checks of one repository apart."""
    plain = re.sub(r"[^A-Za-z0-9._/ -]|--+", "", name).strip()
    return f"<!-- helmguard check: {plain} -->" if plain else "<!-- helmguard check -->"


def check_markdown(report: CheckReport, masker: Masker, *, name: str = "", longest: int = LONGEST) -> str:
    """The comment, of at most ``longest`` characters; the same report gives the same text.

    What is gravest is kept: the table, what is not known and the findings of each release, before the changes
    of any. What does not fit is counted and named.
    """
    pen = Pen(Page(width=120), masker)
    head = "\n".join([comment_marker(name), *_head(report, pen)])
    table = fitting(_table(report, pen), longest // 3, _COMMAND)
    unknown = fitting(_unknown(report, pen), longest // 6, _COMMAND)
    notes = fitting(_notes(report, pen), longest // 12, _COMMAND)
    rest = longest - _TAIL - len(head) - len(table) - len(unknown) - len(notes)
    details = _fitted(_sections(report, pen), rest, pen)
    return _EMPTY_LINES.sub("\n\n", "\n".join([head, table, details, unknown, notes])).rstrip() + "\n"


def _head(report: CheckReport, pen: Pen) -> Iterator[str]:
    yield f"### helmguard check\n\n**{prose(verdict_text(report))}**\n"
    statements: list[str] = []
    for spans in check_header(report, pen):
        text = "".join(span.text for span in spans)
        if text.startswith(" "):
            statements[-1] += f" {text.strip()}"
        else:
            statements.append(text.strip())
    yield "<br>\n".join(map(prose, statements)) + "\n"


def _table(report: CheckReport, pen: Pen) -> Iterator[str]:
    """A block a row; a table must be without empty lines between them."""
    shown = rows_of(report)
    names = release_names(report)
    if shown:
        yield "| release | result | findings | changes |\n| --- | --- | --- | --- |"
    for release in gravest_first(shown):
        found = ", ".join(span.text for span in finding_spans(release))
        changes = prose(pen.text(change_words(release)).text)
        result = result_span(release).text
        result = result if result == "passes" else f"**{result}**"
        name = code(pen.text(names[release.declared.identity]).text, html=True)
        yield f"| {name} | {result} | {found} | {changes} |"
    for text in (*unread_texts(report), *folded_texts(report)):
        yield f"\n{prose(pen.text(text).text)}\n"


def _unknown(report: CheckReport, pen: Pen) -> Iterator[str]:
    items: list[str] = []
    for alike in unread_alike(report):
        items.append(_item(alike.title, alike.why, pen, alike.remedy))
        if alike.listed:
            items.append(f"  ({code(pen.text(alike.listed).text)})")
    items += [_item(one.what, one.why, pen) for one in (*likely_unknown(report), *report.unknown)]
    items += [_item(one.what, one.text, pen) for one in shared_unknown(report)]
    rules = unanswered_rules(report)
    if rules is not None:
        items.append("\n" + folded(prose(str(rules)), [", ".join(code(rule) for rule in rules.rules)]))
    if report.untouched:
        listed = [_item(one.what, one.why, pen) for one in report.untouched[:_LISTED]]
        more = len(report.untouched) - len(listed)
        listed += [f"- and {more} more"] if more else []
        items.append("\n" + folded(f"{untouched_text(report)}, where nothing changes", listed))
    if items:
        yield "\n#### Unknown\n"
        yield from items
        yield ""


def _item(what: str, why: str, pen: Pen, remedy: str = "") -> str:
    helps = f" {code(pen.command(remedy).text)}" if remedy else ""
    return f"- {code(pen.text(what).text)}: {prose(pen.prose(why).text)}{helps}"


def _notes(report: CheckReport, pen: Pen) -> Iterator[str]:
    notes = all_notes(report)
    if notes:
        yield folded(plural(len(notes), "note"), [f"- {prose(pen.prose(note).text)}" for note in notes])


def _sections(report: CheckReport, pen: Pen) -> list[_Section]:
    """Gravest first; of releases that look alike one stands for all."""
    shared, names = shared_remarks(report), release_names(report)
    releases = gravest_first(shown_releases(report))
    sections = {id(one): _section(one, shared, pen) for one in releases}
    groups = alike_releases(
        releases, lambda one: "\n".join((*sections[id(one)].grave, *sections[id(one)].further))
    )
    return [
        replace(
            sections[id(group[0])],
            names=tuple(pen.text(names[one.declared.identity]).text for one in group),
        )
        for group in groups
    ]


def _section(release: CheckedRelease, shared: Mapping[Remark, int], pen: Pen) -> _Section:
    assert release.plan is not None
    plan = told_plan(release.plan)

    def place(finding: Finding) -> str:
        return str(place_of(finding, release))

    unknown = [_item(one.what, one.why, pen) for one in own_unknown(release)]
    grave = [*grave_blocks(plan, pen, place)]
    if unknown:
        grave.append("\n".join(["**Unknown**", "", *unknown, ""]))
    return _Section(release, _about(release, shared, pen), tuple(grave), tuple(change_blocks(plan, pen)))


def _about(release: CheckedRelease, shared: Mapping[Remark, int], pen: Pen) -> str:
    declared, plan = release.declared, release.plan
    assert plan is not None
    place = f" in {code(pen.text(str(declared.place)).text)}" if declared.place.file else ""
    texts = (*release.because, *controller_texts(release, shared), *plan.notes)
    lines = [
        f"{prose(pen.text(declared.identity).text)}{place}",
        prose(pen.text(chart_words(release, pen)).text),
        *(prose(pen.prose(text).text) for text in texts),
    ]
    return "<br>\n".join(line for line in lines if line) + "\n"


def _fitted(sections: Sequence[_Section], room: int, pen: Pen) -> str:
    """First what must be said of each release, gravest first, then their changes, as far as there is room."""
    kept: list[tuple[_Section, list[str]]] = []
    left_out: list[str] = []
    for section in sections:
        size = len(_folded_release(section, section.must, pen)) + 100
        if size > room:
            left_out += section.names
            continue
        room -= size
        kept.append((section, list(section.must)))
    for section, blocks in kept:
        for number, block in enumerate(section.further):
            if len(block) + 1 > room:
                blocks.append(_shortened(len(section.further) - number))
                break
            blocks.append(block)
            room -= len(block) + 1
    lines = [_folded_release(section, blocks, pen) for section, blocks in kept]
    return "\n".join([*lines, *_left_out(left_out)])


def _shortened(count: int) -> str:
    return f"**Shortened**: {plural(count, 'more part')} did not fit.\n"


def _left_out(names: Sequence[str]) -> Iterator[str]:
    if names:
        listed = ", ".join(code(name[:60]) for name in names[:10])
        more = f" and {len(names) - 10} more" if len(names) > 10 else ""
        yield (
            f"**Shortened**: the details of {plural(len(names), 'release')} did not fit: {listed}{more}. "
            f"`{_COMMAND}` shows them all.\n"
        )


def _folded_release(section: _Section, blocks: Sequence[str], pen: Pen) -> str:
    release = section.release
    found = ", ".join(span.text for span in finding_spans(release))
    parts = [result_span(release).text, found, prose(pen.text(change_words(release)).text)]
    more = f" and {len(section.names) - 1} alike" if len(section.names) > 1 else ""
    name = f"<b>{code(section.names[0], html=True)}</b>{more}"
    return folded(f"{name}: {'; '.join(part for part in parts if part)}", list(blocks))
