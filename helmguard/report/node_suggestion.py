"""What would make a node right for pods of a runtime: as a page for people, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from helmguard.containerd.suggest_model import Command, FileEdit, Returned, Suggestion
from helmguard.containerd.truth import effective_to_dict
from helmguard.masking.masker import Masker
from helmguard.model.json_value import JSONObject
from helmguard.report.layout import wrapped
from helmguard.report.page import Page, Pen
from helmguard.report.styles import EMPTY, Line, Span, Style, to_text

SUGGESTION_FORMAT = "helmguard.node-suggestion/v1"

_INDENT = "    "
_VERBS = {"write": "Write", "change": "Change", "remove": "Remove"}


def suggestion_to_dict(suggestions: Sequence[Suggestion], masker: Masker) -> JSONObject:
    """One entry for each node; ``effective`` has the keys that ``node check`` gives."""
    return {
        "formatVersion": SUGGESTION_FORMAT,
        "nodes": [_to_dict(one, masker) for one in suggestions],
        "exitCode": suggestion_exit_code(suggestions),
    }


def _to_dict(one: Suggestion, masker: Masker) -> JSONObject:
    return {
        "node": one.node,
        "containerd": one.containerd,
        "runtime": one.runtime,
        "right": one.is_right,
        "notSuggested": [masker.text(reason) for reason in one.refused],
        "edits": [_edit_to_dict(edit, masker) for edit in one.edits],
        "commands": [_command_to_dict(command) for command in one.commands],
        "runtimeClass": one.runtime_class,
        "verify": [_command_to_dict(command) for command in one.verify],
        "alternative": [_command_to_dict(command) for command in one.alternative],
        "returned": [_returned_to_dict(setting) for setting in one.returned],
        "unsolved": [masker.text(text) for text in one.unsolved],
        "remarks": [masker.text(remark) for remark in one.remarks],
        "before": effective_to_dict(one.before),
        "effective": effective_to_dict(one.effective),
    }


def _edit_to_dict(edit: FileEdit, masker: Masker) -> JSONObject:
    """``text`` is the whole new file; null where it is removed, or holds values that are not shown."""
    whole = None if edit.dropped or masker.text(edit.after or "") != (edit.after or "") else edit.after
    return {
        "path": edit.path,
        "kind": edit.kind,
        "why": edit.why,
        "text": whole,
        "diff": masker.text(edit.diff) if edit.diff else None,
    }


def _command_to_dict(command: Command) -> JSONObject:
    return {"command": command.text, "why": command.why}


def _returned_to_dict(setting: Returned) -> JSONObject:
    place = setting.place
    return {"setting": setting.name, "value": setting.value, "file": place.file, "line": place.line}


def suggestion_exit_code(suggestions: Sequence[Suggestion]) -> int:
    """0: all are right; 2: something is suggested, or to be done; 3: for a node nothing can be suggested."""
    if any(one.refused for one in suggestions):
        return 3
    return 2 if any(one.edits or one.commands or one.unsolved for one in suggestions) else 0


def render_suggestions(suggestions: Sequence[Suggestion], page: Page, masker: Masker) -> str:
    """The page; ends with a line feed."""
    pen = Pen(page, masker)
    lines: list[Line] = []
    for one in suggestions:
        lines += [EMPTY, *_page(one, pen)]
    return to_text(lines, colour=page.colour)


def _page(one: Suggestion, pen: Pen) -> Iterator[Line]:
    head = [
        Span("Node ", "bold"),
        pen.text(one.node, "bold"),
        pen.text(f"  containerd {one.containerd}, runtime {one.runtime}", "dim"),
    ]
    yield from wrapped(head, pen.page.columns, 2)
    yield EMPTY
    yield from _verdict(one, pen)
    yield from _list("To be done by hand", one.unsolved, pen)
    number = 0
    for edit in one.edits:
        number += 1
        yield from _edit(edit, number, pen)
    for command in one.commands:
        number += 1
        yield from _command(command, f"{number}. Run:", pen)
    if one.edits:
        number += 1
        yield from _head(f"{number}. Apply the RuntimeClass, once for the cluster", pen)
        yield from _body(one.runtime_class, pen)
    for command in one.verify:
        yield from _command(command, "See that it works:", pen)
    for command in one.alternative:
        yield from _command(command, "Or instead, by NVIDIA's tool:", pen)
    yield from _list("Takes effect again", [_returned_text(setting) for setting in one.returned], pen)
    yield from _list("To know", one.remarks, pen)


def _verdict(one: Suggestion, pen: Pen) -> Iterator[Line]:
    if one.refused:
        yield from _prose(f"Not suggested: {one.refused[0]}", pen, "bad")
        for reason in one.refused[1:]:
            yield from _prose(reason, pen, "bad")
    elif one.is_right:
        yield from _prose(
            f"Right as it is: containerd knows the runtime {one.runtime}. Nothing to write.", pen, "good"
        )
    else:
        yield from _prose(
            "Nothing was applied. These edits were tried on a copy: the runtime is there then, and no other "
            "setting of the CRI plugin changes, but for those that are named below.",
            pen,
        )
    yield EMPTY


def _prose(text: str, pen: Pen, style: Style = "") -> Iterator[Line]:
    yield from wrapped([pen.prose(text, style)], pen.page.text_width, 2)


def _head(text: str, pen: Pen) -> Iterator[Line]:
    yield from wrapped([pen.text(text, "bold")], pen.page.columns, 3)


def _edit(edit: FileEdit, number: int, pen: Pen) -> Iterator[Line]:
    yield from _head(f"{number}. {_VERBS[edit.kind]} {edit.path}", pen)
    yield from wrapped([Span("   "), pen.prose(edit.why, "dim")], pen.page.text_width, 3)
    yield EMPTY
    if edit.kind == "remove":
        return
    yield from _body(edit.diff or edit.after or "", pen, is_diff=bool(edit.diff))


def _body(text: str, pen: Pen, *, is_diff: bool = False) -> Iterator[Line]:
    """As it is to be copied: not wrapped."""
    for line in text.rstrip("\n").split("\n"):
        style: Style = ""
        if is_diff:
            style = "create" if line.startswith("+") else "delete" if line.startswith("-") else ""
        yield (Span(_INDENT), pen.text(line, style)) if line else EMPTY
    yield EMPTY


def _command(command: Command, title: str, pen: Pen) -> Iterator[Line]:
    yield from wrapped([pen.text(f"{title} ", "bold"), pen.prose(command.why, "dim")], pen.page.text_width, 3)
    yield (Span(_INDENT), pen.command(command.text))
    yield EMPTY


def _returned_text(setting: Returned) -> str:
    value = str(setting.value).lower() if isinstance(setting.value, bool) else str(setting.value)
    return f"{setting.name} = {value} ({setting.place.file}:{setting.place.line})"


def _list(title: str, items: Sequence[str], pen: Pen) -> Iterator[Line]:
    if not items:
        return
    yield (Span(title, "bold"),)
    for item in items:
        yield from wrapped([Span(f"  {pen.symbols.info} ", "dim"), pen.prose(item)], pen.page.text_width, 4)
    yield EMPTY
