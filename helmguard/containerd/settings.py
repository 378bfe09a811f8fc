"""What the settings of the CRI plugins are called, whatever the generation that names them."""

from __future__ import annotations

import re

from helmguard.containerd.schema import CRI, CRI_IMAGES, CRI_RUNTIME
from helmguard.containerd.toml_places import KeyPath

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_NAMED = {
    ("containerd", "default_runtime_name"): "default_runtime_name",
    ("enable_cdi",): "enable_cdi",
    ("cdi_spec_dirs",): "cdi_spec_dirs",
    ("sandbox_image",): "sandbox_image",
    ("pinned_images", "sandbox"): "sandbox_image",
    ("registry", "config_path"): "registry_config_path",
}
_RUNTIME_FIELDS = {"runtime_type": "type", "runtime_path": "path", "sandbox_mode": "sandboxer"}


def is_cri(plugin: str) -> bool:
    """Whether a plugin's id is, or is meant for, one of the CRI plugins of any generation."""
    return plugin in ("cri", CRI, CRI_RUNTIME, CRI_IMAGES) or "cri" in plugin.split(".")


def setting_name(path: KeyPath) -> str:
    """A setting's name by its path below the plugin: ``runtimes.nvidia.BinaryName``, ``sandbox_image``, …

    Settings that the model does not know have none.
    """
    if path in _NAMED:
        return _NAMED[path]
    if path[:2] == ("registry", "mirrors"):
        return "registry_mirrors"
    if path[:1] == ("registry",):
        return "registry"
    if path[:2] == ("containerd", "runtimes") and len(path) > 2:
        rest = tuple(part for part in path[3:] if part != "options")
        field = ".".join(rest)
        return ".".join(["runtimes", path[2], *([_RUNTIME_FIELDS.get(field, field)] if field else [])])
    return ""


def same_setting(path: KeyPath) -> KeyPath:
    """One path for a setting under either generation's names."""
    return ("sandbox_image",) if path == ("pinned_images", "sandbox") else path


def written_path(path: KeyPath) -> str:
    """A path as TOML writes it: ``plugins."io.containerd.grpc.v1.cri".sandbox_image``."""
    return ".".join(part if _BARE.fullmatch(part) else f'"{part}"' for part in path)
