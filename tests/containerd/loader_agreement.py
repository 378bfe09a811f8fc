"""Helmguard's and containerd's own settings for the same files, side by side."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from real_containerd import real_effective

from helmguard.containerd.effective import effective_config
from helmguard.containerd.truth import effective_to_dict
from helmguard.model.node_facts import NodeFile, PathFacts

_ALWAYS = {"daemon": "", "cri": "", "registry_config_path": "", "enable_cdi": False}
_ERRORS = ("daemon_error", "cri_error", "image_error")
_CLASSES = {
    "TOML": r"^panic: (reflect|unhandled|a table)",
    "panic": r"^panic",
    "version": r"unsupported config version|expected containerd config version|drop-in config version",
    "missing import": r"no such file or directory",
    "folder": r"is a directory",
    "plugin URI": r"plugin (key )?URI",
    "pattern": r"syntax error in pattern",
    "duration": r"duration",
    "required": r"required plugin",
    "no default runtime": r"no corresponding runtime|`default_runtime_name` is empty",
    "mirrors": r"`mirrors` cannot|configs\.tls",
    "cni": r"`cni\.",
    "a runtime": r"only works for|conflicting definitions|` requires `privileged|`io_type` can",
    "disabled": r"is disabled",
}
"""What kind of reason a message gives; what matches none is about TOML: its syntax, or a type."""


def ours(version: str, files: Mapping[str, str]) -> dict[str, Any]:
    """Helmguard's truth, without warnings."""
    texts = {path: NodeFile(text) for path, text in files.items() if not path.endswith("/")}
    folders = {str(one): PathFacts("folder") for path in files for one in (PurePosixPath(path) / "x").parents}
    folders = {path: fact for path, fact in folders.items() if path not in texts}
    return effective_to_dict(effective_config(texts, folders, version))


def differences(version: str, files: Mapping[str, str]) -> dict[str, tuple[Any, Any]]:
    """Key to (containerd's, helmguard's) value, where these differ. Errors are compared by their kind."""
    return compared(real_effective(version, files), ours(version, files))


def compared(real: Mapping[str, Any], mine: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """The same for two truths."""
    one, other = comparable(real), comparable(mine)
    return {
        key: (one.get(key), other.get(key))
        for key in sorted({*one, *other})
        if one.get(key) != other.get(key)
    }


def comparable(truth: Mapping[str, Any]) -> dict[str, Any]:
    """An answer without what varies: empty values, wording of errors, warnings."""
    found = {**_ALWAYS, **{key: value for key, value in truth.items() if key != "warnings" and value}}
    for key in _ERRORS:
        if key in found:
            found[key] = kind_of_error(found[key])
    if "registry_mirrors" in found:
        found["registry_mirrors"] = {name: urls or [] for name, urls in found["registry_mirrors"].items()}
    found["runtimes"] = {name: _runtime(one) for name, one in found.get("runtimes", {}).items()}
    return found


def _runtime(runtime: Mapping[str, Any]) -> dict[str, Any]:
    error = bool(runtime.get("options_error"))
    return {**{key: value for key, value in runtime.items() if key != "options_error"}, "error": error}


def kind_of_error(message: str) -> str:
    """Why containerd refuses, in a word."""
    return next((kind for kind, pattern in _CLASSES.items() if re.search(pattern, message)), "TOML")
