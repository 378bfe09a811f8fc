"""What in a template could notice that it is rendered by ``helm template``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

import msgspec

from helmguard.helm.template_units import Unit

_PLAIN_VERSION = re.compile(r"v\d+\.\d+\.\d+$")
_KNOWN_RELEASE_FIELDS = frozenset(["Name", "Namespace", "Service", "IsInstall", "IsUpgrade"])
_NEVER_COMPILED_IN = frozenset(
    [
        "apiregistration.k8s.io",
        "autoscaling.k8s.io",
        "custom.metrics.k8s.io",
        "external.metrics.k8s.io",
        "gateway.networking.k8s.io",
        "metrics.k8s.io",
        "policy.networking.k8s.io",
        "snapshot.storage.k8s.io",
    ]
)
_COMPILED_IN_GROUP = re.compile(r"^(?:[a-z]+|[a-z.]+\.k8s\.io)$")


class Doubt(msgspec.Struct, frozen=True):
    """A reason why ``helm template`` might give another result.

    ``needs`` says what would settle it: ``cluster`` (a template run that may ask the cluster) or ``record``
    (a dry run of the upgrade itself).
    """

    needs: Literal["cluster", "record"]
    what: str
    where: str

    def __str__(self) -> str:
        return f"{self.what} ({self.where})" if self.where else self.what


def is_plain_version(kubernetes_version: str) -> bool:
    """Whether the version is one that ``--kube-version`` passes on unchanged: ``v1.36.3``, no suffix."""
    return bool(_PLAIN_VERSION.match(kubernetes_version))


def is_custom(api_version: str) -> bool:
    """Whether an API version (``example.com/v1``, ``example.com/v1/Kind``) is none that helm knows itself."""
    group, slash, _ = api_version.partition("/")
    return bool(slash) and "." in group and (group in _NEVER_COMPILED_IN or not group.endswith(".k8s.io"))


def doubts_of(
    unit: Unit, is_upgrade: bool, kubernetes_version: str, api_versions: frozenset[str]
) -> Iterator[Doubt]:
    where = unit.name
    if "lookup" in unit.functions:
        yield Doubt("cluster", "lookup reads the cluster", where)
    if "root" in unit.dumps:
        yield Doubt("record", "prints or converts the whole root object", where)
    for asked in unit.api_versions:
        if _may_be_compiled_in(asked, api_versions):
            yield Doubt("cluster", f"asks for API version {asked or 'by a computed name'}", where)
    for chain in unit.fields:
        yield from _field_doubts(chain, where, is_upgrade, kubernetes_version)


def _may_be_compiled_in(asked: str | None, api_versions: frozenset[str]) -> bool:
    """Whether ``helm template`` could say yes to an API version that the cluster does not serve."""
    if asked is None:
        return True
    if asked in api_versions or asked.count("/") > 1:
        return False
    group, slash, version = asked.partition("/")
    if slash and version[:1].isupper():
        return False
    return not slash or (group not in _NEVER_COMPILED_IN and bool(_COMPILED_IN_GROUP.match(group)))


def _field_doubts(
    chain: tuple[str, ...], where: str, is_upgrade: bool, kubernetes_version: str
) -> Iterator[Doubt]:
    steps = list(chain)
    if "Values" in steps:
        steps = steps[: steps.index("Values")]
    if "Release" in steps and is_upgrade:
        rest = steps[steps.index("Release") + 1 :]
        if not rest:
            yield Doubt("record", "hands on .Release as a whole", where)
        elif rest[0] not in _KNOWN_RELEASE_FIELDS:
            yield Doubt("record", f"uses .Release.{rest[0]}", where)
    if "Capabilities" in steps:
        rest = steps[steps.index("Capabilities") + 1 :]
        if _capabilities_differ(rest, kubernetes_version):
            yield Doubt("cluster", "uses ." + ".".join(["Capabilities", *rest]), where)


def _capabilities_differ(rest: list[str], kubernetes_version: str) -> bool:
    if not rest:
        return True
    if rest[0] == "HelmVersion":
        return False
    if rest[0] == "APIVersions":
        return rest[1:2] != ["Has"]
    if rest[0] == "KubeVersion":
        # A server with a version of its own has a plus sign in its minor, which no flag of helm template can
        # give; one with a plain version has none (kubernetes/kubernetes hack/lib/version.sh).
        exact = rest[1:2] in (["Version"], ["GitVersion"], ["Major"], ["Minor"])
        return not (exact and is_plain_version(kubernetes_version))
    return True
