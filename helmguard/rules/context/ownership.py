"""Whose the objects are: this release's, another one's, nobody's, another tool's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from helmguard.manifest.hooks import OPERATION_EVENTS
from helmguard.model.apply_options import Operation
from helmguard.model.field_path import format_path
from helmguard.model.helm_version import HelmVersion
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import Present, Unreadable
from helmguard.model.prediction import ResourcePrediction
from helmguard.model.release import PENDING_STATUSES
from helmguard.model.resource_key import ResourceKey
from helmguard.predict.ownership import WrongMark, ownership_error, release_of, wrong_marks
from helmguard.rules.context.foreign_edits import foreign_edits
from helmguard.rules.context.leaving import leaving_objects
from helmguard.rules.context.manifest_maps import mapping
from helmguard.rules.context.other_tools import Mark, marks_of
from helmguard.rules.context.pod_templates import nothing_read
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.facts import Facts
from helmguard.rules.failure_effects import effects_at
from helmguard.rules.hook_fate import left_over_fate
from helmguard.rules.kubectl import keep_command, kubectl


class Owned(Record, frozen=True):
    """An object, and who it belongs to."""

    ref: Annotated[str, "its name on the page: `Kind/name`"]
    kind: Annotated[str, "its kind"]
    group: Annotated[str, "its API group"] = ""
    namespace: Annotated[str | None, "null for cluster-scoped kinds"] = None
    name: Annotated[str, "its name"] = ""
    action: Annotated[str, "what Helm will do: an action of docs/plan-format.md"] = "update"
    owner: Annotated[str, "the release that its live marks name, `namespace/name`; empty for none"] = ""
    keep: Annotated[str, "the command that makes an upgrade spare it"] = ""


class Refused(Owned, frozen=True):
    """An object that is new to the release, is live and lacks its marks, so that Helm stops; or may be."""

    message: Annotated[str | Unknown, "Helm's error text; unknown where nobody knows whether it is live"] = (
        UNKNOWN
    )
    was_hook: Annotated[bool, "it was a hook of this release until now"] = False
    managers: Annotated[tuple[str, ...], "the field managers that wrote it"] = ()
    commands: Annotated[tuple[str, ...], "the commands that give it this release's marks"] = ()
    failure: Annotated[
        tuple[str, ...], "what the failed run leaves behind, where Helm stops at this object"
    ] = ()
    lacks: Annotated[tuple[str, ...], "facts for want of which the message is not known"] = ()


class Overwritten(Owned, frozen=True):
    """An object with another release's marks that Helm writes all the same."""

    unchecked: Annotated[bool, "Helm does not look at the marks; else `--take-ownership` asks it not to"] = (
        True
    )


class Leaver(Owned, frozen=True):
    """An object that Helm deletes, and that is not only this release's."""

    live: Annotated[bool | Unknown, "true; absent where the live object could not be read"] = UNKNOWN
    edits: Annotated[
        tuple[str, ...] | Unknown, "fields that others wrote: `data.LOG_LEVEL (kubectl-edit)`"
    ] = UNKNOWN


class ToolOwned(Owned, frozen=True):
    """An object that another tool or a controller reconciles."""

    tool: Annotated[str, "`Argo CD`, `Flux`, `OLM`, or the kind of the controller"] = ""
    by: Annotated[str, "the application, Kustomization or object there"] = ""
    mark: Annotated[str, "what tells: a label, an annotation, `ownerReferences`"] = ""
    changes: Annotated[tuple[str, ...], "fields that Helm changes"] = ()


class Orphaned(Owned, frozen=True):
    """A live object of failed revisions that no manifest names any more."""

    revisions: Annotated[tuple[int, ...], "the failed revisions that hold it"] = ()
    in_progress: Annotated[bool, "the last of them is pending: a helm may be at work"] = False
    by_rollback: Annotated[bool, "a rollback starts from the last revision and takes it away"] = False
    delete: Annotated[str, "the command that deletes it"] = ""


class Ownership(Record, frozen=True):
    """Objects that are not simply this release's."""

    refused: Annotated[tuple[Refused, ...], "live objects that Helm refuses to take over"] = ()
    overwritten: Annotated[tuple[Overwritten, ...], "objects of another release that are written"] = ()
    deleted: Annotated[
        tuple[Leaver, ...], "objects that are deleted and are another release's, or that others edited"
    ] = ()
    hooked: Annotated[
        tuple[Owned, ...],
        "objects that no hook made, or another release's, which a hook of their name deletes",
    ] = ()
    tools: Annotated[
        tuple[ToolOwned, ...] | Unknown, "objects that another tool reconciles; absent where none was read"
    ] = ()
    orphans: Annotated[tuple[Orphaned, ...], "what failed revisions left behind"] = ()


def ownership_of(facts: Facts) -> Ownership:
    """Objects that are not simply this release's."""
    return Ownership(
        refused=tuple(_refused(facts)),
        overwritten=tuple(_overwritten(facts)),
        deleted=tuple(_deleted(facts)),
        hooked=tuple(_hooked(facts)),
        tools=UNKNOWN if nothing_read(facts) else tuple(_tools(facts)),
        orphans=tuple(_orphans(facts)),
    )


def other_release(live: JSONObject, facts: Facts) -> str:
    """``namespace/name`` of the release that the marks name, empty where it is this one or none."""
    owner = release_of(live)
    return "" if owner == f"{facts.release.namespace}/{facts.release.name}" else owner


def is_new_and_live(prediction: ResourcePrediction) -> bool:
    """Whether Helm asks for its marks before it takes it over; new is also what comes in another version."""
    if prediction.new is None or not isinstance(prediction.live, Present) or prediction.source == "crds/":
        return False
    previous = prediction.previous
    return previous is None or previous.get("apiVersion") != prediction.new.get("apiVersion")


def is_refused(prediction: ResourcePrediction, facts: Facts) -> bool:
    """Whether Helm refuses to take the object over; ``adoption-conflict`` tells it then."""
    if facts.operation not in ("upgrade", "install") or facts.around.options.take_ownership:
        return False
    return is_new_and_live(prediction) and bool(_wrong_marks(prediction, facts))


def _may_be_refused(prediction: ResourcePrediction, facts: Facts) -> bool:
    """Whether the object is new to the release and nobody knows whether it is live already."""
    if facts.operation not in ("upgrade", "install") or facts.around.options.take_ownership:
        return False
    new = prediction.new is not None and prediction.previous is None and prediction.source != "crds/"
    return new and isinstance(prediction.live, Unreadable)


def _wrong_marks(prediction: ResourcePrediction, facts: Facts) -> list[WrongMark]:
    if not isinstance(prediction.live, Present):
        return []
    return wrong_marks(prediction.live.body, facts.release.name, facts.release.namespace)


def _owned(key: ResourceKey, action: str, owner: str) -> dict[str, Any]:
    return {
        "ref": str(key),
        "kind": key.kind,
        "group": key.group,
        "namespace": key.namespace,
        "name": key.name,
        "action": action,
        "owner": owner,
        "keep": keep_command(key),
    }


def _refused(facts: Facts) -> Iterator[Refused]:
    """Every object that Helm would refuse, not only the first, at which it stops."""
    hooks = {hook.key for hook in facts.around.previous_hooks}
    operation: Operation = "install" if facts.operation == "install" else "upgrade"
    helm = HelmVersion(facts.around.helm_major, 0, 0)
    release = facts.release
    for resource in facts.resources:
        prediction = resource.prediction
        key = prediction.key
        if resource.action == "hook":
            continue
        if _may_be_refused(prediction, facts):
            yield Refused(**_owned(key, resource.action, ""), lacks=("live",))
        if not is_refused(prediction, facts):
            continue
        assert isinstance(prediction.live, Present)
        live = prediction.live.body
        yield Refused(
            **_owned(key, resource.action, other_release(live, facts)),
            message=ownership_error(live, key, release.name, release.namespace, operation, helm),
            was_hook=key in hooks,
            managers=_managers(live),
            commands=tuple(_commands(key, _wrong_marks(prediction, facts))),
            failure=effects_at(key, facts),
        )


def _managers(live: JSONObject) -> tuple[str, ...]:
    entries = (live.get("metadata") or {}).get("managedFields") or ()
    return tuple(sorted({str(entry.get("manager")) for entry in entries if entry.get("manager")}))


def _commands(key: ResourceKey, marks: list[WrongMark]) -> Iterator[str]:
    for kind, verb in (("label", "label"), ("annotation", "annotate")):
        words = [f"{mark.name}={mark.wanted}" for mark in marks if mark.kind == kind]
        if words:
            yield kubectl(verb, key, *words, "--overwrite")


def _overwritten(facts: Facts) -> Iterator[Overwritten]:
    """Where Helm does not look: what the old manifest holds too, and everything in a rollback."""
    for resource in facts.resources:
        prediction = resource.prediction
        if prediction.new is None or not isinstance(prediction.live, Present) or prediction.source == "crds/":
            continue
        owner = other_release(prediction.live.body, facts)
        unchecked = prediction.previous is not None or facts.operation == "rollback"
        if owner and resource.action != "hook" and (unchecked or facts.around.options.take_ownership):
            yield Overwritten(**_owned(prediction.key, resource.action, owner), unchecked=unchecked)


def _deleted(facts: Facts) -> Iterator[Leaver]:
    for leaving in leaving_objects(facts):
        if leaving.live is None:
            yield Leaver(**_owned(leaving.key, "delete", ""))
            continue
        owner = other_release(leaving.live, facts)
        edits = foreign_edits(leaving.live, leaving.document)
        if owner or edits:
            yield Leaver(**_owned(leaving.key, "delete", owner), live=True, edits=edits)


def _hooked(facts: Facts) -> Iterator[Owned]:
    """What bears a hook's name and is deleted before the hook runs (before-hook-creation)."""
    events = set(OPERATION_EVENTS.get(facts.operation, ()))
    own = {resource.prediction.key for resource in facts.resources if resource.prediction.previous}
    if facts.around.options.no_hooks:
        return
    for hook in facts.around.hooks:
        if hook.key in own or not events.intersection(hook.events) or not isinstance(hook.live, Present):
            continue
        if left_over_fate(hook, facts.engine.apply_method) != "deleted first":
            continue
        owner = other_release(hook.live.body, facts)
        annotations = mapping(mapping(hook.live.body.get("metadata")).get("annotations"))
        if owner or "helm.sh/hook" not in annotations:
            yield Owned(**_owned(hook.key, "delete", owner))


def _tools(facts: Facts) -> Iterator[ToolOwned]:
    """By marks that stand on the live object and in neither manifest: somebody else put them there."""
    for resource in facts.resources:
        prediction = resource.prediction
        live = prediction.live
        if not isinstance(live, Present) or resource.action == "hook" or prediction.source == "crds/":
            continue
        if is_refused(prediction, facts):
            continue
        declared = {
            mark
            for body in (prediction.previous, prediction.new)
            if body is not None
            for mark in marks_of(body, prediction.key)
        }
        for mark in marks_of(live.body, prediction.key):
            if mark not in declared and not _is_this_release(mark, facts):
                changes = tuple(format_path(change.path) for change in resource.changes)
                head = _owned(prediction.key, resource.action, "")
                yield ToolOwned(**head, tool=mark.tool, by=mark.by, mark=mark.name, changes=changes)


def _is_this_release(mark: Mark, facts: Facts) -> bool:
    """Flux's own HelmRelease of this release: it is what runs Helm."""
    return mark.is_helm_release and mark.by in (
        facts.release.name,
        f"{facts.release.namespace}/{facts.release.name}",
    )


def _orphans(facts: Facts) -> Iterator[Orphaned]:
    release = facts.release
    for orphan in facts.around.orphans:
        is_last = release.last_revision in orphan.revisions
        yield Orphaned(
            **_owned(orphan.key, "keep", ""),
            revisions=orphan.revisions,
            in_progress=is_last and release.status in PENDING_STATUSES,
            by_rollback=is_last and bool(release.from_revision) and facts.operation == "upgrade",
            delete=kubectl("delete", orphan.key),
        )
