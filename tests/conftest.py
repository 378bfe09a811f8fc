"""What every test may use: the real Helm binaries and the real control plane. See tests/cluster/README.md."""

from __future__ import annotations

import contextlib
import os
import signal

import pytest
from controlplane import session
from controlplane.fixtures import *  # noqa: F403 - its __all__ is the list of fixtures
from hypothesis import HealthCheck, settings

_CLUSTER_FIXTURES = {"control_plane", "rollout_control_plane", "namespace", "helm"}


# A slow machine is no failure. The examples are the same in every run, so that a red run means a change;
# HELMGUARD_NEW_EXAMPLES=1 looks further.
settings.register_profile(
    "helmguard",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=not os.environ.get("HELMGUARD_NEW_EXAMPLES"),
)
settings.load_profile("helmguard")


def pytest_configure(config: pytest.Config) -> None:
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # A shell lets what it starts in the background ignore Ctrl-C, and so would every program of a test.
        with contextlib.suppress(ValueError):
            signal.signal(signal.SIGINT, signal.default_int_handler)
    if not _is_worker(config):
        session.begin()


def pytest_unconfigure(config: pytest.Config) -> None:
    if not _is_worker(config):
        session.end()


@pytest.hookimpl(tryfirst=True)  # before -m chooses
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks every test that asks for a control plane, so that `-m 'not cluster'` leaves them all out."""
    for item in items:
        if _CLUSTER_FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker("cluster")
        if session.NOT_WANTED is not None and item.get_closest_marker("cluster"):
            item.add_marker(pytest.mark.skip(reason=session.NOT_WANTED))


def _is_worker(config: pytest.Config) -> bool:
    """Whether this is one of pytest-xdist's workers."""
    return hasattr(config, "workerinput")
