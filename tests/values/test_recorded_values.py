"""Every recorded value case comes out as real Helm left it."""

from __future__ import annotations

import pytest
from recorded_values_cases import GROUPS, VERSIONS, differences, folder, load


@pytest.mark.skipif(folder() is None, reason="no recorded value cases beside the checkout")
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("group", GROUPS)
def test_recorded_cases_agree(group: str, version: str) -> None:
    cases, texts = load(group)
    found = [difference for case in cases for difference in differences(case, texts, version)]
    assert not found, "\n".join(found[:10])
    assert cases
