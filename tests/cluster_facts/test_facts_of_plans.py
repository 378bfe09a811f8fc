"""Which facts a plan wants, and whether facts that were read for one plan answer for another."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from helmguard.model.action import Action
from helmguard.model.cluster_facts import FACT_NAMES, ClusterFacts
from helmguard.model.live_state import Absent
from helmguard.model.plan import ChartRef, Engine, HookRun, Plan, ReleaseSummary, ResourceChange, ValuesReport
from helmguard.model.prediction import ResourcePrediction
from helmguard.model.resource_key import ResourceKey
from helmguard.model.surroundings import DefinitionState, DefinitionStatus, Surroundings
from helmguard.planner.cluster_facts import facts_for, wanted_facts

DEFINITION = ("apiextensions.k8s.io", "CustomResourceDefinition")


def resource(
    group: str, kind: str, name: str, action: Action, namespace: str | None = None
) -> ResourceChange:
    key = ResourceKey(group, kind, namespace, name)
    return ResourceChange(ResourcePrediction(key, "v1", action, None, None, Absent(), None))


def plan(*resources: ResourceChange, states: tuple[DefinitionState, ...] = ()) -> Plan:
    return Plan(
        operation="upgrade",
        release=ReleaseSummary("r", "shop", 1, 1, 2, "deployed", None, ChartRef("c", "1")),
        engine=Engine("v3.22.0", "csa", "", "template"),
        values=ValuesReport("default", ""),
        resources=resources,
        around=Surroundings(definitions=states),
    )


def test_namespaces_are_those_of_the_release_its_objects_and_hooks() -> None:
    made = plan(
        resource("", "ConfigMap", "a", "delete", "old"),
        resource("", "ConfigMap", "b", "create", "new"),
        resource("", "ConfigMap", "c", "update", "shop"),
        resource("", "Namespace", "untouched", "unchanged"),
    )
    hook = HookRun("pre-upgrade", "batch/v1", "Job", "jobs", "j", 0, (), 1)
    wanted = wanted_facts(replace(made, hooks=(hook,)), ["cluster.pods"])
    assert wanted.namespaces == ("shop", "old", "new", "jobs")


@pytest.mark.parametrize(
    ("action", "wanted"),
    [
        ("delete", True),
        ("update", True),
        ("replace", True),
        ("adopt", True),
        ("fail", True),
        ("unknown", True),
        ("create", False),
        ("recreate", False),
        ("unchanged", False),
        ("keep", False),
    ],
)
def test_definitions_that_the_plan_touches(action: Action, wanted: bool) -> None:
    found = wanted_facts(plan(resource(*DEFINITION, "widgets.example.com", action)))
    assert found.definitions == (("widgets.example.com",) if wanted else ())


@pytest.mark.parametrize(
    ("status", "wanted"), [("differs", True), ("unknown", True), ("same", False), ("missing", False)]
)
def test_definitions_that_the_chart_brings_in_another_form(status: DefinitionStatus, wanted: bool) -> None:
    state = DefinitionState("widgets.example.com", "c/crds/w.yaml", "Widget", status)
    found = wanted_facts(plan(resource(*DEFINITION, "gadgets.example.com", "delete"), states=(state,)))
    assert found.definitions == ("gadgets.example.com", *(["widgets.example.com"] if wanted else []))


def test_namespaces_that_the_plan_deletes() -> None:
    made = plan(
        resource("", "Namespace", "gone", "delete"),
        resource("", "Namespace", "stays", "keep"),
        resource("other.example.com", "Namespace", "another-kind", "delete"),
    )
    assert wanted_facts(made).deleted_namespaces == ("gone",)


def test_names_are_those_of_rules() -> None:
    names = [
        "cluster.nodes",
        "pods",
        "cluster.customResources['widgets.example.com']",
        "cluster.namespaceContents.old",
        "objects.live",
        "cluster.version",
        "cluster.nodes",
    ]
    found = wanted_facts(plan(), names).names
    assert found == ("nodes", "pods", "customResources", "namespaceContents")
    assert wanted_facts(plan()).names == FACT_NAMES


def test_facts_for_fewer_namespaces_than_the_plan_has_are_not_known() -> None:
    facts = ClusterFacts(lists={"nodes": (), "pods": ()}, namespaces=("shop", "old"))
    covered = plan(resource("", "ConfigMap", "a", "delete", "old"))
    assert facts_for(facts, covered) is facts
    found = facts_for(facts, plan(resource("", "ConfigMap", "a", "create", "new")))
    assert found.lists == {"nodes": ()}
    assert found.unread == {"pods": "was read for other namespaces, not for new"}


def test_no_facts_are_no_facts() -> None:
    assert facts_for(ClusterFacts(), plan()) == ClusterFacts()
