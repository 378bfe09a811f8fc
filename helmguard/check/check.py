"""The check of a change: read both sides, find the releases concerned, render, plan and report each."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path

import msgspec
from msgspec.structs import replace

from helmguard.check.chart_mapped import outside_note
from helmguard.check.chart_store import ChartStore
from helmguard.check.check_release import ReleaseCheck, unknown_release
from helmguard.check.concerned import Concerned, concerned_releases
from helmguard.check.live_side import Live, NoLive
from helmguard.check.one_sided import Comparable, comparable_releases, left_over_notes
from helmguard.check.read_side import ReadSide, read_side
from helmguard.check.render_side import SideRenderer
from helmguard.check.renderings import Renderings
from helmguard.check.request import DEFAULT_KUBERNETES, CheckRequest
from helmguard.check.unread import parted
from helmguard.cluster.concurrently import run_concurrently
from helmguard.errors import UsageError
from helmguard.gitops.documents import DocumentCache, Documents
from helmguard.gitops.helmfile.read_helmfile import read_helmfile
from helmguard.gitops.tree import Tree
from helmguard.helm.binary import HelmBinary, find_helm
from helmguard.helm.command import HelmCommand
from helmguard.helm.limits import STRANGERS
from helmguard.helm.temporary_folder import temporary_folder
from helmguard.model.check_report import CheckedRelease, CheckReport
from helmguard.model.declared_release import DeclaredRelease, FoundReleases
from helmguard.model.plan import Unknown
from helmguard.planner.config_file import CONFIG_NAME
from helmguard.planner.session import Report
from helmguard.repository.sides import Sides, open_sides


class _Pair(msgspec.Struct, frozen=True):
    """Both sides, ready to render."""

    sides: Sides
    base: SideRenderer
    head: SideRenderer


def check_repository(request: CheckRequest, report: Report = lambda _: None) -> CheckReport:
    """What the change from base to head does to each release it concerns.

    Raises:
        UsageError: there is nothing to compare with.
        RepositoryError: a side cannot be read.
        HelmguardError: there is no helm, or no cluster where one is asked for.
    """
    report("reading the two sides")
    with (
        open_sides(request.start, request.base, request.head, merge_base=request.merge_base) as sides,
        temporary_folder("helmguard-check-") as scratch,
    ):
        pair, live = _prepared(request, sides, scratch)
        before, after = _read_both(request, pair, scratch, report)
        changed = frozenset(_changed_paths(sides.base, sides.head))
        base = comparable_releases(before, after, pair.head.documents, "after")
        head = comparable_releases(after, before, pair.base.documents, "before")
        _check_names(request, before, after)
        concerned = _chosen(request, base, head, after, pair)
        releases = _checked(request, concerned, pair, live, report)
        unknown, untouched = parted(after.unknown, before.unknown, changed)
        return CheckReport(
            base=sides.base.label,
            head=sides.head.label,
            releases=tuple(releases),
            read=len(after.releases) - len(head.left_over),
            unknown=(*unknown, *_broken(before, after)),
            untouched=(*untouched, *_still_broken(before, after)),
            notes=(*sides.notes, *left_over_notes(head, changed), *_notes(request, pair, changed)),
            live=live.side,
            helm=str(pair.head.command.helm.version),
            base_helm=str(pair.base.command.helm.version),
            fail_on=request.gate.fail_on,
            fail_on_unknown=request.gate.fail_on_unknown,
            known_secrets=frozenset().union(
                *(one.plan.known_secrets or () for one in releases if one.plan is not None)
            ),
        )


def _prepared(request: CheckRequest, sides: Sides, scratch: Path) -> tuple[_Pair, Live]:
    helm = find_helm(request.helm_binary)
    base_helm = helm
    if request.base_helm_binary:
        base_helm = find_helm(request.base_helm_binary, flag="--base-helm-bin")
    live = _live(request, HelmCommand(helm))
    renderings = Renderings(request.cache / "renderings" if request.cache else None)
    cache = DocumentCache()
    store = _store(request, helm, sides, scratch / "head")
    base_store = store if base_helm == helm else _store(request, base_helm, sides, scratch / "base")
    renderers = [
        SideRenderer(
            documents=Documents(tree, cache),
            command=HelmCommand(binary, limits=STRANGERS),
            charts=charts,
            renderings=renderings,
            offline=request.offline,
            kube_version=request.kube_version,
            api_versions=request.api_versions,
            discovery=live.discovery,
        )
        for tree, binary, charts in ((sides.base, base_helm, base_store), (sides.head, helm, store))
    ]
    return _Pair(sides, renderers[0], renderers[1]), live


def _store(request: CheckRequest, helm: HelmBinary, sides: Sides, scratch: Path) -> ChartStore:
    scratch.mkdir()
    return ChartStore(
        HelmCommand(helm, limits=STRANGERS),
        scratch,
        charts=(*request.charts, *request.gate.config.charts),
        offline=request.offline,
        cache=request.cache,
        remotes=sides.remotes,
    )


def _live(request: CheckRequest, command: HelmCommand) -> Live:
    if request.live and request.bundle:
        raise UsageError("--live and --bundle exclude each other", remedy="Leave one of them out.")
    if request.live:
        from helmguard.check.live_cluster import ClusterLive

        return ClusterLive.open(request.kube, command)
    if request.bundle:
        from helmguard.check.live_bundle import BundleLive
        from helmguard.planner.bundle_files import open_bundle_folder
        from helmguard.planner.bundle_read import read_bundle

        with open_bundle_folder(request.bundle) as folder:
            return BundleLive(read_bundle(folder))
    return NoLive()


def _read_both(
    request: CheckRequest, pair: _Pair, scratch: Path, report: Report
) -> tuple[ReadSide, ReadSide]:
    today = request.gate.today or date.today()
    helmfile = _helmfile(request, pair, scratch)
    sides: list[ReadSide] = []
    for renderer, what in ((pair.base, "base"), (pair.head, "head")):
        report(f"reading the releases of the {what}")
        sides.append(read_side(renderer, pair.sides.remotes, today, helmfile))
    return sides[0], sides[1]


def _helmfile(request: CheckRequest, pair: _Pair, scratch: Path) -> Callable[[Documents], FoundReleases]:
    if not request.run_helmfile:
        return read_helmfile
    from helmguard.check.run_helmfile import HelmfileRun
    from helmguard.helm.helmfile_command import find_helmfile

    folder = scratch / "helmfile"
    folder.mkdir()
    return HelmfileRun(find_helmfile(pair.head.command.helm.path), folder).read


def _changed_paths(base: Tree, head: Tree) -> Iterator[str]:
    for path in {**base.entries, **head.entries}:
        if base.entries.get(path) != head.entries.get(path):
            yield path


def _chosen(
    request: CheckRequest, base: Comparable, head: Comparable, after: ReadSide, pair: _Pair
) -> list[Concerned]:
    """The releases concerned; those that cannot be told of are among them, with the reason."""
    found = concerned_releases(base.releases, head.releases, pair.base.documents, pair.head.documents)
    hidden = [Concerned(one, None, (why,), why) for one, why in base.hidden]
    hidden += [Concerned(None, one, (why,), why) for one, why in head.hidden]
    found = (_outlived(one, after) for one in found)
    asked = (one for one in (*found, *hidden) if _is_asked_for(one.head or one.base, request))
    told = (_uninstalled(one) if one.identity in after.uninstalled else one for one in asked)
    return sorted(told, key=lambda one: one.identity)


def _uninstalled(concerned: Concerned) -> Concerned:
    """A release that goes by being switched off, which takes its objects along."""
    if concerned.base is None or concerned.head is not None:
        return concerned
    controller = replace(concerned.base.controller, deletes=True)
    return replace(concerned, base=replace(concerned.base, controller=controller))


def _outlived(concerned: Concerned, after: ReadSide) -> Concerned:
    """A release goes only if what made it prunes; else its declaration stays there, and so does it."""
    release = concerned.base
    if release is None or concerned.head is not None or not release.parents:
        return concerned
    maker = after.releases.get(release.parents[-1])
    if maker is None or maker.controller.prunes is not False:
        return concerned
    kept = replace(release, controller=replace(release.controller, deletes=False))
    return replace(concerned, base=kept)


def _is_asked_for(release: DeclaredRelease | None, request: CheckRequest) -> bool:
    assert release is not None
    names = _names(release)
    by_name = not request.releases or any(_is_named(names, pattern) for pattern in request.releases)
    by_namespace = request.namespace in ("", release.namespace)
    return by_name and by_namespace and (not request.tools or release.tool in request.tools)


def _names(release: DeclaredRelease) -> tuple[str, ...]:
    return release.identity, release.name, f"{release.namespace}/{release.name}"


def _is_named(names: Sequence[str], pattern: str) -> bool:
    return any(fnmatchcase(name, pattern) for name in names)


def _check_names(request: CheckRequest, before: ReadSide, after: ReadSide) -> None:
    """A name that no release has is a slip: nothing would be checked by it, and nothing found."""
    known = [_names(release) for side in (before, after) for release in side.releases.values()]
    for pattern in request.releases:
        if not any(_is_named(names, pattern) for names in known):
            raise UsageError(
                f"--release {pattern}: neither side declares a release of this name",
                remedy="Give a release's name, its namespace/name or its identity; * stands for any text.",
            )


def _checked(
    request: CheckRequest, concerned: Sequence[Concerned], pair: _Pair, live: Live, report: Report
) -> list[CheckedRelease]:
    done = 0

    def told(one: Concerned) -> list[CheckedRelease]:
        nonlocal done
        try:
            found = check.run(one)
        except Exception as error:
            # One release must not hide the others.
            found = [unknown_release(one, f"internal error ({type(error).__name__})", "See it with --debug.")]
            if request.debug:
                raise
        done += 1
        report(f"checking releases, {done} of {len(concerned)} done")
        return found

    check = ReleaseCheck(pair.base, pair.head, live, request.gate, request.nodes)
    report(f"checking {len(concerned)} releases")
    tasks: list[Callable[[], list[CheckedRelease]]] = [partial(told, one) for one in concerned]
    results = run_concurrently(tasks, workers=request.jobs or os.cpu_count() or 1)
    return [one for result in results for one in result]


def _broken(before: ReadSide, after: ReadSide) -> Iterator[Unknown]:
    """What a broken maker of releases hides."""
    for identity, why in after.broken.items():
        known = sum(identity in release.parents for release in before.releases.values())
        if before.broken.get(identity) == why and not known:
            # It is among what the change leaves as it is.
            continue
        hidden = (
            f"the {known} releases that it makes are not known" if known else "what it makes is not known"
        )
        yield Unknown(identity, f"its chart does not render, so that {hidden}: {why}")
    for identity, why in before.broken.items():
        made = sum(identity in release.parents for release in after.releases.values())
        if made:
            hidden = f"which of the {made} releases that it makes are new or change is not known"
            yield Unknown(identity, f"its chart did not render before the change, so that {hidden}: {why}")


def _still_broken(before: ReadSide, after: ReadSide) -> Iterator[Unknown]:
    for identity, why in after.broken.items():
        if before.broken.get(identity) == why:
            yield Unknown(identity, f"its chart does not render, so that what it makes is not known: {why}")


def _notes(request: CheckRequest, pair: _Pair, changed: frozenset[str]) -> Iterator[str]:
    old, new = pair.base.command.helm.version, pair.head.command.helm.version
    if old != new:
        yield f"the base is rendered by Helm {old}, the head by Helm {new}: what differs may be theirs"
    if CONFIG_NAME in changed:
        edited = f"this change edits {CONFIG_NAME}, by which it is judged itself"
        yield f"{edited}: look at its waivers and overrides"
        yield from outside_note(request.gate.config.charts, pair.sides.root or Path())
    if not request.kube_version and pair.head.discovery is None:
        version = DEFAULT_KUBERNETES.removeprefix("v")
        yield f"rendered for Kubernetes {version} where nothing tells the cluster's (--kube-version does)"
    if request.offline:
        yield "offline: charts come from the tree, the chart map and the cache alone"
