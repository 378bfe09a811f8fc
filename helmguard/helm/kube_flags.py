"""Which cluster helm talks to: helm's own global flags."""

from __future__ import annotations

import msgspec

from helmguard.helm.capabilities import HelmCapabilities


class KubeFlags(msgspec.Struct, frozen=True):
    """Helm's global flags as typed; empty means not given."""

    namespace: str = ""
    kubeconfig: str = ""
    kube_context: str = ""
    kube_apiserver: str = ""
    kube_token: str = ""
    kube_as_user: str = ""
    kube_as_group: tuple[str, ...] = ()
    kube_ca_file: str = ""
    kube_tls_server_name: str = ""
    kube_insecure_skip_tls_verify: bool = False
    burst_limit: int | None = None
    qps: float | None = None

    def words(self) -> list[str]:
        """The flags as words of a command line, without the token (see `environment`)."""
        words: list[str] = []
        for flag, value in (
            ("--namespace", self.namespace),
            ("--kubeconfig", self.kubeconfig),
            ("--kube-context", self.kube_context),
            ("--kube-apiserver", self.kube_apiserver),
            ("--kube-as-user", self.kube_as_user),
            *(("--kube-as-group", group) for group in self.kube_as_group),
            ("--kube-ca-file", self.kube_ca_file),
            ("--kube-tls-server-name", self.kube_tls_server_name),
        ):
            if value:
                words += [flag, value]
        if self.kube_insecure_skip_tls_verify:
            words.append("--kube-insecure-skip-tls-verify")
        if self.burst_limit is not None:
            words += ["--burst-limit", str(self.burst_limit)]
        if self.qps is not None:
            words += ["--qps", f"{self.qps:g}"]
        return words

    def environment(self) -> dict[str, str]:
        """What goes by environment, where other users of the machine cannot read it."""
        return {"HELM_KUBETOKEN": self.kube_token} if self.kube_token else {}

    def require(self, capabilities: HelmCapabilities) -> None:
        """Refuse flags that this helm does not know.

        Raises:
            UsageError: naming the flag and the version that knows it.
        """
        given = [word for word in self.words() if word.startswith("--")]
        for flag in given + (["--kube-token"] if self.kube_token else []):
            capabilities.require(flag)
