"""From what was read to the state: condition, progress, remarks, and the checked ways out."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from helmguard.cluster.record_metadata import read_record_metadata
from helmguard.cluster.storage_driver import storage_driver
from helmguard.compare.ended_jobs import without_ended_jobs
from helmguard.compare.object_drift import drift_of, has_drift
from helmguard.errors import ReleaseError
from helmguard.manifest.hooks import hooks_of
from helmguard.model.live_state import Present, Unreadable
from helmguard.model.plan import DryRunMode, LeftOver, Unknown
from helmguard.model.release import Revision
from helmguard.model.release_state import Condition, Progress, ReleaseState, Remark, Running, WayCheck
from helmguard.model.resource_key import ResourceKey
from helmguard.model.surroundings import HookObject
from helmguard.planner.drift_left_over import named_by_revisions
from helmguard.planner.failed_revisions import objects_of_revisions
from helmguard.planner.make_plan import compare_context
from helmguard.planner.scopes import is_unserved, namespaced_lookup
from helmguard.planner.session import Report, Session
from helmguard.predict.requests import deletion_of
from helmguard.predict.scopes import hook_key
from helmguard.release_state.candidates import Candidate, Commands, applies_again, candidates
from helmguard.release_state.check_ways import Checked, WayChecker
from helmguard.release_state.condition import condition_of, exit_code_of, revision_ref, started_from
from helmguard.release_state.deletions_check import (
    Deletions,
    Server,
    checked_deletions,
    uninstall_deletions,
)
from helmguard.release_state.half_way import progress_of
from helmguard.release_state.reading import Seen
from helmguard.release_state.record_remarks import kept_revisions, record_growth, record_remarks
from helmguard.release_state.still_running import last_writer, still_running
from helmguard.release_state.story import story_of, summary_of
from helmguard.release_state.unnamed_objects import Named, unnamed_objects
from helmguard.report.drift_json import drift_counts
from helmguard.report.drift_verdict import drift_words
from helmguard.report.plural import plural
from helmguard.rules.kubectl import kubectl, listed

_UNFINISHED = ("failed", "pending-install", "pending-upgrade", "pending-rollback", "uninstalling")


def state_of_seen(
    seen: Seen, dry_run: DryRunMode, limit: int, report: Report = lambda _: None
) -> ReleaseState:
    """``limit`` is how many revisions the next operation keeps."""
    history, session = seen.session.history, seen.session
    # To create such a Job again would be to run it again.
    seen = replace(seen, drift=without_ended_jobs(seen.drift))
    condition = condition_of(history)
    last, deployed, base = history.last(), history.deployed(), seen.drift.release.from_revision
    assert last is not None
    running = _running(last, seen) if condition == "pending" else None
    progress = _progress(last, seen) if last.status in _UNFINISHED else None
    left_over, unknown = _left_over(seen)
    growth, kept = record_growth(history, session.connection.driver), kept_revisions(history, limit)
    remarks = [*_of_the_objects(seen, condition, left_over), *record_remarks(history, growth, kept)]
    checked = _ways(seen, condition, running, dry_run, report, left_over, remarks)
    unknown = tuple(dict.fromkeys((*seen.drift.unknown, *unknown)))
    attention = bool(unknown) or any(remark.attention for remark in remarks)
    return ReleaseState(
        name=history.name,
        namespace=session.namespace,
        helm=str(session.helm.version),
        driver=session.connection.driver,
        condition=condition,
        summary=summary_of(condition, history, running),
        story=tuple(story_of(condition, history, progress, running)),
        exit_code=exit_code_of(condition, attention=attention),
        last=revision_ref(last),
        deployed=revision_ref(deployed) if deployed else None,
        base=base,
        running=running,
        progress=progress,
        remarks=tuple(remarks),
        left_over=left_over,
        drift=_drift(seen, condition),
        objects=sum(1 for _ in drift_of(seen.drift)),
        record=growth,
        kept=kept,
        ways_out=checked.ways,
        unknown=unknown,
        known_secrets=(seen.drift.known_secrets or frozenset()) | checked.known_secrets,
    )


def _running(last: Revision, seen: Seen) -> Running:
    session = seen.session
    metadata = {}
    if last.storage_name:
        metadata = read_record_metadata(session.connection, session.namespace, last.storage_name)
    bodies = [state.body for state in seen.live.states.values() if isinstance(state, Present)]
    return still_running(last, last_writer(metadata), bodies, _hooks(last, seen), seen.now)


def _hooks(revision: Revision, seen: Seen) -> Iterator[HookObject]:
    for hook in hooks_of(revision.hooks):
        key = hook_key(hook, seen.session.namespace, seen.session.discovery, {})
        live = seen.live.states.get(key, Unreadable("was not read"))
        yield HookObject(
            key, hook.object.api_version, hook.events, hook.delete_policies, hook.object.body, live
        )


def _progress(last: Revision, seen: Seen) -> Progress:
    history, inputs = seen.session.history, seen.inputs
    before = last if last.status == "uninstalling" else started_from(history, last)
    revisions = [last, *([before] if before is not None else [])]
    objects = objects_of_revisions(revisions, inputs.namespace, namespaced_lookup(inputs))
    return progress_of(
        last.version,
        before.version if before is not None and before is not last else None,
        objects[before.version] if before is not None else [],
        [] if last.status == "uninstalling" else objects[last.version],
        inputs.live,
        (history.name, history.namespace),
        compare_context(inputs).type_of,
        inputs.helm.major,
    )


def _left_over(seen: Seen) -> tuple[tuple[LeftOver, ...], tuple[Unknown, ...]]:
    """What drift tells, and what bears the marks though no stored revision names it."""
    named: Named = {
        key: version
        for key, (version, _) in named_by_revisions(
            seen.session.history, namespaced_lookup(seen.inputs)
        ).items()
    }
    # The release's namespace was read, too; without a manifest that holds one, none can be left over.
    own = ResourceKey.of("v1", "Namespace", None, seen.session.namespace)
    hooks = {
        key: version for key, version in seen.live.api_versions.items() if key not in named and key != own
    }
    found, unknown = unnamed_objects(
        seen.session.connection,
        seen.session.discovery,
        named | hooks,
        seen.session.history.name,
        seen.session.namespace,
    )
    return (*seen.drift.left_over, *found), unknown


def _drift(seen: Seen, condition: Condition) -> str:
    """In words, where the base is what the cluster should hold: elsewhere the progress tells more."""
    if condition != "deployed" or not has_drift(seen.drift):
        return ""
    return drift_words(drift_counts(drift_of(seen.drift), ()))


def _of_the_objects(seen: Seen, condition: Condition, left_over: tuple[LeftOver, ...]) -> Iterator[Remark]:
    drift = _drift(seen, condition)
    name, namespace = seen.session.history.name, seen.session.namespace
    yield from _not_served(seen)
    if drift:
        yield Remark("drift", f"drift: {drift}", remedy=(f"helmguard drift {name} -n {namespace}",))
    if condition == "deployed" and seen.drift.failure is not None:
        yield Remark("next-upgrade-fails", f"the next upgrade will fail: {seen.drift.failure.message}")
    orphans = [left for left in left_over if not left.kept]
    if orphans and condition != "pending":
        text = f"{plural(len(orphans), 'object')} of the release in no deployed manifest"
        yield Remark("left-over", f"{text}: no upgrade takes them away")


def _not_served(seen: Seen) -> Iterator[Remark]:
    """Of the last revision and of the one that the next upgrade compares with."""
    history, inputs = seen.session.history, seen.inputs
    current = {seen.drift.release.from_revision, seen.drift.release.last_revision}
    revisions = [each for each in history.revisions if each.version in current]
    found = objects_of_revisions(revisions, inputs.namespace, namespaced_lookup(inputs))
    gone = dict.fromkeys(
        f"{item.api_version} {item.kind}"
        for items in found.values()
        for item in items
        if is_unserved(item, inputs)
    )
    if gone:
        text = (
            f"the cluster serves no longer what the stored manifest uses, {listed(gone)}: upgrade, rollback "
            "and uninstall fail until the records are mapped to another version, or the kind is served again"
        )
        remedy = f"helm mapkubeapis {history.name} --namespace {history.namespace}"
        yield Remark("kind-not-served", text, remedy=(remedy,))


def _ways(
    seen: Seen,
    condition: Condition,
    running: Running | None,
    dry_run: DryRunMode,
    report: Report,
    left_over: tuple[LeftOver, ...],
    remarks: list[Remark],
) -> Checked:
    session, history = seen.session, seen.session.history
    server = Server(session.connection, session.discovery, seen.live.crds, dry_run != "never")
    commands = Commands(
        history.name, session.namespace, tuple(session.options.cluster_words), _record_plural(session)
    )
    checker = WayChecker(
        session=session,
        dry_run=dry_run,
        now=seen.now,
        uninstall=partial(_uninstall_check, seen, server),
        delete_record=partial(_record_check, seen, server),
        clean_up=partial(_clean_up_check, left_over, server),
        report=report,
    )
    found: list[Candidate] = []
    if running is not None and running.verdict == "likely":
        found.append(Candidate("wait", "wait: a helm is likely at work", checkable="there is nothing to run"))
    found += candidates(condition, history, commands)
    if condition == "deployed":
        found += _repairs(seen, commands, remarks, left_over)
    return checker.check(found)


def _repairs(
    seen: Seen, commands: Commands, remarks: list[Remark], left_over: tuple[LeftOver, ...]
) -> Iterator[Candidate]:
    """For a release that is deployed and not whole."""
    deployed = seen.session.history.last()
    assert deployed is not None
    missing = sum(item.missing for item in drift_of(seen.drift))
    if missing:
        why = f"creates the {plural(missing, 'missing object')} again, and sets back what Helm sets back"
        yield applies_again(deployed, commands, why)
    elif any(remark.kind == "several-deployed" for remark in remarks):
        yield applies_again(deployed, commands, "supersedes all revisions labelled deployed but the new one")
    orphans = [left for left in left_over if not left.kept]
    if orphans:
        lines = tuple(kubectl("delete", left.key) for left in orphans)
        yield Candidate("delete", "deletes what is left over, if nothing else needs it", lines, lines)


def _uninstall_check(seen: Seen, server: Server) -> WayCheck:
    last = seen.session.history.last()
    assert last is not None
    inputs = seen.inputs
    objects = objects_of_revisions([last], inputs.namespace, namespaced_lookup(inputs))[last.version]
    deletions = uninstall_deletions(objects, inputs.live, inputs.release, inputs.namespace, inputs.helm.major)
    return checked_deletions(deletions, server)


def _clean_up_check(left_over: tuple[LeftOver, ...], server: Server) -> WayCheck:
    requests = [deletion_of(left.key, left.api_version) for left in left_over if not left.kept]
    return checked_deletions(Deletions(tuple(requests)), server)


def _record_check(seen: Seen, server: Server, name: str) -> WayCheck:
    session = seen.session
    kind = storage_driver(session.connection.driver).kind
    key = ResourceKey("", kind, session.namespace, name)
    return checked_deletions(Deletions((deletion_of(key, "v1"),)), server)


def _record_plural(session: Session) -> str:
    """``secret`` or ``configmap``, for kubectl; another storage has no objects to name."""
    try:
        return storage_driver(session.connection.driver).name
    except ReleaseError:
        return "record"
