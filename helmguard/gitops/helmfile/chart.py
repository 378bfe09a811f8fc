"""The chart of a helmfile's release."""

from __future__ import annotations

import posixpath
import re

from helmguard.gitops.documents import Documents, dicts_at, text_at
from helmguard.gitops.tree import joined
from helmguard.model.declared_release import ChartNeed, FileLine
from helmguard.model.json_value import JSONObject

_GIT = re.compile(
    r"git::(?P<url>[a-z+]+://[^@?]*(?:@[^@/?]+/[^@?]*)?)(?:@(?P<path>[^?]*))?(?:\?(?P<query>.*))?"
)
_REVISION = re.compile(r"(?:^|&)ref=([^&]+)")
_USER = re.compile(r"(?<=://)[^/@]*@")


def chart_need(
    chart: str, version: str, state_body: JSONObject, folder: str, documents: Documents, place: FileLine
) -> ChartNeed:
    """What ``chart`` and ``version`` of a release mean, seen from the helmfile's folder.

    What is a folder is taken for it first, as Helm does; then the repositories are asked by their alias
    (helmfile pkg/state/util.go and state.go ``GetRepositoryAndNameFromChartName``).
    """
    local = joined(folder, chart) if "://" not in chart and not chart.startswith("/") else None
    if local is not None and _is_there(local, documents):
        return _in_tree(local, documents, place)
    if chart.startswith("oci://"):
        return _oci(chart, version, place)
    if chart.startswith("git::"):
        return _git(chart, place)
    alias, _, name = chart.partition("/")
    repository = next(
        (each for each in dicts_at(state_body, "repositories") if each.get("name") == alias), None
    )
    if repository is not None and name:
        return _of_repository(repository, name, version, place)
    return ChartNeed("unknown", place=place, why=_why_unknown(chart, alias, name))


def _is_there(path: str, documents: Documents) -> bool:
    return path in documents.tree.entries or documents.paths.is_folder(path)


def _in_tree(path: str, documents: Documents, place: FileLine) -> ChartNeed:
    if path in documents.tree.entries or posixpath.join(path, "Chart.yaml") in documents.tree.entries:
        return ChartNeed("path", path=path, place=place)
    why = f"{path} is no chart: helmfile makes one of its manifests or kustomization when it runs"
    return ChartNeed("unknown", path=path, place=place, why=why)


def _oci(address: str, version: str, place: FileLine) -> ChartNeed:
    """``oci://host/chart:version@digest``; the digest may stand after the version, too."""
    address, _, digest = address.partition("@")
    version, _, other_digest = version.partition("@")
    if ":" in address.rpartition("/")[2]:
        address, _, tag = address.rpartition(":")
        version = version or tag
    return ChartNeed("oci", url=address, version=version, digest=digest or other_digest, place=place)


def _git(address: str, place: FileLine) -> ChartNeed:
    match = _GIT.fullmatch(address)
    if match is None:
        return ChartNeed("unknown", place=place, why="the chart is fetched by go-getter when helmfile runs")
    revision = _REVISION.search(match["query"] or "")
    url = _USER.sub("", match["url"])
    path = match["path"] or ""
    return ChartNeed("git", url=url, path=path, version=revision[1] if revision else "", place=place)


def _of_repository(repository: JSONObject, name: str, version: str, place: FileLine) -> ChartNeed:
    url = _USER.sub("", text_at(repository, "url"))
    if repository.get("oci") is True or url.startswith("oci://"):
        return _oci(f"oci://{url.removeprefix('oci://').rstrip('/')}/{name}", version, place)
    if not url.startswith(("https://", "http://")):
        what = url or "without an address"
        why = f"the chart repository {text_at(repository, 'name')} is {what}, which needs a plugin"
        return ChartNeed("unknown", place=place, why=why)
    return ChartNeed("repository", url=url, name=name, version=version, place=place)


def _why_unknown(chart: str, alias: str, name: str) -> str:
    if not chart:
        return "the release names no chart"
    if "://" in chart:
        return f"the chart {_USER.sub('', chart)} is fetched from elsewhere when helmfile runs"
    if chart.startswith(("/", "..")):
        return f"the chart {chart} is outside of the repository"
    if chart.startswith(".") or not name:
        return f"there is no chart at {chart} in the repository"
    return f"the helmfile has no chart repository called {alias}"
