"""The page and the comment of a check of nodes: snapshots, and what holds for every one."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from msgspec.structs import replace
from sample_node_reports import REPORTS, facts, finding, fleet, healthy, hostile, lost, upgraded

from helmguard.masking.masker import Masker
from helmguard.model.finding import Finding, Place, Waiver
from helmguard.model.judged_node import JudgedNode
from helmguard.model.node_report import NodeGroup, NodeReport
from helmguard.model.plan import Unknown
from helmguard.report.display_width import display_width
from helmguard.report.node_exit_code import node_exit_code
from helmguard.report.node_markdown import node_markdown
from helmguard.report.node_page import render_nodes
from helmguard.report.node_verdict import node_verdict_text
from helmguard.report.page import Page

SNAPSHOTS = Path(__file__).parent / "snapshots"
ANSI = re.compile(r"\x1b\[[0-9;]*m")
PAGES: dict[str, Page] = {
    "80": Page(width=80),
    "200": Page(width=200),
    "ascii": Page(width=100, unicode=False),
    "noise": Page(width=120, show_noise=True),
}


def render(report: NodeReport, page: Page, *, quiet: bool = False) -> str:
    return render_nodes(report, page, Masker(salt=b"fixed"), quiet=quiet)


@pytest.mark.parametrize(
    ("name", "page"),
    [(name, "80") for name in REPORTS] + [("lost", "200"), ("fleet", "ascii"), ("fleet", "noise")],
)
def test_snapshots(name: str, page: str) -> None:
    """Set HELMGUARD_UPDATE_SNAPSHOTS to write them anew, then read the diff."""
    shown = render(REPORTS[name](), PAGES[page])
    file = SNAPSHOTS / f"node-{name}-{page}.txt"
    if os.environ.get("HELMGUARD_UPDATE_SNAPSHOTS"):
        file.write_text(shown, encoding="utf-8")
    assert shown == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["lost", "fleet", "hostile"])
def test_comments(name: str) -> None:
    shown = node_markdown(REPORTS[name](), Masker(salt=b"fixed"))
    file = SNAPSHOTS / f"node-{name}.md"
    if os.environ.get("HELMGUARD_UPDATE_SNAPSHOTS"):
        file.write_text(shown, encoding="utf-8")
    assert shown == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("width", [60, 80, 81, 97, 120, 200])
@pytest.mark.parametrize("name", REPORTS)
def test_every_line_fits(name: str, width: int) -> None:
    for line in render(REPORTS[name](), Page(width=width)).splitlines():
        assert display_width(line) <= width
        assert line == line.rstrip() and line.isprintable()


@pytest.mark.parametrize("name", REPORTS)
def test_colours_add_nothing_but_colour(name: str) -> None:
    coloured = render(REPORTS[name](), Page(width=90, colour=True))
    assert ANSI.search(coloured)
    assert ANSI.sub("", coloured) == render(REPORTS[name](), Page(width=90))


@pytest.mark.parametrize("name", REPORTS)
def test_the_last_line_is_the_verdict_and_quiet_shows_it_alone(name: str) -> None:
    quiet = render(REPORTS[name](), Page(width=400), quiet=True)
    assert quiet.count("\n") == 1 and re.search(r"Exit \d\.\n$", quiet)
    assert render(REPORTS[name](), Page(width=400)).endswith(f"\n\n{quiet}")


@pytest.mark.parametrize("name", REPORTS)
def test_without_unicode_there_is_only_ascii(name: str) -> None:
    assert render(REPORTS[name](), Page(width=80, unicode=False)).isascii()


def test_no_secret_is_told() -> None:
    page = render(hostile(), Page(width=120, show_noise=True))
    comment = node_markdown(hostile(), Masker())
    for text in (page, comment):
        assert "hunter" not in text and "ghp_" not in text and "(secret)" in text
        assert not re.search(r"\(secret [0-9a-f]", text), "digests tell people nothing"


def test_every_setting_has_its_place() -> None:
    page = render(healthy(), Page(width=120))
    for line in (
        r"runtime nvidia +io.containerd.runc.v2 +conf.d/99-nvidia.toml:4",
        r"BinaryName +/usr/local/nvidia/toolkit/nvidia-container-runtime +conf.d/99-nvidia.toml:7",
        r"SystemdCgroup +true +conf.d/99-nvidia.toml:8",
        r"runtime runc \(default\) +io.containerd.runc.v2 +config.toml:13",
        r"CDI +on +default",
        r"sandbox image +registry.example.com/pause:3.10 +config.toml:5",
    ):
        assert re.search(line, page), line


def test_what_has_no_effect_says_why_and_what_holds_instead() -> None:
    page = render(lost(), Page(width=200))
    assert '= plugins."io.containerd.grpc.v1.cri".containerd.runtimes.nvidia  conf.d/99-nvidia.toml:3' in page
    assert "under 2.1.4: plugin io.containerd.grpc.v1.cri means nothing under version 3" in page
    assert "a later file sets another value; conf.d/99-nvidia.toml:9 holds instead" in page


def test_of_many_ignored_settings_some_are_counted() -> None:
    node = lost().nodes[0]
    assert node.installed is not None
    one = node.installed.ignored[0]
    many = tuple(replace(one, path=f"key{number}") for number in range(15))
    report = NodeReport(
        (JudgedNode(node.facts, replace(node.installed, ignored=many)),), groups=(NodeGroup(("gpu-a",)),)
    )
    page = render(report, Page())
    assert "15 settings in files without effect" in page and "and 3 more" in page and "key14" not in page
    assert "key14" in render(report, Page(show_noise=True))


def test_nodes_that_differ_are_told_by_what_differs() -> None:
    page = render(fleet(), Page(width=120))
    assert "= gpu-a, gpu-b, gpu-d\n" in page
    assert re.search(r"~ runtime runc.SystemdCgroup +true → false +config.toml:16", page)
    assert page.count("runtime nvidia") == 1
    assert render(fleet(), Page(width=120, show_noise=True)).count("runtime nvidia") == 2


def test_the_same_planned_is_one_line() -> None:
    node = healthy().nodes[0]
    assert node.installed is not None
    later = replace(node.installed, containerd="2.3.0")
    report = replace(healthy(), nodes=(JudgedNode(node.facts, node.installed, later),), planned="2.3.0")
    assert "= every setting stays as it is" in render(report, Page())


def of(*findings: Finding, **more: object) -> NodeReport:
    return replace(NodeReport((JudgedNode(facts()),), findings=findings), **more)


WARNING = finding(severity="warning")
UNANSWERED = finding(result="unknown", missing=("it.exists",))


@pytest.mark.parametrize(
    ("report", "verdict"),
    [
        (of(), "Nothing found: 1 node looked at. Exit 0."),
        (of(planned="2.3.0"), "Nothing found: 1 node looked at, also under containerd 2.3.0. Exit 0."),
        (of(finding(severity="info")), "Nothing found: 1 node looked at. Exit 0."),
        (of(finding(waived=Waiver("no"))), "Nothing found: 1 node looked at; 1 waived. Exit 0."),
        (of(WARNING), "1 warning, below the gate (danger). Exit 2."),
        (of(WARNING, fail_on="warning"), "Refused: 1 warning at or above the gate (warning). Exit 3."),
        (of(finding(), fail_on="none"), "1 blocker, and no gate (none). Exit 2."),
        (of(finding(), WARNING), "Refused: 1 blocker at or above the gate (danger). Exit 3."),
        (of(UNANSWERED), "Not certain: nothing found, but 1 thing not known. Exit 2."),
        (of(replace(UNANSWERED, severity="warning")), "Nothing found: 1 node looked at. Exit 0."),
        (
            of(UNANSWERED, fail_on_unknown=True),
            "Refused: 1 thing not known, which refuses too. Exit 3.",
        ),
        (
            of(unknown=(Unknown("a", "b"),), fail_on="none", fail_on_unknown=True),
            "Not certain: nothing found, but 1 thing not known. Exit 2.",
        ),
        (
            of(finding(), unknown=(Unknown("a", "b"),)),
            "Refused: 1 blocker at or above the gate (danger); 1 thing not known. Exit 3.",
        ),
        (
            NodeReport((), live=True),
            "Nothing found: what the API server knows of the nodes looked at. Exit 0.",
        ),
    ],
)
def test_verdicts(report: NodeReport, verdict: str) -> None:
    assert node_verdict_text(report) == verdict
    assert verdict.endswith(f"Exit {node_exit_code(report)}.")


def test_what_informs_is_a_note() -> None:
    page = render(lost(), Page(width=120))
    assert "Info     1 note" in page


def test_waivers_and_remarks_are_shown() -> None:
    page = render(upgraded(), Page(width=120))
    assert "the pool goes in May (by ann, until 2030-05-31)" in page
    assert "Notes    1\n  · a note\n" in page


def test_a_finding_of_all_nodes_is_shown_like_any() -> None:
    told = replace(finding(), where=Place("node", "all nodes"))
    assert "all nodes" in render(of(told), Page())
