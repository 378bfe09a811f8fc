"""The pages about checks of nodes say all there is."""

from __future__ import annotations

from helmguard_program import CHECKOUT

from helmguard.cli.node import ACTIONS
from helmguard.cli.node_check import FORMATS
from helmguard.rules.packs import builtin_packs

DOCS = CHECKOUT / "docs"


def test_every_rule_about_nodes_is_told_in_words() -> None:
    page = (DOCS / "node-rules.md").read_text(encoding="utf-8")
    [pack] = [pack for pack in builtin_packs() if pack.name == "containerd"]
    assert [rule.id for rule in pack.rules if f"`{rule.id}`" not in page] == []


def test_the_guide_tells_every_action_and_format() -> None:
    page = (DOCS / "node-checks.md").read_text(encoding="utf-8")
    assert [action for action in ACTIONS if f"helmguard node {action}" not in page] == []
    assert [name for name in FORMATS[1:] if name not in page] == []
