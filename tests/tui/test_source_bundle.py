"""The one release of a bundle as the interface gets it: the demo's, and one with several revisions."""

from __future__ import annotations

import shutil
import tarfile
from pathlib import Path

import pytest

from helmguard.cluster.release_list import ListedRelease
from helmguard.errors import BundleError, ReleaseError
from helmguard.model.plan import Plan
from helmguard.model.unread_release import UnreadRelease
from helmguard.planner.demo import demo_bundle
from helmguard.report.exit_code import exit_code
from helmguard.tui.plan_form import PlanForm
from helmguard.tui.sources.bundle import BundleSource

NAME = "gpu-operator"


def nothing(_: str) -> None:
    """Takes a report."""


@pytest.fixture(scope="module")
def demo() -> BundleSource:
    return BundleSource(demo_bundle(), "demo")


def test_the_demo(demo: BundleSource) -> None:
    assert (demo.label, demo.can_execute) == ("demo", False)
    found = demo.list_releases(nothing)
    assert found.left_out == ""
    (release,) = found.releases
    assert (release.namespace, release.name, release.version, release.status) == (NAME, NAME, 1, "deployed")
    assert release.changed > 1_700_000_000
    ref = demo.chart_of(release)
    assert ref is not None
    assert ref.chart == "gpu-operator-v26.3.3"
    assert demo.chart_of(ListedRelease(NAME, NAME, 9, "deployed")) is None


def test_its_release(demo: BundleSource) -> None:
    opened = demo.open_release(NAME, NAME, nothing)
    assert [entry.version for entry in opened.shown.entries] == [1]
    assert opened.shown.entries[0].objects == 14
    assert demo.status(opened, nothing) is None
    assert exit_code(demo.compare(opened, 1, 1)) == 0
    live = demo.against_live(opened, 1, nothing)
    assert (live.operation, live.release.from_revision) == ("drift", 1)
    with pytest.raises(ReleaseError, match="has no revision 2"):
        demo.against_live(opened, 2, nothing)
    with pytest.raises(BundleError, match="holds release 'gpu-operator', not 'web'"):
        demo.open_release(NAME, "web", nothing)
    with pytest.raises(BundleError, match="is in namespace 'gpu-operator', not 'shop'"):
        demo.open_release("shop", NAME, nothing)


def test_its_drift_and_plan(demo: BundleSource) -> None:
    (drift,) = demo.drift_of_all(None, nothing)
    assert isinstance(drift, Plan)
    assert drift.operation == "drift"
    assert list(demo.drift_of_all("shop", nothing)) == []
    form = PlanForm(release=NAME, namespace=NAME, sets=("--set toolkit.enabled=true",))
    planned = demo.plan(form, nothing)
    assert planned.operation is None
    assert "gpu-driver-turned-on" in {finding.rule for finding in planned.plan.findings}
    planned.close()


def test_an_archive(tmp_path: Path) -> None:
    archive = tmp_path / "story.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(demo_bundle(), arcname="story")
    source = BundleSource(archive)
    assert source.label == "bundle story.tar.gz"
    opened = source.open_release(NAME, NAME, nothing)
    assert source.against_live(opened, 1, nothing).operation == "drift"


def test_what_is_no_bundle(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="no such bundle"):
        BundleSource(tmp_path / "none").list_releases(nothing)


def test_a_bundle_without_a_revision(tmp_path: Path) -> None:
    """As one of an install is: there is nothing to show, and it is said."""
    folder = tmp_path / "install"
    shutil.copytree(demo_bundle(), folder)
    (folder / "release-before.json").unlink()
    source = BundleSource(folder)
    (release,) = source.list_releases(nothing).releases
    assert (release.version, release.status, release.changed) == (0, "", 0)
    assert source.chart_of(release) is None
    assert source.open_release(NAME, NAME, nothing).shown.entries == ()
    (unread,) = source.drift_of_all(None, nothing)
    assert isinstance(unread, UnreadRelease)
    assert "no revision" in unread.why
