"""What a reader of the plan is told about a configuration that judges otherwise than helmguard by itself."""

from __future__ import annotations

from datetime import date

import pytest

from helmguard.config.config import Config
from helmguard.config.gate import gate_of
from helmguard.config.read_config import check_rules, read_config
from helmguard.manifest.checked_yaml import FieldError
from helmguard.model.finding import FailOn
from helmguard.rules.engine.rule import Pack

TODAY = date(2026, 11, 30)
LOWERED = ".helmguard.yaml lowers the gate: failOn is {}, by default it is danger"


@pytest.mark.parametrize(
    ("in_file", "flag", "effective", "notes"),
    [
        (None, None, "danger", ()),
        ("danger", None, "danger", ()),
        ("warning", None, "warning", ()),
        ("blocker", None, "blocker", (LOWERED.format("blocker"),)),
        ("none", None, "none", (LOWERED.format("none"),)),
        ("none", "danger", "danger", ()),
        ("warning", "none", "none", ()),
    ],
)
def test_a_file_that_lowers_the_gate_is_named(
    in_file: FailOn | None, flag: FailOn | None, effective: str, notes: tuple[str, ...]
) -> None:
    gate = gate_of(Config(".helmguard.yaml", fail_on=in_file), TODAY, fail_on=flag)
    assert (gate.fail_on, gate.notes) == (effective, notes)


def test_packs_of_the_project_are_named() -> None:
    gate = gate_of(Config(), TODAY, packs=(Pack("shop", "1.0.0", "t", ()),), notes=("n",))
    assert gate.notes == ("judged also by the rules of the project's own packs: shop (0)", "n")


@pytest.mark.parametrize("rule", ["waiver-expired", "waiver-unused", "ignore-expired"])
def test_what_is_found_about_the_file_itself_cannot_be_waived(rule: str) -> None:
    text = (
        f"waivers:\n- {{rule: {rule}, reason: no reason at all, expires: 2026-12-01, match: {{name: x}}}}\n"
    )
    config = read_config(text, "c.yaml", TODAY)
    with pytest.raises(FieldError, match=f"{rule} cannot be waived") as raised:
        check_rules(config, {"values-lost-override"})
    assert (raised.value.line, raised.value.column) == (2, 3)
