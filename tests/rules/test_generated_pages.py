"""Pages that are made from the rules and their context are those that are committed."""

from __future__ import annotations

from pathlib import Path

from helmguard.report.context_doc import context_markdown
from helmguard.report.rules_report import rules_page
from helmguard.rules.packs import builtin_packs

ROOT = Path(__file__).parents[2]


def test_the_page_about_the_context() -> None:
    committed = (ROOT / "docs" / "rule-context.md").read_text()
    assert committed == context_markdown(), "run tools/generate/rule_context.py"


def test_the_page_about_the_rules() -> None:
    committed = (ROOT / "rules" / "README.md").read_text()
    assert committed == rules_page(builtin_packs()), "run tools/generate/rules_readme.py"
