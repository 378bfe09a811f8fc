"""Whether runtimes and kubelet put containers and pods under the same kind of cgroups.

The kubelet asks containerd for its driver where both can: the feature KubeletCgroupDriverFromCRI is on by
default from Kubernetes 1.31 on and cannot be turned off from 1.34 on (kubernetes@v1.36.3
pkg/features/kube_features.go), and containerd answers from 2.0 on (1.7.29 has no such call). The answer is
SystemdCgroup of the default runtime, or of the first by name that has options of runc, where unset is false;
it is only looked for systemd where no runtime has such options (containerd@v2.1.4 and v2.3.0
internal/cri/server/runtime_config_linux.go). A configured cgroupDriver counts for nothing then
(kubernetes@v1.36.3 cmd/kubelet/app/server.go, getCgroupDriverFromCRI), whatever the version of cgroups.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Literal

from helmguard.model.containerd_settings import ConfigPlace, RuntimeSettings
from helmguard.model.node_facts import NodeFacts
from helmguard.rules.context.containerd_readings import Reading, lost_settings, place_text
from helmguard.rules.context.containerd_runtimes import is_runc
from helmguard.rules.context.containerd_versions import telling_rule
from helmguard.rules.context.record import Record

_GATE = re.compile(r"KubeletCgroupDriverFromCRI\W{1,5}(true|false)")


class CgroupDriver(Record, frozen=True):
    """A node on which a runtime's cgroup driver is not the one that pods are made with."""

    node: Annotated[str, "the node's name"]
    file: Annotated[str, "where the first runtime that differs says so, or begins; else the main file"] = ""
    line: Annotated[int, "the line, 0 for a default"] = 0
    expected: Annotated[
        Literal["systemd", "cgroupfs"], "the driver that all runtimes should have: the kubelet's"
    ] = "systemd"
    by: Annotated[
        Literal["kubelet", "containerd", "runtimes"],
        "who says it: the kubelet's configuration; containerd, which the kubelet asks; or, where the "
        "kubelet's is not known, the runtimes that are set to systemd",
    ] = "kubelet"
    kubelet_driver: Annotated[str, "what the kubelet's configuration says, empty where that is not known"] = (
        ""
    )
    kubelet_at: Annotated[str, "where: `/var/lib/kubelet/config.yaml:7`"] = ""
    kubelet_asks: Annotated[
        bool, "the kubelet asks containerd, so that its own configuration does not count"
    ] = False
    may_ask: Annotated[bool, "it may do so: its version is not known"] = False
    agree: Annotated[bool, "all runtimes have one driver"] = False
    wrong: Annotated[tuple[str, ...], "the runtimes that differ, with what they have and where"] = ()
    runtimes: Annotated[tuple[str, ...], "their names"] = ()
    told_by: Annotated[str, "the rule that tells how the setting got lost, empty for none"] = ""
    version: Annotated[str, "containerd's version"] = ""
    planned: Annotated[bool, "under the planned version alone"] = False


def cgroup_drivers(reading: Reading) -> Iterator[CgroupDriver]:
    """At most one, and none where everything agrees."""
    effective, facts = reading.effective, reading.facts
    if effective.cri != "ok" or effective.unread:
        return
    runtimes = {
        name: one
        for name, one in sorted(effective.runtimes.items())
        if is_runc(one) and not one.options_error
    }
    drivers = {name: _driver(bool(one.systemd_cgroup)) for name, one in runtimes.items()}
    if not drivers:
        return
    kubelet = facts.kubelet
    told = kubelet.cgroup_driver if kubelet.cgroup_driver in ("systemd", "cgroupfs") else ""
    asks = kubelet_asks(facts, effective.containerd)
    if kubelet.cgroup_driver == "default" and asks is False:
        told = "cgroupfs"
    expected, by = _expected(reading, runtimes, drivers, told, asks)
    wrong = [name for name, driver in drivers.items() if driver != expected]
    ignored_setting = bool(asks and told and told != expected)
    if not wrong and not ignored_setting:
        return
    named = wrong or [name for name, driver in drivers.items() if driver != told]
    place = _place(runtimes[named[0]])
    yield CgroupDriver(
        node=facts.name,
        file=place.file or reading.main,
        line=place.line,
        expected="systemd" if expected == "systemd" else "cgroupfs",
        by=by,
        kubelet_driver=told,
        kubelet_at=place_text(ConfigPlace(kubelet.file, kubelet.line)) if kubelet.file else "",
        kubelet_asks=asks is True,
        may_ask=asks is None,
        agree=len(set(drivers.values())) == 1 and not (asks and wrong),
        wrong=tuple(_wrong(runtimes[name]) for name in named),
        runtimes=tuple(named),
        told_by=_told_by(reading, drivers),
        version=effective.containerd,
        planned=reading.planned,
    )


def kubelet_asks(facts: NodeFacts, containerd: str) -> bool | None:
    """Whether the kubelet takes its driver from containerd; None where its version is not known."""
    from helmguard.containerd.version import read_version

    runtime, kubelet = read_version(containerd), read_version(facts.kubelet.version)
    if runtime is not None and runtime.major < 2:
        return False
    if kubelet is None:
        return None
    gate = _GATE.search(_kubelet_text(facts))
    minor = (kubelet.major, kubelet.minor)
    if minor >= (1, 34):
        return True
    if minor >= (1, 31):
        return gate is None or gate[1] == "true"
    return minor >= (1, 28) and gate is not None and gate[1] == "true"


def _kubelet_text(facts: NodeFacts) -> str:
    file = facts.files.get(facts.kubelet.file)
    return (file.text or "") if file is not None else ""


def _expected(
    reading: Reading,
    runtimes: Mapping[str, RuntimeSettings],
    drivers: Mapping[str, str],
    told: str,
    asks: bool | None,
) -> tuple[str, Literal["kubelet", "containerd", "runtimes"]]:
    default = reading.effective.default_runtime_name
    order = sorted(drivers, key=lambda name: (name != default, name))
    if asks:
        answering = next((name for name in order if _has_options(runtimes[name])), "")
        found = drivers[answering] if answering else _driver(reading.facts.system.systemd)
        return found, "containerd"
    if told:
        return told, "kubelet"
    # They differ, so that one of them is told to use systemd: nobody says so by accident.
    return _driver("systemd" in drivers.values()), "runtimes"


def _has_options(runtime: RuntimeSettings) -> bool:
    """Without a table of options containerd has none of its own for a runtime, and does not ask it."""
    given = runtime.options or runtime.unknown_options or "options" in runtime.places
    return bool(given) or runtime.binary_name is not None or runtime.systemd_cgroup is not None


def _driver(systemd: bool) -> str:
    return "systemd" if systemd else "cgroupfs"


def _place(runtime: RuntimeSettings) -> ConfigPlace:
    said = runtime.places.get("SystemdCgroup", ConfigPlace())
    return said if said.file else runtime.places.get("", ConfigPlace())


def _wrong(runtime: RuntimeSettings) -> str:
    said = runtime.places.get("SystemdCgroup", ConfigPlace())
    if said.file:
        value = "true" if runtime.systemd_cgroup else "false"
        return f"runtime {runtime.name}: SystemdCgroup = {value} ({place_text(said)})"
    return f"runtime {runtime.name}: SystemdCgroup is not set, which is false"


def _told_by(reading: Reading, names: Iterable[str]) -> str:
    """Settings of these runtimes that have no effect are told with their cause."""
    settings = {f"runtimes.{name}.SystemdCgroup" for name in names}
    if any(one.setting in settings for one in lost_settings(reading, "replaced")):
        return "ctrd-dropin-replaces"
    return telling_rule(reading, settings)
