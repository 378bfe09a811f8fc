"""From the flags of ``helmguard drift`` to a request."""

from __future__ import annotations

import argparse

from helmguard.cli.flags_gate import read_gate
from helmguard.cli.request import read_kube_options, refuse_cluster_flags
from helmguard.helm.flags import RenderOptions
from helmguard.planner.apply_options import apply_options, given_apply_options
from helmguard.planner.drift_many import ReleasesRequest
from helmguard.planner.request import BundleOverrides, PlanRequest


def read_drift_request(options: argparse.Namespace) -> PlanRequest:
    """One release in the cluster; without a release, what all have in common.

    Raises:
        UsageError: ``--server-side`` is neither true, false nor auto.
    """
    return PlanRequest(
        options=_render_options(options),
        kube=read_kube_options(options),
        helm_binary=options.helm_bin,
        gate=read_gate(options),
    )


def read_releases_request(options: argparse.Namespace) -> ReleasesRequest:
    """Several releases; as for helm, ``--all-namespaces`` outweighs ``-n``.

    Raises:
        UsageError: as ``read_drift_request``.
    """
    return ReleasesRequest(
        read_drift_request(options),
        all_namespaces=options.all_namespaces,
        pattern=options.filter,
        selector=options.selector,
    )


def read_drift_overrides(options: argparse.Namespace) -> BundleOverrides:
    """What the flags change of a bundle's own request.

    Raises:
        UsageError: a flag was given that means nothing without a cluster.
    """
    refuse_cluster_flags(options)
    return BundleOverrides(
        release=options.release,
        namespace=options.namespace,
        options=given_apply_options(_render_options(options)),
        gate=read_gate(options),
    )


def _render_options(options: argparse.Namespace) -> RenderOptions:
    found = RenderOptions(
        release=options.release,
        chart="",
        namespace=options.namespace,
        server_side=options.server_side,
        force_conflicts=options.force_conflicts,
    )
    apply_options(found)
    return found
