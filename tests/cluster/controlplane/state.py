"""What is known of a started control plane: `cluster.json` in its folder."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from controlplane.errors import ClusterError
from controlplane.processes import Process, is_running

STATE_FILE: Final = "cluster.json"


@dataclass
class State:
    """`server`: the API server's URL; `ca`: path of its authority's certificate; `tokens`: user to token."""

    server: str
    ca: str
    kubeconfig: str
    tokens: dict[str, str]
    rollout: bool
    processes: list[Process] = field(default_factory=list)

    def save(self, folder: Path) -> None:
        file = folder / STATE_FILE
        fresh = file.with_suffix(".new")
        fresh.touch(mode=0o600)
        fresh.write_text(json.dumps(asdict(self), indent=2) + "\n")
        fresh.rename(file)

    @property
    def dead(self) -> list[Process]:
        return [process for process in self.processes if not is_running(process)]


def load(folder: Path) -> State | None:
    """The control plane that was started in `folder`, running or not; None when none was."""
    file = folder / STATE_FILE
    if not file.exists():
        return None
    try:
        data = json.loads(file.read_text())
        data["processes"] = [Process(**process) for process in data["processes"]]
        return State(**data)
    except (ValueError, KeyError, TypeError) as error:
        raise ClusterError(f"{file} is not the state of a test cluster: {error}") from error
