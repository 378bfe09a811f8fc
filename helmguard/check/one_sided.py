"""Releases of one side alone that neither come nor go: what hides them is told instead. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from helmguard.check.read_side import ReadSide
from helmguard.gitops.documents import Documents
from helmguard.model.declared_release import DeclaredRelease
from helmguard.model.plan import Unknown
from helmguard.model.unshown import Unshown

_NAMED = 5


class Comparable(Unshown, frozen=True):
    """The releases of one side that can be compared, and those that the other side hides, with the reason.

    ``left_over``: what no Flux Kustomization leads to, in a tree where they lead to others.
    """

    releases: Mapping[str, DeclaredRelease]
    hidden: tuple[tuple[DeclaredRelease, str], ...] = ()
    left_over: tuple[DeclaredRelease, ...] = ()


def comparable_releases(side: ReadSide, other: ReadSide, others: Documents, when: str) -> Comparable:
    """What of ``side`` is to be held against ``other``, whose files are ``others``.

    ``when`` is the other side's: ``before`` or ``after`` the change.
    """
    used = _charts(one for one in other.releases.values() if one.tool != "chart")
    idle = {
        one.identity for one in side.releases.values() if one.tool == "chart" and one.chart.path in used
    } - other.releases.keys()
    has_reached = any(one.tool == "flux" and one.is_reached for one in _all(side, other))
    kept: dict[str, DeclaredRelease] = {}
    hidden: list[tuple[DeclaredRelease, str]] = []
    left_over: list[DeclaredRelease] = []
    for identity, release in side.releases.items():
        if has_reached and not release.is_reached:
            # In a repository whose Kustomizations lead elsewhere nobody applies it.
            left_over.append(release)
            continue
        if identity in other.releases:
            kept[identity] = release
            continue
        if set(release.parents) & set(other.broken):
            # The maker's own plan and the report's unknown tell it once for all of them.
            continue
        if identity in idle or idle.intersection(release.parents):
            # The other side has its chart installed by something: it neither comes nor goes by itself.
            continue
        why = _not_read(release, other.unknown) or _unreadable(release, others)
        if why:
            hidden.append((release, f"cannot be read {when} the change: {why}"))
            continue
        kept[identity] = release
    return Comparable(kept, tuple(hidden), tuple(left_over))


def left_over_notes(side: Comparable, changed: frozenset[str]) -> Iterator[str]:
    """What the change edits though nothing applies it."""
    edited = [release for release in side.left_over if release.place.file in changed]
    for release in edited[:_NAMED]:
        yield (
            f"{release.place} is edited, but no Flux Kustomization of the tree leads to it: nothing applies "
            f"{release.identity}"
        )
    if len(edited) > _NAMED:
        yield f"{len(edited) - _NAMED} more HelmReleases are edited that nothing applies"


def _all(side: ReadSide, other: ReadSide) -> Iterable[DeclaredRelease]:
    return (*side.releases.values(), *other.releases.values())


def _charts(releases: Iterable[DeclaredRelease]) -> frozenset[str]:
    """The charts of the tree that something installs."""
    return frozenset(release.chart.path for release in releases if release.chart.kind == "path")


def _unreadable(release: DeclaredRelease, documents: Documents) -> str:
    """Which file that declares the release cannot be read, and why."""
    for path in (release.place.file, *sorted(release.reads)):
        if not path.endswith((".yaml", ".yml", ".json")) or documents.is_template(path):
            continue
        why = documents.why_unreadable(path)
        if why:
            return f"{path} is {why}"
    return ""


def _not_read(release: DeclaredRelease, unknown: Iterable[Unknown]) -> str:
    """Why what declares the release, or makes it, is not read."""
    names = release.identity.split(" › ")
    declared = {f"{release.place.file} {name}" for name in names}
    for entry in unknown:
        if entry.what in declared or _is_its_helmfile(entry.what, release):
            return f"{entry.what}: {entry.why}"
    return ""


def _is_its_helmfile(what: str, release: DeclaredRelease) -> bool:
    """Whether a helmfile is named as a whole that the release rests on, or the release in it."""
    file, found, rest = what.partition(" helmfile")
    if release.tool != "helmfile" or not found or file not in (release.place.file, *release.reads):
        return False
    return not rest.startswith(" release ") or rest == f" release {release.name}"
