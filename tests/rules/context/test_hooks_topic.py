"""What rules learn about hooks: which run, in which order, and what they need."""

from __future__ import annotations

from typing import Any

import pytest
from facts_of import facts, resource
from msgspec.structs import replace

from helmguard.model.apply_options import ApplyOptions
from helmguard.model.live_state import Absent, LiveState, Present
from helmguard.model.plan import HookRun, ResourceChange
from helmguard.model.resource_key import ResourceKey
from helmguard.model.surroundings import HookObject, Surroundings
from helmguard.rules.context.hooks import hooks_of
from helmguard.rules.facts import Facts

POD = {
    "serviceAccountName": "runner",
    "containers": [
        {
            "name": "c",
            "image": "tool:1",
            "command": ["sh", "-c"],
            "args": ["migrate"],
            "envFrom": [{"secretRef": {"name": "db"}}, {"configMapRef": {"name": "maybe", "optional": True}}],
        }
    ],
    "imagePullSecrets": [{"name": "pull"}],
}


def hook(*events: str, name: str = "migrate", live: LiveState | None = None, **more: Any) -> HookObject:
    given: dict[str, Any] = {
        "key": ResourceKey("batch", "Job", "shop", name),
        "api_version": "batch/v1",
        "events": events or ("pre-upgrade",),
        "delete_policies": ("before-hook-creation",),
        "body": {
            "apiVersion": "batch/v1",
            "kind": "Job",
            "metadata": {"name": name},
            "spec": {"template": {"spec": POD}},
        },
        "live": live or Absent(),
    }
    return HookObject(**{**given, **more})


def run(event: str, order: int, name: str = "migrate") -> HookRun:
    return HookRun(event, "batch/v1", "Job", "shop", name, 5, ("before-hook-creation",), order)


def found(*hooks: HookObject, resources: tuple[ResourceChange, ...] = (), **more: Any) -> Facts:
    around = Surroundings(hooks=hooks, **{k: v for k, v in more.items() if k != "runs"})
    return facts(*resources, around=around, hooks=more.get("runs", ()))


def coming(kind: str, name: str) -> ResourceChange:
    """An object that only the manifest brings."""
    one = resource(name=name, action="create")
    key = ResourceKey("", kind, "shop", name)
    return replace(one, prediction=replace(one.prediction, key=key, new={"kind": kind}, live=Absent()))


def test_a_hook_that_runs() -> None:
    (told,) = hooks_of(found(hook(), runs=(run("pre-upgrade", 2),))).running
    assert (told.ref, told.event, told.order, told.weight) == ("Job/migrate", "pre-upgrade", 2, 5)
    assert (told.images, told.commands, told.service_account) == (("tool:1",), ("sh -c migrate",), "runner")
    assert (told.is_new, told.fate, told.live) == (True, "none", None)


@pytest.mark.parametrize(
    ("events", "told"),
    [
        (("pre-upgrade", "post-upgrade"), ["pre-upgrade"]),
        (("post-upgrade", "pre-install"), ["post-upgrade"]),
        (("pre-install",), []),
        (("test",), []),
    ],
)
def test_a_hook_is_told_once_at_its_first_event(events: tuple[str, ...], told: list[str]) -> None:
    assert [one.event for one in hooks_of(found(hook(*events))).running] == told


def test_hooks_that_are_skipped() -> None:
    hooks = hooks_of(found(hook(), options=ApplyOptions(no_hooks=True)))
    assert ([one.ref for one in hooks.skipped], hooks.running) == (["Job/migrate"], ())


@pytest.mark.parametrize(
    ("event", "later"),
    [
        ("pre-upgrade", {"Secret/db": True, "ServiceAccount/runner": False}),
        ("post-upgrade", {"Secret/db": False}),
    ],
)
def test_what_a_hook_waits_for(event: str, later: dict[str, bool]) -> None:
    (told,) = hooks_of(
        found(hook(event), resources=(coming("Secret", "db"), coming("ConfigMap", "maybe")))
    ).running
    needs = {need.ref: need.later for need in told.needs}
    assert set(needs) == {"ServiceAccount/runner", "Secret/db"}
    assert later.items() <= needs.items()


def test_what_another_hook_of_the_event_brings_is_there_in_time() -> None:
    secret = hook(key=ResourceKey("", "Secret", "shop", "db"), body={"apiVersion": "v1", "kind": "Secret"})
    running = hooks_of(found(secret, hook(), resources=(coming("Secret", "db"),))).running
    assert [need.later for one in running for need in one.needs] == [False, False]


def test_a_hook_that_nobody_deletes() -> None:
    marked = Present({"metadata": {"annotations": {"helm.sh/hook": "pre-upgrade"}}})
    unmarked = Present({"metadata": {}})
    gone, kept, replaced = (
        hook(name="gone", live=marked),
        hook(name="kept", live=marked),
        hook(name="own", live=unmarked),
    )
    hooks = hooks_of(found(kept, previous_hooks=(gone, kept, replaced)))
    assert [one.ref for one in hooks.left_behind] == ["Job/gone"]


@pytest.mark.parametrize(("event", "told"), [("pre-upgrade", "pre-upgrade"), ("pre-delete", "")])
def test_an_object_that_becomes_a_hook(event: str, told: str) -> None:
    one = coming("ConfigMap", "c")
    live = replace(one.prediction, previous={"kind": "ConfigMap"}, live=Present({}), predicted=None)
    moved = replace(one, prediction=live)
    hooks = hooks_of(found(hook(event, key=live.key), resources=(moved,)))
    assert [(each.ref, each.event, each.gone) for each in hooks.moved] == [("ConfigMap/c", told, True)]
