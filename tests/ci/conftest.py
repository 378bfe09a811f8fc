"""Runners with helmguard installed by the steps themselves, and the API that takes comments."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from ci_steps import Runner
from review_api import ReviewApi


@pytest.fixture(scope="package")
def runner(helm4: Path, tmp_path_factory: pytest.TempPathFactory) -> Runner:
    """One machine for all tests of this folder."""
    return Runner(tmp_path_factory.mktemp("runner"), helm4)


@pytest.fixture
def api() -> Iterator[ReviewApi]:
    """No comments so far."""
    found = ReviewApi()
    yield found
    found.close()
