"""Namespaces that are not there, or about to go: nothing can be created in them."""

from __future__ import annotations

from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import Absent
from helmguard.model.prediction import Failure
from helmguard.model.release import ApplyMethod
from helmguard.model.resource_key import ResourceKey
from helmguard.predict.answered_write import carry_out
from helmguard.predict.engines import choose_engine
from helmguard.predict.object_write import Write
from helmguard.predict.plural import resource_name
from helmguard.predict.simulation import Simulation


def namespace_key(name: str) -> ResourceKey:
    """The key of a Namespace."""
    return ResourceKey.of("v1", "Namespace", None, name)


def refusal_to_create(key: ResourceKey, api_version: str, simulation: Simulation) -> str:
    """What the API server answers to a create because of the namespace; empty where it takes it."""
    if key.namespace is None:
        return ""
    place = namespace_key(key.namespace)
    namespace = simulation.body(place)
    if namespace is None:
        gone = place in simulation.bodies or isinstance(simulation.live_state(place), Absent)
        return f'namespaces "{key.namespace}" not found' if gone else ""
    if not (namespace.get("metadata") or {}).get("deletionTimestamp"):
        return ""
    collection = resource_name(api_version, key.kind, simulation.inputs.discovery)
    return (
        f'{collection} "{key.name}" is forbidden: unable to create new content in namespace {key.namespace} '
        "because it is being terminated"
    )


def provide_release_namespace(simulation: Simulation, method: ApplyMethod) -> Failure | None:
    """``--create-namespace``, and then the new revision's record, which needs the namespace.

    Source: helm/helm@v3.22.0 and @v4.3.1 pkg/action/install.go (RunWithContext).
    """
    inputs = simulation.inputs
    place = namespace_key(inputs.namespace)
    missing = isinstance(simulation.live_state(place), Absent)
    if missing and inputs.operation == "install" and inputs.options.create_namespace:
        _create(place, simulation, method)
    last = inputs.history.last()
    record = f"sh.helm.release.v1.{inputs.release}.v{(last.version if last else 0) + 1}"
    key = ResourceKey.of("v1", "Secret", inputs.namespace, record)
    refusal = refusal_to_create(key, "v1", simulation)
    if not refusal:
        return None
    stage = "apply" if simulation.changed else "before"
    return Failure(f"create: failed to create: {refusal}", stage, place, tuple(simulation.changed))


def _create(place: ResourceKey, simulation: Simulation, method: ApplyMethod) -> None:
    target: JSONObject = {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {"name": place.name, "labels": {"name": place.name}},
    }
    row = choose_engine("create", method=method, force=False, compiled=True, adopting_install=False)
    write = Write(
        key=place,
        original=None,
        target=target,
        live=None,
        custom=None,
        helm_major=simulation.inputs.helm.major,
    )
    simulation.put(place, carry_out(write, row, simulation).body)
    simulation.note(place, "create", "--create-namespace; it is not part of the release", engine=row.engine)
