"""A check of nodes as a page for people: what holds on each node, what does not, and what is dangerous."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from helmguard.containerd.version import read_version
from helmguard.masking.masker import Masker
from helmguard.model.containerd_settings import ConfigPlace
from helmguard.model.judged_node import JudgedNode
from helmguard.model.node_report import NodeDifference, NodeGroup, NodeReport
from helmguard.report.config_use import config_use
from helmguard.report.findings import findings
from helmguard.report.layout import wrapped
from helmguard.report.node_plan import plan_of_nodes
from helmguard.report.node_settings import effective_section, ignored_section
from helmguard.report.node_table import SettingRow, setting_table
from helmguard.report.node_verdict import node_verdict
from helmguard.report.node_words import is_runtime, place_words, setting_text, setting_title
from helmguard.report.notes import notes
from helmguard.report.page import Page, Pen
from helmguard.report.plural import plural
from helmguard.report.section import HEADING_WIDTH, counts_line, dotted
from helmguard.report.styles import EMPTY, Line, Span, to_text
from helmguard.report.unknown import unknown

_NAMES = 8
"""Nodes of a group that are named in its head."""


def render_nodes(report: NodeReport, page: Page, masker: Masker, *, quiet: bool = False) -> str:
    """The whole page, or with ``quiet`` its last line; ends with a line feed."""
    last = node_verdict(report)
    if quiet:
        return to_text([last], colour=page.colour)
    pen = Pen(page, masker)
    lines = [EMPTY, *node_lines(report, pen), *judged_lines(report, pen), *wrapped(last, page.columns)]
    return to_text(lines, colour=page.colour)


def node_lines(report: NodeReport, pen: Pen) -> Iterator[Line]:
    """Each configuration once, with all nodes that have it; those that differ from most, by what differs."""
    by_name = {node.name: node for node in report.nodes}
    if len(report.groups) > 1:
        yield from _groups(report, pen)
    for number, group in enumerate(report.groups):
        node = by_name[group.names[0]]
        yield from _head(group, [by_name[name] for name in group.names], pen)
        yield EMPTY
        if number and not pen.page.show_noise and not _is_broken(node):
            yield from _differing(group, node, report, pen)
        else:
            yield from effective_section(node, pen)
        yield from ignored_section(node, pen)
        yield from _unread(node, pen)


def judged_lines(report: NodeReport, pen: Pen) -> Iterator[Line]:
    """What the rules say, and what is not known."""
    plan = plan_of_nodes(report)
    yield from findings(plan, pen)
    yield from notes(plan, pen)
    yield from config_use(plan, pen)
    if report.notes:
        yield from wrapped(
            counts_line("Notes", [(str(len(report.notes)), "")], pen), pen.page.columns, HEADING_WIDTH
        )
        for note in report.notes:
            yield from wrapped(
                [Span(f"  {pen.symbols.info} ", "dim"), pen.prose(note)], pen.page.text_width, 6
            )
        yield EMPTY
    yield from unknown(plan, pen)


def _is_broken(node: JudgedNode) -> bool:
    """Whether some version of containerd does not run with this node's files, or none is known."""
    return node.first is None or any(
        one is not None and one.cri != "ok" for one in (node.installed, node.planned)
    )


def _groups(report: NodeReport, pen: Pen) -> Iterator[Line]:
    title = f"{plural(len(report.nodes), 'node')}, {len(report.groups)} configurations"
    yield (Span("Nodes".ljust(HEADING_WIDTH), "bold"), Span(title, "warning"))
    for number, group in enumerate(report.groups):
        sign = Span("  = ", "dim") if not number else Span("  ! ", "warning")
        names = [sign, pen.text(", ".join(group.names), "bold")]
        if number:
            names.append(pen.text(f"  {_differences(group, report)}", "dim"))
        yield from wrapped(names, pen.page.columns, 6)
    yield EMPTY


def _head(group: NodeGroup, nodes: Sequence[JudgedNode], pen: Pen) -> Iterator[Line]:
    node = nodes[0]
    facts = node.facts
    shown = ", ".join(group.names[:_NAMES])
    more = f" and {len(group.names) - _NAMES} more" if len(group.names) > _NAMES else ""
    parts = [pen.text(f"{shown}{more}", "bold")]
    if len(group.names) > 1:
        parts.append(Span(f"{len(group.names)} nodes, the same"))
    version = read_version(facts.containerd.version)
    parts.append(pen.text(f"containerd {version.text if version else 'of unknown version'}"))
    if node.planned is not None:
        parts.append(pen.text(f"planned {node.planned.containerd}"))
    driver = facts.kubelet.cgroup_driver
    if driver:
        parts.append(pen.text(f"kubelet with {driver} cgroups"))
    if facts.driver.kernel_version:
        parts.append(pen.text(f"NVIDIA driver {facts.driver.kernel_version}"))
    if facts.system.title and len({each.facts.system.title for each in nodes}) == 1:
        parts.append(pen.text(facts.system.title, "dim"))
    if facts.source and facts.source != facts.name and len(group.names) == 1:
        parts.append(pen.text(f"from {facts.source}", "dim"))
    yield from wrapped(dotted(parts, pen), pen.page.columns, 2)


def _differing(group: NodeGroup, node: JudgedNode, report: NodeReport, pen: Pen) -> Iterator[Line]:
    """What it has otherwise than the nodes of the first group."""
    heading = [Span("Differs".ljust(HEADING_WIDTH), "bold"), pen.text(_differences(group, report), "warning")]
    heading.append(Span("; --show-noise shows all settings", "dim"))
    yield from wrapped(heading, pen.page.columns, HEADING_WIDTH)
    rows = [_difference_row(one, node, pen) for one in group.differences]
    yield from setting_table(rows, pen.page.columns, 2)
    if not rows:
        yield (Span("  ~ ", "update"), Span("in settings without effect, or under the planned version"))
    yield EMPTY


def _differences(group: NodeGroup, report: NodeReport) -> str:
    """``2 differences from gpu-a``."""
    return f"{plural(len(group.differences), 'difference')} from {report.groups[0].names[0]}"


def _difference_row(one: NodeDifference, node: JudgedNode, pen: Pen) -> SettingRow:
    before, after = (
        "none" if value is None and is_runtime(one.what) else setting_text(one.what, pen.masker.tree(value))
        for value in (one.usual, one.here)
    )
    change = (Span(pen.escape(before)), Span(f" {pen.symbols.arrow} "), Span(pen.escape(after), "bold"))
    place = place_words(ConfigPlace(one.file, one.line), node) if one.file else ""
    title = (Span("~ ", "update"), pen.text(setting_title(one.what)))
    return title, change, (pen.text(place, "dim"),)


def _unread(node: JudgedNode, pen: Pen) -> Iterator[Line]:
    """What was not read on the node: where a rule needs it, it is told as unknown, too."""
    unread = node.facts.unread
    if not unread:
        return
    heading = counts_line("Not read", [(plural(len(unread), "thing"), "dim")], pen)
    yield from wrapped(heading, pen.page.columns, HEADING_WIDTH)
    for one in unread:
        spans = [Span("  - ", "dim"), pen.text(one.what), Span("  "), pen.prose(one.why, "dim")]
        yield from wrapped(spans, pen.page.columns, 6)
    yield EMPTY
