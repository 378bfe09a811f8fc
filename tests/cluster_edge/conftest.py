"""Connections to the test cluster, and small servers on this machine for answers that it never gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from connections import *  # noqa: F403 - its __all__ is the list of fixtures
from local_api import Answer, LocalApi


@pytest.fixture
def local_api() -> Iterator[Callable[..., LocalApi]]:
    """``local_api(answers)``: a server on 127.0.0.1 with scripted answers, closed after the test."""
    running: list[LocalApi] = []

    def start(answers: Callable[[str], Answer]) -> LocalApi:
        running.append(LocalApi(answers))
        return running[-1]

    yield start
    for server in running:
        server.close()
