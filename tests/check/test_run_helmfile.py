"""``--run-helmfile``: on copies of both sides, by a program that stands for helmfile."""

from __future__ import annotations

from pathlib import Path

import pytest
from changes import CHART, check_folders, only

from helmguard.model.check_report import CheckReport

HELMFILE = "stacks/web/helmfile.yaml.gotmpl"
TREE = {**CHART, HELMFILE: "releases: {{ readFile `web.yaml` }}\n", "stacks/web/web.yaml": "level: warn\n"}
PROGRAM = """\
#!/bin/sh
# Takes --file FILE, and prints what helmfile build prints.
echo run >> "$(dirname "$2")/written-by-a-hook"
cd "$(dirname "$2")"
if grep -q broken web.yaml; then echo "in $2: no such value" >&2; exit 1; fi
cat <<END
---
#  Source: $2

filepath: helmfile.yaml.gotmpl
releases:
- chart: ../../charts/web
  name: web
  namespace: shop
  installed: $(grep -q gone web.yaml && echo false || echo true)
  values:
  - $(cat web.yaml)
END
"""


@pytest.fixture
def check(tmp_path: Path, helm3: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    program = tmp_path / "bin/helmfile"
    program.parent.mkdir()
    program.write_text(PROGRAM)
    program.chmod(0o755)
    monkeypatch.setenv("HELMGUARD_HELMFILE", str(program))

    def run(text: str, *, really: bool = True) -> CheckReport:
        head = {**TREE, "stacks/web/web.yaml": text}
        return check_folders(tmp_path / "sides", helm3, TREE, head, run_helmfile=really, tools=("helmfile",))

    return run


def test_the_templated_file_is_built_and_the_trees_are_left_alone(check, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    release = only(check("level: debug\n"))
    assert (release.state, release.declared.name, release.declared.namespace) == ("changed", "web", "shop")
    assert release.plan is not None
    [change] = [change for one in release.plan.resources for change in one.changes]
    assert (change.before, change.after) == ("warn", "debug")
    assert not list(tmp_path.rglob("sides/**/written-by-a-hook"))


def test_without_the_flag_nothing_runs(check) -> None:  # type: ignore[no-untyped-def]
    report = check("level: debug\n", really=False)
    assert report.releases == ()
    [entry] = report.unknown
    assert entry.what.startswith(HELMFILE)


def test_a_release_that_is_switched_off_is_uninstalled(check) -> None:  # type: ignore[no-untyped-def]
    release = only(check("gone: true\n"))
    assert release.state == "removed" and release.plan is not None
    assert [one.action for one in release.plan.resources] == ["delete"]


def test_what_helmfile_fails_on_is_told_without_the_place_of_the_copy(check) -> None:  # type: ignore[no-untyped-def]
    report = check("broken: true\n")
    assert any(entry.why.endswith(f"in {HELMFILE}: no such value") for entry in report.unknown)
    assert {release.state for release in report.releases} <= {"unknown"}, "nothing is known to go"
