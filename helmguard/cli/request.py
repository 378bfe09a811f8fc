"""From parsed flags to a plan request."""

from __future__ import annotations

import argparse

from msgspec.structs import fields, replace

from helmguard.cli.flags_gate import read_gate
from helmguard.cli.flags_nodes import read_node_facts
from helmguard.cluster.kube_options import KubeOptions
from helmguard.config.gate import DEFAULT_GATE
from helmguard.errors import UsageError
from helmguard.helm.flags import ROLLBACK_FLAGS, RenderOptions, given_flags, render_options
from helmguard.planner.apply_options import APPLY_FLAGS, given_apply_options
from helmguard.planner.request import BundleOverrides, PlanRequest


def read_plan_request(
    options: argparse.Namespace, *, judged: bool = True, command: str = "plan"
) -> PlanRequest:
    """The request that the flags of ``plan``, ``values``, ``bundle``, ``upgrade`` and ``rollback`` describe.

    ``judged``: there will be a verdict, so that the configuration is read.

    Raises:
        UsageError: the release or the chart is missing, or both a chart and a rollback are asked for.
        ConfigError: the configuration cannot be used.
    """
    rollback = getattr(options, "rollback", None)
    if not options.release:
        then = "[REVISION]" if command == "rollback" else "CHART"
        raise UsageError(
            "the release's name is missing", remedy=f"Usage: helmguard {command} RELEASE {then} [flags]"
        )
    if rollback is None and not options.chart:
        raise UsageError(
            "the chart is missing",
            remedy="Name a chart folder, archive, REPO/CHART or oci:// address"
            + (", or ask for --rollback." if command == "plan" else "."),
        )
    if rollback is not None and options.chart:
        raise UsageError(
            f"a rollback takes no chart, but {options.chart!r} was given",
            remedy=f"For revision {options.chart} write: --rollback {options.chart}"
            if options.chart.isdecimal()
            else "Leave the chart away: helm takes it from the revision.",
        )
    render = render_options(
        options,
        release=options.release,
        chart=options.chart or "",
        other_words=tuple(options.other_words),
    )
    if rollback is not None:
        _refuse_flags(render, ROLLBACK_FLAGS, "helm rollback has no {flag}: it renders nothing")
    return PlanRequest(
        options=render,
        kube=read_kube_options(options),
        helm_binary=options.helm_bin,
        rollback=rollback is not None,
        rollback_to=rollback or 0,
        render_by=options.render,
        gate=read_gate(options) if judged else DEFAULT_GATE,
        server_dry_run=getattr(options, "server_dry_run", None) or "auto",
        nodes=read_node_facts(options),
    )


def read_bundle_overrides(options: argparse.Namespace) -> BundleOverrides:
    """What the flags of ``plan --bundle`` change of the bundle's own request.

    Raises:
        UsageError: a flag was given that means nothing without a cluster or repository.
        ConfigError: the configuration cannot be used.
    """
    render = render_options(options, release=options.release, chart=options.chart)
    _refuse_flags(replace(render, value_words=()), APPLY_FLAGS, "{flag} has no effect on what a bundle holds")
    if getattr(options, "server_dry_run", None) == "always":
        raise UsageError(
            "--server-dry-run=always has no effect: a bundle has no API server to ask",
            remedy="Leave the flag out, or plan against the cluster.",
        )
    refuse_cluster_flags(options)
    return BundleOverrides(
        release=options.release,
        namespace=options.namespace,
        chart=options.chart,
        options=given_apply_options(render),
        value_words=tuple(options.value_words),
        rollback=options.rollback is not None,
        rollback_to=options.rollback or 0,
        helm_binary=options.helm_bin,
        gate=read_gate(options),
        nodes=read_node_facts(options),
    )


def _refuse_flags(options: RenderOptions, allowed: frozenset[str], why: str) -> None:
    refused = [flag.option for flag in given_flags(options) if flag.name not in allowed]
    refused += [word.partition("=")[0] for word in options.value_words if word.startswith("-")]
    if refused:
        raise UsageError(why.format(flag=refused[0]), remedy=f"Leave {refused[0]} out.")


def refuse_cluster_flags(options: argparse.Namespace) -> None:
    """Complains about a flag that only a cluster gives a meaning to.

    Raises:
        UsageError: one was given, beside a bundle.
    """
    kube = read_kube_options(options)
    for flag in fields(kube):
        if flag.name not in ("namespace", "request_timeout") and getattr(kube, flag.name) != flag.default:
            raise UsageError(f"--{flag.name.replace('_', '-')} has no effect: a bundle is its own cluster")


def read_kube_options(options: argparse.Namespace) -> KubeOptions:
    """Helm's global flags."""
    return KubeOptions(
        kubeconfig=options.kubeconfig,
        kube_context=options.kube_context,
        namespace=options.namespace,
        kube_as_user=options.kube_as_user,
        kube_as_group=tuple(options.kube_as_group),
        kube_apiserver=options.kube_apiserver,
        kube_ca_file=options.kube_ca_file,
        kube_insecure_skip_tls_verify=options.kube_insecure_skip_tls_verify,
        kube_tls_server_name=options.kube_tls_server_name,
        kube_token=options.kube_token,
        qps=options.qps,
        burst_limit=options.burst_limit,
    )
