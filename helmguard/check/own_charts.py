"""Charts that a release asks for in git, at the very repository that is checked. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from helmguard.gitops.argo.repository_urls import OwnRepository, is_fixed_revision
from helmguard.model.declared_release import ChartNeed, DeclaredRelease


def with_own_chart(release: DeclaredRelease, own: OwnRepository) -> DeclaredRelease:
    """The release with the tree's own chart, so that a change of the chart's files concerns it."""
    chart = release.chart
    if chart.kind != "git":
        return release
    owner = own.owner(chart.url, chart.path)
    if owner == "another" or (owner == "taken for this tree" and own.remotes):
        return release
    remarks = (*release.controller.remarks, *_remarks(chart, is_taken=owner != "this tree"))
    return replace(
        release,
        chart=ChartNeed("path", path=chart.path.strip("/"), place=chart.place),
        controller=replace(release.controller, remarks=remarks),
    )


def _remarks(chart: ChartNeed, *, is_taken: bool) -> Iterator[str]:
    if is_taken:
        yield "no remote tells whether its chart is this repository's; it is taken from this tree"
    if is_fixed_revision(chart.version):
        yield f"the chart is asked for at {chart.version}; this tree's own state of it is rendered"
