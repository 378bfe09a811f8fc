"""CDI specs on a node, and the paths that they name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from helmguard.cdi.library import NEWEST
from helmguard.cdi.read_spec import read_spec
from helmguard.cdi.spec import CdiSpec
from helmguard.node_facts.gathering import Gathering

_MOST_SPECS = 200
_ENDINGS = (".yaml", ".json")


def gather_cdi(gathering: Gathering, folders: Iterable[str]) -> tuple[str, ...]:
    """Keep the specs of these folders, and what is known of the paths that they name.

    Returns:
        The folders that were listed; one that is absent has nothing in it, and counts.
    """
    listed: list[str] = []
    for folder in folders:
        names = gathering.folder(folder)
        if names is None:
            continue
        listed.append(folder)
        specs = [name for name in names if name.endswith(_ENDINGS)]
        if len(specs) > _MOST_SPECS:
            gathering.note(folder, f"it has more than {_MOST_SPECS} specs")
        for name in specs[:_MOST_SPECS]:
            file = gathering.add_file(f"{folder}/{name}")
            if file is not None and file.text is not None:
                for path in dict.fromkeys(_paths(file.text)):
                    gathering.add_path(path)
    return tuple(listed)


def _paths(text: str) -> Iterator[str]:
    spec = read_spec(text, NEWEST)
    if not isinstance(spec, CdiSpec):
        return
    for edits in spec.all_edits:
        named = [mount.host_path for mount in edits.mounts]
        named += [node.host_path or node.path for node in edits.device_nodes]
        named += [hook.path for hook in edits.hooks]
        yield from (path for path in named if path.startswith("/"))
