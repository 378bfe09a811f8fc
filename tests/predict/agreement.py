"""Cases of one object written by Helm, others and Helm again: predicted, and carried out as a dry run."""

from __future__ import annotations

import contextlib
import copy
import json
import re
from dataclasses import dataclass, field
from random import Random
from typing import Any

from controlplane.client import ApiError, ControlPlane
from kinds import VARIANTS, Place
from random_objects import bent, document, mixed
from same_as_server import comparable

from helmguard.model.resource_key import ResourceKey
from helmguard.predict.engines import choose_engine
from helmguard.predict.field_set import ManagerId, read_managers
from helmguard.predict.json_merge import merge_patch, three_way_merge_patch
from helmguard.predict.object_write import Write, Written, write_object
from helmguard.predict.ownership import with_ownership_marks
from helmguard.predict.schema.builtin_types import builtin_type, in_compiled_scheme
from helmguard.predict.strategic_directives import PatchError
from helmguard.predict.strategic_merge import three_way_patch

JSON = dict[str, Any]
_TRIES = 4
MODES = ("apply", "forced apply", "replace", "patch", "create", "create by apply", "adopt")


@dataclass(frozen=True)
class Case:
    """``edits`` are (how, manager, body); ``applied``: the old document was applied, not posted."""

    kind: str
    old: JSON
    new: JSON
    edits: tuple[tuple[str, str, JSON], ...] = ()
    applied: bool = False


@dataclass(frozen=True)
class Outcome:
    """What came of one write: the object or the refusal."""

    body: JSON | None
    error: str = ""


@dataclass(frozen=True)
class Disagreement:
    """A write that came out differently; ``what`` says in which respect."""

    mode: str
    what: str
    predicted: Any
    real: Any
    live: JSON | None = field(default=None, repr=False)


def random_case(dice: Random, place: Place, name: str) -> Case:
    """Two manifests of one object, and what others did to it between."""
    left, right = (document(one, place, name) for one in dice.sample(VARIANTS[place.kind], 2))
    old = bent(
        dice,
        left if dice.random() < 0.5 else mixed(dice, left, right),
        place,
        dice.choice([0, 1, 2]),
        roughly=False,
    )
    old = _identified(old, left)
    base = old if dice.random() < 0.5 else left
    new = base if dice.random() < 0.4 else mixed(dice, base, right)
    new = bent(dice, new, place, dice.choice([0, 0, 1, 1, 2, 3]), roughly=dice.random() < 0.4)
    edits = tuple(_edit(dice, old, right, place) for _ in range(dice.choice([0, 0, 1, 1, 2])))
    return Case(place.kind, old, _identified(new, left), edits, dice.random() < 0.5)


def _identified(body: JSON, sample: JSON) -> JSON:
    """The document under its own name again, whatever chance has made of it."""
    metadata = body.get("metadata")
    metadata = dict(metadata) if isinstance(metadata, dict) else {}
    metadata.pop("creationTimestamp", None)
    for name in ("labels", "annotations"):
        # Helm refuses to read anything else, before it comes to a write.
        if not isinstance(metadata.get(name), dict):
            metadata.pop(name, None)
    for name in ("name", "namespace"):
        if name in sample["metadata"]:
            metadata[name] = sample["metadata"][name]
    return {**body, "apiVersion": sample["apiVersion"], "kind": sample["kind"], "metadata": metadata}


def _edit(dice: Random, old: JSON, right: JSON, place: Place) -> tuple[str, str, JSON]:
    how = dice.choice(["merge", "merge", "replace", "apply", "forced apply"])
    if place.kind in ("Deployment", "StatefulSet") and dice.random() < 0.15:
        return "scale", "autoscaler", {"spec": {"replicas": dice.choice([0, 3, 9])}}
    changed = bent(dice, mixed(dice, old, right), place, dice.choice([0, 1, 2]), roughly=False)
    changed = _identified(changed, old)
    if how != "replace":
        changed = {
            key: value
            for key, value in changed.items()
            if key in ("apiVersion", "kind", "metadata") or dice.random() < 0.8
        }
        if "apply" in how:
            changed = _thinned(dice, changed, 0)
    return how, dice.choice(["kubectl-edit", "argocd", "helm", "operator"]), changed


def _thinned(dice: Random, value: Any, depth: int) -> Any:
    """A part of a document, as an applier of few fields would send it."""
    if isinstance(value, dict):
        return {
            key: _thinned(dice, below, depth + 1)
            for key, below in value.items()
            if depth == 0
            or key in ("name", "namespace", "port", "containerPort", "protocol", "mountPath")
            or dice.random() < 0.8
        }
    if isinstance(value, list):
        return [_thinned(dice, item, depth + 1) for item in value]
    return value


def arrange(case: Case, place: Place, server: ControlPlane) -> JSON | None:
    """Make the object live as the case tells; None where the server refuses the old document."""
    name = case.old["metadata"]["name"]
    path = f"{place.collection}/{name}"
    marked = with_ownership_marks(case.old, "app", place.namespace or "default")
    try:
        if case.applied:
            server.apply(path, marked, field_manager="helm", force=True)
        else:
            server.create(place.collection, marked, field_manager="helm")
    except ApiError:
        return None
    for how, manager, body in case.edits:
        # A random edit may be refused: then the object stays as it was.
        with contextlib.suppress(ApiError):
            _carry_out(how, manager, body, path, server)
    return server.find(path)


def _carry_out(how: str, manager: str, body: JSON, path: str, server: ControlPlane) -> None:
    if how == "scale":
        server.patch(f"{path}/scale", body, field_manager=manager)
    elif how == "merge":
        server.patch(path, body, field_manager=manager)
    elif how == "replace":
        live = server.get(path)
        version = live["metadata"]["resourceVersion"]
        document = {**body, "metadata": {**body["metadata"], "resourceVersion": version}}
        server.replace(path, document, field_manager=manager)
    else:
        server.apply(path, body, field_manager=manager, force=how == "forced apply")


def modes_of(place: Place) -> tuple[str, ...]:
    """The writes that Helm can do to a kind."""
    compiled = in_compiled_scheme(place.api_version, place.kind)
    return tuple(mode for mode in MODES if mode != "adopt" or not compiled)


def predicted(mode: str, case: Case, live: JSON, place: Place) -> Written:
    """What helmguard says the write comes to."""
    creates = mode.startswith("create")
    row = choose_engine(
        "create" if creates else "update",
        method="ssa" if "apply" in mode else "csa",
        force=mode == "replace",
        compiled=in_compiled_scheme(place.api_version, place.kind),
        adopting_install=mode == "adopt",
    )
    target = _target(case, place, mode)
    key = ResourceKey.of(place.api_version, place.kind, place.namespace, target["metadata"]["name"])
    return write_object(
        Write(
            key=key,
            original=copy.deepcopy(case.old),
            target=copy.deepcopy(target),
            live=None if creates else copy.deepcopy(live),
            custom=place.custom,
            helm_major=4 if "apply" in mode else 3,
            force_conflicts=mode == "forced apply",
        ),
        row,
    )


def _target(case: Case, place: Place, mode: str) -> JSON:
    target: JSON = with_ownership_marks(case.new, "app", place.namespace or "default")
    if mode.startswith("create"):
        stem = target["metadata"]["name"].partition(".")[0]
        target = json.loads(json.dumps(target).replace(stem, f"{stem}new"))
    return target


def real(mode: str, case: Case, live: JSON, place: Place, server: ControlPlane) -> Outcome:
    """What the API server says it comes to."""
    target = _target(case, place, mode)
    path = f"{place.collection}/{target['metadata']['name']}"
    try:
        return Outcome(_write(mode, case.old, target, live, place, server, path))
    except ApiError as error:
        return Outcome(None, str(error.status.get("message", "")))
    except PatchError as error:
        return Outcome(None, str(error))


def _write(
    mode: str, old: JSON, target: JSON, live: JSON, place: Place, server: ControlPlane, path: str
) -> JSON:
    if "apply" in mode:
        return server.request(
            "PATCH",
            path,
            {
                "fieldManager": "helm",
                "force": str(mode == "forced apply").lower(),
                "dryRun": "All",
                "fieldValidation": "Strict",
            },
            target,
            "application/apply-patch+yaml",
        )
    if mode == "create":
        return server.create(place.collection, target, field_manager="helm", dry_run=True)
    if mode == "replace":
        version = server.get(path)["metadata"]["resourceVersion"]
        body = {**target, "metadata": {**target["metadata"], "resourceVersion": version}}
        return server.replace(path, body, field_manager="helm", dry_run=True)
    type_ = builtin_type(place.api_version, place.kind)
    if mode == "adopt":
        patch = three_way_merge_patch(old, target, live)
        return server.patch(path, patch, field_manager="helm", dry_run=True)
    if type_ is not None and in_compiled_scheme(place.api_version, place.kind):
        patch = three_way_patch(old, target, live, type_)
        return server.patch(path, patch, kind="strategic", field_manager="helm", dry_run=True)
    return server.patch(path, merge_patch(old, target), field_manager="helm", dry_run=True)


def difference(mode: str, foretold: Written, outcome: Outcome, live: JSON) -> Disagreement | None:
    """In which respect the two differ."""
    if bool(foretold.error) != bool(outcome.error):
        if foretold.unknown and not foretold.error:
            return None
        what = "false alarm" if foretold.error else "missed refusal"
        return Disagreement(mode, what, foretold.error, outcome.error, live)
    if outcome.error:
        if gist(outcome.error) != gist(foretold.error):
            return Disagreement(mode, "refusal text", foretold.error, outcome.error, live)
        return None
    ours, theirs = shown(foretold.body), shown(outcome.body)
    if not foretold.unknown and ours != theirs:
        return Disagreement(mode, "values", ours, theirs, live)
    if mode.endswith("apply"):
        owned, really_owned = _owned(foretold.body or {}), _owned(outcome.body or {})
        if owned != really_owned:
            return Disagreement(mode, "owners", owned, really_owned, live)
    return None


def shown(body: JSON | None) -> Any:
    """The object without the finalizers that controllers put back at once."""
    shown = comparable(body)
    if shown and shown.get("aggregationRule"):
        # The controller gathers them.
        shown.pop("rules", None)
    finalizers = shown["metadata"].get("finalizers") if shown else None
    if finalizers:
        kept = [one for one in finalizers if not one.endswith("-protection")]
        shown["metadata"]["finalizers"] = kept
        if not kept:
            del shown["metadata"]["finalizers"]
    return shown


_DUMP = re.compile(r"Invalid value: (?:\{.*?\}|\[.*?\]|null|\"map\[.*?\]\"): (?=[a-zA-Z`'])", re.DOTALL)


def gist(text: str) -> frozenset[str]:
    """The refusals in a message: without Helm's words before, values printed as Go has them, and diffs."""
    text = re.sub(r"\n@@.*?\n(?=[,\]]|$)", "", text, flags=re.DOTALL)
    text = _DUMP.sub("Invalid value: ...: ", text)
    _, invalid, refusals = text.partition(" is invalid: ")
    if not invalid:
        for start in ("failed to create typed patch object", "cannot be handled as", "Apply failed with"):
            if start in text:
                return frozenset(re.split(r"\n\s*", text[text.index(start) :].strip()))
        return frozenset([text.strip()])
    return frozenset(re.split(r", (?=[a-z][\w.\[\]/{}()-]*: )", refusals.strip().strip("[]")))


def _owned(body: JSON) -> dict[ManagerId, Any]:
    """Who owns which fields; a status is its controller's business."""
    managers = read_managers(body)
    return {one: sorted(fields) for one, fields in managers.items() if one.subresource != "status"}


def disagreements(
    case: Case, place: Place, server: ControlPlane, only: str = ""
) -> tuple[int, list[Disagreement]]:
    """How many writes were compared, and those that came out differently."""
    live = arrange(case, place, server)
    if live is None:
        return 0, []
    compared, found = 0, []
    try:
        for mode in modes_of(place):
            if only and mode != only:
                continue
            compared += 1
            problem = _settled_difference(mode, case, place, server)
            if problem is not None:
                found.append(problem)
    finally:
        discard(case, place, server)
    return compared, found


def _settled_difference(mode: str, case: Case, place: Place, server: ControlPlane) -> Disagreement | None:
    """The difference, looked at again where a controller wrote to the object meanwhile."""
    path = f"{place.collection}/{case.old['metadata']['name']}"
    for _ in range(_TRIES):
        live = server.find(path)
        if live is None:
            return None
        outcome = real(mode, case, live, place, server)
        problem = difference(mode, predicted(mode, case, live, place), outcome, live)
        if problem is None:
            return None
        now = server.find(path)
        if now is None or now["metadata"]["resourceVersion"] == live["metadata"]["resourceVersion"]:
            return problem
    return problem


def discard(case: Case, place: Place, server: ControlPlane) -> None:
    """Delete the object, finalizers or not."""
    path = f"{place.collection}/{case.old['metadata']['name']}"
    with contextlib.suppress(ApiError):
        gone = server.delete(path)
        if (gone.get("metadata") or {}).get("finalizers"):
            server.patch(path, {"metadata": {"finalizers": None}})
