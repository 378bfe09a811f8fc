"""Effective settings as JSON."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any

from helmguard.model.containerd_settings import Effective, RuntimeSettings
from helmguard.model.json_value import JSONObject, JSONValue

_NO_NUMBERS = {"inf": "+Inf", "-inf": "-Inf", "nan": "NaN"}


def effective_to_dict(effective: Effective) -> JSONObject:
    """The settings; what is empty or false is left out, but for the few that are always told."""
    document: JSONObject = {
        "daemon": effective.daemon,
        "daemon_error": effective.daemon_error,
        "cri": effective.cri,
        "cri_error": effective.cri_error,
        "image_error": effective.image_error,
        "runtimes": {name: _runtime(one) for name, one in effective.runtimes.items()},
        "default_runtime_name": effective.default_runtime_name,
        "registry_mirrors": {name: list(urls) for name, urls in effective.registry_mirrors.items()},
        "sandbox_image": effective.sandbox_image,
        "disabled_plugins": list(effective.disabled_plugins),
        "warnings": list(effective.warnings),
    }
    document = {name: value for name, value in document.items() if value or name in ("daemon", "cri")}
    document["registry_config_path"] = effective.registry_config_path
    if effective.daemon == "starts":
        document["enable_cdi"] = bool(effective.enable_cdi)
        document["cdi_spec_dirs"] = list(effective.cdi_spec_dirs)
    return document


def _runtime(runtime: RuntimeSettings) -> JSONObject:
    odd = {name: runtime.options[name] for name in ("BinaryName", "SystemdCgroup") if name in runtime.options}
    rest = {name: value for name, value in runtime.options.items() if name not in odd}
    document: JSONObject = {
        "type": runtime.type,
        "BinaryName": _json(odd.get("BinaryName", runtime.binary_name)),
        "SystemdCgroup": _json(odd.get("SystemdCgroup", runtime.systemd_cgroup)),
    }
    more: JSONObject = {
        "path": runtime.path,
        "other_options": _json(rest),
        "other": _json(runtime.others),
        "options_error": runtime.options_error,
    }
    return {**document, **{name: value for name, value in more.items() if value}}


def _json(value: Any) -> JSONValue:
    """TOML's dates as text, and what is no number in JSON."""
    if isinstance(value, Mapping):
        return {str(name): _json(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_json(item) for item in value]
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat().replace("+00:00", "Z")
    return _NO_NUMBERS.get(str(value), value) if isinstance(value, float) else value
