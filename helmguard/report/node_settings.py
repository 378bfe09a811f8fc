"""The effective configuration of a node: each setting, its value and where it comes from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from helmguard.containerd.flat_settings import (
    Setting,
    SettingDifference,
    flat_settings,
    setting_differences,
)
from helmguard.model.containerd_settings import Effective, Ignored, RuntimeSettings
from helmguard.model.judged_node import JudgedNode
from helmguard.report.layout import wrapped
from helmguard.report.node_table import SettingRow, setting_table
from helmguard.report.node_words import (
    is_runtime,
    place_words,
    setting_place,
    setting_text,
    setting_title,
    short_path,
    state_words,
)
from helmguard.report.page import Pen
from helmguard.report.plural import plural
from helmguard.report.section import HEADING_WIDTH, counts_line
from helmguard.report.styles import EMPTY, Line, Span, Style

_IGNORED = 12
"""Settings without effect that are shown, unless all are asked for."""


def effective_section(node: JudgedNode, pen: Pen) -> Iterator[Line]:
    """What holds now, else under the planned version; and what the planned version would change."""
    first = node.first
    if first is None:
        text = "not known: containerd's version is not (--containerd VERSION tells it)"
        yield from wrapped(counts_line("Effective", [(text, "warning")], pen), pen.page.text_width, 11)
        yield EMPTY
        return
    what = "" if node.installed is not None else " (planned)"
    yield from _state(f"containerd {first.containerd}{what}", "Effective", first, node, pen)
    yield from _files(first, node, pen)
    yield from setting_table(list(_rows(first, node, pen)), pen.page.columns, 2)
    yield EMPTY
    if node.installed is not None and node.planned is not None:
        yield from _planned(node.installed, node.planned, node, pen)


def _state(title: str, heading: str, effective: Effective, node: JudgedNode, pen: Pen) -> Iterator[Line]:
    words, good = state_words(effective)
    style: Style = "good" if good else "bad"
    spans = [Span(f"{heading}  ".ljust(HEADING_WIDTH), "bold"), pen.text(f"{title} "), Span(words, style)]
    yield from wrapped(spans, pen.page.text_width, 11)
    for error in (effective.daemon_error, effective.cri_error, effective.image_error):
        if error:
            at = effective.daemon_error_at
            where = f"  {place_words(at, node)}" if at.file and error == effective.daemon_error else ""
            said = [Span(f"  {pen.symbols.fail} ", "bad"), pen.prose(error), pen.text(where, "dim")]
            yield from wrapped(said, pen.page.text_width, 6)


def _files(effective: Effective, node: JudgedNode, pen: Pen) -> Iterator[Line]:
    names = []
    for one in effective.loaded:
        version = "no version" if one.version is None else f"version {one.version}"
        names.append(f"{short_path(one.path, node)} ({version})")
    text = ", ".join(names) or "none: containerd's defaults hold"
    yield from wrapped([Span("  files  ", "dim"), pen.text(text)], pen.page.columns, 9)


def _rows(effective: Effective, node: JudgedNode, pen: Pen) -> Iterator[SettingRow]:
    settings = dict(flat_settings(effective))
    for name in sorted(effective.runtimes) if settings else ():
        yield from _runtime_rows(effective.runtimes[name], effective, settings, node, pen)
    for name, setting in settings.items():
        if not name.startswith("runtimes."):
            yield _row(setting_title(name), _shown(name, setting, pen), setting_place(setting, node), pen)
    if settings and not effective.registry_mirrors and not effective.registry_config_path:
        yield _row("registry", "neither mirrors nor config_path", "default", pen)


def _runtime_rows(
    runtime: RuntimeSettings,
    effective: Effective,
    settings: dict[str, Setting],
    node: JudgedNode,
    pen: Pen,
) -> Iterator[SettingRow]:
    head = f"runtimes.{runtime.name}"
    title = setting_title(head)
    if runtime.name == effective.default_runtime_name:
        title += " (default)"
    own = settings[head]
    kind = setting_text("type", pen.masker.text(runtime.type))
    yield _row(title, kind, setting_place(own, node), pen, "bold")
    told = {f"{head}.{name}" for name in ("BinaryName", "SystemdCgroup")}
    for name in sorted(told | {name for name in settings if name.startswith(f"{head}.")}):
        setting = settings.get(name)
        place = setting_place(setting, node) if setting is not None else "default"
        yield _row(f"  {name.removeprefix(head)[1:]}", _shown(name, setting, pen), place, pen)
    if runtime.options_error:
        error = [pen.prose(runtime.options_error, "bad")]
        yield (Span("  options", "bad"),), tuple(error), ()


def _side(name: str, setting: Setting | None, pen: Pen) -> str:
    """A runtime may be there or not; other settings are set or not."""
    return "none" if setting is None and is_runtime(name) else _shown(name, setting, pen)


def _shown(name: str, setting: Setting | None, pen: Pen) -> str:
    if setting is None:
        return "not set"
    return setting_text(name, pen.masker.tree(setting.value))


def _row(title: str, value: str, place: str, pen: Pen, style: Style = "") -> SettingRow:
    return (
        (pen.text(title, style or "dim"),),
        (Span(pen.escape(value), style),),
        (pen.text(place, "dim"),),
    )


def _planned(installed: Effective, planned: Effective, node: JudgedNode, pen: Pen) -> Iterator[Line]:
    """What is otherwise under the planned version, before and after side by side."""
    yield from _state(f"containerd {planned.containerd}", "Planned", planned, node, pen)
    if planned.daemon == "starts" and installed.daemon == "starts":
        found = setting_differences(installed, planned)
        if not found:
            yield (Span("  = ", "dim"), Span("every setting stays as it is", "dim"))
        yield from setting_table([_change_row(one, node, pen) for one in found], pen.page.columns, 2)
    elif planned.daemon == "starts":
        yield from _files(planned, node, pen)
        yield from setting_table(list(_rows(planned, node, pen)), pen.page.columns, 2)
    yield EMPTY


def _change_row(one: SettingDifference, node: JudgedNode, pen: Pen) -> SettingRow:
    before, after = (_side(one.name, side, pen) for side in (one.before, one.after))
    lost = one.after is None and is_runtime(one.name)
    was, now = setting_place(one.before, node), setting_place(one.after, node)
    place = f"{was} {pen.symbols.arrow} {now}" if was and now and was != now else was or now
    arrow = Span(f" {pen.symbols.arrow} ")
    return (
        (Span("! ", "warning") if lost else Span("~ ", "update"), pen.text(setting_title(one.name))),
        (Span(pen.escape(before)), arrow, Span(pen.escape(after), "bold")),
        (pen.text(place, "dim"),),
    )


def ignored_section(node: JudgedNode, pen: Pen) -> Iterator[Line]:
    """What stands in a file and does not hold, why, and what holds instead."""
    found = _ignored(node)
    if not found:
        return
    said = f"{plural(len(found), 'setting')} in files without effect"
    yield from wrapped(counts_line("Ignored", [(said, "warning")], pen), pen.page.columns, HEADING_WIDTH)
    shown = found if pen.page.show_noise else found[:_IGNORED]
    for reason, alike in groupby(shown, lambda told: _reason(told[0], told[1], node)):
        yield from wrapped([Span("  "), pen.prose(reason)], pen.page.text_width, 4)
        for one, _ in alike:
            value = f" = {setting_text('', pen.masker.tree(one.value))}" if one.value is not None else ""
            head = [Span("  = ", "dim"), pen.text(f"{one.path}{value}", "bold")]
            head.append(pen.text(f"  {place_words(one.place, node)}", "dim"))
            yield from wrapped(head, pen.page.columns, 6)
    if len(shown) < len(found):
        more = f"and {len(found) - len(shown)} more (--show-noise shows them)"
        yield (Span("      "), Span(more, "dim"))
    yield EMPTY


def _ignored(node: JudgedNode) -> Sequence[tuple[Ignored, str]]:
    """Each with the one version that it is of, empty where it is of both."""
    sides = [one for one in (node.installed, node.planned) if one is not None]
    found: dict[tuple[str, str, int], list[tuple[Ignored, str]]] = {}
    for effective in sides:
        for one in effective.ignored:
            key = (one.path, one.place.file, one.place.line)
            found.setdefault(key, []).append((one, effective.containerd))
    return [(told[0][0], told[0][1] if len(told) == 1 < len(sides) else "") for told in found.values()]


def _reason(one: Ignored, only: str, node: JudgedNode) -> str:
    """``under 1.7.29: a later file ...; conf.d/99-nvidia.toml:2 holds instead``."""
    text = f"under {only}: {one.text}" if only else one.text
    by = f"; {place_words(one.by, node)} holds instead" if one.by is not None and one.by.file else ""
    return f"{text}{by}"
