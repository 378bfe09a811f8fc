"""Where charts that a repository names by URL are to be had instead."""

from __future__ import annotations

import msgspec


class MappedChart(msgspec.Struct, frozen=True):
    """One entry of the chart map: a chart by its address, and where to take it from.

    ``url`` is a chart repository's or an OCI chart's (``oci://...``), ``chart`` the chart's name in a
    repository; both may hold ``*``. ``version`` is one version, empty for all. ``path`` is a folder or
    archive on this machine, in which ``{chart}`` and ``{version}`` are filled in; ``mirror`` is the URL to
    fetch from instead. One of the two is given. ``source`` is where the entry stands
    (``.helmguard.yaml:12``).
    """

    url: str
    chart: str = ""
    version: str = ""
    path: str = ""
    mirror: str = ""
    source: str = ""
