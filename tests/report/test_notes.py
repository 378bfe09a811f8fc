"""Findings that only inform, and what helps against the others."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from sample_plans import ALL, web_plan

from helmguard.masking.masker import Masker
from helmguard.model.finding import Finding, Overridden, Place
from helmguard.report.fact_text import facts_text
from helmguard.report.page import Page
from helmguard.report.remedies import remedy_label
from helmguard.report.terminal import render_terminal

WEB = Place("object", "Deployment/web")
NOTE = Finding(
    "wait-missing", "info", "nothing is waited for", WEB, consequence="A tale.", remedy=("add --wait",)
)


def page(*findings: Finding, noise: bool = False, width: int = 120) -> str:
    plan = web_plan(findings=findings)
    return render_terminal(plan, Page(width=width, show_noise=noise), Masker.for_plan(plan))


def test_a_note_has_one_line_and_its_details_with_show_noise() -> None:
    assert "Info     1 note · --show-noise shows all\n  · Deployment/web  — nothing is" in page(NOTE)
    assert "A tale." not in page(NOTE)
    shown = page(NOTE, noise=True)
    assert "· INFO  Deployment/web  — nothing is waited for" in shown
    assert "A tale." in shown and "instead   add --wait" in shown and "Info  " not in shown


def test_notes_that_other_sections_tell_are_only_counted() -> None:
    told = replace(NOTE, rule="hooks-will-run", title="runs before")
    assert "1 note · 1 more told by other sections" in page(NOTE, told)
    assert "runs before" not in page(NOTE, told) and "Info  " not in page(told)
    assert "runs before" in page(told, noise=True)
    assert "runs before" in page(replace(told, severity="warning"))


def test_an_effect_that_is_the_place_itself_is_not_said_twice() -> None:
    grave = replace(NOTE, severity="danger", effects=("Deployment/web", "its pods go"))
    assert "then      its pods go" in page(grave) and page(grave).count("Deployment/web") == 1


def test_what_is_on_one_side_only_is_unset_on_the_other() -> None:
    assert "Deployment/web  unset → 3  — nothing" in page(replace(NOTE, after=3))
    assert "Deployment/web  3 → unset  — nothing" in page(replace(NOTE, before=3))
    assert "Deployment/web  — nothing" in page(replace(NOTE, before=3, after=3))


def test_many_notes_of_one_rule_are_named_in_a_line() -> None:
    many = [replace(NOTE, where=Place("object", f"Deployment/w{n}")) for n in range(40)]
    shown = page(*many, width=80)
    assert "Info     40 notes" in shown and "37 more of wait-missing: Deployment/w3, Deployment/w4" in shown
    assert shown.count("nothing is waited for") == 3 and shown.count("\n") < 25


def test_what_the_configuration_made_a_note_stays_with_the_findings() -> None:
    lowered = replace(NOTE, overridden=Overridden("danger", "we know"))
    assert "· INFO  Deployment/web" in page(lowered) and "we know" in page(lowered)


def test_a_note_is_masked() -> None:
    plan = ALL["actions"]
    secret = replace(NOTE, where=Place("value", "auth.password"), before="hunter2", after="correct-horse")
    shown = render_terminal(replace(plan, findings=(secret,)), Page(), Masker.for_plan(plan))
    assert "auth.password  (secret, changed)  — nothing" in shown


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("helm upgrade web ./web --reuse-values", "instead"),
        ("helm rollback web 3 -n shop", "instead"),
        ("add --wait --timeout 5m", "instead"),
        ("leave --no-hooks out", "instead"),
        ("--force-conflicts takes the fields over", "instead"),
        ("helm get values web > old.yaml", "do"),
        ("helm plugin install https://x", "do"),
        ("address it", "do"),
        ("kubectl delete job/x", "do"),
        ("afterwards: kubectl get pods", "do"),
        ("or add --set a=1", ""),
        ("or, if going back is meant: helm rollback web 3", ""),
    ],
)
def test_only_what_replaces_the_command_or_its_flags_stands_under_instead(text: str, label: str) -> None:
    assert remedy_label(text) == label


def test_each_kind_of_remedy_has_its_label_once() -> None:
    grave = replace(
        NOTE, severity="danger", remedy=("add --a", "or add --b", "kubectl get c", "kubectl get d")
    )
    lines = page(grave).splitlines()
    at = lines.index("    instead   add --a")
    assert lines[at + 1 : at + 4] == [
        "              or add --b",
        "    do        kubectl get c",
        "              and 1 more (--show-noise shows them)",
    ]
    assert "              kubectl get d" in page(grave, noise=True)


def test_missing_facts_are_said_in_words() -> None:
    assert facts_text(["cluster.nodes"]) == "the cluster's nodes"
    assert facts_text(["cluster.horizontalPodAutoscalers"]) == "the namespace's horizontal pod autoscalers"
    assert facts_text(["cluster.allPods", "it.live"]) == "all pods of the cluster and the live object"
    assert facts_text(["cluster.customResources.widgets.example.com"]) == "the live widgets.example.com"
    assert facts_text(["cluster.namespaceContents.shop"]) == "what namespace shop holds"
    assert facts_text(["ownership.tools", "drifts.missing"]) == "the live objects"
    assert facts_text(["it.served"]) == "what the API server serves"
    assert facts_text(["it.other", "cluster.unheardOf", "x"]) == "it.other, cluster.unheardOf and x"
    assert facts_text(["cluster.nodes", "cluster.pods", "cluster.runtimeClasses", "cluster.events"]) == (
        "the cluster's nodes and runtime classes and the namespace's pods and events"
    )
    assert facts_text([]) == ""
