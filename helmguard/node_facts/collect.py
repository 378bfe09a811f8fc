"""Collects the facts of one node from its file system."""

from __future__ import annotations

import os
import posixpath
import socket
from collections.abc import Sequence
from pathlib import Path

from helmguard.errors import NodeFactsError
from helmguard.model.node_facts import ContainerdFacts, NodeFacts
from helmguard.node_facts.cdi_files import gather_cdi
from helmguard.node_facts.containerd_files import gather_containerd
from helmguard.node_facts.document import is_node_name
from helmguard.node_facts.driver import driver_facts
from helmguard.node_facts.gathering import Gathering
from helmguard.node_facts.kubelet import kubelet_facts
from helmguard.node_facts.named_paths import cdi_folders, gather_programs
from helmguard.node_facts.root import NodeRoot, node_root
from helmguard.node_facts.services import containerd_service
from helmguard.node_facts.system import system_facts
from helmguard.node_facts.versions import containerd_version, kubelet_version


def collect_node(
    root: Path = Path("/"), *, name: str = "", config: str = "", mounted: Sequence[str] | None = None
) -> NodeFacts:
    """Everything that helmguard looks at on a node; files that cannot be read are told, and are no error.

    Args:
        root: where the node's file system is: ``/``, ``/host`` in a pod, or any folder.
        name: the node's name, else its host name, else the folder's.
        config: containerd's main file, where it is another than its unit or distribution says.
        mounted: folders and files of the node that are below ``root``, where that is not all of it; None:
            looked up.

    Raises:
        NodeFactsError: there is no such folder, or no right to look into it.
    """
    if not root.is_dir() or not os.access(root, os.R_OK | os.X_OK):
        why = "there is no such folder" if not root.exists() else "it cannot be looked into"
        raise NodeFactsError(
            f"cannot collect a node's facts below {root}: {why}",
            remedy="Name the folder that has the node's files, / on the node itself: --root /host",
        )
    place = node_root(root, mounted)
    name = name or _name(place)
    if not is_node_name(name):
        raise NodeFactsError(f"{name[:80]!r} is no name of a node", remedy="Name it: --name gpu-a")
    gathering = Gathering(place)
    service = containerd_service(place, config)
    files = gather_containerd(gathering, posixpath.normpath(service.config))
    gather_programs(gathering, files, service.search_path)
    listed = gather_cdi(gathering, cdi_folders(gathering, files))
    version, version_from = containerd_version(place, service.program)
    kubelet = kubelet_facts(gathering, kubelet_version(place))
    driver = driver_facts(gathering)
    if not place.covers("/etc/systemd/system"):
        gathering.note(
            "/etc/systemd/system", "it is not among what was mounted: what starts containerd is not known"
        )
    return NodeFacts(
        name=name,
        files={path: gathering.files[path] for path in sorted(gathering.files)},
        paths={path: gathering.paths[path] for path in sorted(gathering.paths)},
        containerd=ContainerdFacts(
            version=version,
            version_from=version_from,
            config_path=posixpath.normpath(service.config),
            config_from=service.config_from,
            environment=service.environment,
            search_path=service.search_path,
        ),
        kubelet=kubelet,
        driver=driver,
        system=system_facts(place),
        cdi_folders=listed,
        source="this machine" if place.host else str(root),
        unread=tuple(gathering.unread_facts()),
    )


def collect_config(path: Path) -> NodeFacts:
    """A main file alone, with what it imports from the file system that it lies in, and nothing of a node.

    Raises:
        NodeFactsError: the file cannot be read.
    """
    gathering = Gathering(NodeRoot(Path("/")))
    main = os.path.abspath(path)  # noqa: PTH100 - links stay as they are: relative imports start there
    gather_containerd(gathering, main)
    file = gathering.files.get(main)
    if file is None or file.text is None:
        raise NodeFactsError(f"cannot read {path}: {file.why if file else 'there is no such file'}")
    return NodeFacts(
        name=path.name,
        files={path: gathering.files[path] for path in sorted(gathering.files)},
        paths={path: gathering.paths[path] for path in sorted(gathering.paths)},
        containerd=ContainerdFacts(config_path=main, config_from="the file that was named"),
        source=str(path),
    )


def _name(root: NodeRoot) -> str:
    if root.host:
        return socket.gethostname() or "node"
    told = root.read_text("/etc/hostname", 4096).strip()
    return told.split()[0] if told.split() else root.folder.name or "node"
