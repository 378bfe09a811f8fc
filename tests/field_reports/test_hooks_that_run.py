"""Hooks run on every operation, whether anything changes or not."""

from __future__ import annotations

from field_case import FieldCase, actions
from release_secrets import read_record, record_path
from templates import config_map

HOOKS = "".join(
    config_map(
        name,
        f'{{helm.sh/hook: {event}, helm.sh/hook-weight: "{weight}", helm.sh/hook-delete-policy: {policy}}}',
        a="1",
    )
    for name, event, weight, policy in (
        ("late", "pre-upgrade", 5, "hook-succeeded"),
        ("early", "pre-upgrade", -5, "hook-succeeded"),
        ("after", "post-upgrade", 0, "before-hook-creation"),
        ("not-now", "pre-delete", 0, "before-hook-creation"),
    )
)


def test_p16_b25_b26_hooks_of_an_upgrade_that_changes_nothing(case: FieldCase) -> None:
    """They are neither changes nor additions: they run, in this order, each time."""
    chart = case.chart(config_map("conf", a="1") + HOOKS)
    case.install(chart)
    for revision in (2, 3):
        plan = case.upgrade_as_planned(chart)
        assert actions(plan) == {"ConfigMap/conf": "unchanged"}
        assert plan["exitCode"] == 2
        foretold = [(hook["event"], hook["name"]) for hook in plan["hooks"]]
        assert foretold == [("pre-upgrade", "early"), ("pre-upgrade", "late"), ("post-upgrade", "after")]
        assert hooks_that_ran(case, revision) == {name for _, name in foretold}
        assert case.live("ConfigMap", "early") is None
        assert case.live("ConfigMap", "after")


def hooks_that_ran(case: FieldCase, revision: int) -> set[str]:
    record = read_record(case.cluster, record_path(case.namespace, "rel", revision))
    return {hook["name"] for hook in record["hooks"] if (hook["last_run"] or {}).get("phase") == "Succeeded"}


def test_b23_hook_that_holds_the_words_of_helms_output(case: FieldCase) -> None:
    """MANIFEST: and HOOKS: inside a hook are text."""
    hook = (
        config_map("words", "{helm.sh/hook: pre-upgrade}", a="1")
        + "  b: |\n    MANIFEST:\n    ---\n    HOOKS:\n"
    )
    chart = case.chart(hook + config_map("conf", a="{{ .Values.a }}"), "a: 1\n")
    case.install(chart)
    plan = case.upgrade_as_planned(chart, "--set", "a=2")
    assert actions(plan) == {"ConfigMap/conf": "update"}
    assert [hook["name"] for hook in plan["hooks"]] == ["words"]
