"""The release and the operation on it, as rules see them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated

from helmguard.model.field_path import format_path
from helmguard.model.live_state import Present
from helmguard.model.plan import ChartRef
from helmguard.model.surroundings import PastRevision as StoredRevision
from helmguard.rules.context.other_tools import FLUX_HELM
from helmguard.rules.context.record import Record
from helmguard.rules.facts import Facts


class PastRevision(Record, frozen=True):
    """One line of the release's history."""

    revision: Annotated[int, "its number"]
    status: Annotated[str, "`deployed`, `superseded`, `failed`, `pending-upgrade`, …"] = "superseded"
    updated: Annotated[str, "when it got that status, to the second, in the zone that Helm wrote it in"] = ""
    description: Annotated[str, "Helm's description"] = ""
    chart: Annotated[str, "chart and version: `web-1.2.3`"] = ""
    helm_major: Annotated[int, "3 or 4: which Helm wrote the record"] = 3
    jobs: Annotated[
        tuple[str, ...], "Jobs and Pods among its hooks that ran with it: `pre-upgrade Job/migrate`"
    ] = ()


class Release(Record, frozen=True):
    """The release before the operation."""

    name: Annotated[str, "its name"]
    namespace: Annotated[str, "its namespace"]
    revision: Annotated[int | None, "the revision that Helm compares with, null for an install"] = None
    last_revision: Annotated[int | None, "the highest revision, null for an install"] = None
    to_revision: Annotated[int | None, "the revision that will be written"] = None
    status: Annotated[str, "the last revision's status, empty for an install"] = ""
    since: Annotated[str, "when it got that status, to the second, in the zone that Helm wrote it in"] = ""
    history: Annotated[tuple[PastRevision, ...], "its revisions, oldest first"] = ()
    last_good: Annotated[
        int | None, "the highest revision below the last one that ran well, null where there is none"
    ] = None
    damaged: Annotated[tuple[str, ...], "records that cannot be read, and why"] = ()
    pruned: Annotated[tuple[PastRevision, ...], "revisions whose records this run deletes"] = ()
    flux: Annotated[
        str, "`namespace/name` of the Flux HelmRelease whose marks its live objects bear, empty for none"
    ] = ""
    not_applied: Annotated[
        tuple[str, ...], "objects and fields of the failed last revision that this upgrade leaves"
    ] = ()


class Flags(Record, frozen=True):
    """Flags of the command that change what Helm does to objects."""

    force: Annotated[bool, "Helm 3's `--force`, Helm 4's `--force-replace`"] = False
    force_conflicts: Annotated[bool, "`--force-conflicts`"] = False
    take_ownership: Annotated[bool, "`--take-ownership`"] = False
    no_hooks: Annotated[bool, "`--no-hooks`"] = False
    skip_crds: Annotated[bool, "`--skip-crds`"] = False
    atomic: Annotated[bool, "`--atomic` or `--rollback-on-failure`"] = False
    wait: Annotated[bool, "`--wait`"] = False
    history_max: Annotated[int | None, "`--history-max`, null where it was not given"] = None


class Operation(Record, frozen=True):
    """What is to be done, by which Helm and how."""

    kind: Annotated[str, "`upgrade`, `install`, `rollback` or `drift`"] = "upgrade"
    noun: Annotated[
        str, "what sentences call it: `upgrade`, `install` or `rollback`; drift is about the next `upgrade`"
    ] = "upgrade"
    helm: Annotated[str, "Helm's version: `3.22.0`"] = ""
    helm_major: Annotated[int, "3 or 4"] = 3
    apply_method: Annotated[str, "`csa` (client-side) or `ssa` (server-side apply)"] = "csa"
    values_mode: Annotated[str, "Helm's value mode: a mode of docs/plan-format.md"] = "default"
    rollback_to: Annotated[int | None, "the target of a rollback, else null"] = None
    keep_command: Annotated[str, "the command that keeps every override, empty where nothing is lost"] = ""
    flags: Annotated[Flags, "flags of the command"] = Flags()


class ChartVersion(Record, frozen=True):
    """A chart in one version."""

    name: Annotated[str, "its name"]
    version: Annotated[str, "its version"] = ""
    app_version: Annotated[str, "the version of what it installs"] = ""
    reference: Annotated[str, "where it was taken from, as the user typed it"] = ""


class Chart(Record, frozen=True):
    """The new chart; `old` is the one of the current revision."""

    name: Annotated[str, "its name"]
    version: Annotated[str, "its version"] = ""
    app_version: Annotated[str, "the version of what it installs"] = ""
    reference: Annotated[str, "where it was taken from, as the user typed it"] = ""
    old: Annotated[ChartVersion | None, "the current revision's chart, null for an install"] = None


def release_of(facts: Facts) -> Release:
    """The release before the operation."""
    release = facts.release
    return Release(
        name=release.name,
        namespace=release.namespace,
        revision=release.from_revision,
        last_revision=release.last_revision,
        to_revision=release.to_revision,
        status=release.status,
        since=_FRACTION.sub("", release.changed),
        history=tuple(_past(past) for past in facts.around.history),
        last_good=_last_good(facts),
        damaged=release.damaged,
        pruned=tuple(_past(past) for past in _pruned(facts)),
        flux=_flux(facts),
        not_applied=tuple(_not_applied(facts)),
    )


def _past(past: StoredRevision) -> PastRevision:
    return PastRevision(
        revision=past.version,
        status=past.status,
        updated=_FRACTION.sub("", past.updated),
        description=past.description,
        chart=past.chart,
        helm_major=4 if past.apply_method else 3,
        jobs=past.jobs,
    )


_FRACTION = re.compile(r"(?<=:\d\d)\.\d+")


def _last_good(facts: Facts) -> int | None:
    good = [
        past.version
        for past in facts.around.history
        if past.status in _GOOD and past.version != facts.release.last_revision
    ]
    return max(good, default=None)


def _pruned(facts: Facts) -> Iterator[StoredRevision]:
    """Helm deletes the oldest records beyond the limit before it writes the new one, and spares the deployed
    one (helm/helm@v3.22.0 pkg/storage/storage.go)."""
    limit = facts.around.options.history_max
    limit = _DEFAULT_HISTORY if limit is None else limit
    history = facts.around.history
    if limit <= 0 or facts.operation not in ("upgrade", "rollback"):
        return
    too_many = len(history) - (limit - 1)
    deployed = max((past.version for past in history if past.status == "deployed"), default=None)
    candidates = [past for past in history if past.version != deployed]
    yield from candidates[: max(too_many, 0)]


def _not_applied(facts: Facts) -> Iterator[str]:
    release, around = facts.release, facts.around
    for orphan in around.orphans:
        if release.last_revision in orphan.revisions:
            yield f"{orphan.key} stays"
    for left in around.left_fields:
        yield f"{left.key} {format_path(left.path)} stays: revision {left.revision} added it"


def _flux(facts: Facts) -> str:
    for resource in facts.resources:
        live = resource.prediction.live
        if isinstance(live, Present):
            labels = (live.body.get("metadata") or {}).get("labels") or {}
            name, namespace = labels.get(f"{FLUX_HELM}/name"), labels.get(f"{FLUX_HELM}/namespace")
            if name:
                return f"{namespace or facts.release.namespace}/{name}"
    return ""


_GOOD = ("superseded", "deployed")
_DEFAULT_HISTORY = 10


def operation_of(facts: Facts) -> Operation:
    """What is to be done, by which Helm and how."""
    options = facts.around.options
    return Operation(
        kind="drift" if facts.release.to_revision is None else facts.operation,
        noun=facts.operation,
        helm=facts.engine.helm,
        helm_major=facts.around.helm_major,
        apply_method=facts.engine.apply_method,
        values_mode=facts.values.mode,
        rollback_to=facts.around.rollback_to,
        keep_command=facts.keep_command,
        flags=Flags(
            force=options.force,
            force_conflicts=options.force_conflicts,
            take_ownership=options.take_ownership,
            no_hooks=options.no_hooks,
            skip_crds=options.skip_crds,
            atomic=options.atomic,
            wait=options.wait,
            history_max=options.history_max,
        ),
    )


def chart_of(facts: Facts) -> Chart:
    """The new chart and the current revision's."""
    new, old = facts.release.new_chart, facts.release.chart
    return Chart(
        name=new.name,
        version=new.version,
        app_version=new.app_version,
        reference=new.reference,
        old=_version(old) if old is not None else None,
    )


def _version(chart: ChartRef) -> ChartVersion:
    return ChartVersion(chart.name, chart.version, chart.app_version, chart.reference)
