"""What is special about an install: the chart's crds/ folder, and creating without comparing.

Source: helm/helm@v3.22.0 and @v4.3.1 pkg/action/install.go (installCRDs, performInstall), pkg/kube/client.go
(Create, perform).
"""

from __future__ import annotations

from collections.abc import Sequence

from helmguard.model.action import Action
from helmguard.model.json_value import JSONObject
from helmguard.model.prediction import Failure, ResourcePrediction
from helmguard.model.resource_key import ResourceKey
from helmguard.predict.answered_write import carry_out
from helmguard.predict.engines import choose_engine
from helmguard.predict.object_write import Write, Written
from helmguard.predict.plural import resource_name
from helmguard.predict.preconditions import ReleaseObject
from helmguard.predict.simulation import Simulation, same_object
from helmguard.predict.update_loop import UpdateLoop, write_release_object

_CREATE_PREFIX = "failed to create resource: "


def install_definitions(simulation: Simulation, loop: UpdateLoop) -> Failure | None:
    """Install what is in crds/: client-side only what is missing, server-side over what is there."""
    inputs = simulation.inputs
    if inputs.options.skip_crds:
        return None
    for index, crd in enumerate(inputs.chart_crds):
        key = ResourceKey.of(crd.get("apiVersion", ""), crd.get("kind", ""), None, _name(crd))
        live = simulation.body(key)
        if not simulation.is_readable(key) or (live is not None and loop.decision.method == "csa"):
            _note_definition(crd, key, simulation, Written(live), live)
            continue
        row = choose_engine(
            "create" if live is None else "update",
            method=loop.decision.method,
            force=False,
            compiled=True,
            adopting_install=False,
        )
        write = Write(
            key=key,
            original=None,
            target=crd,
            live=live,
            custom=None,
            helm_major=inputs.helm.major,
            force_conflicts=inputs.options.force_conflicts,
        )
        written = carry_out(write, row, simulation)
        if not written.error:
            simulation.put(key, written.body)
        _note_definition(crd, key, simulation, written, live)
        if written.error:
            text = written.error.removeprefix(_CREATE_PREFIX)
            file = inputs.chart_crd_files[index] if inputs.chart_crd_files else key.name
            return Failure(f"failed to install CRD {file}: {text}", "apply", key, tuple(simulation.changed))
    return None


def create_objects(
    targets: Sequence[ReleaseObject], simulation: Simulation, loop: UpdateLoop
) -> Failure | None:
    """Create every object, whatever becomes of the others; the errors are put together at the end."""
    errors: list[str] = []
    first_failed: ResourceKey | None = None
    for item in targets:
        if not item.key.name and loop.decision.method == "csa":
            unknown = "not predictable: the name, which the API server makes (generateName)"
            simulation.note(item.key, "create", "new in the manifest", engine="create", unknown=unknown)
            continue
        if item.key in simulation.created and loop.decision.method == "csa":
            name = resource_name(item.api_version, item.key.kind, simulation.inputs.discovery)
            error = f'{name} "{item.key.name}" already exists'
            simulation.note(item.key, "fail", "the manifest holds it twice", error=error)
        else:
            error = write_release_object(item, simulation, loop)
        if error:
            errors.append(error.removeprefix(_CREATE_PREFIX))
            first_failed = first_failed or item.key
    if not errors:
        return None
    message = _joined(errors, simulation.inputs.helm.major)
    return Failure(message, "apply", first_failed, tuple(simulation.changed))


def _joined(errors: list[str], helm_major: int) -> str:
    if helm_major >= 4:
        return "\n".join(errors)
    count = "1 error" if len(errors) == 1 else f"{len(errors)} errors"
    return f"{count} occurred:\n" + "".join(f"\t* {error}\n" for error in errors) + "\n"


def _name(crd: JSONObject) -> str:
    return str((crd.get("metadata") or {}).get("name") or "")


def _note_definition(
    crd: JSONObject,
    key: ResourceKey,
    simulation: Simulation,
    written: Written,
    live: JSONObject | None,
) -> None:
    action: Action
    if not simulation.is_readable(key):
        action, why = "unknown", "whether the definition is there already was not read"
    elif written.error:
        action, why = "fail", "from the chart's crds/ folder"
    elif live is None:
        action, why = "create", "from the chart's crds/ folder; no upgrade will touch it again"
    elif same_object(live, written.body):
        action, why = "unchanged", "in the chart's crds/ folder, and in the cluster already"
    else:
        action, why = "update", "Helm 4 applies the chart's crds/ folder over what is there"
    simulation.results[key] = ResourcePrediction(
        key=key,
        api_version=crd.get("apiVersion", ""),
        action=action,
        previous=None,
        new=crd,
        live=simulation.live_state(key),
        predicted=simulation.body(key),
        why=why,
        error=written.error,
        unknown="not predictable: the live definition was not read" if action == "unknown" else "",
        source="crds/",
    )
