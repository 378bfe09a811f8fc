"""Ways out of a pod: to the node's network, processes, files and devices."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from helmguard.model.json_value import JSONObject
from helmguard.rules.context.manifest_maps import items, mapping
from helmguard.rules.context.pod_security import CONTAINERS, context_of


class Power(msgspec.Struct, frozen=True):
    """One such way; ``container`` is empty for what the whole pod has."""

    what: str
    container: str = ""
    path: str = ""
    read_only: bool = False

    @property
    def everywhere(self) -> Power:
        """The same, whichever container has it."""
        return replace(self, container="")


def powers_of(pod: JSONObject) -> Iterator[Power]:
    """All of a pod (``metadata``, ``spec``)."""
    spec = mapping(pod, "spec")
    yield from (Power(field) for field in _HOST if spec.get(field) is True)
    if mapping(spec, "securityContext", "windowsOptions").get("hostProcess") is True:
        yield Power("hostProcess")
    for volume in items(spec, "volumes"):
        path = mapping(volume, "hostPath").get("path")
        if path is not None:
            yield Power("hostPath", "", str(path), _is_read_only(pod, str(volume.get("name"))))
    for field in CONTAINERS:
        for container in items(spec, field):
            name, context = str(container.get("name")), context_of(container)
            if context.get("privileged") is True:
                yield Power("privileged", name)
            if context.get("procMount") not in (None, "", "Default"):
                yield Power("procMount", name)
            if mapping(context, "windowsOptions").get("hostProcess") is True:
                yield Power("hostProcess", name)


_HOST = ("hostNetwork", "hostPID", "hostIPC")


def _is_read_only(pod: JSONObject, volume: str) -> bool:
    mounts = [
        mount
        for field in CONTAINERS
        for container in items(pod, "spec", field)
        for mount in items(container, "volumeMounts")
        if mount.get("name") == volume
    ]
    return all(mount.get("readOnly") is True for mount in mounts)
