"""The one error of the test cluster: something could not be built, started or stopped, and why."""

from __future__ import annotations


class ClusterError(Exception):
    """A message for the person who runs the tests: what failed, and the end of its log where there is one."""
