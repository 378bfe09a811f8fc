"""Which flags a version of helm knows, as one table.

Source: the flag definitions (cmd/helm, pkg/cmd, pkg/cli) of helm/helm's release tags from v3.0.0 on.
"""

from __future__ import annotations

import msgspec

from helmguard.errors import UsageError
from helmguard.model.helm_version import HelmVersion

_FIRST = HelmVersion(3, 0, 0)

FLAG_SINCE: dict[str, HelmVersion] = {
    "--description": HelmVersion(3, 1, 0),
    "--is-upgrade": HelmVersion(3, 1, 0),
    "--post-renderer": HelmVersion(3, 1, 0),
    "--skip-crds": HelmVersion(3, 1, 2),
    "--create-namespace": HelmVersion(3, 2, 0),
    "--disable-openapi-validation": HelmVersion(3, 2, 0),
    "--kube-apiserver": HelmVersion(3, 2, 0),
    "--kube-token": HelmVersion(3, 2, 0),
    "--insecure-skip-tls-verify": HelmVersion(3, 3, 0),
    "--kube-as-user": HelmVersion(3, 4, 0),
    "--kube-as-group": HelmVersion(3, 4, 0),
    "--kube-ca-file": HelmVersion(3, 5, 0),
    "--kube-version": HelmVersion(3, 6, 0),
    "--pass-credentials": HelmVersion(3, 6, 1),
    "--dependency-update": HelmVersion(3, 7, 0),
    "--post-renderer-args": HelmVersion(3, 9, 0),
    "--burst-limit": HelmVersion(3, 10, 0),
    "--kube-insecure-skip-tls-verify": HelmVersion(3, 10, 0),
    "--kube-tls-server-name": HelmVersion(3, 10, 0),
    "--set-json": HelmVersion(3, 10, 0),
    "--enable-dns": HelmVersion(3, 11, 1),
    "--set-literal": HelmVersion(3, 12, 0),
    "--dry-run=server": HelmVersion(3, 13, 0),
    "--labels": HelmVersion(3, 13, 0),
    "--plain-http": HelmVersion(3, 13, 0),
    "--qps": HelmVersion(3, 14, 0),
    "--reset-then-reuse-values": HelmVersion(3, 14, 0),
    "--hide-secret": HelmVersion(3, 15, 0),
    "--hide-notes": HelmVersion(3, 16, 0),
    "--skip-schema-validation": HelmVersion(3, 16, 0),
    "--take-ownership": HelmVersion(3, 17, 0),
    "--content-cache": HelmVersion(4, 0, 0),
    "--force-conflicts": HelmVersion(4, 0, 0),
    "--force-replace": HelmVersion(4, 0, 0),
    "--rollback-on-failure": HelmVersion(4, 0, 0),
    "--server-side": HelmVersion(4, 0, 0),
}
"""The first version that knows the flag; a flag that is not listed is as old as Helm 3."""

FLAG_UNTIL: dict[str, HelmVersion] = {
    "--recreate-pods": HelmVersion(4, 0, 0),
    "--validate": HelmVersion(4, 0, 0),
}
"""The first version that no longer knows the flag."""

_RENAMED: tuple[tuple[str, str, HelmVersion], ...] = (
    ("--force", "--force-replace", HelmVersion(4, 0, 0)),
    ("--atomic", "--rollback-on-failure", HelmVersion(4, 0, 0)),
)
"""Old name, new name, and the version since which the new one is the right one (the old still works)."""


class HelmCapabilities(msgspec.Struct, frozen=True):
    """What a version of helm can do."""

    version: HelmVersion

    def supports(self, flag: str) -> bool:
        """Whether this helm knows ``flag``, written ``--name`` (or ``--dry-run=server``)."""
        until = FLAG_UNTIL.get(flag)
        return FLAG_SINCE.get(flag, _FIRST) <= self.version and (until is None or self.version < until)

    def own_name(self, flag: str) -> str:
        """The flag's name in this version: ``--force`` is ``--force-replace`` in Helm 4, and back."""
        for old, new, since in _RENAMED:
            if flag in (old, new):
                return new if self.version >= since else old
        return flag

    def require(self, flag: str) -> None:
        """Refuse a flag that this helm does not know.

        Raises:
            UsageError: naming the versions that know it.
        """
        if self.supports(flag):
            return
        until = FLAG_UNTIL.get(flag)
        if until is not None and self.version >= until:
            raise UsageError(f"helm {self.version} no longer has {flag}", remedy=f"Leave {flag} out.")
        raise UsageError(
            f"{flag} needs Helm {FLAG_SINCE[flag]} or newer; this helm is {self.version}",
            remedy=f"Leave {flag} out, or choose another helm with --helm-bin.",
        )

    @property
    def server_side_apply(self) -> bool:
        """Whether this helm can apply on the server (Helm 4)."""
        return self.version.major >= 4

    @property
    def post_renderer_is_plugin(self) -> bool:
        """``--post-renderer`` names a plugin in Helm 4, an executable in Helm 3."""
        return self.version.major >= 4

    def dry_run_flag(self) -> str:
        """The flag for a dry run that may read from the cluster; before Helm 3.13 ``lookup`` stays empty."""
        return "--dry-run=server" if self.supports("--dry-run=server") else "--dry-run"
