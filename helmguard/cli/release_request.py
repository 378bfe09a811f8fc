"""From the flags of ``helmguard status`` and ``helmguard history`` to a release in the cluster."""

from __future__ import annotations

import argparse

from msgspec.structs import replace

from helmguard.cli.flags_gate import read_gate
from helmguard.cli.request import read_kube_options
from helmguard.helm.flags import RenderOptions
from helmguard.planner.request import PlanRequest


def read_release_request(options: argparse.Namespace, *, judged: bool = True) -> PlanRequest:
    """A release, without anything to do to it; ``judged``: findings will count.

    Raises:
        ConfigError: the configuration cannot be used.
    """
    plain = PlanRequest(
        options=RenderOptions(release=options.release, chart="", namespace=options.namespace),
        kube=read_kube_options(options),
        helm_binary=options.helm_bin,
    )
    return replace(plain, gate=read_gate(options)) if judged else plain
