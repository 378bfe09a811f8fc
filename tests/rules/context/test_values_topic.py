"""Values as rules see them."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from facts_of import facts, release, resource
from msgspec.structs import replace
from of_rule import of_rule

from helmguard.model.field_change import MISSING, FieldChange
from helmguard.model.finding import Finding
from helmguard.model.live_state import Absent
from helmguard.model.plan import ChartRef, IgnoredChange, ValuesReport
from helmguard.model.resource_key import ResourceKey
from helmguard.model.surroundings import HookObject, PastRevision, Surroundings
from helmguard.model.value_change import Provenance, ValueChange, ValueWarning, ValueWarningKind
from helmguard.model.value_facts import (
    AmbiguousScalar,
    GivenValue,
    IndexGap,
    RemovedDefault,
    Subchart,
    TemplateUse,
    ValueFacts,
)
from helmguard.rules.context.record import UNKNOWN
from helmguard.rules.context.values import Values, values_of
from helmguard.rules.facts import Facts
from helmguard.rules.judge import judge

FILE = Provenance("values file", "prod.yaml", line=7)
FLAG = Provenance("--set", "a=1")

RULES: dict[ValueWarningKind, tuple[str, str]] = {
    "new default ignored": ("reuse-values-missing-key", "warning"),
    "stale default": ("chart-default-stale", "warning"),
    "list replaced": ("values-list-replaced", "warning"),
    "type changed": ("values-type-change", "danger"),
    "unknown key": ("values-unknown-key", "warning"),
    "table conflict": ("values-table-conflict", "danger"),
}


def values(
    *changes: ValueChange,
    warnings: tuple[ValueWarning, ...] = (),
    known: ValueFacts | None = None,
    **more: Any,
) -> Facts:
    resources = more.pop("resources", ())
    configs = {name: more.pop(name) for name in ("previous_config", "config") if name in more}
    why = "because --reuse-values was given"
    report = ValuesReport("reuse", why, changes, warnings, **configs, facts=known or ValueFacts())
    return facts(*resources, values=report, **more)


def topic(*changes: ValueChange, **more: Any) -> Values:
    return values_of(values(*changes, **more))


def change(path: str, before: Any, after: Any, cause: Any = "values", **more: Any) -> ValueChange:
    return ValueChange(tuple(path.split(".")), before, after, cause, **more)


@pytest.mark.parametrize("kind", get_args(ValueWarningKind))
def test_warnings_about_values(kind: ValueWarningKind) -> None:
    warning = ValueWarning(kind, ("a", "b"), "what it means", 1, "x", provenance=FILE, items=("item 1",))
    found: list[Finding] = list(judge(values(warnings=(warning,))).findings)
    if kind not in RULES:
        assert found == []
        return
    (finding,) = found
    assert (finding.rule, finding.severity) == RULES[kind]
    assert finding.where.name == "a.b"


@pytest.mark.parametrize("kind", ["list replaced", "type changed", "unknown key"])
def test_a_value_of_this_command_stands_in_a_file(kind: ValueWarningKind) -> None:
    warning = ValueWarning(kind, ("a", "b"), "what it means", 1, "x", provenance=FILE, items=("item 1",))
    (finding,) = judge(values(warnings=(warning,))).findings
    assert (finding.where.file, finding.where.line) == ("prod.yaml", 7)


@pytest.mark.parametrize(
    ("after", "fires"), [({}, False), ("", False), (None, False), ([], False), (0, True), (False, True)]
)
def test_an_empty_default_that_does_not_arrive_is_no_finding(after: Any, fires: bool) -> None:
    warning = ValueWarning("new default ignored", ("a",), "is new in the chart", None, after)
    assert bool(of_rule(values(warnings=(warning,)), "reuse-values-missing-key")) is fires


def test_a_flag_is_named_without_its_word() -> None:
    word = Provenance("--set", "db.passwort=geheimnis")
    warning = ValueWarning("unknown key", ("db", "passwort"), "no such key", provenance=word)
    (finding,) = judge(values(warnings=(warning,))).findings
    assert (finding.where.file, finding.where.line) == ("--set", 0)
    assert "geheimnis" not in repr(finding)


def test_what_is_traced_to_a_value_is_what_it_reaches() -> None:
    traced = FieldChange(("spec", "a"), 1, 2, "lost override", value_path="a")
    other = FieldChange(("spec", "b"), 1, 2, "lost override", value_path="b")
    open_ = FieldChange(("spec", "c"), 1, 2, "lost override")
    one, two = change("a", 1, 2, "lost override"), change("b", 1, 2, "lost override")
    found = topic(one, two, resources=(resource(traced, other, open_),)).changes
    assert [each.reaches for each in found] == [("Deployment/web spec.a",), ("Deployment/web spec.b",)]
    alone = topic(one, resources=(resource(traced, open_),)).changes[0]
    assert alone.reaches == ("Deployment/web spec.a", "Deployment/web spec.c")


def test_a_template_that_names_one_value_alone_gives_its_objects_to_it() -> None:
    open_ = FieldChange(("spec", "c"), 1, 2, "lost override")
    found = resource(open_)
    found = replace(found, prediction=replace(found.prediction, source="web/templates/a.yaml"))
    one, two = change("a", 1, 2, "lost override"), change("b", 1, 2, "lost override")
    uses = {("a",): TemplateUse("tested", ("web/templates/a.yaml",)), ("b",): TemplateUse("tested", ("x",))}
    known = ValueFacts(known=True, uses=uses)
    reached = topic(one, two, resources=(found,), known=known).changes
    assert [each.reaches for each in reached] == [("Deployment/web spec.c",), ()]
    both = {**uses, ("b",): uses["a",]}
    reached = topic(one, two, resources=(found,), known=ValueFacts(known=True, uses=both)).changes
    assert [each.reaches for each in reached] == [(), ()]


@pytest.mark.parametrize(
    ("after", "action", "reached"),
    [(True, "create", True), (True, "delete", False), (False, "delete", True), (False, "create", False)],
)
@pytest.mark.parametrize("cause", ["chart", "values"])
def test_a_switch_is_behind_the_objects_of_its_template_that_go_its_way(
    after: bool, action: str, reached: bool, cause: Any
) -> None:
    found = resource(action=action)
    prediction = replace(found.prediction, source="web/charts/db/templates/a.yaml")
    found = replace(found, prediction=prediction, cause=cause)
    known = ValueFacts(
        known=True, subcharts=(Subchart("db", not after, after, True, condition="db.enabled"),)
    )
    (seen,) = topic(
        change("db.enabled", not after, after, "default"),
        resources=(found,),
        known=known,
    ).changes
    assert seen.comes_or_goes is reached
    assert seen.subchart == "db"


def test_nothing_is_reached_where_nothing_else_changes() -> None:
    known = ValueFacts(known=True)
    assert topic(change("a", 1, 2, "default"), known=known).changes[0].may_reach is False
    assert topic(change("a", 1, 2, "default")).changes[0].may_reach is True
    marks = FieldChange(("metadata", "labels", "chart"), "1", "2", "chart", bookkeeping=True)
    assert (
        topic(change("a", 1, 2, "default"), resources=(resource(marks),), known=known).changes[0].may_reach
        is False
    )
    ignored = replace(resource(), ignored=(IgnoredChange("change", marks, ".helmguard.yaml", 2, "known"),))
    assert topic(change("a", 1, 2, "default"), resources=(ignored,), known=known).changes[0].may_reach is True
    hook = HookObject(
        ResourceKey("batch", "Job", "shop", "j"), "batch/v1", ("pre-upgrade",), (), {}, Absent()
    )
    gone = Surroundings(previous_hooks=(hook,))
    assert topic(change("a", 1, 2, "default"), around=gone, known=known).changes[0].may_reach is True
    real = FieldChange(("spec", "x"), "1", "2", "chart")
    assert (
        topic(change("a", 1, 2, "default"), resources=(resource(real),), known=known).changes[0].may_reach
        is True
    )


@pytest.mark.parametrize(
    ("past", "words"),
    [
        (PastRevision(2, "superseded", "", "Upgrade complete", "web-1"), "revision 2"),
        (PastRevision(2, "failed", "", "Upgrade failed", "web-1"), "revision 2, which failed"),
        (
            PastRevision(2, "superseded", "", "Rollback to 1", "web-1"),
            "revision 1 or before it, and the rollback to it brought it back",
        ),
        (None, "revision 2"),
    ],
)
def test_which_revision_set_a_value(past: PastRevision | None, words: str) -> None:
    set_in = Provenance("previous revision", revision=2)
    around = Surroundings(history=(past,) if past else ())
    lost = change("a", 1, 2, "lost override", provenance_before=set_in)
    assert topic(lost, around=around).changes[0].first_set == words


def test_a_switch_above_that_is_off_counts() -> None:
    known = ValueFacts(known=True, effective={"a": {"enabled": False, "b": {"enabled": True}}})
    assert topic(change("a.b.enabled", False, True), known=known).changes[0].off_by == "a.enabled"
    assert topic(change("a.enabled", True, False), known=known).changes[0].off_by == ""


def test_what_lies_in_a_sub_chart_that_is_off_counts_for_nothing_but_its_condition_does() -> None:
    known = ValueFacts(known=True, subcharts=(Subchart("db", True, False, True, condition="db.on"),))
    assert topic(change("db.size", 1, 2), known=known).changes[0].off_by == "sub-chart db"
    assert topic(change("db.on", True, False), known=known).changes[0].off_by == ""


@pytest.mark.parametrize(
    ("path", "value", "part", "version"),
    [
        ("image.tag", "1.2", "tag", "1.2"),
        ("sidecar.imageTag", "1.2", "tag", "1.2"),
        ("image.repository", "nginx", "name", ""),
        ("image", "nginx:1.2", "reference", "1.2"),
        ("image", "host:5000/nginx", "reference", ""),
        ("image", "nginx@sha256:00", "reference", ""),
        ("driver.version", "580.1", "tag", "580.1"),
        ("api.version", "v1", "", ""),
        ("image.tag", 1.2, "", ""),
        ("stag", "1", "", ""),
    ],
)
def test_values_that_name_images(path: str, value: Any, part: str, version: str) -> None:
    known = ValueFacts(known=True, effective={"driver": {"repository": "r", "version": value}})
    seen = topic(change(path, "0", value), known=known).changes[0]
    assert (seen.image, seen.version_after) == (part, version)


def test_an_image_that_follows_the_appVersion() -> None:
    charts = {"chart": ChartRef("web", "1", "1.0"), "new_chart": ChartRef("web", "2", "1.1")}
    moved = replace(release(), **charts)
    assert topic(change("image.tag", "v1.0", "v1.1", "default"), release=moved).changes[0].follows_app
    assert not topic(change("image.tag", "v1.0", "v1.2", "default"), release=moved).changes[0].follows_app


def test_the_flag_that_keeps_a_value() -> None:
    assert topic(change("a.b", False, True)).changes[0].pin == "--set a.b=false"
    assert topic(change("a.b", MISSING, True)).changes[0].pin == ""


def test_keys_that_were_in_the_old_chart_are_gone_and_others_unknown() -> None:
    warnings = tuple(
        ValueWarning("unknown key", (name,), "", after=1, provenance=FILE) for name in ("old", "other")
    )
    known = ValueFacts(known=True, previous_defaults={"old": 2}, defaults={"new": {"old": 3}})
    seen = topic(warnings=warnings, known=known, config={"old": 1, "other": 1})
    assert [one.path for one in seen.unknown] == ["other"]
    (gone,) = seen.gone
    assert (gone.path, gone.value, gone.default, gone.kept, gone.candidates) == (
        "old",
        1,
        2,
        True,
        ("new.old",),
    )


def test_a_lost_override_of_what_the_chart_dropped_is_gone() -> None:
    known = ValueFacts(known=True, previous_defaults={"old": 2}, defaults={})
    seen = topic(
        change("old", 1, MISSING, "lost override"), known=known, previous_config={"old": 1}, config={}
    )
    assert (seen.gone[0].path, seen.gone[0].kept) == ("old", False)
    assert seen.changes[0].dropped_by_chart


def test_how_many_letters_differ() -> None:
    warning = ValueWarning("unknown key", ("toolkit", "enable"), "", True, True, "toolkit.enabled", FLAG)
    (unknown,) = topic(warnings=(warning,)).unknown
    assert (unknown.slips, unknown.given, unknown.correction) == (1, True, "--set toolkit.enabled=true")
    case = ValueWarning("unknown key", ("toolKit",), "", True, {"a": 1}, "toolkit", FLAG)
    assert topic(warnings=(case,)).unknown[0].slips == 0


def test_nulls_lists_maps_gaps_and_scalars() -> None:
    null = Provenance("null", "--set a.b=null")
    known = ValueFacts(
        known=True,
        removed=(
            RemovedDefault(("a", "b"), 1, null),
            RemovedDefault(("c",), 1, Provenance("null", "v.yaml", line=3)),
        ),
        given=(
            GivenValue(("sel", "gpu"), "x", FILE),
            GivenValue(("top",), 1, FILE),
            GivenValue(("deep", "x"), 1, FILE),
        ),
        defaults={"sel": {"os": "linux"}, "deep": {"y": {}}},
        effective={"sel": {"os": "linux", "gpu": "x"}},
        gaps=(IndexGap(("env",), (0, 1), FLAG),),
        scalars=(AmbiguousScalar(("sel", "os"), "y", True, "the text y", FILE),),
    )
    seen = topic(known=known)
    assert [(one.path, one.file, one.line) for one in seen.nulls] == [("a.b", "--set", 0), ("c", "v.yaml", 3)]
    assert [(one.path, one.added, one.kept) for one in seen.merged_maps] == [("sel", ("gpu",), ("os",))]
    assert (seen.gaps[0].path, seen.gaps[0].indexes, seen.gaps[0].flag) == ("env", (0, 1), "--set")
    assert (seen.scalars[0].expected, seen.scalars[0].read) == ("string", "boolean")


def test_secrets_are_named_and_never_shown() -> None:
    secret = "s3cr3t-value-0123456789"
    config = {
        "db": {"password": secret, "existingSecret": "a-name-of-a-secret", "host": "db.example.com"},
        "short": {"password": "abc"},
        "key": "-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----",
    }
    seen = values(config=config, previous_config={"db": {"password": secret}})
    assert [(one.path, one.again, one.why) for one in values_of(seen).secrets] == [
        ("db.password", True, "its name"),
        ("key", False, "its form"),
    ]
    (finding,) = of_rule(seen, "values-secret-inline")
    assert "PRIVATE" not in repr(finding)
    assert secret not in repr(finding)


def test_conflicts_begin_with_the_chart_s_name() -> None:
    warning = ValueWarning("table conflict", ("web", "driver"), "cannot overwrite table")
    known = ValueFacts(known=True, defaults={"driver": {"a": 1}}, given=(GivenValue(("driver",), "x", FILE),))
    (seen,) = topic(warnings=(warning,), known=known, config={"driver": "x"}).conflicts
    assert (seen.path, seen.before, seen.again, seen.file) == ("driver", {"a": 1}, False, "prod.yaml")


def test_stored_values_that_stay_and_go() -> None:
    seen = topic(previous_config={"a": {"b": 1}, "c": 2}, config={"c": 3})
    assert (seen.kept, seen.dropped) == (("c",), ("a.b",))


def test_how_templates_use_a_value_is_unknown_where_nobody_looked() -> None:
    assert topic(change("a", 1, 2)).changes[0].use is UNKNOWN
    known = ValueFacts(known=True, uses={("a",): TemplateUse("printed")})
    assert topic(change("a", 1, 2), known=known).changes[0].use == "printed"
