"""Writes helmguard/data/containerd_schema.json: what containerd reads of its configuration, and its defaults.

    python tools/generate/containerd_schema/schema.py

The Go programs beside this file link containerd 1.7.29, 2.1.4 and 2.3.0, and print the types and defaults of
the daemon's configuration and of the CRI plugins by reflection. Their module paths lie below containerd's
own, since the CRI plugins' types are internal.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
TARGET = HERE.parents[2] / "helmguard" / "data" / "containerd_schema.json"
GENERATIONS = {"1": ("v17", "1.7.29"), "2.0": ("v21", "2.1.4"), "2.3": ("v23", "2.3.0")}
ABOUT = (
    "What containerd reads of its configuration, by generation of its loader. Written by "
    "tools/generate/containerd_schema, never by hand. config: the daemon's own file; plugins: the CRI "
    "plugins by their ids; defaults: what is not zero of these; options: a runtime's options by its type, "
    "'' for all others. "
    "A shape is a scalar's Go kind, {fields}, {map: item} or {list: item}."
)


def schema() -> dict[str, object]:
    """The table, freshly made."""
    generations = {
        name: {"containerd": version, **_printed(folder)} for name, (folder, version) in GENERATIONS.items()
    }
    return {"about": ABOUT, "generations": generations}


def _printed(folder: str) -> dict[str, object]:
    done = subprocess.run(["go", "run", "."], cwd=HERE / folder, capture_output=True, text=True, check=True)
    found: dict[str, object] = json.loads(done.stdout)
    return found


if __name__ == "__main__":
    TARGET.write_text(json.dumps(schema(), indent=1, sort_keys=True) + "\n", encoding="utf-8")
