"""The command line of each process of the control plane."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from controlplane import audit
from controlplane.access import Certificates
from controlplane.build import ensure_label


@dataclass(frozen=True)
class Layout:
    """Where one control plane keeps its files, and the two ports it listens on."""

    folder: Path
    certificates: Certificates
    etcd_port: int
    api_port: int

    @property
    def server(self) -> str:
        return f"https://127.0.0.1:{self.api_port}"

    @property
    def kubeconfig(self) -> Path:
        return self.folder / "kubeconfig"

    @property
    def token_file(self) -> Path:
        return self.folder / "tokens.csv"


def etcd(at: Layout) -> list[str]:
    url = f"http://127.0.0.1:{at.etcd_port}"
    # Nothing ever speaks to this single member as a peer, so any free port will do for that.
    peer = "http://127.0.0.1:0"
    return [
        str(ensure_label("etcd")),
        f"--data-dir={at.folder / 'etcd'}",
        f"--listen-client-urls={url}",
        f"--advertise-client-urls={url}",
        f"--listen-peer-urls={peer}",
        f"--initial-advertise-peer-urls={peer}",
        f"--initial-cluster=default={peer}",
        "--unsafe-no-fsync",
    ]


def api_server(at: Layout) -> list[str]:
    certificates = at.certificates
    return [
        str(ensure_label("kube-apiserver")),
        f"--etcd-servers=http://127.0.0.1:{at.etcd_port}",
        "--bind-address=127.0.0.1",
        f"--secure-port={at.api_port}",
        # Only told to clients inside the cluster, and there are none. By default the API server takes
        # the machine's own address, and does not start where there is no network.
        "--advertise-address=192.0.2.1",
        f"--tls-cert-file={certificates.server}",
        f"--tls-private-key-file={certificates.server_key}",
        f"--client-ca-file={certificates.ca}",
        f"--token-auth-file={at.token_file}",
        "--authorization-mode=RBAC",
        "--service-account-issuer=https://kubernetes.default.svc",
        f"--service-account-key-file={certificates.service_account_key}",
        f"--service-account-signing-key-file={certificates.service_account_key}",
        "--service-cluster-ip-range=10.0.0.0/16",
        "--allow-privileged=true",
        *audit.options(at.folder),
    ]


def controller_manager(at: Layout) -> list[str]:
    return [
        str(ensure_label("kube-controller-manager")),
        f"--kubeconfig={at.kubeconfig}",
        f"--service-account-private-key-file={at.certificates.service_account_key}",
        f"--root-ca-file={at.certificates.ca}",
        "--leader-elect=false",
        "--secure-port=0",
        # Its default of 20 requests a second would make tests wait for namespaces and rollouts.
        "--kube-api-qps=500",
        "--kube-api-burst=1000",
    ]


def scheduler(at: Layout) -> list[str]:
    return [
        str(ensure_label("kube-scheduler")),
        f"--kubeconfig={at.kubeconfig}",
        "--leader-elect=false",
        "--secure-port=0",
    ]


def kwok(at: Layout) -> list[str]:
    """Plays the kubelet of every Node object there is."""
    return [
        str(ensure_label("kwok")),
        f"--kubeconfig={at.kubeconfig}",
        "--manage-all-nodes=true",
        # Without leases it tells of a node every five minutes; the controller manager gives a node up, and
        # calls its pods not ready, after 50 seconds.
        "--node-lease-duration-seconds=40",
    ]
