"""Settings that stand in a file and do not hold, each with the reason in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from helmguard.containerd.decode import Decoded
from helmguard.containerd.fates import Fates
from helmguard.containerd.load import Merged
from helmguard.containerd.located import Leaf, Node, Table
from helmguard.containerd.schema import CRI, CRI_IMAGES, CRI_RUNTIME
from helmguard.containerd.settings import is_cri, same_setting, setting_name, written_path
from helmguard.containerd.toml_places import KeyPath
from helmguard.model.containerd_settings import ConfigPlace, Ignored, IgnoredWhy
from helmguard.model.node_facts import NodeFile

_SERVER = frozenset(
    [
        "disable_tcp_service",
        "stream_server_address",
        "stream_server_port",
        "stream_idle_timeout",
        "enable_tls_streaming",
        "x509_key_pair_streaming",
    ]
)
_TEXTS: Mapping[IgnoredWhy, str] = {
    "generation": "this containerd reads no settings under this name in a configuration of this version",
    "unmigrated": "the file has no version, or version 1: its settings are not translated",
    "hidden": "settings under the newer name take the place of the whole table",
    "replaced": "a later file has the same plugin's table, which takes the place of the whole table",
    "overridden": "a later file sets it, too",
    "unknown": "there is no such setting",
    "not-imported": "no import names this file",
}


def tell_unread_names(merged: Merged, read: tuple[str, ...], fates: Fates) -> None:
    """Tables of CRI plugins under names that this containerd does not read, or reads for something else."""
    old = frozenset(file.path for file in merged.loaded if file.version in (None, 0, 1))
    later = CRI_RUNTIME in read
    for name, node in merged.plugins.items():
        if not is_cri(name):
            continue
        if name not in read:
            known = name in ("cri", CRI, CRI_RUNTIME, CRI_IMAGES)
            _tell(node, fates, "generation" if known else "unknown")
        elif later and name == CRI and isinstance(node, Table):
            for key, item in node.items():
                if key not in _SERVER:
                    _tell(item, fates, "generation", old)


def _tell(node: Node, fates: Fates, why: IgnoredWhy, old: frozenset[str] = frozenset()) -> None:
    """``old`` are files whose settings containerd would have translated, had they a version."""
    if isinstance(node, Table):
        for item in node.values():
            _tell(item, fates, why, old)
        if node:
            return
    fates.lost(node, "unmigrated" if node.place.file in old else why)


def ignored_settings(
    merged: Merged, fates: Fates, files: Mapping[str, NodeFile], decoded: Iterable[Decoded | None]
) -> tuple[Ignored, ...]:
    """What does not hold, by file and line. What is said again later with the same value is left out."""
    holding = dict(_holding(decoded))
    found = [one for node, why, by in fates.all() if (one := _ignored(node, why, by, holding)) is not None]
    found += _not_imported(merged, files)
    return tuple(sorted(found, key=lambda one: (one.place.file, one.place.line, one.path)))


def _holding(decoded: Iterable[Decoded | None]) -> Iterator[tuple[KeyPath, Leaf]]:
    for one in decoded:
        if one is not None:
            for path, leaf in one.leaves.items():
                yield same_setting(path), leaf


def _ignored(
    node: Node, why: IgnoredWhy, by: ConfigPlace | None, holding: Mapping[KeyPath, Leaf]
) -> Ignored | None:
    plugin, below = (node.path[1] if len(node.path) > 1 else ""), node.path[2:]
    if node.path[:1] != ("plugins",) or not is_cri(plugin):
        return None
    other = holding.get(same_setting(below))
    value = None if isinstance(node, Table) else node.value
    if other is not None and isinstance(node, Leaf) and other.value == node.value:
        return None
    return Ignored(
        path=written_path(node.path),
        place=node.place,
        why=why,
        text=_TEXTS[why],
        value=value,
        by=other.place if other is not None else by,
        setting=setting_name(below),
    )


def _not_imported(merged: Merged, files: Mapping[str, NodeFile]) -> Iterator[Ignored]:
    read = {file.path for file in merged.loaded}
    for path in sorted(files):
        folder = path.rpartition("/")[0]
        if path.endswith(".toml") and path not in read and folder.endswith(("/conf.d", "/config.d")):
            yield Ignored("", ConfigPlace(path), "not-imported", _TEXTS["not-imported"])
