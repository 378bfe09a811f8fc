"""Writes docs/rule-context.md from the records of the context: ``python3 tools/generate/rule_context.py``."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from helmguard.report.context_doc import context_markdown  # noqa: E402 - the checkout, not what is installed

if __name__ == "__main__":
    (ROOT / "docs" / "rule-context.md").write_text(context_markdown())
