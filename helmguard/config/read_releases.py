"""The list ``releases`` of ``.helmguard.yaml``: releases that nothing else in the repository declares."""

from __future__ import annotations

import re
from collections.abc import Iterator

from helmguard.config.entry_fields import entry_of, optional_text, refuse_unknown
from helmguard.config.read_charts import refuse_credentials
from helmguard.manifest.checked_yaml import Mapping
from helmguard.model.declared_release import FileLine
from helmguard.model.release_entry import ReleaseEntry

_LABEL = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_RELEASE = re.compile(rf"{_LABEL}(\.{_LABEL})*")
_NAMESPACE = re.compile(_LABEL)
_KUBE_VERSION = re.compile(r"v?[0-9]+(\.[0-9]+){0,2}([-+][0-9A-Za-z.+-]*)?")
_SET_WORD = re.compile(r"[^=]+=")
_LONGEST_RELEASE, _LONGEST_NAMESPACE = 53, 63


def read_release_entries(fields: Mapping) -> tuple[ReleaseEntry, ...]:
    """All entries of the list.

    Raises:
        FieldError: what is wrong with one, and where; also where two are the same release.
    """
    found: dict[str, ReleaseEntry] = {}
    for inner in fields.maps("releases"):
        entry = _release(inner)
        if entry.name in found:
            raise inner.error(
                f"release {entry.name} stands at line {found[entry.name].place.line} already: where it is in "
                "several clusters, name them with 'cluster'"
            )
        found[entry.name] = entry
    return tuple(found.values())


def _release(fields: Mapping) -> ReleaseEntry:
    refuse_unknown(
        fields,
        *("release", "namespace", "cluster", "chart", "repo", "version", "values", "set", "kubeVersion"),
    )
    entry = ReleaseEntry(
        place=FileLine(fields.file, entry_of(fields).line),
        release=_name(fields, "release", _RELEASE, _LONGEST_RELEASE),
        namespace=_name(fields, "namespace", _NAMESPACE, _LONGEST_NAMESPACE)
        if fields.has("namespace")
        else "default",
        cluster=optional_text(fields, "cluster"),
        chart=fields.text("chart"),
        repo=_repo(fields),
        version=optional_text(fields, "version"),
        version_place=FileLine(fields.file, fields.place("version")[0]),
        values=tuple(_values(fields)),
        set=tuple(_set(fields)),
        kube_version=_kube_version(fields),
    )
    _check_chart(entry, fields)
    return entry


def _name(fields: Mapping, name: str, form: re.Pattern[str], longest: int) -> str:
    found = fields.text(name)
    if not form.fullmatch(found) or len(found) > longest:
        raise fields.error(
            f"{name!r} must be lower-case letters, digits and hyphens, at most {longest}, not {found!r}", name
        )
    return found


def _repo(fields: Mapping) -> str:
    repo = optional_text(fields, "repo")
    refuse_credentials(fields, "repo", repo)
    if repo and not repo.startswith(("https://", "http://")):
        raise fields.error("'repo' must be a chart repository's address, https:// or http://", "repo")
    return repo


def _check_chart(entry: ReleaseEntry, fields: Mapping) -> None:
    refuse_credentials(fields, "chart", entry.chart)
    if entry.repo and not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", entry.chart):
        raise fields.error("'chart' must be the chart's name in 'repo'", "chart")
    if entry.repo or entry.chart.startswith("oci://"):
        return
    if "://" in entry.chart:
        message = "'chart' must be a folder of the repository, an oci:// address, or a name beside 'repo'"
        raise fields.error(message, "chart")
    if entry.chart.startswith("/"):
        raise fields.error("'chart' must be relative to this file", "chart")
    if entry.version:
        raise fields.error("'version' is of no use for a chart in the repository: it has its own", "version")


def _values(fields: Mapping) -> Iterator[str]:
    for index, file in enumerate(fields.texts("values")):
        if not file:
            raise fields.error("a file of values is empty text", "values", index)
        if file.startswith("/") or "://" in file:
            message = f"a file of values must be in the repository, relative to this file, not {file!r}"
            raise fields.error(message, "values", index)
        yield file


def _set(fields: Mapping) -> Iterator[tuple[str, int]]:
    for index, word in enumerate(fields.texts("set")):
        if not _SET_WORD.match(word):
            raise fields.error("a word of 'set' must be name=value, as after --set", "set", index)
        yield word, fields.place("set", index)[0]


def _kube_version(fields: Mapping) -> str:
    version = optional_text(fields, "kubeVersion")
    if version and not _KUBE_VERSION.fullmatch(version):
        message = f"'kubeVersion' must be a version of Kubernetes such as 1.31.0, not {version!r}"
        raise fields.error(message, "kubeVersion")
    return version
