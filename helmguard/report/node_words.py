"""Effective settings in words: what holds, where it stands, how the daemon and the CRI plugin do."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping

from helmguard.containerd.flat_settings import Setting
from helmguard.masking.secret_marks import without_digest
from helmguard.model.containerd_settings import ConfigPlace, Effective
from helmguard.model.json_value import JSONValue
from helmguard.model.judged_node import JudgedNode

_TITLES: Mapping[str, str] = {
    "default_runtime_name": "default runtime",
    "enable_cdi": "CDI",
    "cdi_spec_dirs": "CDI folders",
    "sandbox_image": "sandbox image",
    "registry_config_path": "registry config_path",
    "registry_mirrors": "registry mirrors",
    "disabled_plugins": "disabled plugins",
}


_CRI: Mapping[str, str] = {
    "ok": "CRI works",
    "fails": "the CRI plugin does not load",
    "disabled": "the CRI plugin is disabled",
}


def setting_title(name: str) -> str:
    """``sandbox image`` of ``sandbox_image``, ``runtime nvidia`` of ``runtimes.nvidia``."""
    if name.startswith("runtimes."):
        return f"runtime {name.removeprefix('runtimes.')}"
    return _TITLES.get(name, name)


def is_runtime(name: str) -> bool:
    """Whether it is the name of a runtime as a whole, not of one of its settings."""
    return name.startswith("runtimes.") and name.count(".") == 1


def setting_text(name: str, value: JSONValue) -> str:
    """A value that is masked already, on one line."""
    if name == "enable_cdi":
        return "on" if value else "off"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return without_digest(", ".join(map(str, value))) or "none"
    if isinstance(value, dict):
        return "; ".join(f"{host}: {setting_text('', ends)}" for host, ends in value.items()) or "none"
    return without_digest(str(value)) if value not in (None, "") else "not set"


def short_path(path: str, node: JudgedNode) -> str:
    """As seen from the folder of the node's main file: ``conf.d/99-nvidia.toml``."""
    folder = posixpath.dirname(node.facts.containerd.config_path)
    return path.removeprefix(f"{folder}/") if folder != "/" else path


def place_words(place: ConfigPlace, node: JudgedNode) -> str:
    """``conf.d/99-nvidia.toml:3``; ``default`` where no file says it."""
    if not place.file:
        return "default"
    path = short_path(place.file, node)
    return f"{path}:{place.line}" if place.line else path


def setting_place(setting: Setting | None, node: JudgedNode) -> str:
    """Where a setting stands, empty where there is none."""
    return place_words(setting.place, node) if setting is not None else ""


def state_words(effective: Effective) -> tuple[str, bool]:
    """``starts, CRI ok, configuration of version 2``, and whether that is as it should be."""
    if effective.daemon == "refuses":
        return "refuses to start", False
    parts = ["starts", _CRI.get(effective.cri, "CRI not known")]
    if effective.merged_version is not None:
        parts.append(f"configuration of version {effective.merged_version}")
    return ", ".join(parts), effective.cri == "ok"
