"""Whether the CRI plugins load: what they check of their settings.

``ValidatePluginConfig`` of containerd 1.7.29; ``ValidateRuntimeConfig``, ``ValidateImageConfig`` and
``ValidateServerConfig`` of 2.1.4 and 2.3.0. What depends on the kernel is not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from helmguard.containerd.schema import LINUX_V1

_DURATION = re.compile(r"[-+]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)", re.ASCII)
_MIRRORS = "`mirrors` cannot be set when `config_path` is provided"
_ALL_DEVICES = (
    "`privileged_without_host_devices_all_devices_allowed` requires "
    "`privileged_without_host_devices` to be enabled"
)


class CheckFailedError(Exception):
    """A plugin does not load; the message is containerd's."""


def check_first_generation(values: dict[str, Any], warnings: list[str]) -> None:
    """The CRI plugin of containerd 1.x; old spellings of runtimes become runtimes, in place.

    Raises:
        CheckFailedError: it does not load.
    """
    settings = values.setdefault("containerd", {})
    runtimes = settings.setdefault("runtimes", {})
    _adopt_old_runtimes(settings, runtimes, warnings)
    _check_default(settings, runtimes)
    default_type = runtimes[settings["default_runtime_name"]].get("runtime_type")
    for name, holder in (("systemd_cgroup", values), ("no_pivot", settings)):
        if holder.get(name) and default_type != LINUX_V1:
            raise CheckFailedError(f"`{name}` only works for runtime {LINUX_V1}")
    for _, runtime in sorted(runtimes.items()):
        for name in ("runtime_engine", "runtime_root"):
            if runtime.get(name) and runtime.get("runtime_type") != LINUX_V1:
                raise CheckFailedError(f"`{name}` only works for runtime {LINUX_V1}")
        _check_devices(runtime)
    registry = values.get("registry", {})
    if registry.get("mirrors") and registry.get("config_path"):
        raise CheckFailedError(_MIRRORS)
    if registry.get("config_path") and any("tls" in one for one in registry.get("configs", {}).values()):
        raise CheckFailedError("`configs.tls` cannot be set when `config_path` is provided")
    for name, text in (
        ("stream_idle_timeout", "stream idle timeout"),
        ("image_pull_progress_timeout", "image pull progress timeout"),
        ("drain_exec_sync_io_timeout", "`drain_exec_sync_io_timeout`"),
    ):
        _check_duration(values.get(name), text)


def _adopt_old_runtimes(settings: dict[str, Any], runtimes: dict[str, Any], warnings: list[str]) -> None:
    untrusted = settings.get("untrusted_workload_runtime", {})
    if untrusted.get("runtime_type"):
        warnings.append(
            "`untrusted_workload_runtime` is deprecated, please use `untrusted` runtime in `runtimes` instead"
        )
        if "untrusted" in runtimes:
            raise CheckFailedError(
                "conflicting definitions: configuration includes both `untrusted_workload_runtime` and "
                '`runtimes["untrusted"]`'
            )
        runtimes["untrusted"] = untrusted
    default = settings.get("default_runtime", {})
    if default.get("runtime_type"):
        warnings.append(
            "`default_runtime` is deprecated, please use `default_runtime_name` to reference the default "
            "configuration you have defined in `runtimes`"
        )
        settings["default_runtime_name"] = "default"
        runtimes["default"] = default


def check_runtime_plugin(values: dict[str, Any]) -> None:
    """The CRI plugin's runtime part in containerd 2.x.

    Raises:
        CheckFailedError: it does not load.
    """
    settings = values.get("containerd", {})
    runtimes = settings.get("runtimes", {})
    _check_default(settings, runtimes)
    cni = values.get("cni", {})
    if cni.get("bin_dir") and cni.get("bin_dirs") not in (None, [], ["/opt/cni/bin"]):
        raise CheckFailedError("`cni.bin_dir` and `cni.bin_dirs` cannot be set at the same time")
    for _, runtime in sorted(runtimes.items()):
        _check_devices(runtime)
        if runtime.get("io_type") not in (None, "", "fifo", "streaming"):
            raise CheckFailedError("`io_type` can only be `streaming` or `named_pipe`")
    for name in ("drain_exec_sync_io_timeout", "stats_collect_period", "stats_retention_period"):
        _check_duration(values.get(name), f"`{name}`")


def check_images_plugin(values: Mapping[str, Any]) -> None:
    """The CRI plugin's image part in containerd 2.x.

    Raises:
        CheckFailedError: it does not load.
    """
    registry = values.get("registry", {})
    if registry.get("mirrors") and registry.get("config_path"):
        raise CheckFailedError(_MIRRORS)
    _check_duration(values.get("image_pull_progress_timeout"), "image pull progress timeout")


def check_server_plugin(values: Mapping[str, Any]) -> None:
    """The CRI server itself in containerd 2.x.

    Raises:
        CheckFailedError: it does not load.
    """
    _check_duration(values.get("stream_idle_timeout"), "stream idle timeout")


def _check_default(settings: Mapping[str, Any], runtimes: Mapping[str, Any]) -> None:
    name = settings.get("default_runtime_name") or ""
    if not name:
        raise CheckFailedError("`default_runtime_name` is empty")
    if name not in runtimes:
        raise CheckFailedError(
            "no corresponding runtime configured in `containerd.runtimes` for `containerd` "
            f'`default_runtime_name = "{name}"'
        )


def _check_devices(runtime: Mapping[str, Any]) -> None:
    if runtime.get("privileged_without_host_devices_all_devices_allowed") and not runtime.get(
        "privileged_without_host_devices"
    ):
        raise CheckFailedError(_ALL_DEVICES)


def is_duration(text: str) -> bool:
    """Whether Go's ``time.ParseDuration`` takes it."""
    return _DURATION.fullmatch(text) is not None


def bad_durations(values: Mapping[str, str]) -> Iterator[str]:
    """Those that are none."""
    return (text for text in values.values() if not is_duration(text))


def _check_duration(value: object, what: str) -> None:
    if isinstance(value, str) and value and not is_duration(value):
        raise CheckFailedError(f'invalid {what}: time: invalid duration "{value}"')
