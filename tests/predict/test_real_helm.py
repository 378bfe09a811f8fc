"""Predict an operation, carry it out with the real Helm 3 and Helm 4, and compare."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from flows import FLOWS, Edit, Flow
from real_release import history, live_states, object_path, rendered, write_chart
from same_as_server import comparable

from helmguard.manifest.hooks import Hook
from helmguard.manifest.objects import ManifestObject, read_objects
from helmguard.model.apply_options import ApplyOptions
from helmguard.model.helm_version import HelmVersion
from helmguard.model.resource_key import ResourceKey
from helmguard.predict.inputs import OperationInputs
from helmguard.predict.operation import predict_operation

_VERSIONS = {"helm3": HelmVersion(3, 22, 0), "helm4": HelmVersion(4, 3, 1)}


@pytest.mark.parametrize("name", list(FLOWS))
def test_prediction_comes_true(
    name: str, helm: Helm, control_plane: ControlPlane, namespace: str, tmp_path: Path
) -> None:
    flow = FLOWS[name]
    major = 3 if "helm3" in str(helm.binary) else 4
    flags = [*flow.flags, *(flow.flags3 if major == 3 else flow.flags4)]
    _edit(flow.before, control_plane, namespace)
    words = _prepare(flow, helm, tmp_path, flow.install4 if major == 4 else ())
    _edit(flow.edits, control_plane, namespace)

    inputs = _inputs(flow, helm, control_plane, namespace, tmp_path, flags, major)
    prediction = predict_operation(inputs)
    done = helm.run(*words, *flags, check=False)

    assert (prediction.failure is not None) == (done.returncode != 0), done.stderr
    if prediction.failure is not None:
        assert _squeezed(prediction.failure.message) in _squeezed(done.stderr)
    for resource in prediction.resources:
        if not resource.key.name:
            continue
        real = control_plane.find(object_path(resource.key.kind, namespace, resource.key.name))
        if resource.unknown:
            continue
        assert comparable(resource.predicted) == comparable(real), (resource.key, resource.action)


def _prepare(flow: Flow, helm: Helm, folder: Path, install_flags: tuple[str, ...]) -> list[str | Path]:
    """Bring the release to where the operation starts; returns the operation's words."""
    old, new = write_chart(folder / "old", flow.old), write_chart(folder / "new", flow.new)
    if flow.verb == "install":
        return ["install", "app", new]
    helm.run("install", "app", old, *install_flags)
    if flow.verb == "rollback":
        helm.run("upgrade", "app", new)
        return ["rollback", "app"]
    return ["upgrade", "app", new]


def _edit(edits: tuple[Edit, ...], control_plane: ControlPlane, namespace: str) -> None:
    for edit in edits:
        path = object_path(edit.kind, namespace, edit.name)
        if edit.create:
            body = {"metadata": {"name": edit.name}, **(edit.patch or {})}
            control_plane.create(object_path(edit.kind, namespace), body, field_manager=edit.manager)
        elif edit.patch is None:
            control_plane.delete(path)
        else:
            control_plane.patch(path, edit.patch, field_manager=edit.manager)


def _inputs(
    flow: Flow,
    helm: Helm,
    control_plane: ControlPlane,
    namespace: str,
    folder: Path,
    flags: list[str],
    major: int,
) -> OperationInputs:
    releases = history(control_plane, namespace)
    target: list[ManifestObject]
    hooks: list[Hook]
    if flow.verb == "rollback":
        target = read_objects(releases.revisions[0].manifest, namespace, lambda *_: True)
        hooks = []
    else:
        target, hooks = rendered(helm, folder / "new", namespace)
    last = releases.last()
    previous = read_objects(last.manifest, namespace, lambda *_: True) if last else []
    keys = {item.key for item in [*previous, *target] if item.name}
    keys |= {_hook_key(hook, namespace) for hook in hooks}
    return OperationInputs(
        operation=flow.verb,  # type: ignore[arg-type]
        helm=_VERSIONS[f"helm{major}"],
        options=_options(flags),
        release="app",
        namespace=namespace,
        history=releases,
        previous=previous,
        target=target,
        hooks=hooks,
        live=live_states(control_plane, namespace, keys),
    )


def _hook_key(hook: Hook, namespace: str) -> ResourceKey:
    return ResourceKey.of(hook.object.api_version, hook.object.kind, namespace, hook.object.name)


def _options(flags: list[str]) -> ApplyOptions:
    given: dict[str, Any] = {
        "force": "--force" in flags or "--force-replace" in flags,
        "force_conflicts": "--force-conflicts" in flags,
        "take_ownership": "--take-ownership" in flags,
        "cleanup_on_fail": "--cleanup-on-fail" in flags,
    }
    for flag in flags:
        if flag.startswith("--server-side="):
            given["server_side"] = flag.removeprefix("--server-side=")
    return ApplyOptions(**given)


def _squeezed(text: str) -> str:
    return " ".join(text.replace("\\n", " ").split())
