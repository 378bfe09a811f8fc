"""A release as somebody names it in ``.helmguard.yaml``."""

from __future__ import annotations

from helmguard.model.declared_release import FileLine
from helmguard.model.unshown import Unshown


class ReleaseEntry(Unshown, frozen=True):
    """One entry of ``releases``.

    ``chart`` is a folder or archive of the repository as written (relative to the file), an ``oci://``
    address, or with ``repo`` a chart's name in that chart repository. ``values`` are files, ``set`` the words
    of ``--set``, each with its line. ``cluster`` tells two releases of one name and namespace apart.
    ``place`` is the entry, ``version_place`` where the version stands, in the file as it is shown.
    """

    place: FileLine
    release: str
    chart: str
    namespace: str = "default"
    cluster: str = ""
    repo: str = ""
    version: str = ""
    version_place: FileLine = FileLine()
    values: tuple[str, ...] = ()
    set: tuple[tuple[str, int], ...] = ()
    kube_version: str = ""

    @property
    def name(self) -> str:
        """Cluster, namespace and release: unique in a file."""
        release = f"{self.namespace}/{self.release}"
        return f"{self.cluster} › {release}" if self.cluster else release
