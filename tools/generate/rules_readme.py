"""Writes rules/README.md from the packs: ``python3 tools/generate/rules_readme.py``."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from helmguard.report.rules_report import rules_page  # noqa: E402 - the checkout, not what is installed
from helmguard.rules.packs import builtin_packs  # noqa: E402

if __name__ == "__main__":
    (ROOT / "rules" / "README.md").write_text(rules_page(builtin_packs()))
