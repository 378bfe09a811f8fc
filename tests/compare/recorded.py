"""Recorded operations of the real Helm as predictions that are right: the object after is the real one."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from helmguard.manifest.objects import read_objects
from helmguard.manifest.yaml import load
from helmguard.model.action import Action
from helmguard.model.live_state import Absent, Present
from helmguard.model.prediction import ResourcePrediction
from helmguard.model.resource_key import ResourceKey, group_of


def recordings() -> Path:
    """The folder of the recordings; the test is skipped where there is none."""
    given = os.environ.get("HELMGUARD_SHARED")
    folder = (Path(given) if given else Path(__file__).parents[3] / "shared") / "traces"
    if not folder.is_dir():
        pytest.skip("the recorded operations are not at hand (set HELMGUARD_SHARED)")
    return folder


def scenario(folder: Path) -> Any:
    return load((folder / "scenario.yaml").read_text(encoding="utf-8"))


def predictions(folder: Path) -> Iterator[ResourcePrediction]:
    """Every object that a manifest names, with what it really became."""
    told = scenario(folder)
    before, after = (json.loads((folder / f"live-{when}.json").read_text()) for when in ("before", "after"))
    namespaced = {
        (group_of(entry["apiVersion"]), entry["kind"]): entry["namespace"] is not None for entry in before
    }

    def manifest(text: str) -> dict[ResourceKey, Any]:
        objects = read_objects(
            text, told["namespace"], lambda version, kind: namespaced.get((group_of(version), kind))
        )
        return {item.key: item.body for item in objects}

    previous = manifest(_previous(folder, told["operation"]["verb"]))
    new_file = folder / "new-manifest.yaml"
    new = manifest(new_file.read_text(encoding="utf-8")) if new_file.exists() else {}
    error = (folder / "error.txt").read_text(encoding="utf-8") if told["outcome"]["exit"] else ""
    for entry, later in zip(before, after, strict=True):
        key = ResourceKey.of(entry["apiVersion"], entry["kind"], entry["namespace"], entry["name"])
        live, real = entry["object"], later["object"]
        if (key not in previous and key not in new) or (live is None and real is None):
            continue
        fails = error if f"/{key.name} " in error or f'"{key.name}"' in error else ""
        yield ResourcePrediction(
            key,
            entry["apiVersion"],
            _action(live, real, key in previous, bool(fails)),
            previous.get(key),
            new.get(key),
            Present(live) if live else Absent(),
            real,
            error=fails,
        )


def _action(live: Any, real: Any, known: bool, fails: bool) -> Action:
    if live is None:
        return "recreate" if known else "create"
    if real is None:
        return "delete"
    return "fail" if fails else "update"


def _previous(folder: Path, verb: str) -> str:
    stored = json.loads((folder / "release-before.json").read_text())
    version = stored["latest"] if verb == "rollback" else stored["deployed"] or stored["latest"]
    record = next(record for record in stored["records"] if record["version"] == version)
    return str(record.get("manifest") or "")
