"""The review comment."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_plans import ALL, change, config, resource, web_plan

from helmguard.masking.masker import Masker
from helmguard.model.finding import Finding, Place
from helmguard.report.markdown import render_markdown
from helmguard.report.markdown_text import LONGEST, code, fenced, prose

ZERO_WIDTH = "\u200b"


def render(plan: Any, **more: Any) -> str:
    return render_markdown(plan, Masker.for_plan(plan, salt=b"fixed"), **more)


@pytest.mark.parametrize("name", ALL)
def test_verdict_and_findings_stand_at_the_top(name: str) -> None:
    text = render(ALL[name])
    assert text.startswith("### helmguard: ")
    assert re.search(r"^\*\*.*Exit \d\.\*\*$", text, re.MULTILINE)
    assert text.count("<details>") == text.count("</details>")
    assert "\n\n\n" not in text


def test_the_seed_story() -> None:
    text = render(ALL["seed"])
    assert "**BLOCKER** `driver.enabled` `false → true`: your override from revision 1 is lost" in text
    assert "--reuse-values --set toolkit.enabled=true" in text
    assert "| <code>spec.driver.enabled</code> | <code>false → true</code> | lost override |" in text
    assert "-    enabled: false\n+    enabled: true" in text


def test_each_statement_of_the_head_has_a_line() -> None:
    head = render(web_plan(notes=("one note", "another <note>"))).split("\n\n")[2]
    lines = head.split("<br>\n")
    assert [line.split(" ")[0] for line in lines] == ["web", "Helm", "one", "another"]
    assert "<note>" not in head


def test_notes_are_folded_below_what_needs_a_decision() -> None:
    text = render(ALL["actions"])
    notes = text.index("<details><summary>7 notes</summary>")
    assert (
        text.index("**WARNING**")
        < notes
        < text.index('- `image.tag` `"1.27.4" → "1.28.0"`: the image changes')
    )
    assert "**INFO**" not in text


def test_remedies_stand_under_what_they_are() -> None:
    finding = Finding(
        "r", "danger", "t", Place("release", "web"), remedy=("add --a", "or add --b", "kubectl get c")
    )
    text = render(web_plan(findings=(finding,)))
    assert "\nInstead:\n\n```\nadd --a\nor add --b\n```\n\nDo:\n\n```\nkubectl get c\n```\n" in text


def test_hostile_text_is_inert() -> None:
    text = render(ALL["hostile"])
    outside = re.sub(r"(`+).*?\1", "", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    assert "<script" not in outside
    assert "@everyone" not in re.sub(r"<code>.*?</code>", "", outside)
    assert re.search(r"(?<!\\)\]\(", outside) is None and "://" not in outside
    assert re.search(r"(?<!\\)\*\*bold", outside) is None
    assert "\x1b" not in text and "\u202e" not in text


def test_a_long_plan_is_cut_and_says_so() -> None:
    resources = tuple(
        resource(
            "update",
            config({"k": "a" * 900}, f"c{n}"),
            config({"k": "b" * 900}, f"c{n}"),
            change("data.k", "a", "b"),
        )
        for n in range(300)
    )
    text = render(web_plan(resources=resources))
    assert LONGEST - 5000 < len(text) <= LONGEST
    assert re.search(r"\*\*Shortened\*\*: \d+ more parts did not fit", text)
    assert text.count("<details>") == text.count("</details>")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a", "`a`"),
        ("a`b", "``a`b``"),
        ("`", "`` ` ``"),
        ("a\nb", "`a\\nb`"),
        ("", "` `"),
        ("x|y", "`x|y`"),
    ],
)
def test_code_spans(text: str, shown: str) -> None:
    assert code(text) == shown


def test_code_in_tables_keeps_the_row_together() -> None:
    shown = code("a|b`c<d>&@e\nf", html=True)
    assert shown == f"<code>a&#124;b&#96;c&lt;d&gt;&amp;@{ZERO_WIDTH}e&#92;nf</code>"


def test_fences_are_longer_than_what_they_hold() -> None:
    assert fenced(["````", "x"]).splitlines()[0] == "`````"


@given(st.text())
def test_prose_has_no_live_markup(text: str) -> None:
    shown = prose(text)
    assert "\n" not in shown
    assert "<" not in shown
    assert re.search(r"@\w", shown) is None
    assert re.search(r"#\d", shown) is None
    assert re.search(r"(?<!\\)(?:\\\\)*[`*_\[\]|]", shown) is None


@given(st.text())
def test_table_cells_cannot_be_left(text: str) -> None:
    inner = code(text, html=True).removeprefix("<code>").removesuffix("</code>")
    assert not set(inner) & set("<>|`\n")
