"""Which specs a node's containerd reads, and which of them each device comes from.

As the library's cache does it (container-device-interface pkg/cdi/cache.go and spec-dirs.go): the files of a
folder in the order of their names, no subfolders, and only names that end in ``.yaml`` or ``.json``. A later
folder wins; a device that two files of one folder have is taken away altogether, also where a later folder
has it. A file that is refused leaves the others alone.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from helmguard.cdi.library import CdiLibrary
from helmguard.cdi.spec import CdiSpec, RefusedSpec
from helmguard.model.node_facts import NodeFile

_ENDINGS = (".yaml", ".json")


class SpecFile(msgspec.Struct, frozen=True):
    """A file of a spec folder; ``spec`` is None where it could not be read on the node (``why``)."""

    path: str
    folder: str
    spec: CdiSpec | RefusedSpec | None
    why: str = ""


class Overlap(msgspec.Struct, frozen=True):
    """Devices of one kind that two files have.

    ``winner`` is the file that they come from, empty where both are in one folder: then nobody can have them.
    ``line`` is where the first of them stands in ``loser``, or in the first of the two by name.
    """

    kind: str
    devices: tuple[str, ...]
    loser: str
    winner: str
    other: str
    line: int = 0


class CdiDevices(msgspec.Struct, frozen=True):
    """What is there to be injected.

    ``devices`` are qualified names, each with the path of its file; ``conflicts`` those that nobody can have,
    with the files that name them. ``folders`` are in the order of containerd's ``cdi_spec_dirs``, ``missing``
    those of them that were not listed on the node: then other devices may be there.
    """

    files: tuple[SpecFile, ...] = ()
    devices: Mapping[str, str] = {}
    conflicts: Mapping[str, tuple[str, ...]] = {}
    overlaps: tuple[Overlap, ...] = ()
    folders: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def used(self) -> frozenset[str]:
        """The files that some device comes from."""
        return frozenset(self.devices.values())


def resolve_devices(
    files: Mapping[str, NodeFile], folders: Sequence[str], listed: Sequence[str], library: CdiLibrary
) -> CdiDevices:
    """The devices of a node.

    Args:
        files: the node's files by path.
        folders: where specs are looked for (``cdi_spec_dirs``), the last one wins.
        listed: the folders whose files were all collected.
        library: the one in the node's containerd.
    """
    known = {_key(folder) for folder in listed}
    cleaned = tuple(posixpath.normpath(folder) for folder in folders)
    found = _Devices()
    for priority, folder in enumerate(cleaned):
        for path in sorted(_in_folder(files, folder)):
            found.add(_spec_file(path, folder, files[path], library), priority)
    return CdiDevices(
        files=tuple(found.files),
        devices={name: path for name, (path, _) in found.devices.items() if name not in found.conflicts},
        conflicts={name: tuple(paths) for name, paths in found.conflicts.items()},
        overlaps=tuple(found.overlaps()),
        folders=cleaned,
        missing=tuple(folder for folder in cleaned if _key(folder) not in known),
    )


def _key(folder: str) -> str:
    """``/var/run`` is a link to ``/run`` on every distribution with systemd: one folder by two names."""
    cleaned = posixpath.normpath(folder)
    return cleaned.removeprefix("/var") if cleaned.startswith("/var/run/") else cleaned


def _in_folder(files: Mapping[str, NodeFile], folder: str) -> Iterator[str]:
    for path in files:
        if _key(posixpath.dirname(path)) == _key(folder) and posixpath.splitext(path)[1] in _ENDINGS:
            yield path


def _spec_file(path: str, folder: str, file: NodeFile, library: CdiLibrary) -> SpecFile:
    if file.text is None:
        return SpecFile(path, folder, None, file.why)
    # Plans import this module, and few of them have a spec to read.
    from helmguard.cdi.read_spec import read_spec

    return SpecFile(path, folder, read_spec(file.text, library))


class _Devices:
    """The library's own loop over the files."""

    def __init__(self) -> None:
        self.files: list[SpecFile] = []
        self.devices: dict[str, tuple[str, int]] = {}
        self.conflicts: dict[str, list[str]] = {}
        self._pairs: dict[tuple[str, str, str, bool], dict[str, int]] = {}

    def add(self, file: SpecFile, priority: int) -> None:
        self.files.append(file)
        if not isinstance(file.spec, CdiSpec):
            return
        for device in file.spec.devices:
            name = file.spec.qualified(device)
            other, other_priority = self.devices.get(name, ("", -1))
            if other and other != file.path:
                self._pair(file, other, device.name, same_folder=other_priority == priority)
            if other_priority == priority:
                self.conflicts.setdefault(name, [other]).append(file.path)
            else:
                self.devices[name] = (file.path, priority)

    def _pair(self, file: SpecFile, other: str, device: str, *, same_folder: bool) -> None:
        spec = file.spec
        assert isinstance(spec, CdiSpec)
        pair = self._pairs.setdefault((spec.kind, other, file.path, same_folder), {})
        pair.setdefault(device, self._line(other, device))

    def _line(self, path: str, device: str) -> int:
        spec = next(file.spec for file in self.files if file.path == path)
        assert isinstance(spec, CdiSpec)
        return next((one.line for one in spec.devices if one.name == device), 0)

    def overlaps(self) -> Iterator[Overlap]:
        for (kind, loser, other, same_folder), devices in self._pairs.items():
            yield Overlap(
                kind=kind,
                devices=tuple(devices),
                loser=loser,
                winner="" if same_folder else other,
                other=other,
                line=min(devices.values()),
            )
