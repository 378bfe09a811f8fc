"""The labelled corpus: every danger is caught, and no harmless upgrade is shouted at."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from controlplane import session
from controlplane.binaries import BINARIES
from controlplane.build import ensure
from labelled_scoring import CORPUS, Case, Known, cases_in, plan_of, score

OWN = list(cases_in(CORPUS))
HALVES = ("dangerous", "harmless")
KNOWN: tuple[Known, ...] = ("all", "objects")
VARIANTS = sorted({case.label["helm"] for case in OWN})


def _wrong(cases: list[Case], known: Known) -> list[str]:
    asked = [case for case in cases if case.is_judged(known) and _can_plan(case)]
    scores = [score(case, plan_of(case, known).findings, known) for case in asked]
    return [str(one) for one in scores if not one.is_right]


def _can_plan(case: Case) -> bool:
    """A few charts are rendered when planned, by the helm that acted."""
    return not case.is_without_manifest or session.NOT_WANTED is None


@pytest.fixture(autouse=True)
def _helm_on_the_path(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if session.NOT_WANTED is None:
        variant = getattr(request.node, "callspec", None)
        acting = "helm3" if variant is not None and variant.params.get("variant") == "h3" else "helm4"
        monkeypatch.setenv("PATH", str(ensure(BINARIES[acting]).parent), prepend=os.pathsep)


def _chosen(half: str, variant: str) -> list[Case]:
    return [case for case in OWN if case.label["label"] == half and case.label["helm"] == variant]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("half", HALVES)
@pytest.mark.parametrize("known", KNOWN)
def test_own_corpus(half: str, variant: str, known: Known) -> None:
    assert _wrong(_chosen(half, variant), known) == []


@pytest.mark.parametrize("variant", VARIANTS)
def test_harmless_upgrades_are_quiet_without_the_cluster(variant: str) -> None:
    assert _wrong(_chosen("harmless", variant), "manifests") == []


def test_the_corpus_is_large_enough() -> None:
    """65 upgrades of each kind, each with the Helms it is about, and every group has some."""
    for half in HALVES:
        assert len({case.label["case"] for case in OWN if case.label["label"] == half}) >= 65
    assert {"h3", "h4"} <= set(VARIANTS)


def test_every_case_says_what_a_reviewer_asks() -> None:
    for case in OWN:
        told = case.label
        assert told["id"] == case.name
        assert told["why"] and told["proof"] and told["what_happened"]
        if case.is_dangerous:
            assert told["rules"] and told["must_name"] and told["min_severity"]
        else:
            assert told["looks_like"] and told["max_severity"] == "warning"


def test_a_finding_of_another_rule_or_name_does_not_count() -> None:
    """The scorer can fail: the same findings against another label."""
    case = next(case for case in OWN if case.name == "claim-left-out--h3")
    found = plan_of(case, "all").findings
    assert score(case, found, "all").verdict == "caught"
    other_rule = Case(case.folder, {**case.label, "rules": ["immutable-field"]})
    assert score(other_rule, found, "all").verdict in ("loosely", "missed")
    other_name = Case(case.folder, {**case.label, "must_name": ["PersistentVolumeClaim/upload"]})
    assert score(other_name, found, "all").verdict == "loosely"
    harmless = Case(case.folder, {**case.label, "label": "harmless", "max_severity": "warning"})
    assert score(harmless, found, "all").verdict == "false alarm"


def _shared() -> list[Case]:
    given = os.environ.get("HELMGUARD_SHARED")
    folder = (Path(given) if given else Path(__file__).parents[3] / "shared") / "labelled"
    if not folder.is_dir():
        pytest.skip("no other labelled upgrades are at hand (set HELMGUARD_SHARED)")
    return list(cases_in(folder))


@pytest.mark.parametrize("variant", ["h3", "h4", "h34"])
@pytest.mark.parametrize("known", KNOWN)
def test_the_other_labelled_upgrades(known: Known, variant: str) -> None:
    assert _wrong([case for case in _shared() if case.label["helm"] == variant], known) == []
