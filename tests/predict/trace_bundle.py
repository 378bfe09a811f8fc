"""Recorded operations ("traces"): where they are, and copies that hold only what was known beforehand.

A trace folder holds what was known before an operation and what came of it. A plan may read only the former.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

from helmguard.manifest import yaml

JSON = dict[str, Any]

CHECKOUT = Path(__file__).parents[2]
OWN_TRACES = CHECKOUT / "fixtures" / "traces"

KNOWN_FILES = (
    "values-given.yaml",
    "release-before.json",
    "new-manifest.yaml",
    "hooks.json",
    "discovery.json",
)
KNOWN_CHARTS = ("chart-old", "chart-new")
KNOWN_FACTS = (
    "id",
    "helm",
    "helm_at_install",
    "kubernetes",
    "release",
    "namespace",
    "chart_old",
    "chart_new",
    "operation",
)
"""Of scenario.yaml. The rest is truth (outcome, apply method) or commentary (steps, tags)."""
KNOWN_OF_LIVE = ("apiVersion", "kind", "namespace", "name", "object")


def traces_in(folder: Path) -> list[Path]:
    """Every trace of a folder."""
    return [place for place in sorted(folder.iterdir()) if (place / "live-after.json").exists()]


def shared_traces() -> Path | None:
    """The folder with ``traces`` and ``traces-random``, None where those recordings are not at hand."""
    given = os.environ.get("HELMGUARD_SHARED")
    folder = Path(given) if given else CHECKOUT.parent / "shared"
    return folder if (folder / "traces").is_dir() and (folder / "scoring").is_dir() else None


def facts_of(trace: Path) -> JSON:
    """The whole of scenario.yaml."""
    facts: JSON = yaml.load((trace / "scenario.yaml").read_text())
    return facts


def copy_of_the_known(trace: Path, target: Path) -> Path:
    """A copy of the trace that holds nothing but what was known before the operation."""
    target.mkdir(parents=True)
    for name in KNOWN_FILES:
        if (trace / name).exists():
            shutil.copy(trace / name, target / name)
    for name in KNOWN_CHARTS:
        if (trace / name).is_dir():
            shutil.copytree(trace / name, target / name)
    facts = facts_of(trace)
    known = {name: facts[name] for name in KNOWN_FACTS if name in facts}
    (target / "scenario.yaml").write_text(json.dumps(known))
    live = json.loads((trace / "live-before.json").read_text())
    entries = [{name: entry[name] for name in KNOWN_OF_LIVE if name in entry} for entry in live]
    (target / "live-before.json").write_text(json.dumps(entries))
    return target
