"""Where Helm 3 and Helm 4 treat values differently: one row for each, chosen once."""

from __future__ import annotations

import msgspec

from helmguard.model.helm_version import HelmVersion


class HelmDialect(msgspec.Struct, frozen=True):
    """What one line of Helm does with values.

    ``every_document``: all YAML documents of a values file are merged, not only the first.
    ``set_json_object``: ``--set-json '{...}'`` is a whole object, not an error.
    ``lenient_index_end``: an unclosed ``[`` ends a ``--set`` word silently.
    ``cleans_chart_nulls``: nulls in a chart's own values are dropped before they reach a template.
    ``copies_alias_children``: the children of an aliased chart are copied with it and re-attached.
    ``load_prefix``: what stands before a YAML error of a values file.
    ``missing_dependencies``: the text before the list of charts missing from ``charts/``.
    ``file_size_limit``: bytes one file of a chart may have (0: no limit of its own).
    ``folder_size_limited``: whether the sum of a chart folder's files is limited.
    ``size_words``: how the limit of an archive is called.
    ``detects_chart_version``: whether Chart.yaml's apiVersion chooses a loader, and others are refused.
    ``dependency_error_prefix``: what an install puts before an error of dependency processing.
    """

    every_document: bool
    set_json_object: bool
    lenient_index_end: bool
    cleans_chart_nulls: bool
    copies_alias_children: bool
    load_prefix: str
    missing_dependencies: str
    dependency_error_prefix: str
    file_size_limit: int
    folder_size_limited: bool
    size_words: str
    detects_chart_version: bool


HELM_3 = HelmDialect(
    every_document=False,
    set_json_object=False,
    lenient_index_end=False,
    cleans_chart_nulls=False,
    copies_alias_children=False,
    load_prefix="",
    missing_dependencies=(
        "An error occurred while checking for chart dependencies. You may need to run"
        " `helm dependency build` to fetch missing dependencies: "
    ),
    dependency_error_prefix="",
    file_size_limit=5 * 1024 * 1024,
    folder_size_limited=False,
    size_words="maximum file size",
    detects_chart_version=False,
)
HELM_4 = HelmDialect(
    every_document=True,
    set_json_object=True,
    lenient_index_end=True,
    cleans_chart_nulls=True,
    copies_alias_children=True,
    load_prefix="cannot unmarshal yaml document: ",
    missing_dependencies=(
        "an error occurred while checking for chart dependencies. You may need to run"
        " 'helm dependency build' to fetch missing dependencies: "
    ),
    dependency_error_prefix="chart dependencies processing failed: ",
    file_size_limit=0,
    folder_size_limited=True,
    size_words="maximum size",
    detects_chart_version=True,
)


def dialect_of(version: HelmVersion) -> HelmDialect:
    """The dialect of a Helm version; checked with 3.22.0 and 4.3.1, the others go by their major number."""
    return HELM_4 if version.major >= 4 else HELM_3
