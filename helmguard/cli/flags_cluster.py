"""Helm's global flags: which cluster, which namespace, which helm."""

from __future__ import annotations

import argparse


def add_cluster_flags(
    parser: argparse.ArgumentParser, namespace_help: str = "namespace of the release"
) -> None:
    """``-n``, ``--kubeconfig``, ``--kube-*`` under helm's own names, and ``--helm-bin``."""
    group = parser.add_argument_group("cluster (as helm's own)")
    group.add_argument("-n", "--namespace", default="", metavar="NS", help=namespace_help)
    group.add_argument("--kubeconfig", default="", metavar="FILE", help="path of the kubeconfig file")
    group.add_argument("--kube-context", default="", metavar="NAME", help="kubeconfig context to use")
    group.add_argument("--kube-apiserver", default="", metavar="URL", help="address of the API server")
    group.add_argument("--kube-as-user", default="", metavar="USER", help="user to impersonate")
    group.add_argument(
        "--kube-as-group",
        action="append",
        default=[],
        metavar="GROUP",
        help="group to impersonate, repeatable",
    )
    group.add_argument("--kube-ca-file", default="", metavar="FILE", help="certificate authority file")
    group.add_argument(
        "--kube-insecure-skip-tls-verify", action="store_true", help="do not check certificates"
    )
    group.add_argument(
        "--kube-tls-server-name", default="", metavar="NAME", help="name for the certificate check"
    )
    group.add_argument("--kube-token", default="", metavar="TOKEN", help="bearer token")
    group.add_argument("--burst-limit", type=int, default=None, metavar="N", help="passed on to helm")
    group.add_argument("--qps", type=float, default=None, metavar="N", help="passed on to helm")
    group.add_argument(
        "--helm-bin", default="", metavar="FILE", help="the helm to use (else HELM_BIN, then PATH)"
    )
    parser.add_argument(
        "--debug",
        action="store_true",
        help="show the stack trace of an error, and what the API server sees otherwise",
    )
