"""How a chart that is elsewhere is addressed: for the chart map, for the cache and for people."""

from __future__ import annotations

import hashlib
import posixpath
import re
from urllib.parse import urlsplit

from msgspec.structs import replace

from helmguard.model.declared_release import ChartNeed
from helmguard.repository.discover import without_credentials

_EXACT = re.compile(r"v?\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:[+_][0-9A-Za-z.-]+)?")
_OCI = "oci://"


def remote_need(url: str, name: str, version: str) -> ChartNeed:
    """The chart that a dependency asks for: a repository's, or below an OCI address."""
    if url.startswith(_OCI):
        return ChartNeed("oci", url=f"{url.rstrip('/')}/{name}", version=version)
    return ChartNeed("repository", url=url, name=name, version=version)


def chart_name(need: ChartNeed) -> str:
    """The chart's own name, which an OCI address ends in."""
    return need.name or posixpath.basename(need.url.rstrip("/"))


def is_exact(version: str) -> bool:
    """Whether it is one version, not a range nor the latest."""
    return _EXACT.fullmatch(version) is not None


def same_version(one: str, other: str) -> bool:
    """Whether two versions are one: a leading ``v`` does not count, and OCI tags write ``_`` for ``+``."""
    return _plain(one) == _plain(other)


def _plain(version: str) -> str:
    return version.removeprefix("v").replace("_", "+")


def shown(need: ChartNeed) -> str:
    """The address as people may see it."""
    return str(replace(need, url=without_credentials(need.url)))


def credentials_in(url: str) -> set[str]:
    """User and password of a URL, to be masked."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return set()
    return {part for part in (parts.username, parts.password) if part}


def address_digest(need: ChartNeed) -> str:
    """A name for the address without version, fit for a folder."""
    text = f"{need.kind}\0{without_credentials(need.url).rstrip('/')}\0{need.name}"
    return hashlib.sha256(text.encode()).hexdigest()
