"""Whose the objects are: marks of other releases and tools, left-overs of failed revisions."""

from __future__ import annotations

from typing import Any

import pytest
from facts_of import release
from manifest_facts import MARKS, marked, upgrade
from msgspec.structs import replace

from helmguard.manifest.yaml import load_object
from helmguard.model.apply_options import ApplyOptions
from helmguard.model.field_change import FieldChange
from helmguard.model.live_state import Absent, Present, Unreadable
from helmguard.model.resource_key import ResourceKey
from helmguard.model.surroundings import HookObject, Orphan, Surroundings
from helmguard.rules.context.ownership import ToolOwned, is_refused, ownership_of
from helmguard.rules.context.record import UNKNOWN
from helmguard.rules.facts import Facts

CONF = "{apiVersion: v1, kind: ConfigMap, metadata: {name: conf}, data: {a: b}}"
KEY = ResourceKey("", "ConfigMap", "shop", "conf")


def body() -> Any:
    return load_object(CONF)


def owned_by(name: str, place: str = "shop") -> Any:
    live = marked(body())
    annotations = {"meta.helm.sh/release-name": name, "meta.helm.sh/release-namespace": place}
    live["metadata"] = {**live["metadata"], "annotations": annotations}
    return live


def with_options(facts: Facts, **more: Any) -> Facts:
    return replace(facts, around=replace(facts.around, options=ApplyOptions(**more)))


def test_an_object_that_nobody_marked_is_refused_with_the_commands_that_mark_it() -> None:
    live = {**body(), "metadata": {"name": "conf", "managedFields": [{"manager": "kubectl"}]}}
    facts = upgrade("", CONF, live={"ConfigMap/conf": live})
    (one,) = ownership_of(facts).refused
    assert (one.owner, one.managers, one.was_hook) == ("", ("kubectl",), False)
    assert "invalid ownership metadata" in one.message
    assert [command.split()[3] for command in one.commands] == ["label", "annotate"]
    assert is_refused(facts.resources[0].prediction, facts)


def test_another_releases_object_is_refused_unless_it_is_to_be_taken() -> None:
    facts = upgrade("", CONF, live={"ConfigMap/conf": owned_by("other")})
    found = ownership_of(facts)
    assert [one.owner for one in found.refused] == ["shop/other"]
    assert found.overwritten == ()
    taken = ownership_of(with_options(facts, take_ownership=True))
    assert taken.refused == ()
    assert [(one.owner, one.unchecked) for one in taken.overwritten] == [("shop/other", False)]


def test_what_the_old_manifest_holds_is_not_looked_at() -> None:
    found = ownership_of(upgrade(CONF, CONF, live={"ConfigMap/conf": owned_by("other")}))
    assert [(one.owner, one.unchecked) for one in found.overwritten] == [("shop/other", True)]
    assert found.refused == ()


@pytest.mark.parametrize(("name", "place", "owner"), [("web", "shop", []), ("web", "market", ["market/web"])])
def test_another_releases_object_is_deleted(name: str, place: str, owner: list[str]) -> None:
    found = ownership_of(upgrade(CONF, "", live={"ConfigMap/conf": owned_by(name, place)}))
    assert [one.owner for one in found.deleted] == owner


@pytest.mark.parametrize(
    ("manager", "fields", "edits"),
    [
        ("kubectl-edit", {"f:data": {"f:a": {}}}, ("data.a (kubectl-edit)",)),
        ("kubectl-edit", {"f:data": {"f:same": {}}}, ()),
        ("kubectl-label", {"f:metadata": {"f:labels": {"f:team": {}}}}, ()),
        ("kube-controller-manager", {"f:data": {"f:a": {}}}, ()),
        ("helm", {"f:data": {"f:a": {}}}, ()),
    ],
)
def test_what_others_wrote_is_deleted_with_the_object(
    manager: str, fields: dict[str, Any], edits: tuple[str, ...]
) -> None:
    document = "{apiVersion: v1, kind: ConfigMap, metadata: {name: conf}, data: {a: b, same: s}}"
    live = owned_by("web")
    entry = {"manager": manager, "operation": "Update", "fieldsType": "FieldsV1", "fieldsV1": fields}
    live["metadata"] |= {"managedFields": [entry], "labels": {**live["metadata"]["labels"], "team": "a"}}
    live["data"] = {"a": "edited", "same": "s"}
    found = ownership_of(upgrade(document, "", live={"ConfigMap/conf": live})).deleted
    assert [one.edits for one in found] == ([edits] if edits else [])


def test_of_what_could_not_be_read_nobody_knows_whose_it_is() -> None:
    (one,) = ownership_of(upgrade(CONF, "", live={"ConfigMap/conf": Unreadable("no right")})).deleted
    assert one.edits is UNKNOWN
    assert one.live is UNKNOWN


def tools(
    labels: dict[str, str] | None = None,
    annotations: dict[str, str] | None = None,
    owners: list[dict[str, Any]] | None = None,
    old: str = CONF,
) -> list[tuple[str, str, str]]:
    live = marked(body())
    metadata = live["metadata"]
    live["metadata"] = {
        **metadata,
        "labels": {**metadata["labels"], **(labels or {})},
        "annotations": {**metadata["annotations"], **(annotations or {})},
        "ownerReferences": owners or [],
    }
    found = ownership_of(upgrade(old, CONF, live={"ConfigMap/conf": live})).tools
    return [(one.tool, one.by, one.mark) for one in found]


ARGO = "argocd.argoproj.io/tracking-id"


def test_argo_cd_by_its_tracking_annotation() -> None:
    mine = {ARGO: "shop-app:/ConfigMap:shop/conf"}
    assert tools(annotations=mine) == [("Argo CD", "Application/shop-app", ARGO)]
    assert tools(annotations={ARGO: "shop-app:/ConfigMap:shop/other"}) == []
    assert tools(annotations={ARGO: "shop-app:apps/Deployment:shop/conf"}) == []
    assert tools(labels={"app.kubernetes.io/instance": "shop-app"}) == []


def test_flux_by_its_labels_and_its_own_release_is_no_other_tool() -> None:
    name = "kustomize.toolkit.fluxcd.io/name"
    assert tools(labels={name: "apps"}) == [("Flux", "Kustomization/apps", name)]
    name = "helm.toolkit.fluxcd.io/name"
    assert tools(labels={name: "web", "helm.toolkit.fluxcd.io/namespace": "shop"}) == []
    assert tools(labels={name: "web"}) == []
    assert tools(labels={name: "other"}) == [("Flux", "other", name)]


def test_olm_and_controllers() -> None:
    assert tools(labels={"olm.owner": "operator.v1"}) == [("OLM", "operator.v1", "olm.owner")]
    assert tools(labels={"olm.managed": "true"}) == [("OLM", "an operator", "olm.owner")]
    owner = {"kind": "SealedSecret", "name": "conf", "controller": True}
    assert tools(owners=[owner]) == [("SealedSecret", "SealedSecret/conf", "ownerReferences")]
    assert tools(owners=[{**owner, "controller": False}]) == []


def test_a_mark_that_the_chart_itself_sets_is_no_other_tools() -> None:
    declared = CONF.replace("{name: conf}", "{name: conf, labels: {kustomize.toolkit.fluxcd.io/name: apps}}")
    assert tools(labels={"kustomize.toolkit.fluxcd.io/name": "apps"}, old=declared) == []


def test_what_helm_changes_of_another_tools_object() -> None:
    live = marked(body())
    live["metadata"]["labels"] = {**MARKS["labels"], "kustomize.toolkit.fluxcd.io/name": "apps"}
    facts = upgrade(CONF, CONF, live={"ConfigMap/conf": live})
    change = FieldChange(("data", "a"), "b", "c", "chart")
    changed = replace(facts, resources=(replace(facts.resources[0], changes=(change,)),))
    (one,) = ownership_of(changed).tools
    assert isinstance(one, ToolOwned)
    assert (one.changes, one.action) == (("data.a",), "update")


@pytest.mark.parametrize(
    ("status", "last", "revisions", "operation", "expected"),
    [
        ("failed", 2, (2,), "upgrade", (False, True)),
        ("failed", 3, (2,), "upgrade", (False, False)),
        ("failed", 2, (2,), "rollback", (False, False)),
        ("pending-upgrade", 2, (2,), "upgrade", (True, True)),
        ("pending-upgrade", 3, (2,), "upgrade", (False, False)),
    ],
)
def test_left_overs_of_failed_revisions(
    status: str, last: int, revisions: tuple[int, ...], operation: str, expected: tuple[bool, bool]
) -> None:
    facts = upgrade("", "", around=Surroundings(orphans=(Orphan(KEY, "v1", revisions),)))
    facts = replace(facts, operation=operation, release=release(status=status, last_revision=last))  # type: ignore[arg-type]
    (one,) = ownership_of(facts).orphans
    assert (one.in_progress, one.by_rollback) == expected
    assert (one.revisions, one.delete) == (revisions, "kubectl -n shop delete configmap/conf")


@pytest.mark.parametrize(
    ("live", "policies", "no_hooks", "owners"),
    [
        (owned_by("other"), ("before-hook-creation",), False, ["shop/other"]),
        (body(), ("before-hook-creation",), False, [""]),
        (body(), ("before-hook-creation",), True, []),
        (body(), ("hook-succeeded",), False, []),
        (
            load_object("{kind: ConfigMap, metadata: {annotations: {helm.sh/hook: pre-upgrade}}}"),
            ("before-hook-creation",),
            False,
            [],
        ),
        (None, ("before-hook-creation",), False, []),
    ],
)
def test_what_a_hook_of_the_name_deletes(
    live: Any, policies: tuple[str, ...], no_hooks: bool, owners: list[str]
) -> None:
    state = Absent() if live is None else Present(live)
    hook = HookObject(KEY, "v1", ("pre-upgrade",), policies, body(), state)
    facts = with_options(upgrade("", "", around=Surroundings(hooks=(hook,))), no_hooks=no_hooks)
    assert [one.owner for one in ownership_of(facts).hooked] == owners
