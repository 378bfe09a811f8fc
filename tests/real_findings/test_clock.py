"""What templates take from the clock is random to a plan, whatever the precision."""

from __future__ import annotations

from pathlib import Path

import pytest
from trial import Trial, resource

from helmguard.helm.template_actions import replace_word

STAMPS = """
apiVersion: v1
kind: Secret
metadata: {name: stamps}
stringData:
  year: {{ now | date "2006" | quote }}
  month: {{ $at := now }}{{ date "Jan" $at | quote }}
  day: {{ dateInZone "02" (now) "UTC" | quote }}
  second: {{ now.Unix | quote }}
  fixed: {{ "now" | quote }}
"""


def test_every_field_from_the_clock_is_unstable(trial: Trial) -> None:
    chart = trial.chart({"templates/stamps.yaml": STAMPS})
    trial.upgrade(chart)
    for render in ("template", "dry-run"):
        plan = trial.plan(chart, "--render", render)
        assert sorted(plan["unstable"]) == [
            f"Secret/stamps data.{name}" for name in ("day", "month", "second", "year")
        ]
        changes = resource(plan, "Secret/stamps")["changes"]
        assert {change["cause"] for change in changes} <= {"unstable"}


def test_the_clock_of_a_packed_sub_chart(trial: Trial, tmp_path: Path) -> None:
    child = trial.chart({"templates/stamps.yaml": STAMPS}, name="child")
    parent = trial.chart({"templates/_none.tpl": ""}, name="parent")
    (parent / "charts").mkdir()
    trial.helm.run("package", child, "--destination", parent / "charts")
    trial.upgrade(parent)
    assert len(trial.plan(parent)["unstable"]) == 4


@pytest.mark.parametrize(
    ("template", "replaced"),
    [
        ("{{ now }}", "{{ X }}"),
        ("{{- now | date `now` -}} now", "{{- X | date `now` -}} now"),
        ('{{ $now := .now }}{{ template "now" }}', '{{ $now := .now }}{{ template "now" }}'),
        ("{{ nowhere (now) snow }}", "{{ nowhere (X) snow }}"),
        ("{{ now.Year }}{{ }}", "{{ X.Year }}{{ }}"),
        ("{{ unfinished now", "{{ unfinished now"),
    ],
)
def test_only_calls_are_replaced(template: str, replaced: str) -> None:
    assert replace_word(template, "now", "X") == replaced
