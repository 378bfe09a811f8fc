"""A containerd that does not start, or does not load its CRI plugin."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Literal

from helmguard.model.containerd_settings import ConfigPlace
from helmguard.rules.context.containerd_drop_ins import replaced_tables
from helmguard.rules.context.containerd_readings import Reading
from helmguard.rules.context.containerd_versions import mixed_versions
from helmguard.rules.context.record import Record

RefusalKind = Literal[
    "other",
    "version",
    "version-order",
    "import",
    "main-file",
    "syntax",
    "byte-order-mark",
    "wrong-type",
    "plugin-name",
    "default-runtime",
    "mirrors",
    "old-option",
    "disabled",
]

_KINDS: tuple[tuple[RefusalKind, str], ...] = (
    ("version-order", r"higher than root config version"),
    ("version", r"unsupported config version|expected containerd config version"),
    ("byte-order-mark", r"byte order mark"),
    ("plugin-name", r"invalid (disabled|required) plugin URI|invalid plugin key URI"),
    ("default-runtime", r"no corresponding runtime configured|`default_runtime_name` is empty"),
    ("mirrors", r"`mirrors` cannot be set when `config_path`"),
    ("old-option", r"only works for runtime io\.containerd\.runtime\.v1\.linux"),
)
"""By what containerd says; see containerd/load.py and containerd/cri_checks.py."""

_PATH = re.compile(r"(?:open|read) (\S+):")


class Refusal(Record, frozen=True):
    """A node whose containerd refuses to start, or runs without its CRI plugin: no pod starts there."""

    node: Annotated[str, "the node's name"]
    file: Annotated[str, "the file with the reason; else containerd's main configuration file"] = ""
    line: Annotated[int, "the line, 0 where it is not known"] = 0
    what: Annotated[
        Literal["daemon", "cri"], "`daemon`: it does not start; `cri`: its CRI plugin does not load"
    ] = "daemon"
    kind: Annotated[RefusalKind, "the kind of the reason"] = "other"
    reason: Annotated[str, "the reason in containerd's words"] = ""
    name: Annotated[str, "the import that is not there, the default runtime that is not defined"] = ""
    runtimes: Annotated[tuple[str, ...], "the runtimes that are defined"] = ()
    default_set: Annotated[bool, "a file sets `default_runtime_name`"] = False
    said: Annotated[int, "the `version` that counts, 0 for none"] = 0
    highest: Annotated[int, "the highest `version` that this containerd takes"] = 0
    kubelet: Annotated[bool, "the node has a kubelet"] = False
    told_by: Annotated[str, "the rule that tells of the cause, empty for none"] = ""
    version: Annotated[str, "containerd's version"] = ""
    planned: Annotated[bool, "under the planned version alone"] = False


def refusals(reading: Reading) -> Iterator[Refusal]:
    """At most one."""
    from helmguard.containerd.version import read_version

    effective, facts = reading.effective, reading.facts
    if effective.cri == "ok":
        return
    daemon = effective.daemon == "refuses"
    reason = effective.daemon_error if daemon else effective.cri_error or effective.image_error
    kind = _kind(reading, reason)
    place = _place(reading, kind)
    found = read_version(effective.containerd)
    name = _PATH.search(reason)
    default = effective.default_runtime_name
    yield Refusal(
        node=facts.name,
        file=place.file or reading.main,
        line=place.line,
        what="daemon" if daemon else "cri",
        kind=kind,
        reason=reason or "disabled_plugins names it",
        name=(name[1] if name else "") if daemon else (default if kind == "default-runtime" else ""),
        runtimes=tuple(sorted(effective.runtimes)),
        default_set=bool(effective.places.get("default_runtime_name", ConfigPlace()).file),
        said=effective.merged_version or 0,
        highest=found.highest_config if found is not None else 0,
        kubelet=bool(facts.kubelet.version or facts.kubelet.file or facts.kubelet.cgroup_driver),
        told_by=_told_by(reading, default) if kind == "default-runtime" else "",
        version=effective.containerd,
        planned=reading.planned,
    )


def same_refusal(one: Refusal) -> tuple[object, ...]:
    """Versions word the same reason in their own ways."""
    return ((one.file, one.line, one.what, one.kind, one.name, one.told_by),)


def _kind(reading: Reading, reason: str) -> RefusalKind:
    effective = reading.effective
    if effective.cri == "disabled":
        return "disabled"
    for kind, pattern in _KINDS:
        if re.search(pattern, reason):
            return kind
    if "no such file or directory" in reason or "is a directory" in reason:
        return "import" if effective.daemon_error_at.file else "main-file"
    if reason.startswith("failed to load TOML") or re.match(r"failed to unmarshal TOML \(line", reason):
        return "syntax"
    return "wrong-type" if effective.daemon_error_at.file else "other"


def _place(reading: Reading, kind: RefusalKind) -> ConfigPlace:
    effective = reading.effective
    if effective.daemon == "refuses":
        return effective.daemon_error_at
    named = {
        "default-runtime": ("default_runtime_name",),
        "mirrors": ("registry_mirrors", "registry_config_path"),
        "disabled": ("disabled_plugins",),
    }
    for name in named.get(kind, ()):
        if effective.places.get(name, ConfigPlace()).file:
            return effective.places[name]
    if kind == "default-runtime":
        tables = (one.places.get("", ConfigPlace()) for _, one in sorted(effective.runtimes.items()))
        return next((place for place in tables if place.file), ConfigPlace())
    return ConfigPlace()


def _told_by(reading: Reading, default: str) -> str:
    """The rule that tells how the default runtime got lost, and as gravely."""
    if any(default in one.lost_runtimes for one in replaced_tables(reading)):
        return "ctrd-dropin-replaces"
    if any(default in one.lost_runtimes for one in mixed_versions(reading)):
        return "ctrd-mixed-versions"
    return ""
