"""The program under a ``.helmguard.yaml``: what it prints and how it ends."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from config_project import LAST_WEEK, LOST, NEXT_MONTH, Project, named, rules
from jsonschema import Draft202012Validator

import helmguard

WAIVER = """\
waivers:
- rule: values-lost-override
  match: {release: gpu-operator, name: driver.enabled}
  reason: the host drivers are gone from all nodes
  expires: NEXT_MONTH
  by: platform-team
  ticket: OPS-12
"""
OVERRIDE = "overrides:\n- {rule: values-lost-override, severity: %s, reason: looked at every week}\n"
SCHEMA = Path(__file__).parents[2] / "docs" / "plan.schema.json"


@pytest.mark.parametrize(
    ("config", "flag", "code"),
    [
        ("", "", 3),
        ("", "blocker", 3),
        ("", "danger", 3),
        ("", "warning", 3),
        ("", "none", 2),
        ("failOn: none\n", "", 2),
        ("failOn: none\n", "blocker", 3),
        ("failOn: blocker\n", "none", 2),
        (OVERRIDE % "danger", "", 3),
        (OVERRIDE % "danger", "blocker", 2),
        (OVERRIDE % "warning", "", 2),
        (OVERRIDE % "warning", "warning", 3),
        (OVERRIDE % "info", "warning", 2),
        (OVERRIDE % "disabled", "warning", 2),
        ("failOn: blocker\n" + OVERRIDE % "danger", "", 2),
        ("failOn: blocker\n" + OVERRIDE % "danger", "danger", 3),
        (WAIVER, "", 2),
        (WAIVER, "warning", 2),
        (WAIVER.replace("NEXT_MONTH", "LAST_WEEK"), "", 3),
        (WAIVER.replace("NEXT_MONTH", "LAST_WEEK"), "none", 2),
    ],
)
def test_exit_codes_of_the_gate(project: Project, config: str, flag: str, code: int) -> None:
    words = ("--fail-on", flag) if flag else ()
    assert project.says(config).run("plan", *words, "-q").code == code


def test_a_process_of_its_own_ends_with_these_codes(project: Project) -> None:
    project.process("plan", "-q").expect(3)
    project.says(WAIVER).process("plan", "-q").expect(2)
    project.says("waiver: []\n").process("plan").expect_error("did you mean 'waivers'?")


def test_a_waived_finding_is_shown_with_reason_name_and_day(project: Project) -> None:
    page = project.says(WAIVER).run("plan").expect(2).out
    assert "WAIVED BLOCKER  driver.enabled  false → true" in page
    said = " ".join(page.split())
    assert (
        f"waived the host drivers are gone from all nodes (by platform-team, until {NEXT_MONTH}, OPS-12, "
        ".helmguard.yaml:2)" in said
    )
    assert said.endswith("no finding at or above the gate (danger); 1 waived. Exit 2.")
    markdown = " ".join(project.run("plan", "-o", "markdown").expect(2).out.split())
    assert "**WAIVED** `driver.enabled`" in markdown
    assert (
        f"Waived: the host drivers are gone from all nodes (by platform-team, until {NEXT_MONTH}" in markdown
    )
    assert "1 waived. Exit 2" in markdown


def test_a_waived_finding_in_json(project: Project) -> None:
    plan = project.says(WAIVER).plan()
    assert named(plan, LOST)["waived"] == {
        "reason": "the host drivers are gone from all nodes",
        "by": "platform-team",
        "expires": NEXT_MONTH.isoformat(),
        "ticket": "OPS-12",
        "file": ".helmguard.yaml",
        "line": 2,
    }
    assert plan["summary"]["findingsWaived"] == 1
    assert plan["summary"]["findings"]["blocker"] == 1
    assert plan["config"]["file"] == ".helmguard.yaml"
    Draft202012Validator(json.loads(SCHEMA.read_text())).validate(plan)


def test_the_key_in_the_json_is_what_a_waiver_names(project: Project) -> None:
    key = named(project.plan(), LOST)["key"]
    text = WAIVER.replace("match: {release: gpu-operator, name: driver.enabled}", f"key: {key}")
    assert project.says(text).plan()["exitCode"] == 2


def test_an_expired_waiver_brings_the_finding_back(project: Project) -> None:
    plan = project.says(WAIVER.replace("NEXT_MONTH", "LAST_WEEK")).plan()
    assert rules(plan) == [(LOST, "blocker", False), ("waiver-expired", "warning", False)]
    page = " ".join(project.run("plan").expect(3).out.split())
    assert f"config the waiver at .helmguard.yaml:2 expired on {LAST_WEEK}" in page
    assert f"the waiver expired on {LAST_WEEK}: its finding counts again" in page


def test_a_waiver_of_a_rule_about_nodes_waits_for_their_check(project: Project) -> None:
    text = WAIVER.replace("rule: values-lost-override", "rule: ctrd-refuses")
    assert text != WAIVER
    assert not [rule for rule, *_ in rules(project.says(text).plan()) if rule == "waiver-unused"]


def test_a_waiver_without_use_is_told(project: Project) -> None:
    plan = project.says(WAIVER.replace("driver.enabled", "driver.rdma.*")).plan()
    unused = named(plan, "waiver-unused")
    assert (unused["severity"], unused["where"]["file"], unused["where"]["line"]) == (
        "info",
        ".helmguard.yaml",
        2,
    )
    assert plan["exitCode"] == 3


def test_a_waiver_of_another_release_changes_nothing(project: Project) -> None:
    before = project.says("").plan()
    after = project.says(WAIVER.replace("release: gpu-operator", "release: web")).plan()
    for plan in (before, after):
        for each in plan["config"]["disabled"]:
            del each["line"]
    assert after == before


DATA_LOSS = """\
rules: [rules]
waivers:
- rule: disks-wiped
  match: {name: driver.enabled}
  reason: nothing is kept on these disks
  expires: NEXT_MONTH
%s- rule: values-lost-override
  match: {name: driver.enabled}
  reason: nothing is kept on these disks
  expires: NEXT_MONTH
"""


def test_data_loss_is_waived_only_in_so_many_words(project: Project) -> None:
    plan = project.with_pack().says(DATA_LOSS % "").plan()
    assert rules(plan) == [("disks-wiped", "blocker", False), (LOST, "blocker", True)]
    assert plan["exitCode"] == 3
    wiped = named(plan, "disks-wiped")
    assert wiped["dataLoss"] is True
    assert "'allowDataLoss: true'" in wiped["configNote"]
    assert "'allowDataLoss: true'" in project.run("plan").expect(3).out
    assert "allowDataLoss: true" in project.run("plan", "-o", "markdown").expect(3).out
    plan = project.says(DATA_LOSS % "  allowDataLoss: true\n").plan()
    assert rules(plan) == [("disks-wiped", "blocker", True), (LOST, "blocker", True)]
    assert plan["exitCode"] == 2


def test_an_overridden_finding_says_so(project: Project) -> None:
    project.says(OVERRIDE % "danger")
    told = "danger, overridden from blocker: looked at every week (.helmguard.yaml:2)"
    assert f"severity {told}" in " ".join(project.run("plan").expect(3).out.split())
    assert told in " ".join(project.run("plan", "-o", "markdown").expect(3).out.replace("\\", "").split())
    found = named(project.plan(), LOST)
    assert found["severity"] == "danger"
    assert found["overridden"] == {
        "severity": "blocker",
        "reason": "looked at every week",
        "file": ".helmguard.yaml",
        "line": 2,
    }


def test_a_finding_made_mild_says_so_too(project: Project) -> None:
    page = " ".join(project.says(OVERRIDE % "info").run("plan").expect(2).out.split())
    assert "severity info, overridden from blocker" in page


def test_a_disabled_finding_is_counted(project: Project) -> None:
    plan = project.says(OVERRIDE % "disabled").plan()
    assert rules(plan) == []
    disabled = plan["config"]["disabled"]
    assert plan["summary"]["findingsDisabled"] == len(disabled)
    assert [(each["name"], each["severity"], each["line"]) for each in disabled if each["rule"] == LOST] == [
        ("driver.enabled", "blocker", 2)
    ]
    page = " ".join(project.run("plan").out.split())
    assert re.search(r"Config \d+ findings? disabled", page)
    assert f"blocker {LOST} on driver.enabled disabled by .helmguard.yaml:2: looked at every week" in page
    assert "disabled by .helmguard.yaml:2" in project.run("plan", "-o", "markdown").out


IGNORE_ALL = "ignore:\n- path: '**'\n  reason: only the numbers are of interest\n"


def test_ignored_changes_are_no_change(project: Project) -> None:
    update = project.of("nulls-and-quantities--h3")
    assert update.says("").plan()["exitCode"] == 2
    plan = update.says(IGNORE_ALL).plan()
    assert plan["exitCode"] == 0
    assert plan["summary"]["update"] == plan["summary"]["ignoredOnly"] > 0
    ignored = [change for each in plan["resources"] for change in each["ignored"]]
    assert {change["ignoredBy"] for change in ignored} == {".helmguard.yaml:2"}
    assert plan["config"]["ignored"][0]["changes"] == plan["summary"]["ignored"] == len(ignored)
    Draft202012Validator(json.loads(SCHEMA.read_text())).validate(plan)
    page = " ".join(update.run("plan").expect(0).out.split())
    assert f"{len(ignored)} changes ignored by .helmguard.yaml:2: only the numbers are of interest" in page
    assert f"no object changes but for {len(ignored)} ignored changes" in page
    assert f"{len(ignored)} changes ignored" in update.run("plan", "-o", "markdown").out
    assert update.says(IGNORE_ALL + "  kind: Secret\n").plan()["exitCode"] == 2


def test_with_noise_shown_ignored_fields_are_shown(project: Project) -> None:
    update = project.of("nulls-and-quantities--h3").says(IGNORE_ALL)
    paths = {change["path"] for each in update.plan()["resources"] for change in each["ignored"]}
    page = update.run("plan", "--show-noise").expect(0).out
    assert all(path in page for path in paths)


def test_ignored_fields_are_no_effect_of_a_lost_value(project: Project) -> None:
    plan = project.says("ignore:\n- path: spec.driver\n  reason: the driver is not ours\n").plan()
    (policy,) = [each for each in plan["resources"] if each["kind"] == "ClusterPolicy"]
    assert [change["path"] for change in policy["ignored"]] == ["spec.driver.enabled"]
    assert [change["path"] for change in policy["changes"]] == ["spec.toolkit.enabled"]
    # The value is lost all the same: that finding rests on the values, and reaches nothing that counts.
    assert named(plan, LOST)["effects"] == []


def test_ignored_drift_is_no_drift(project: Project) -> None:
    release = project.of("many-managers--h3")
    adrift = release.says("").plan(command="drift")
    assert adrift["exitCode"] == 2
    fields = adrift["drift"]["counts"]["reverted"] + adrift["drift"]["counts"]["kept"]
    plan = release.says(IGNORE_ALL).plan(command="drift")
    assert plan["exitCode"] == 0
    counts = plan["drift"]["counts"]
    assert (counts["reverted"], counts["kept"], counts["objectsAdrift"]) == (0, 0, 0)
    assert counts["ignored"] >= fields
    page = " ".join(release.run("drift").expect(0).out.split())
    assert f"{counts['ignored']} changes ignored by .helmguard.yaml:2" in page
    assert page.endswith(f"says, {counts['ignored']} changes ignored. Exit 0.")
    assert ".helmguard.yaml:2" in release.run("drift", "-o", "markdown").expect(0).out


def test_drift_of_one_manager_is_ignored(project: Project) -> None:
    release = project.of("many-managers--h3")
    managers = {
        change["manager"]
        for each in release.plan(command="drift")["resources"]
        for change in (*each["changes"], *each["drift"])
    } - {""}
    assert len(managers) > 1
    gone = min(managers)
    release.says(f"ignore:\n- manager: {gone}\n  reason: it owns these fields\n")
    plan = release.plan(command="drift")
    left = {change["manager"] for each in plan["resources"] for change in (*each["changes"], *each["drift"])}
    assert left - {""} == managers - {gone}
    assert {change["manager"] for each in plan["resources"] for change in each["ignored"]} == {gone}


def test_what_helm_fails_on_is_not_ignored(project: Project) -> None:
    failing = project.of("many-managers--h4")
    before = failing.plan(command="drift")
    plan = failing.says(IGNORE_ALL).plan(command="drift")
    assert (before["exitCode"], plan["exitCode"]) == (3, 3)
    assert plan["drift"]["counts"]["conflicts"] == before["drift"]["counts"]["conflicts"] > 0


def test_an_ignore_that_has_expired_warns(project: Project) -> None:
    text = "ignore:\n- {path: '**', reason: only for last month, expires: LAST_WEEK}\n"
    plan = project.of("nulls-and-quantities--h3").says(text).plan()
    assert plan["exitCode"] == 2
    assert plan["summary"]["ignored"] == 0
    assert ("ignore-expired", "warning", False) in rules(plan)


@pytest.mark.parametrize("trace", ["adoption-refused--h3", "pending--h3"])
@pytest.mark.parametrize("command", ["plan", "drift"])
def test_none_refuses_nothing(project: Project, trace: str, command: str) -> None:
    assert project.of(trace).run(command, "--fail-on", "none").code in (0, 2)


@pytest.mark.parametrize(
    ("unread", "text", "words", "code"),
    [
        (False, "", ("--fail-on-unknown",), 2),
        (True, "", (), 2),
        (True, "", ("--fail-on-unknown",), 3),
        (True, "failOnUnknown: true\n", (), 3),
        (True, "failOnUnknown: false\n", ("--fail-on-unknown",), 3),
        (True, "failOnUnknown: true\n", ("--fail-on", "none"), 2),
    ],
)
def test_what_is_not_known_refuses_where_it_is_to(
    project: Project, unread: bool, text: str, words: tuple[str, ...], code: int
) -> None:
    project.says(text + OVERRIDE % "info")
    if unread:
        project = with_something_unread(project)
    ended = project.run("plan", *words).expect(code)
    assert ("not known, which refuses too" in ended.out) is (code == 3)
    assert ("Secret/web" in ended.out) is unread


def with_something_unread(project: Project) -> Project:
    bundle = project.folder / "bundle"
    shutil.copytree(project.bundle, bundle)
    request = (bundle / "bundle.yaml").read_text()
    assert "unknown: []" in request
    told = "unknown:\n- {what: Secret/web, why: secrets are forbidden}"
    (bundle / "bundle.yaml").write_text(request.replace("unknown: []", told))
    return replace(project, bundle=bundle)


def test_the_nearest_file_above_counts(project: Project) -> None:
    project.says(WAIVER).says("failOn: none\n", "deploy/.helmguard.yaml").says("", "deploy/prod/x").says(
        "", "a/b/x"
    )
    assert named(project.plan(cwd="a/b"), LOST)["waived"]["file"] == "../../.helmguard.yaml"
    assert project.plan(cwd="deploy/prod")["config"]["file"] == "../.helmguard.yaml"
    assert project.plan(cwd="deploy/prod")["failOn"] == "none"
    assert project.plan("--no-config", cwd="deploy/prod")["exitCode"] == 3
    assert project.plan("--config", "../../.helmguard.yaml", cwd="deploy/prod")["exitCode"] == 2


def test_a_file_by_name(project: Project) -> None:
    project.says("failOn: none\n").says(WAIVER, "ci/gate.yaml")
    plan = project.plan("--config", "ci/gate.yaml")
    assert (plan["config"]["file"], plan["failOn"], plan["exitCode"]) == ("ci/gate.yaml", "danger", 2)
    plan = project.plan("--config=ci/gate.yaml", "--fail-on=blocker")
    assert plan["failOn"] == "blocker"


@pytest.mark.parametrize("command", ["plan", "drift"])
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("failon: none\n", ".helmguard.yaml:1:1: unknown field 'failon'; did you mean 'failOn'?"),
        (
            WAIVER.replace("NEXT_MONTH", "2099-01-01"),
            ".helmguard.yaml:5:3: 'expires' is more than 180 days away",
        ),
        (OVERRIDE.replace("override,", "overide,") % "info", "did you mean 'values-lost-override'?"),
        ("rules: [nowhere]\n", ".helmguard.yaml:1:9: there is no folder nowhere"),
        ("waivers: [\n", ".helmguard.yaml:"),
    ],
)
def test_what_cannot_be_used_is_an_error_with_its_place(
    project: Project, command: str, text: str, told: str
) -> None:
    ended = project.says(text).run(command)
    ended.expect_error(told, "helmguard.yaml.md")
    assert project.run(command, "--no-config").code != 1


def test_other_files_that_cannot_be_used(project: Project) -> None:
    project.run("plan", "--config", "nowhere.yaml").expect_error("nowhere.yaml: No such file or directory")
    project.run("plan", "--config", ".").expect_error("Is a directory")
    project.run("plan", "--config", "a", "--no-config").expect_error("exclude each other")
    (project.folder / "latin").write_bytes(b"failOn: d\xe4nger\n")
    project.run("plan", "--config", "latin").expect_error("latin: not UTF-8 text")


def test_a_rule_of_a_pack_that_is_missing_is_a_remark(project: Project) -> None:
    project.says(OVERRIDE.replace("values-lost-override", "disks-wiped") % "info")
    assert ".helmguard.yaml:2: no rule is called 'disks-wiped' here" in project.run("plan").expect(3).out
    project.with_pack(".helmguard/rules/ours")
    assert "no rule is called" not in project.run("plan").expect(3).out


def test_the_folders_name_says_where_rules_are_not_the_working_directory(project: Project) -> None:
    project.with_pack().says("rules: [rules]\n").writes("", "a/b/x")
    assert ("disks-wiped", "blocker", False) in rules(project.plan(cwd="a/b"))


def test_secrets_in_reasons_are_none_of_ours_but_control_characters_are(project: Project) -> None:
    page = project.says(WAIVER.replace("the host", '"the \\e[31mhost').replace("nodes\n", 'nodes"\n')).run(
        "plan"
    )
    assert "\x1b" not in page.expect(2).out


@pytest.mark.parametrize("command", ["plan", "drift"])
def test_help_and_completion_know_the_flags(project: Project, command: str) -> None:
    page = project.inside(command, "--help").expect(0).out
    script = project.inside("completion", "bash").expect(0).out
    (option_strings,) = re.findall(rf"_{command}_option_strings=\((.*)\)", script)
    for flag in ("--fail-on", "--fail-on-unknown", "--config", "--no-config"):
        assert f"{flag} " in page or f"{flag}\n" in page
        assert f" {flag} " in option_strings
    assert f"_{command}___fail_on_choices=(blocker danger warning none)" in script


@pytest.mark.parametrize("command", ["values", "bundle"])
def test_commands_without_a_verdict_do_not_read_the_file(project: Project, command: str) -> None:
    ended = project.says("no: yes\n").helmguard.run(
        command, "web", "./nowhere", "-o", "json", cwd=project.folder
    )
    assert "unknown field" not in ended.err


def test_the_global_flag_may_stand_before_the_command(project: Project) -> None:
    project.says(WAIVER, "gate.yaml")
    words = ("--config", "gate.yaml", "plan", "--bundle", str(project.bundle), "-q")
    assert project.inside(*words).code == 2


@pytest.fixture
def inside(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Calls of the library are made from the project's folder."""
    monkeypatch.chdir(project.folder)
    return project


def test_python_finds_the_file_as_the_program_does(inside: Project) -> None:
    assert helmguard.plan_bundle(inside.bundle).exit_code == 3
    inside.says(WAIVER)
    assert helmguard.plan_bundle(inside.bundle).exit_code == 2
    assert helmguard.plan_bundle(inside.bundle, no_config=True).exit_code == 3
    assert helmguard.plan_bundle(inside.bundle, no_config=True, fail_on="none").exit_code == 2
    inside.says("failOn: none\n", "other.yaml")
    assert helmguard.plan_bundle(inside.bundle, config="other.yaml").fail_on == "none"
    assert helmguard.plan_bundle(inside.bundle, config=inside.folder / "other.yaml").exit_code == 2
    assert helmguard.drift_bundle(inside.bundle).config_file == ".helmguard.yaml"


@pytest.mark.parametrize(("day", "code"), [(NEXT_MONTH, 2), (date(2100, 1, 1), 3)])
def test_the_day_is_given(inside: Project, day: date, code: int) -> None:
    assert helmguard.plan_bundle(inside.says(WAIVER).bundle, today=day).exit_code == code


def test_python_tells_the_place_of_an_error(inside: Project) -> None:
    inside.says("waivers:\n- rule: a-rule\n")
    with pytest.raises(helmguard.HelmguardError) as raised:
        helmguard.plan_bundle(inside.bundle)
    error: Any = raised.value
    assert (type(error).__name__, error.file, error.line, error.column) == (
        "ConfigError",
        ".helmguard.yaml",
        2,
        3,
    )
