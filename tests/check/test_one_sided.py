"""Releases that no Flux Kustomization leads to: not compared, not counted, but told where they are edited."""

from __future__ import annotations

from memory_tree import MemoryTree

from helmguard.check.one_sided import Comparable, comparable_releases, left_over_notes
from helmguard.check.read_side import ReadSide
from helmguard.gitops.documents import Documents
from helmguard.model.declared_release import ChartNeed, Controller, DeclaredRelease, FileLine

CHART = ChartNeed("oci", url="oci://registry.example.com/charts/app", version="1.0.0")
EDITED = frozenset(["apps/old.yaml", "apps/new.yaml"])


def release(name: str, *, is_reached: bool) -> DeclaredRelease:
    place = FileLine(f"apps/{name}.yaml", 3)
    flux = Controller("Flux")
    identity = f"HelmRelease shop/{name}"
    return DeclaredRelease("flux", identity, name, "shop", place, CHART, flux, is_reached=is_reached)


def side(*releases: DeclaredRelease) -> ReadSide:
    return ReadSide({one.identity: one for one in releases})


def comparable(before: ReadSide, after: ReadSide) -> Comparable:
    return comparable_releases(after, before, Documents(MemoryTree({})), "before")


def test_what_nothing_leads_to_is_told_where_it_is_edited() -> None:
    head = side(release("new", is_reached=True), release("old", is_reached=False))
    found = comparable(side(), head)
    assert list(found.releases) == ["HelmRelease shop/new"]
    (note,) = left_over_notes(found, EDITED)
    assert note == (
        "apps/old.yaml:3 is edited, but no Flux Kustomization of the tree leads to it: "
        "nothing applies HelmRelease shop/old"
    )
    assert not list(left_over_notes(found, frozenset(["apps/new.yaml"])))


def test_many_are_counted() -> None:
    left = [release(f"old{number}", is_reached=False) for number in range(8)]
    found = comparable(side(release("new", is_reached=True)), side(*left))
    notes = list(left_over_notes(found, frozenset(one.place.file for one in left)))
    assert len(notes) == 6 and notes[-1].startswith("3 more HelmReleases")


def test_where_no_release_is_reached_all_are_compared() -> None:
    head = side(release("old", is_reached=False))
    found = comparable(side(), head)
    assert list(found.releases) == ["HelmRelease shop/old"] and not list(left_over_notes(found, EDITED))
