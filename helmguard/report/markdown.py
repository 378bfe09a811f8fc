"""The plan as a review comment: Markdown that a hostile chart cannot break out of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import groupby
from operator import itemgetter

from helmguard.compare.weight import is_counted, restarts_pods
from helmguard.masking.masker import Masker
from helmguard.masking.secret_marks import without_digest
from helmguard.model.field_change import FieldChange
from helmguard.model.finding import SEVERITIES, Finding
from helmguard.model.plan import Plan, ResourceChange
from helmguard.model.resource_key import ResourceKey
from helmguard.model.value_change import ValueChange
from helmguard.report.config_use import config_texts, overridden_text, waiver_text
from helmguard.report.counts_text import object_counts, value_counts
from helmguard.report.field_rows import field_value
from helmguard.report.finding_place import changed_spans
from helmguard.report.hooks import hook_text
from helmguard.report.markdown_text import LONGEST, code, fenced, fitting, prose
from helmguard.report.notes import is_note
from helmguard.report.page import Page, Pen
from helmguard.report.plan_counts import is_noise
from helmguard.report.plural import plural
from helmguard.report.provenance_text import cause_text
from helmguard.report.remark import remark
from helmguard.report.remedies import labelled_remedies
from helmguard.report.styles import Style
from helmguard.report.unknown import unknown_items
from helmguard.report.verdict import verdict
from helmguard.report.yaml_diff import yaml_diff_lines

_EMPTY_LINES = re.compile(r"\n{3,}")
_LONGEST_DIFF = 150
_TAIL = 400
"""Kept free for saying what was left out."""

Places = Callable[[Finding], str]
"""``prod.yaml:12``: the file and line that a finding comes from, empty where none is known."""


def render_markdown(plan: Plan, masker: Masker, *, detailed: bool = True, longest: int = LONGEST) -> str:
    """A comment of at most ``longest`` characters; what does not fit is left out from the end, and said so.

    Findings come first and in full, so they are the last to go.
    """
    pen = Pen(Page(width=120), masker)
    text = fitting(_blocks(plan, pen, detailed), longest - _TAIL, "helmguard plan")
    return _EMPTY_LINES.sub("\n\n", text)


def _blocks(plan: Plan, pen: Pen, detailed: bool) -> Iterator[str]:
    release = plan.release
    yield f"### helmguard: {plan.operation} of {code(release.name)} in {code(release.namespace)}\n"
    yield f"**{prose(''.join(span.text for span in verdict(plan, detailed=detailed)))}**\n"
    yield from _header(plan, pen)
    yield from grave_blocks(plan, pen)
    yield from _unknown(plan, pen)
    yield from change_blocks(plan, pen)
    yield from _server(plan, pen)


def grave_blocks(plan: Plan, pen: Pen, places: Places | None = None) -> Iterator[str]:
    """What fails, and the findings that need a decision; ``places`` tells of each where it comes from."""
    yield from _failure(plan, pen)
    yield from _findings(plan, pen, places)


def change_blocks(plan: Plan, pen: Pen) -> Iterator[str]:
    """The change itself, and what only informs."""
    yield from _values(plan, pen)
    yield from _objects(plan, pen)
    yield from _drift(plan, pen)
    yield from _hooks(plan)
    yield from _notes(plan, pen)
    yield from _config(plan, pen)


def _config(plan: Plan, pen: Pen) -> Iterator[str]:
    items = [f"- {_prose(pen, text)}" for text in config_texts(plan)]
    if items:
        yield "\n".join(["#### Configuration", "", *items, ""])


def _server(plan: Plan, pen: Pen) -> Iterator[str]:
    from helmguard.report.server_dry_run import server_remarks

    lines = ["".join(span.text for span in spans[1:]) for spans in server_remarks(plan, pen)]
    if lines:
        yield "#### API server\n"
        yield "\n".join(f"- {prose(' '.join(line.split()))}" for line in lines) + "\n"


def _header(plan: Plan, pen: Pen) -> Iterator[str]:
    from helmguard.report.header import header

    statements: list[str] = []
    for spans in header(plan, pen):
        line = "".join(span.text for span in spans)
        if line.startswith(" ") and statements:
            statements[-1] += f" {line.strip()}"
        else:
            statements.append(line.strip())
    yield "<br>\n".join(prose(statement) for statement in statements) + "\n"


def _failure(plan: Plan, pen: Pen) -> Iterator[str]:
    from helmguard.report.failure import failure

    lines = ["".join(span.text for span in spans).strip() for spans in failure(plan, pen)]
    if lines:
        yield "\n".join([f"#### {prose(lines[0])}\n", prose(" ".join(lines[1:])), ""])


def _findings(plan: Plan, pen: Pen, places: Places | None) -> Iterator[str]:
    fired = [finding for finding in plan.findings if finding.result == "fires" and not is_note(finding, pen)]
    fired.sort(key=lambda finding: (finding.waived is not None, SEVERITIES.index(finding.severity)))
    for finding in fired:
        yield _finding(finding, pen, places(finding) if places else "")


def _finding(finding: Finding, pen: Pen, place: str) -> str:
    badge = "WAIVED" if finding.waived else finding.severity.upper()
    lines = [f"**{badge}** {_head(finding, pen)}", ""]
    if place:
        lines += [f"In {code(_masked(pen, place))}", ""]
    if finding.waived is not None:
        return "\n".join([*lines, f"Waived: {_prose(pen, waiver_text(finding.waived))}", ""])
    if finding.overridden is not None:
        lines += [f"Severity: {_prose(pen, overridden_text(finding, finding.overridden))}", ""]
    if finding.config_note:
        lines += [f"Configuration: {_prose(pen, finding.config_note)}", ""]
    if finding.consequence:
        lines += [_prose(pen, finding.consequence), ""]
    lines += [f"- {_prose(pen, effect)}" for effect in finding.effects]
    for label, texts in groupby(labelled_remedies(finding.remedy), itemgetter(0)):
        commands = [pen.command(text).text for _, text in texts]
        lines += ["", f"{label.capitalize()}:", "", fenced(commands)]
    return "\n".join([*lines, ""])


def _head(finding: Finding, pen: Pen) -> str:
    place = " ".join(part for part in (finding.where.name, finding.where.field) if part)
    change = "".join(span.text for span in changed_spans(finding, pen)).strip()
    head = f"{code(_masked(pen, place))} {code(change) if change else ''}".rstrip()
    return f"{head}: {_prose(pen, finding.title)} ({code(finding.rule)})"


def _notes(plan: Plan, pen: Pen) -> Iterator[str]:
    """The findings that only inform: all of them, folded."""
    lines = [f"- {_head(finding, pen)}" for finding in plan.findings if is_note(finding, pen)]
    if lines:
        yield folded(plural(len(lines), "note"), lines)


def _unknown(plan: Plan, pen: Pen) -> Iterator[str]:
    items = [f"- {code(_masked(pen, what))}: {_prose(pen, why)}" for what, why in unknown_items(plan)]
    items += [f"- {code(_masked(pen, name))}: rendered differently each time" for name in plan.unstable]
    if items:
        yield "\n".join(["#### Unknown", "", *items, ""])


def _values(plan: Plan, pen: Pen) -> Iterator[str]:
    if not plan.values.changes:
        return
    rows = [_value_row(change, pen) for change in plan.values.changes]
    yield folded(
        f"Values: {_counts(value_counts(plan))}",
        ["| value | before and after | cause |", "| --- | --- | --- |", *rows],
    )


def _value_row(change: ValueChange, pen: Pen) -> str:
    path = code(without_digest(pen.escape(pen.masker.path(change.path))), html=True)
    before, after = pen.masker.value_change(change)
    cause = prose(pen.text(cause_text(change)).text)
    return f"| {path} | {_change(pen, before, after, html=True)} | {cause} |"


def _objects(plan: Plan, pen: Pen) -> Iterator[str]:
    yield f"**Objects**: {_counts(object_counts(plan))}\n"
    for resource in plan.resources:
        idle = resource.action in ("unchanged", "hook") and not any(map(is_counted, resource.changes))
        if not idle and not is_noise(resource):
            yield _object(resource, plan, pen)


def _object(resource: ResourceChange, plan: Plan, pen: Pen) -> str:
    key = resource.prediction.key
    elsewhere = key.namespace is not None and key.namespace != plan.release.namespace
    where = f" in {code(str(key.namespace), html=True)}" if elsewhere else ""
    restart = ", pods restart" if restarts_pods(resource) else ""
    title = f"{resource.action}: {code(_masked(pen, str(key)), html=True)}{where}{restart}"
    rows = [_field_row(key, change, plan, pen) for change in resource.changes if is_counted(change)]
    body: list[str] = []
    if resource.prediction.error:
        body += [_prose(pen, resource.prediction.error), ""]
    if rows and resource.action not in ("create", "recreate"):
        body += ["| field | before and after | cause |", "| --- | --- | --- |", *rows, ""]
    if resource.action != "unchanged":
        body += _diff(resource, pen)
    return folded(title, body) if body else f"- {title}\n"


def _diff(resource: ResourceChange, pen: Pen) -> list[str]:
    lines = [without_digest(text) for text, _ in yaml_diff_lines(resource, pen, 3)]
    if len(lines) > _LONGEST_DIFF:
        lines = [*lines[:_LONGEST_DIFF], f"{pen.symbols.ellipsis} {len(lines) - _LONGEST_DIFF} more lines"]
    return [fenced(lines, "diff")] if lines else []


def _field_row(key: ResourceKey, change: FieldChange, plan: Plan, pen: Pen) -> str:
    path = code(without_digest(pen.escape(pen.masker.path(change.path))), html=True)
    value = "".join(span.text for span in field_value(key, change, pen))
    cause = prose(pen.text(remark(change, plan)).text)
    return f"| {path} | {code(value, html=True)} | {cause} |"


def _drift(plan: Plan, pen: Pen) -> Iterator[str]:
    rows = []
    for resource in plan.resources:
        key = resource.prediction.key
        for change in resource.drift:
            path = code(without_digest(pen.escape(pen.masker.path(change.path))), html=True)
            live = pen.values.value(pen.masker.field(key, change.path, change.before))
            chart = pen.values.value(pen.masker.field(key, change.path, change.new))
            name = code(_masked(pen, str(key)), html=True)
            manager = code(pen.text(change.manager).text, html=True) if change.manager else ""
            rows.append(
                f"| {name} | {path} | {code(live, html=True)} | {code(chart, html=True)} | {manager} |"
            )
    if rows:
        head = ["| object | field | live, kept | chart | set by |", "| --- | --- | --- | --- | --- |"]
        yield folded(f"Drift that stays: {len(rows)}", [*head, *rows])


def _hooks(plan: Plan) -> Iterator[str]:
    events = dict.fromkeys(hook.event for hook in plan.hooks)
    for event in events:
        text = hook_text([hook for hook in plan.hooks if hook.event == event])
        yield f"**Hook** {code(event)}: {prose(text)}\n"


def folded(title: str, body: list[str]) -> str:
    """GitHub renders Markdown inside details only after an empty line."""
    return "\n".join([f"<details><summary>{title}</summary>", "", *body, "", "</details>", ""])


def _counts(counts: list[tuple[str, Style]]) -> str:
    return ", ".join(text for text, _ in counts)


def _change(pen: Pen, before: object, after: object, *, html: bool = False) -> str:
    return code("".join(span.text for span in pen.change(before, after)), html=html)


def _masked(pen: Pen, text: str) -> str:
    return pen.text(text).text


def _prose(pen: Pen, text: str) -> str:
    return prose(pen.prose(text).text)
