"""The binaries the tests need, where each comes from, and the version it is told that it has.

Versions are not written here: each `binaries/<folder>/go.mod` pins them, with its checksums in go.sum.
"""

from __future__ import annotations

import hashlib
import platform
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from controlplane.errors import ClusterError

Group = Literal["helm", "core", "rollout"]

MODULES: Final = Path(__file__).resolve().parent.parent / "binaries"

_KUBERNETES_STAMPS: Final = (
    "k8s.io/component-base/version.gitVersion={version}",
    "k8s.io/component-base/version.gitMajor={major}",
    "k8s.io/component-base/version.gitMinor={minor}",
    "k8s.io/component-base/version.gitTreeState=clean",
)


@dataclass(frozen=True)
class Binary:
    """One program built from a pinned Go module.

    `stamps` are the linker's `-X` assignments that give it the version its release has; `{version}` is the
    module's version, `{major}` and `{minor}` its parts, `{client_go_minor}` the minor version of client-go.
    """

    label: str
    group: Group
    folder: str
    module: str
    package: str
    filename: str
    stamps: tuple[str, ...] = ()

    @property
    def module_folder(self) -> Path:
        return MODULES / self.folder

    @property
    def version(self) -> str:
        """The version that go.mod pins, as `v3.22.0`."""
        return required_version(self.module_folder / "go.mod", self.module)

    @property
    def linker_flags(self) -> str:
        """What goes after `go build -ldflags`."""
        major, minor, _ = self.version.removeprefix("v").split(".", 2)
        values = {"version": self.version, "major": major, "minor": minor}
        if any("{client_go_minor}" in stamp for stamp in self.stamps):
            client_go = required_version(self.module_folder / "go.mod", "k8s.io/client-go")
            values["client_go_minor"] = client_go.split(".")[1]
        return " ".join(["-s", "-w", *(f"-X {stamp.format_map(values)}" for stamp in self.stamps)])

    @property
    def key(self) -> str:
        """Names this very build: changes when anything that decides the binary's content changes."""
        digest = hashlib.sha256()
        for part in (self.package, self.linker_flags, platform.system(), platform.machine()):
            digest.update(part.encode() + b"\0")
        for file in ("go.mod", "go.sum"):
            digest.update((self.module_folder / file).read_bytes() + b"\0")
        return f"{self.label}-{self.version}-{digest.hexdigest()[:12]}"


def required_version(go_mod: Path, module: str) -> str:
    """The version of `module` in a go.mod file's `require` lines."""
    found = re.search(rf"^\s*(?:require )?{re.escape(module)} (v\S+)", go_mod.read_text(), re.MULTILINE)
    if found is None:
        raise ClusterError(f"{go_mod} does not require {module}")
    return found[1]


def _helm(major: int, *stamps: str) -> Binary:
    module = f"helm.sh/helm/v{major}"
    version = f"{module}/internal/version"
    return Binary(
        label=f"helm{major}",
        group="helm",
        folder=f"helm{major}",
        module=module,
        package=f"{module}/cmd/helm",
        filename="helm",
        stamps=(
            f"{version}.version={{version}}",
            f"{version}.metadata=",
            f"{version}.gitTreeState=clean",
            *(f"{module}/{stamp}" for stamp in stamps),
        ),
    )


def _kubernetes(name: str, group: Group) -> Binary:
    return Binary(
        label=name,
        group=group,
        folder="kubernetes",
        module="k8s.io/kubernetes",
        package=f"k8s.io/kubernetes/cmd/{name}",
        filename=name,
        stamps=_KUBERNETES_STAMPS,
    )


BINARIES: Final = {
    binary.label: binary
    for binary in (
        # Helm 3 learns its default Capabilities from the linker (helm/helm@v3.22.0 Makefile), Helm 4 from the
        # build information that Go records by itself (helm/helm@v4.3.1 internal/version/clientgo.go).
        _helm(
            3,
            "pkg/lint/rules.k8sVersionMajor=1",
            "pkg/lint/rules.k8sVersionMinor={client_go_minor}",
            "pkg/chartutil.k8sVersionMajor=1",
            "pkg/chartutil.k8sVersionMinor={client_go_minor}",
        ),
        _helm(4),
        Binary(
            label="etcd",
            group="core",
            folder="kubernetes",
            module="go.etcd.io/etcd/server/v3",
            package="go.etcd.io/etcd/server/v3",
            filename="etcd",
        ),
        _kubernetes("kube-apiserver", "core"),
        _kubernetes("kube-controller-manager", "core"),
        _kubernetes("kube-scheduler", "rollout"),
        Binary(
            label="kwok",
            group="rollout",
            folder="kwok",
            module="sigs.k8s.io/kwok",
            package="sigs.k8s.io/kwok/cmd/kwok",
            filename="kwok",
        ),
    )
}


def in_group(group: Group | None) -> list[Binary]:
    """The binaries of one group, or all."""
    return [binary for binary in BINARIES.values() if group in (None, binary.group)]
