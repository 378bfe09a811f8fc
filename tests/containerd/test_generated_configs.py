"""Generated configurations: helmguard's effective settings are those of containerd's own loaders.

HELMGUARD_NEW_EXAMPLES=1 tries others, and HELMGUARD_CONTAINERD_CASES says how many.
"""

from __future__ import annotations

import os
import random
from typing import Any

import pytest
from generated_configs import configuration
from loader_agreement import differences
from real_containerd import VERSIONS, real_effective

_CASES = int(os.environ.get("HELMGUARD_CONTAINERD_CASES", "2000"))
_FIRST = random.SystemRandom().getrandbits(40) if os.environ.get("HELMGUARD_NEW_EXAMPLES") else 0
_SHOWN = 3


@pytest.mark.parametrize("version", VERSIONS)
def test_helmguard_agrees_with_containerd(version: str) -> None:
    found: dict[int, Any] = {}
    for seed in range(_FIRST, _FIRST + _CASES):
        differing = differences(version, configuration(seed))
        if differing:
            found[seed] = (differing, configuration(seed))
    assert len(found) == 0, list(found.items())[:_SHOWN]


@pytest.mark.parametrize("version", VERSIONS)
def test_the_cases_are_of_every_kind(version: str) -> None:
    """Else two thousand agreements would say little."""
    truths = [real_effective(version, configuration(seed)) for seed in range(300)]
    assert sum(one["cri"] == "ok" for one in truths) > 60
    assert sum(one["cri"] == "fails" for one in truths) > 3
    assert sum(one["daemon"] == "refuses" for one in truths) > 30
    assert sum(len(one.get("runtimes", ())) > 1 for one in truths) > 10
    assert any(one.get("registry_mirrors") for one in truths)
    assert any(each.get("options_error") for one in truths for each in one.get("runtimes", {}).values())
