"""What becomes of definitions: objects that go, versions, tighter schemas, conversion webhooks."""

from __future__ import annotations

import json
from typing import Any

import pytest
from manifest_facts import upgrade
from msgspec.structs import replace

from helmguard.model.cluster_facts import ClusterFacts
from helmguard.model.surroundings import DefinitionDifferences, DefinitionState, Surroundings
from helmguard.rules.context.definitions import definitions_of
from helmguard.rules.context.record import UNKNOWN
from helmguard.rules.facts import Facts

NAME = "widgets.example.com"
REF = f"CustomResourceDefinition/{NAME}"
FACT = (f"cluster.customResources.{NAME}",)


def version(name: str = "v1", served: bool = True, **spec: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"size": {"type": "integer"}}, **spec}
    root = {"type": "object", "properties": {"spec": schema}}
    return {"name": name, "served": served, "storage": name == "v1", "schema": {"openAPIV3Schema": root}}


def crd(*versions: dict[str, Any], stored: list[str] | None = None, **spec: Any) -> dict[str, Any]:
    body: dict[str, Any] = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": NAME},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"kind": "Widget", "plural": "widgets"},
            "versions": list(versions or (version(),)),
            **spec,
        },
    }
    return {**body, "status": {"storedVersions": stored}} if stored else body


def widget(name: str, manager: str = "", **spec: Any) -> dict[str, Any]:
    metadata: dict[str, Any] = {"name": name, "namespace": "shop"}
    if manager:
        metadata["managedFields"] = [{"manager": manager, "apiVersion": "example.com/v1beta1"}]
    return {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": metadata, "spec": spec}


def changing(old: dict[str, Any], new: dict[str, Any] | None, *items: dict[str, Any] | None) -> Facts:
    """``items``: the live objects, a None for: they were not read."""
    found = upgrade(json.dumps(old), json.dumps(new) if new else "", live={REF: old})
    if items == (None,):
        return found
    bodies = tuple(item for item in items if item is not None)
    cluster = ClusterFacts(custom_resources={NAME: bodies}, custom_resource_counts={NAME: len(bodies)})
    return replace(found, cluster=cluster)


def test_what_goes_with_a_definition() -> None:
    (deleted,) = definitions_of(changing(crd(), None, widget("a"), widget("b"))).deleted
    assert (deleted.name, deleted.kind, deleted.instances) == (NAME, "Widget", 2)
    assert (deleted.namespaces, deleted.names) == (("shop",), ("shop/a", "shop/b"))
    (unread,) = definitions_of(changing(crd(), None, None)).deleted
    assert (unread.instances, unread.names, unread.lacks) == (UNKNOWN, UNKNOWN, FACT)
    assert definitions_of(changing(crd(), crd(), None)).deleted == ()


def test_a_definition_that_moves_to_crds() -> None:
    state = DefinitionState(NAME, "web/crds/w.yaml", "Widget", "same")
    found = replace(changing(crd(), None), around=Surroundings(definitions=(state,)))
    assert definitions_of(found).deleted[0].in_crds


@pytest.mark.parametrize(
    ("before", "after", "dropped"),
    [
        ([version(), version("v1beta1")], [version()], [("v1beta1", True, True)]),
        (
            [version(), version("v1beta1")],
            [version(), version("v1beta1", served=False)],
            [("v1beta1", False, True)],
        ),
        ([version(), version("v1beta1", served=False)], [version(), version("v1beta1", served=False)], []),
        ([version()], [version(), version("v2")], []),
    ],
)
def test_versions_that_go(before: Any, after: Any, dropped: Any) -> None:
    found = definitions_of(changing(crd(*before, stored=["v1beta1", "v1"]), crd(*after))).dropped_versions
    assert [(one.version, one.removed, one.stored) for one in found] == dropped


def test_who_speaks_a_version_that_goes() -> None:
    old, new = crd(version(), version("v1beta1")), crd(version())
    (found,) = definitions_of(changing(old, new, widget("a", manager="operator"))).dropped_versions
    assert (found.stored, found.writers, found.users) == (False, ("shop/a by operator",), ())
    mine = {**widget("mine"), "apiVersion": "example.com/v1beta1"}
    documents = [json.dumps(old), json.dumps(mine)]
    both = upgrade(
        "\n---\n".join(documents), "\n---\n".join([json.dumps(new), json.dumps(mine)]), live={REF: old}
    )
    (found,) = definitions_of(both).dropped_versions
    assert (found.users, found.writers, found.lacks) == (("Widget/mine",), UNKNOWN, FACT)


TIGHTER = crd(version(required=["size"]))


def test_objects_that_a_tighter_schema_would_refuse() -> None:
    (found,) = definitions_of(changing(crd(), TIGHTER, widget("a"), widget("b", size=1))).tightened
    assert found.invalid == ("shop/a: spec.size: Required value",)
    assert found.changed == ("v1 spec (required)",)


def test_objects_that_are_invalid_already_are_nobodys_news() -> None:
    (found,) = definitions_of(changing(crd(), TIGHTER, widget("a", size="wide"))).tightened
    assert found.invalid == ()


def test_objects_that_the_release_itself_corrects() -> None:
    old, new = widget("a"), widget("a", size=3)
    documents = [json.dumps(crd()), json.dumps(old)], [json.dumps(TIGHTER), json.dumps(new)]
    given = upgrade(*("\n---\n".join(part) for part in documents), live={REF: crd(), "Widget/a": old})
    facts = replace(given, cluster=ClusterFacts(custom_resources={NAME: (old,)}))
    assert definitions_of(facts).tightened[0].invalid == ()
    same = upgrade(documents_of(crd(), old), documents_of(TIGHTER, old), live={REF: crd(), "Widget/a": old})
    assert definitions_of(same).tightened[0].invalid == ("shop/a: spec.size: Required value",)


def documents_of(*bodies: dict[str, Any]) -> str:
    return "\n---\n".join(json.dumps(body) for body in bodies)


def test_a_schema_that_only_knows_more_is_not_tighter() -> None:
    wider = crd(version(properties={"size": {"type": "integer"}, "color": {"type": "string"}}))
    assert definitions_of(changing(crd(), wider, None)).tightened == ()
    (unread,) = definitions_of(changing(crd(), TIGHTER, None)).tightened
    assert (unread.invalid, unread.lacks) == (UNKNOWN, FACT)


def conversion(name: str = "hook") -> dict[str, Any]:
    client = {"service": {"namespace": "shop", "name": name}}
    return {"strategy": "Webhook", "webhook": {"clientConfig": client}}


SLICE = {
    "metadata": {"namespace": "shop", "labels": {"kubernetes.io/service-name": "hook"}},
    "endpoints": [{"conditions": {"ready": True}}],
}


@pytest.mark.parametrize(
    ("slices", "ready"),
    [
        (None, UNKNOWN),
        ([], False),
        ([SLICE], True),
        ([{**SLICE, "endpoints": [{"conditions": {"ready": False}}]}], False),
        ([{**SLICE, "metadata": {"namespace": "shop", "labels": {}}}], False),
    ],
)
def test_a_conversion_webhook_and_its_endpoints(slices: Any, ready: object) -> None:
    old, new = crd(), crd(conversion=conversion())
    lists = {"endpointSlices": slices} if slices is not None else {}
    found = upgrade(json.dumps(old), json.dumps(new), live={REF: old}, lists=lists)
    (one,) = definitions_of(found).conversions
    assert (one.before, one.after, one.service) == ("None", "Webhook shop/hook:443", "shop/hook")
    assert (one.ready, one.created) == (ready, False)


def test_a_conversion_webhook_that_comes_with_its_service() -> None:
    service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "hook"}, "spec": {}}
    new = documents_of(crd(conversion=conversion()), service)
    (one,) = definitions_of(upgrade(json.dumps(crd()), new, live={REF: crd()})).conversions
    assert one.created
    kept = crd(conversion=conversion())
    assert definitions_of(upgrade(json.dumps(kept), json.dumps(kept), live={REF: kept})).conversions == ()


def test_definitions_in_crds_that_are_not_what_is_live() -> None:
    differs = DefinitionState(
        NAME, "web/crds/w.yaml", "Widget", "differs", DefinitionDifferences(added=("v2",)), managers=("helm",)
    )
    same = DefinitionState("gears.example.com", "web/crds/g.yaml", "Gear", "same")
    found = replace(changing(crd(), crd()), around=Surroundings(definitions=(differs, same)))
    (one,) = definitions_of(found).stale
    assert (one.ref, one.added, one.file) == (REF, ("v2",), "web/crds/w.yaml")
    assert one.command.endswith("kubectl apply --server-side --force-conflicts -f -")
