"""A folder where helmguard runs, and the files it finds there."""

from __future__ import annotations

import contextlib
import io
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from helmguard_program import CHECKOUT, Ended, Helmguard

import helmguard
from helmguard.cli.main import main

NEXT_MONTH, LAST_WEEK = date.today() + timedelta(days=30), date.today() - timedelta(days=7)
LOST = "values-lost-override"
PACK = {
    "pack.yaml": "{name: ours, version: 1.0.0, title: Our own rules, context: 1}\n",
    "disks-wiped.yaml": """\
id: disks-wiped
summary: The disks of nodes are formatted
title: the driver's installer formats the disks of its nodes
severity: blocker
category: values
dataLoss: true
over: values.changes
when: it.path == "driver.enabled" && it.after == true
where: {value: "${it.path}"}
consequence: The scratch disks of the nodes are formatted.
evidence: [seen once]
""",
    "disks-wiped.test.yaml": """\
cases:
- name: turned on
  context: {values: {changes: [{path: driver.enabled, before: false, after: true, cause: values}]}}
  expect: [{severity: blocker}]
- name: turned off
  context: {values: {changes: [{path: driver.enabled, before: true, after: false, cause: values}]}}
  expect: []
- name: another value
  context: {values: {changes: [{path: toolkit.enabled, before: false, after: true, cause: values}]}}
  expect: []
""",
}
"""A pack with one rule, which destroys data."""


@dataclass(frozen=True)
class Project:
    """``bundle`` is what is planned or compared."""

    helmguard: Helmguard
    bundle: Path

    @property
    def folder(self) -> Path:
        return self.helmguard.home

    def of(self, trace: str) -> Project:
        """The same with a recorded operation instead."""
        return replace(self, bundle=CHECKOUT / "fixtures" / "traces" / trace)

    def says(self, text: str, file: str = ".helmguard.yaml") -> Project:
        """Write the file; ``NEXT_MONTH`` and ``LAST_WEEK`` in it become days.

        Its last lines disable every rule but ``values-lost-override`` that speaks without it, so that a test
        of this file is none of rules that come and go.
        """
        for word, day in (("NEXT_MONTH", NEXT_MONTH), ("LAST_WEEK", LAST_WEEK)):
            text = text.replace(word, day.isoformat())
        return self.writes(text + _disabling(text, other_rules(self.bundle)), file)

    def writes(self, text: str, file: str) -> Project:
        place = self.folder / file
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
        return self

    def with_pack(self, folder: str = "rules/ours") -> Project:
        for name, text in PACK.items():
            self.writes(text, f"{folder}/{name}")
        return self

    def run(self, command: str, *words: str, cwd: str = ".") -> Ended:
        """``helmguard COMMAND --bundle ... WORDS`` inside this process: most of one's time is its start."""
        return self.inside(command, "--bundle", str(self.bundle), *words, cwd=cwd)

    def inside(self, *words: str, cwd: str = ".") -> Ended:
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
        with (
            contextlib.chdir(self.folder / cwd),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            code = main(words)
        return Ended(words, code, *(stream.buffer.getvalue().decode() for stream in (out, err)))

    def process(self, command: str, *words: str) -> Ended:
        """The same as a process of its own."""
        return self.helmguard.run(command, "--bundle", self.bundle, *words, cwd=self.folder)

    def plan(self, *words: str, command: str = "plan", cwd: str = ".") -> dict[str, Any]:
        ended = self.run(command, *words, "-o", "json", cwd=cwd)
        assert ended.code in (0, 2, 3), ended.err
        assert ended.json["exitCode"] == ended.code
        return ended.json


@cache
def other_rules(bundle: Path) -> tuple[str, ...]:
    """What speaks of the bundle, planned or compared, besides the lost override."""
    found = (helmguard.plan_bundle(bundle, no_config=True), helmguard.drift_bundle(bundle, no_config=True))
    return tuple(sorted({each.rule for plan in found for each in plan.findings} - {LOST}))


def _disabling(text: str, others: tuple[str, ...]) -> str:
    """Entries at the end of the text's overrides, which must be its last part."""
    head = "" if not others or "overrides:\n" in text else "overrides:\n"
    entry = "- {{rule: {}, severity: disabled, reason: not what is tested, allowDataLoss: true}}\n"
    return head + "".join(map(entry.format, others))


def rules(plan: dict[str, Any]) -> list[tuple[str, str, bool]]:
    """Rule, severity and whether it is waived, of each finding that fires at warning or above."""
    return [
        (each["rule"], each["severity"], each["waived"] is not None)
        for each in plan["findings"]
        if each["result"] == "fires" and each["severity"] != "info"
    ]


def named(plan: dict[str, Any], rule: str) -> dict[str, Any]:
    """The one finding of a rule."""
    (found,) = [each for each in plan["findings"] if each["rule"] == rule]
    return dict(found)
