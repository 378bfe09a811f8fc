"""The review comment of a check."""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path

import pytest
from check_reports import REPORTS, checked, declared, hostile, without_a_cluster
from msgspec.structs import replace
from sample_plans import change, config, resource, web_plan

from helmguard.model.check_report import CheckReport
from helmguard.model.finding import Finding, Place
from helmguard.report.check_markdown import LONGEST, check_markdown, comment_marker
from helmguard.report.check_masker import check_masker

SNAPSHOT = Path(__file__).parent / "snapshots" / "check-no-cluster.md"


def render(report: CheckReport, longest: int = LONGEST) -> str:
    return check_markdown(report, check_masker(report, salt=b"fixed"), longest=longest)


@cache
def two_hundred() -> CheckReport:
    """Far more than a comment takes: every third release is refused."""
    objects = tuple(
        resource(
            "update",
            config({"k": "a" * 300}, f"c{number}"),
            config({"k": "b" * 300}, f"c{number}"),
            change("data.k", "a" * 300, "b" * 300),
        )
        for number in range(3)
    )
    releases = []
    for number in range(200):
        severity = "danger" if number % 3 == 0 else "warning"
        place, text = Place("object", "ConfigMap/c0"), f"text {number} " * 30
        finding = Finding("r", severity, "t", place, consequence=text)  # type: ignore[arg-type]
        plan = web_plan(resources=objects, findings=(finding,))
        releases.append(checked("changed", declared(f"app-{number:03}"), plan))
    return CheckReport("main", "HEAD", tuple(releases), 200, live="cluster")


def test_snapshot() -> None:
    """Set HELMGUARD_UPDATE_SNAPSHOTS to write it anew, then read the diff."""
    shown = render(without_a_cluster())
    if os.environ.get("HELMGUARD_UPDATE_SNAPSHOTS"):
        SNAPSHOT.write_text(shown, encoding="utf-8")
    assert shown == SNAPSHOT.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", REPORTS)
def test_marker_verdict_and_table_come_first(name: str) -> None:
    text = render(REPORTS[name]())
    lines = text.splitlines()
    assert lines[0] == "<!-- helmguard check -->"
    assert re.search(r"^\*\*.*Exit \d\.\*\*$", text, re.MULTILINE)
    assert text.count("<details>") == text.count("</details>")
    assert "\n\n\n" not in text and text.endswith("\n")


@pytest.mark.parametrize(
    ("name", "marker"),
    [
        ("", "<!-- helmguard check -->"),
        ("prod", "<!-- helmguard check: prod -->"),
        ("a --> b\n<script>", "<!-- helmguard check: a  bscript -->"),
    ],
)
def test_markers(name: str, marker: str) -> None:
    assert comment_marker(name) == marker


def test_each_finding_names_its_file_and_line() -> None:
    assert "In `clusters/prod/gpu-operator/values.yaml:41`" in render(without_a_cluster())


@pytest.mark.parametrize("longest", [LONGEST, 30_000, 12_000])
def test_what_does_not_fit_is_counted_and_the_gravest_is_kept(longest: int) -> None:
    text = render(two_hundred(), longest)
    assert longest * 3 // 4 < len(text) <= longest
    assert text.count("<details>") == text.count("</details>")
    shown = re.findall(r"<details><summary><b><code>shop/app-(\d+)</code></b>: (\w+)", text)
    refused = [int(number) for number, word in shown if word == "refused"]
    assert refused == list(range(0, 3 * len(refused), 3))
    left_out = re.search(r"\*\*Shortened\*\*: the details of (\d+) releases did not fit: ", text)
    assert left_out and int(left_out[1]) + len(shown) == 200
    if "passes" in [word for _, word in shown]:
        assert len(refused) == 67


def test_releases_that_look_alike_are_told_once() -> None:
    object_ = resource("update", config({"k": "a"}), config({"k": "b"}), change("data.k", "a", "b"))
    releases = [
        checked(
            "changed",
            declared("web", identity=f"clusters/{name} › HelmRelease shop/web"),
            web_plan(resources=(object_,)),
        )
        for name in ("one", "two", "three")
    ]
    text = render(CheckReport("a", "b", tuple(releases), 3, live="cluster"))
    assert text.count("update: <code>ConfigMap/web</code>") == 1
    assert "</code></b> and 2 alike: passes" in text
    alike = (
        "2 more releases look alike but for their names: shop/web (clusters/two), shop/web (clusters/three)."
    )
    assert alike in text


def test_a_shortened_table_says_so_outside_the_table() -> None:
    text = render(two_hundred(), 12_000)
    assert re.search(r"\|\n\n\*\*Shortened\*\*: \d+ more parts did not fit", text)


def test_every_refused_release_has_its_findings_before_any_has_its_changes() -> None:
    text = render(two_hundred())
    assert text.count("**DANGER**") == 67


def test_the_same_report_gives_the_same_text_whatever_the_order_of_its_notes() -> None:
    report = without_a_cluster()
    assert render(report) == render(replace(report, notes=(*report.notes, *report.notes)))


def test_hostile_text_is_inert() -> None:
    text = render(hostile())
    outside = re.sub(r"```.*?```", "", text.replace("\\`", ""), flags=re.DOTALL)
    outside = re.sub(r"(`+).*?\1", "", outside)
    outside = re.sub(r"<code>.*?</code>", "", outside)
    assert "<script" not in outside and "-->" not in outside.split("\n", 1)[1]
    assert re.search(r"@\w", outside) is None and re.search(r"#\d", outside) is None
    assert re.search(r"(?<!\\)\]\(", outside) is None and "://" not in outside
    assert re.search(r"(?<!\\)\*\*b\\?\*", outside) is None
    assert "\x1b" not in text and "\r" not in text
    assert set(re.findall(r"</?(\w+)", outside)) <= {"details", "summary", "b", "br", "code"}
    assert "hunter" not in text
