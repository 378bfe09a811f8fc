"""A user who may do everything, and of whom everything is written down."""

from __future__ import annotations

import time
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controlplane import access, audit
from controlplane.client import ControlPlane
from controlplane.errors import ClusterError

_SECONDS: Final = 10.0


@dataclass(frozen=True)
class AuditedUser:
    """`kubeconfig` is this user's, with the client certificate; nobody else has the same `name`."""

    name: str
    kubeconfig: Path
    certificate: Path
    key: Path
    _folder: Path

    def requests(self) -> list[audit.Request]:
        """All that was asked in this user's name up to now, by whichever program, with the answers' codes.

        Each request is logged before it is handled, so none of a program that has ended can be missing.
        """
        deadline = time.monotonic() + _SECONDS
        while True:
            found = audit.requests_of(self._folder, self.name)
            if all(request.code for request in found):
                return found
            if time.monotonic() > deadline:
                raise TimeoutError(f"a request of {self.name} is not answered after {_SECONDS:.0f} s")
            time.sleep(0.01)


def make_audited_user(cluster: ControlPlane, folder: Path) -> AuditedUser:
    """A new user; the certificate, its key and the kubeconfig are written into `folder`."""
    if not (cluster.folder / audit.LOG).exists():
        raise ClusterError(f"the test cluster in {cluster.folder} has no audit log: start it anew")
    name = f"audited-{uuid.uuid4().hex[:12]}"
    authority = access.certificates_in(cluster.folder / "certificates")
    groups = ["system:masters", audit.AUDITED]
    certificate, key = access.make_client(authority, folder, name, groups)
    kubeconfig = folder / f"{name}.kubeconfig"
    kubeconfig.touch(mode=0o600)
    kubeconfig.write_text(access.client_kubeconfig(cluster.server, cluster.ca, name, certificate, key))
    return AuditedUser(name, kubeconfig, certificate, key, cluster.folder)
