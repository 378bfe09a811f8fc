"""What we make of CDI specs is what the library makes of them, as three containerds link it. Needs `go`."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from cdi_library import CONTAINERDS, Request, ask_library, build_library
from spec_texts import HAND_WRITTEN, nvidia_spec, random_spec

from helmguard.cdi.library import CdiLibrary, cdi_library
from helmguard.cdi.read_spec import read_spec
from helmguard.cdi.resolve import resolve_devices
from helmguard.cdi.spec import CdiSpec
from helmguard.containerd.version import read_version
from helmguard.model.node_facts import NodeFile

SEED = 20260811
SPECS, FOLDERS = 1200, 200


@pytest.fixture(scope="module", params=CONTAINERDS)
def library(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, CdiLibrary]:
    version = read_version(request.param)
    assert version is not None
    known = cdi_library(version)
    assert known is not None
    return build_library(request.param, tmp_path_factory.mktemp("cdi")), known


def our_verdict(text: str, library: CdiLibrary) -> str:
    found = read_spec(text, library)
    if isinstance(found, CdiSpec):
        return "accepted"
    return "panics" if found.crash else "refused"


def its_verdict(answer: dict[str, dict[str, str]], path: str) -> str:
    if path in answer["panics"]:
        return "panics"
    return "refused" if answer["specs"][path] else "accepted"


def test_specs_written_by_hand(library: tuple[Path, CdiLibrary]) -> None:
    binary, known = library
    answers = ask_library(binary, [Request((), {"/a.yaml": text}) for text in HAND_WRITTEN.values()])
    differing = [
        (name, ours, theirs, answer["specs"])
        for (name, text), answer in zip(HAND_WRITTEN.items(), answers, strict=True)
        if (ours := our_verdict(text, known)) != (theirs := its_verdict(answer, "/a.yaml"))
    ]
    assert differing == []


def test_random_specs(library: tuple[Path, CdiLibrary]) -> None:
    binary, known = library
    chance = random.Random(SEED)
    texts = [random_spec(chance) for _ in range(SPECS)]
    answers = ask_library(binary, [Request((), {"/a.yaml": text}) for text in texts])
    verdicts = [its_verdict(answer, "/a.yaml") for answer in answers]
    differing = [
        (text, ours, answer["specs"])
        for text, theirs, answer in zip(texts, verdicts, answers, strict=True)
        if (ours := our_verdict(text, known)) != theirs
    ]
    assert differing == []
    # The generator reaches every answer often enough to say something.
    assert min(verdicts.count(one) for one in ("accepted", "refused", "panics")) > SPECS / 500


def test_random_folders_give_the_same_devices(library: tuple[Path, CdiLibrary]) -> None:
    binary, known = library
    chance = random.Random(SEED)
    requests = [_folders(chance) for _ in range(FOLDERS)]
    for asked, answer in zip(requests, ask_library(binary, requests), strict=True):
        files = {path: NodeFile(text) for path, text in asked.files.items()}
        found = resolve_devices(files, asked.folders, asked.folders, known)
        assert (dict(found.devices), answer["failed"]) == (answer["devices"], "")


def _folders(chance: random.Random) -> Request:
    """Up to five specs in up to three folders: overlapping names, bad specs and other files among them."""
    folders = chance.choice([["/etc/cdi", "/var/run/cdi"], ["/b", "/a", "/c/"], ["/a"], ["/a", "/a"], []])
    files = {}
    for _ in range(chance.randrange(6)):
        name = chance.choice(["a.yaml", "b.json", "c.yaml", "d.yml", "e.yaml.bak", "sub/f.yaml", "g"])
        names = tuple(chance.sample(["0", "1", "2", "all"], chance.randrange(1, 4)))
        kind = chance.choice(["nvidia.com/gpu", "nvidia.com/gpu", "example.com/net"])
        text = chance.choice([nvidia_spec(devices=names, kind=kind)] * 4 + ["foo: bar"])
        files[f"{chance.choice(['/a', '/b', '/c', '/etc/cdi', '/var/run/cdi'])}/{name}"] = text
    return Request(folders, files)
