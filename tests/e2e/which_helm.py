"""Tests that do not depend on Helm's version run with one of the two: a process costs half a second."""

from __future__ import annotations

import pytest

with_helm_3 = pytest.mark.parametrize("helm_binary", ["helm3"], indirect=True, ids=["h3"])
with_helm_4 = pytest.mark.parametrize("helm_binary", ["helm4"], indirect=True, ids=["h4"])
