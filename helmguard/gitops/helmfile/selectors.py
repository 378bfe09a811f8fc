"""Labels by which a helmfile takes only some releases of another one."""

from __future__ import annotations

from collections.abc import Iterable

from helmguard.gitops.helmfile.release_text import ReleaseText
from helmguard.gitops.helmfile.shape import map_at


def selects(selectors: Iterable[str], release: ReleaseText) -> bool:
    """Whether one of the selectors fits; without any, all do (pkg/state/release_filters.go)."""
    chosen = list(selectors)
    labels = _labels(release)
    return not chosen or any(_fits(selector, labels) for selector in chosen)


def _labels(release: ReleaseText) -> dict[str, str]:
    labels = {**map_at(release.body, "labels"), **map_at(release.state.body, "commonLabels")}
    named = {
        "name": release.name,
        "namespace": release.namespace,
        "chart": release.chart.rpartition("/")[2],
    }
    return {**{key: str(value) for key, value in labels.items()}, **named}


def _fits(selector: str, labels: dict[str, str]) -> bool:
    for condition in selector.split(","):
        name, negated, value = condition.partition("!=")
        if not negated:
            name, _, value = condition.partition("=")
        if (labels.get(name.strip()) == value.strip()) == bool(negated):
            return False
    return True
