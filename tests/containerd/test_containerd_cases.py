"""The effective settings, against containerd's own loaders: recorded, and asked now."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from loader_agreement import comparable, compared, differences, ours
from m17_table import TABLE
from real_containerd import VERSIONS

from helmguard.containerd.effective import effective_config

_GIVEN = os.environ.get("HELMGUARD_SHARED")
CASES = (Path(_GIVEN) if _GIVEN else Path(__file__).parents[3] / "shared") / "containerd-cases.json"


@pytest.fixture(scope="module")
def recorded() -> list[dict[str, Any]]:
    if not CASES.exists():
        pytest.skip(f"{CASES} is not there: the recorded cases are kept outside this repository")
    found: list[dict[str, Any]] = json.loads(CASES.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("version", VERSIONS)
def test_helmguard_agrees_with_the_recorded_cases(recorded: list[dict[str, Any]], version: str) -> None:
    found = {case["id"]: compared(case["truth"][version], ours(version, case["files"])) for case in recorded}
    assert {name: differing for name, differing in found.items() if differing} == {}


@pytest.mark.parametrize("version", VERSIONS)
def test_the_loaders_agree_with_the_recorded_cases(recorded: list[dict[str, Any]], version: str) -> None:
    found = {case["id"]: differences(version, case["files"]) for case in recorded}
    assert {name: differing for name, differing in found.items() if differing} == {}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("cell", TABLE)
def test_what_holds(cell: str, version: str) -> None:
    files, expected = TABLE[cell]
    assert _told(ours(version, files), expected[version]) == expected[version]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("cell", TABLE)
def test_what_holds_as_containerd_says(cell: str, version: str) -> None:
    assert differences(version, TABLE[cell][0]) == {}


@pytest.mark.parametrize(
    ("version", "as_measured"),
    [
        *(("1.7.17", "1.7.29"), ("1.7.35", "1.7.29"), ("2.0.0", "2.1.4"), ("2.0.14", "2.1.4")),
        *(("2.1.9", "2.1.4"), ("2.2.9", "2.1.4"), ("2.3.4", "2.3.0")),
    ],
)
@pytest.mark.parametrize("cell", TABLE)
def test_a_version_merges_as_the_one_that_was_measured(cell: str, version: str, as_measured: str) -> None:
    """Defaults apart, which change from release to release."""
    files, expected = TABLE[cell]
    wanted = {key: value for key, value in expected[as_measured].items() if not _is_default(value)}
    assert _told(ours(version, files), wanted) == wanted


def _is_default(value: object) -> bool:
    return value in (None, "") or str(value).startswith("registry.k8s.io/")


@pytest.mark.parametrize(
    ("version", "cell", "wanted"),
    [
        # The loader's sources: up to 1.7.16 no version is too high, and no drop-in from 2.3.5 on.
        ("1.7.16", "version 5", {"cri": "ok", "runtimes": ["runc"]}),
        ("1.7.16", "main of version 3, drop-in of version 4", {"cri": "ok", "runtimes": ["runc"]}),
        ("2.3.4", "main of version 3, drop-in of version 4", {"refuses": "version"}),
        ("2.3.5", "main of version 3, drop-in of version 4", {"cri": "ok", "runtimes": ["nvidia", "runc"]}),
        (
            "2.4.1",
            "main of version 2, drop-in with version 3 and its names",
            {"cri": "ok", "runtimes": ["kata", "nvidia", "runc"], "runtimes.runc.SystemdCgroup": True},
        ),
        ("2.3.7", "version 5", {"refuses": "version"}),
        # CDI is always on in 2.4, whatever a file says.
        ("2.3.7", "a drop-in sets a switch back", {"enable_cdi": False}),
        ("2.4.0", "a drop-in sets a switch back", {"enable_cdi": True}),
        ("2.4.0", "a field of the wrong type", {"cri": "ok", "enable_cdi": True}),
    ],
)
def test_what_changed_between_releases(version: str, cell: str, wanted: dict[str, Any]) -> None:
    assert _told(ours(version, TABLE[cell][0]), wanted) == wanted


def test_the_settings_know_where_they_stand() -> None:
    from helmguard.model.node_facts import NodeFile

    files, _ = TABLE["a drop-in of version 2 adds nvidia to a main file of version 2"]
    found = effective_config({path: NodeFile(text) for path, text in files.items()}, {}, "2.1.4")
    for runtime, name, text in (
        ("nvidia", "BinaryName", "BinaryName"),
        ("runc", "SystemdCgroup", "SystemdCgroup"),
    ):
        place = found.runtimes[runtime].places[name]
        assert text in files[place.file].splitlines()[place.line - 1]


def _told(truth: Mapping[str, Any], expected: Mapping[str, Any]) -> dict[str, Any]:
    """What an answer says of the keys that an expectation names."""
    found = comparable(truth)
    return {key: _at(found, key) for key in expected}


def _at(found: Mapping[str, Any], key: str) -> Any:
    if key == "refuses":
        return found.get("daemon_error")
    if key == "runtimes":
        return sorted(found["runtimes"])
    if key.startswith("runtimes."):
        _, runtime, setting = key.split(".")
        return found["runtimes"][runtime][setting]
    return found.get(key, {} if key == "registry_mirrors" else None)
