"""What differs between two renderings and is no change: random values, labels of the chart's version."""

from __future__ import annotations

from pathlib import Path

import pytest
from changes import CHART, check_folders, only

from helmguard.check.random_values import FROM_NOW_ON
from helmguard.report.check_exit_code import check_exit_code

VALUES = "charts/web/values-prod.yaml"
EXTRA = "charts/web/templates/extra.yaml"
BUMP = {"charts/web/Chart.yaml": CHART["charts/web/Chart.yaml"].replace("1.0.0", "1.0.1")}
UNUSED = {VALUES: "level: warn\n# more\n"}
LABEL = 'helm.sh/chart: "{{ .Chart.Name }}-{{ .Chart.Version }}"'
JOB = """\
apiVersion: batch/v1
kind: Job
metadata: {name: j, labels: {%s}, annotations: {helm.sh/hook: %s}}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: "a:1", args: ["%s"]}]}}}
"""
RANDOM = """\
apiVersion: v1
kind: %s
metadata: {name: r}
stringData: {a: "{{ randAlphaNum 9 }}"}
"""
SERVED = """\
{{ if .Capabilities.APIVersions.Has "example.com/v1" }}
apiVersion: v1
kind: ConfigMap
metadata: {name: served, labels: {%s}}
data: {a: "%s"}
---
{{ end }}
apiVersion: v1
kind: Secret
metadata: {name: r}
stringData: {a: "{{ randAlphaNum 9 }}"}
"""


@pytest.mark.parametrize(
    ("before", "after", "more", "state"),
    [
        (RANDOM % "Secret", None, UNUSED, "noise"),
        (RANDOM % "Secret", RANDOM % "Secret" + "type: Opaque\n", {}, "changed"),
        (JOB % (LABEL, "pre-upgrade", "x"), None, BUMP, "noise"),
        (JOB % (LABEL, "test", "x"), None, BUMP, "same"),
        (JOB % ("", "pre-upgrade", "{{ randAlphaNum 5 }}"), None, UNUSED, "same"),
        (JOB % ("", "pre-upgrade", "x"), JOB % ("", "pre-upgrade", "y"), {}, "changed"),
        (JOB % ("", "pre-upgrade", "x"), JOB % ("", "pre-install", "x"), {}, "changed"),
        (JOB % ("", "pre-upgrade", "x"), "", {}, "changed"),
        (JOB % ("", "test", "x"), JOB % ("", "test", "y"), {}, "same"),
        (JOB % ("", "pre-upgrade", "x"), JOB % ("", "pre-upgrade", "{{ randAlphaNum 5 }}"), {}, "changed"),
        (SERVED % (LABEL, "x"), None, BUMP, "noise"),
        (SERVED % ("", "x"), SERVED % ("", "y"), {}, "noise"),
    ],
    ids=[
        "random secret",
        "field beside a random one",
        "chart label of a hook",
        "chart label of a test",
        "random hook",
        "hook",
        "event of a hook",
        "hook that goes",
        "test",
        "hook that gets random",
        "label behind an API version",
        "object behind an API version",
    ],
)
def test_state(
    tmp_path: Path, helm3: Path, before: str, after: str | None, more: dict[str, str], state: str
) -> None:
    base = {**CHART, VALUES: "level: warn\n", EXTRA: before}
    report = check_folders(tmp_path, helm3, base, {**base, EXTRA: before if after is None else after, **more})
    release = only(report)
    assert release.state == state
    assert check_exit_code(report) == (0 if state == "same" else 2)
    assert release.plan is not None
    behind = [entry.why for entry in release.plan.unknown if entry.what == "objects behind API versions"]
    assert bool(behind) is ("served" in before and after is not None)


@pytest.mark.parametrize("becomes_random", [True, False])
def test_a_value_that_becomes_random_or_stops_being_so_is_a_change(
    tmp_path: Path, helm3: Path, becomes_random: bool
) -> None:
    fixed = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: r}\ndata: {a: x}\n"
    random = fixed.replace("a: x", 'a: "{{ randAlphaNum 9 }}"')
    base = {**CHART, VALUES: "level: warn\n", EXTRA: fixed if becomes_random else random}
    report = check_folders(tmp_path, helm3, base, {**base, EXTRA: random if becomes_random else fixed})
    release = only(report)
    assert release.state == "changed" and release.plan is not None
    [change] = [change for one in release.plan.resources for change in one.changes]
    assert (change.cause, change.note) == ("chart", FROM_NOW_ON if becomes_random else "")


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("x", "y", "the hook Job/j (pre-upgrade) changes: spec.template.spec.containers[name=a].args[0]"),
        ("", "y", "the hook Job/j (pre-upgrade) comes"),
        ("x", "", "the hook Job/j (pre-upgrade) goes"),
    ],
)
def test_a_hook_that_changes_is_told(tmp_path: Path, helm3: Path, before: str, after: str, said: str) -> None:
    base = {**CHART, VALUES: "level: warn\n"}
    sides = [{**base, EXTRA: JOB % ("", "pre-upgrade", text) if text else ""} for text in (before, after)]
    plan = only(check_folders(tmp_path, helm3, *sides)).plan
    assert plan is not None and said in plan.notes


def test_a_hook_at_another_time_is_told(tmp_path: Path, helm3: Path) -> None:
    base = {**CHART, VALUES: "level: warn\n", EXTRA: JOB % ("", "pre-upgrade", "x")}
    report = check_folders(tmp_path, helm3, base, {**base, EXTRA: JOB % ("", "post-upgrade", "x")})
    plan = only(report).plan
    assert plan is not None
    assert "the hook Job/j (post-upgrade) changes: when it runs or is deleted" in plan.notes
