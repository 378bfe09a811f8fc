"""Every rule that may speak can be named in ``.helmguard.yaml``."""

from __future__ import annotations

import re
from pathlib import Path

from config_texts import TODAY

from helmguard.planner.config_file import read_gate_file

RULES = Path(__file__).parents[2] / "helmguard" / "rules"
PACKS = Path(__file__).parents[2] / "rules"
NAMED = "- {rule: %s, severity: info, reason: long enough}\n"


def test_rules_of_packs_and_those_that_are_functions(tmp_path: Path) -> None:
    functions = "".join(path.read_text() for path in sorted(RULES.glob("*.py")))
    names = set(re.findall(r'\brule="([a-z0-9-]+)"', functions))
    names |= {path.name.removesuffix(".test.yaml") for path in PACKS.glob("*/*.test.yaml")}
    assert "values-lost-override" in names
    file = tmp_path / "gate.yaml"
    file.write_text("overrides:\n" + "".join(NAMED % name for name in sorted(names)))
    assert read_gate_file(file, TODAY).notes == ()
