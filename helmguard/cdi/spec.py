"""A CDI spec as it was read: devices, and what each changes in a container."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from helmguard.cdi.names import Qualified


class CdiHook(msgspec.Struct, frozen=True):
    """A program of the node that runs while a container is made."""

    name: str
    path: str
    args: tuple[str, ...] = ()
    line: int = 0


class CdiMount(msgspec.Struct, frozen=True):
    """A path of the node that comes into the container."""

    host_path: str
    container_path: str
    options: tuple[str, ...] = ()
    type: str = ""
    line: int = 0


class CdiDeviceNode(msgspec.Struct, frozen=True):
    """A device node that comes into the container; without ``host_path`` the path is the node's, too.

    ``complete``: type and number are given, so that nothing has to be there on the node when it is injected.
    """

    path: str
    host_path: str = ""
    complete: bool = False
    line: int = 0


class CdiEdits(msgspec.Struct, frozen=True):
    """What is changed in a container."""

    env: tuple[str, ...] = ()
    device_nodes: tuple[CdiDeviceNode, ...] = ()
    hooks: tuple[CdiHook, ...] = ()
    mounts: tuple[CdiMount, ...] = ()


class CdiDevice(msgspec.Struct, frozen=True):
    """One device; ``name`` without vendor and class."""

    name: str
    edits: CdiEdits
    line: int = 0


class CdiSpec(msgspec.Struct, frozen=True):
    """A spec that the library accepts.

    ``edits`` come with each of its devices; ``line`` is that of ``kind``.
    """

    version: str
    vendor: str
    class_name: str
    devices: tuple[CdiDevice, ...]
    edits: CdiEdits = msgspec.field(default_factory=CdiEdits)
    line: int = 1

    @property
    def kind(self) -> str:
        """``nvidia.com/gpu``."""
        return f"{self.vendor}/{self.class_name}"

    @property
    def all_edits(self) -> Iterator[CdiEdits]:
        """Those of the whole, then those of each device."""
        yield self.edits
        yield from (device.edits for device in self.devices)

    def qualified(self, device: CdiDevice) -> str:
        """``nvidia.com/gpu=0``."""
        return Qualified(self.vendor, self.class_name, device.name).text


class SpecProblem(msgspec.Struct, frozen=True):
    """What the library does not accept, in words. ``crash``: it does not refuse it, but panics."""

    text: str
    line: int = 0
    crash: bool = False


class RefusedSpec(msgspec.Struct, frozen=True):
    """A spec that is not used: ``problems`` in the order in which the library meets them, at least one.

    Of several, the library tells the first alone. ``version`` and ``kind`` are what it says of itself, empty
    where that cannot be told.
    """

    problems: tuple[SpecProblem, ...]
    version: str = ""
    kind: str = ""

    @property
    def crash(self) -> bool:
        """Whether whoever reads it dies of it."""
        return self.problems[0].crash
