"""Findings under overrides and waivers, and what is found about the configuration itself."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from config_samples import FILE, TODAY, TOMORROW, YESTERDAY, config, finding, ignore, override, waiver
from hypothesis import given
from hypothesis import strategies as st

from helmguard.config.apply_config import ConfiguredFindings, Scope, apply_config
from helmguard.config.config import Config, FindingMatch, Override, WaiverEntry
from helmguard.model.finding import Finding, Overridden, Severity, Waiver

SCOPE = Scope("gpu-operator", "gpu")
LOST = finding()
WIPED = finding("wiped", name="PersistentVolumeClaim/data", on="object", data_loss=True)


def applied(
    findings: list[Finding], made: Config, scope: Scope = SCOPE, today: date | None = TODAY
) -> ConfiguredFindings:
    return apply_config(findings, made, scope, today)


def rules(found: ConfiguredFindings) -> list[tuple[str, Severity]]:
    return [(each.rule, each.severity) for each in found.findings]


def test_without_entries_nothing_changes() -> None:
    findings = [finding(severity="info"), LOST, WIPED]
    assert applied(findings, Config()) == ConfiguredFindings(tuple(findings))


def test_a_waiver_is_told_and_counts_for_the_gate_no_more() -> None:
    made = config(waiver(by="platform-team", ticket="OPS-1"))
    (found,) = applied([LOST], made).findings
    assert found.waived == Waiver(
        "accepted for now", "platform-team", TOMORROW.isoformat(), "OPS-1", FILE, 10
    )
    assert (found.rule, found.severity) == ("lost", "blocker")


@pytest.mark.parametrize(
    ("match", "accepts"),
    [
        ({"name": "driver.enabled"}, True),
        ({"name": "driver.*"}, True),
        ({"name": "toolkit.*"}, False),
        ({"release": "gpu-operator"}, True),
        ({"release": "gpu-*", "namespace": "g?u"}, True),
        ({"release": "web"}, False),
        ({"namespace": "shop"}, False),
        ({"name": "driver.*", "namespace": "shop"}, False),
        ({"field": "spec.replicas"}, False),
    ],
)
def test_what_a_match_accepts(match: dict[str, str], accepts: bool) -> None:
    found = applied([LOST], config(waiver(match=FindingMatch(**match)))).findings
    assert (found[0].waived is not None) is accepts


@pytest.mark.parametrize(
    ("key", "about", "accepts"),
    [
        ("driver.enabled", LOST, True),
        ("driver.enable*", LOST, False),
        ("own-key", finding(key="own-key"), True),
        ("driver.enabled", finding(key="own-key"), False),
        (
            "Deployment/web spec.replicas",
            finding(on="object", name="Deployment/web", field="spec.replicas"),
            True,
        ),
        ("Deployment/web", finding(on="object", name="Deployment/web", field="spec.replicas"), False),
    ],
)
def test_a_key_is_the_findings_own_or_its_place(key: str, about: Finding, accepts: bool) -> None:
    assert (applied([about], config(waiver(key=key))).findings[0].waived is not None) is accepts


def test_a_key_within_a_release() -> None:
    made = config(waiver(key="driver.enabled", match=FindingMatch(release="gpu-operator")))
    assert applied([LOST], made).findings[0].waived is not None
    assert applied([LOST], made, Scope("other", "gpu")).findings == (LOST,)


def test_the_field_of_a_finding_is_a_path() -> None:
    about = finding(on="object", name="Deployment/web", field="spec.template.spec.containers[name=web].image")
    for glob, accepts in (("spec.template", True), ("spec.**.image", True), ("spec.replicas", False)):
        made = config(waiver(match=FindingMatch(field=glob)))
        assert (applied([about], made).findings[0].waived is not None) is accepts


def test_a_waiver_covers_what_the_rule_cannot_know() -> None:
    unknown = finding(result="unknown", missing=("nodes",))
    assert applied([unknown], config(waiver())).findings[0].waived is not None


@pytest.mark.parametrize(("expires", "holds"), [(YESTERDAY, False), (TODAY, True), (TOMORROW, True)])
def test_the_last_day_counts(expires: date, holds: bool) -> None:
    found = applied([LOST], config(waiver(expires=expires)))
    assert (found.findings[0].waived is not None) is holds
    assert ("waiver-expired", "warning") in rules(found) or holds


def test_without_a_clock_nothing_is_waived() -> None:
    assert applied([LOST], config(waiver()), today=None).findings[0].waived is None


def test_after_its_end_the_finding_is_back_and_says_why() -> None:
    found = applied(
        [LOST, finding(name="driver.rdma")], config(waiver(expires=YESTERDAY, by="platform-team"))
    )
    assert rules(found) == [("lost", "blocker"), ("lost", "blocker"), ("waiver-expired", "warning")]
    assert found.findings[0].config_note == f"the waiver at {FILE}:10 expired on {YESTERDAY}"
    expired = found.findings[2]
    assert expired.title == f"the waiver expired on {YESTERDAY}: its 2 findings count again"
    assert (expired.where.file, expired.where.line) == (FILE, 10)
    assert "platform-team" in expired.consequence


def test_another_waiver_that_holds_outweighs_one_that_has_expired() -> None:
    found = applied([LOST], config(waiver(expires=YESTERDAY), waiver(line=15)))
    assert found.findings[0].waived is not None
    assert found.findings[0].waived.line == 15
    assert rules(found) == [("lost", "blocker"), ("waiver-expired", "warning")]


def test_a_waiver_without_use() -> None:
    found = applied([LOST], config(waiver(match=FindingMatch(name="toolkit.*"))))
    assert rules(found) == [("lost", "blocker"), ("waiver-unused", "info")]
    unused = found.findings[1]
    assert unused.title == "the waiver accepts nothing here"
    assert (unused.where.name, unused.where.line) == ("lost toolkit.*", 10)


def test_one_that_has_expired_and_has_no_use_is_no_warning() -> None:
    found = applied([], config(waiver(expires=YESTERDAY)))
    assert rules(found) == [("waiver-unused", "info")]
    assert "expired" in found.findings[0].title


def test_drift_looks_for_no_unused_waivers() -> None:
    assert applied([], config(waiver()), Scope("gpu-operator", "gpu", "drift")).findings == ()


def test_an_unused_waiver_of_another_release_is_none_of_this_ones() -> None:
    made = config(waiver(match=FindingMatch(release="web")), waiver(match=FindingMatch(namespace="shop")))
    assert applied([], made).findings == ()


def test_data_loss_takes_the_word_for_it() -> None:
    silent = waiver("wiped")
    (found,) = applied([WIPED], config(silent)).findings
    assert found.waived is None
    assert found.config_note.startswith(f"the waiver at {FILE}:10 has no effect")
    assert "'allowDataLoss: true'" in found.config_note
    (found,) = applied([WIPED], config(silent, waiver("wiped", 15, allow_data_loss=True))).findings
    assert found.waived is not None
    assert found.config_note == ""


@pytest.mark.parametrize("severity", ["danger", "warning", "info", "disabled"])
def test_an_override_does_not_make_little_of_data_loss_without_the_word(severity: str) -> None:
    found = applied([WIPED], config(override(severity, "wiped")))
    assert rules(found) == [("wiped", "blocker")]
    assert "'allowDataLoss: true'" in found.findings[0].config_note
    allowed = applied([WIPED], config(override(severity, "wiped", allow_data_loss=True)))
    assert rules(allowed) == ([] if severity == "disabled" else [("wiped", severity)])


def test_a_graver_severity_needs_no_word() -> None:
    mild = finding("wiped", "warning", data_loss=True)
    assert rules(applied([mild], config(override("blocker", "wiped")))) == [("wiped", "blocker")]


def test_an_override_is_told() -> None:
    (found,) = applied([LOST], config(override("danger"))).findings
    assert found.severity == "danger"
    assert found.overridden == Overridden("blocker", "known here", FILE, 3)


def test_an_override_to_the_same_severity_is_none() -> None:
    assert applied([LOST], config(override("blocker"))).findings == (LOST,)
    assert applied([WIPED], config(override("blocker", "wiped"))).findings == (WIPED,)


def test_the_first_override_that_matches_counts() -> None:
    narrow = override("info", match=FindingMatch(name="driver.*"))
    other = finding(name="toolkit.enabled")
    assert rules(applied([LOST, other], config(narrow, override("warning", line=5)))) == [
        ("lost", "warning"),
        ("lost", "info"),
    ]


def test_what_is_disabled_is_counted() -> None:
    found = applied([LOST, WIPED], config(override("disabled")))
    assert rules(found) == [("wiped", "blocker")]
    assert [(each.rule, each.name, each.severity, each.line) for each in found.disabled] == [
        ("lost", "driver.enabled", "blocker", 3)
    ]


def test_the_gravest_come_first_after_overrides() -> None:
    findings = [finding("a", "danger"), finding("b", "warning"), finding("c", "info")]
    made = config(override("info", "a"), override("blocker", "c"))
    assert rules(applied(findings, made)) == [("c", "blocker"), ("b", "warning"), ("a", "info")]


def test_what_is_found_about_the_file_can_be_overridden() -> None:
    made = config(override("disabled", "waiver-unused"), override("danger", "waiver-expired"), waiver())
    assert rules(applied([], made)) == []
    made = config(*made.overrides, waiver(expires=YESTERDAY))
    assert rules(applied([LOST], made)) == [("lost", "blocker"), ("waiver-expired", "danger")]


def test_an_ignore_that_has_expired_is_a_warning() -> None:
    entry = ignore("spec.replicas", expires=YESTERDAY)
    found = apply_config([], config(entry), SCOPE, TODAY, [(entry, 2)])
    assert rules(found) == [("ignore-expired", "warning")]
    assert found.findings[0].title == f"the ignore expired on {YESTERDAY}: 2 changes it covered count again"
    assert (found.findings[0].where.name, found.findings[0].where.line) == ("spec.replicas", 20)


NAMES = st.sampled_from(["driver.enabled", "toolkit.enabled", "Deployment/web", "*", "driver.*"])
FINDINGS = st.lists(
    st.builds(
        finding,
        st.sampled_from(["lost", "wiped"]),
        st.sampled_from(["blocker", "danger", "warning", "info"]),
        NAMES,
        data_loss=st.booleans(),
        result=st.sampled_from(["fires", "unknown"]),
    ),
    max_size=5,
)
DAYS = st.sampled_from([YESTERDAY, TODAY, TOMORROW])
WORDS: dict[str, Any] = {"expires": DAYS, "allow_data_loss": st.booleans()}
ELSEWHERE = st.one_of(
    st.builds(FindingMatch, release=st.sampled_from(["web", "gpu-operator-2", "gpu"]), name=NAMES),
    st.builds(FindingMatch, namespace=st.sampled_from(["shop", "gpu-2", "g"]), name=NAMES),
)
RULES = st.sampled_from(["lost", "wiped"])
FOREIGN = st.lists(st.builds(waiver, RULES, match=ELSEWHERE, **WORDS), min_size=1, max_size=4)
OWN = st.lists(
    st.one_of(
        st.builds(waiver, RULES, match=st.builds(FindingMatch, name=NAMES), **WORDS),
        st.builds(override, st.sampled_from(["blocker", "info", "disabled"]), RULES),
    ),
    max_size=3,
)


@given(FINDINGS, FOREIGN, OWN)
def test_a_waiver_for_another_release_never_changes_anything(
    findings: list[Finding], foreign: list[WaiverEntry], own: list[WaiverEntry | Override]
) -> None:
    assert applied(findings, config(*own, *foreign)) == applied(findings, config(*own))


@given(FINDINGS, OWN)
def test_no_data_is_lost_unsaid(findings: list[Finding], own: list[WaiverEntry | Override]) -> None:
    """Without the word, a finding that destroys data keeps its severity and counts."""
    silent = [each for each in own if not each.allow_data_loss]
    found = [each for each in applied(findings, config(*silent)).findings if each.data_loss]
    kept = [each for each in findings if each.data_loss]
    assert all(each.waived is None for each in found)
    order = ["info", "warning", "danger", "blocker"]
    assert sorted(order.index(each.severity) for each in found) >= sorted(
        order.index(each.severity) for each in kept
    )
    assert len(found) == len(kept)
