"""The settings of an effective configuration one by one, and what two configurations have otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from helmguard.model.containerd_settings import ConfigPlace, Effective, RuntimeSettings
from helmguard.model.json_value import JSONValue


class Setting(msgspec.Struct, frozen=True):
    """A value that holds, and where it stands; a place without file is containerd's default."""

    value: JSONValue
    place: ConfigPlace = msgspec.field(default_factory=ConfigPlace)


class SettingDifference(msgspec.Struct, frozen=True):
    """A setting that two configurations have otherwise; None for the side that lacks it."""

    name: str
    before: Setting | None
    after: Setting | None


def flat_settings(effective: Effective) -> Mapping[str, Setting]:
    """By name, in a stable order: ``runtimes.nvidia`` (its type), ``runtimes.nvidia.BinaryName``,
    ``sandbox_image``, …

    What is not set, and empty, is left out; of a daemon that refuses to start there is nothing.
    """
    return dict(_settings(effective)) if effective.daemon == "starts" else {}


def _settings(effective: Effective) -> Iterator[tuple[str, Setting]]:
    for name in sorted(effective.runtimes):
        yield from _runtime(effective.runtimes[name])
    values: dict[str, JSONValue] = {
        "default_runtime_name": effective.default_runtime_name,
        "enable_cdi": effective.enable_cdi,
        "cdi_spec_dirs": list(effective.cdi_spec_dirs),
        "sandbox_image": effective.sandbox_image,
        "registry_config_path": effective.registry_config_path,
        "registry_mirrors": {host: list(ends) for host, ends in sorted(effective.registry_mirrors.items())},
        "disabled_plugins": list(effective.disabled_plugins),
    }
    for name, value in values.items():
        if value not in (None, "", [], {}):
            yield name, Setting(value, effective.places.get(name, ConfigPlace()))


def _runtime(runtime: RuntimeSettings) -> Iterator[tuple[str, Setting]]:
    head = f"runtimes.{runtime.name}"
    table = runtime.places.get("", ConfigPlace())
    yield head, Setting(runtime.type, runtime.places.get("type", table))
    values: dict[str, JSONValue] = {
        "path": runtime.path or None,
        "BinaryName": runtime.binary_name or None,
        "SystemdCgroup": runtime.systemd_cgroup,
        **dict(sorted(runtime.options.items())),
        **dict(sorted(runtime.others.items())),
    }
    for name, value in values.items():
        if value is not None:
            yield f"{head}.{name}", Setting(value, runtime.places.get(name, table))


def setting_differences(before: Effective, after: Effective) -> tuple[SettingDifference, ...]:
    """What the second has otherwise than the first, in the order of `flat_settings`.

    A runtime that only one of them has is one difference, not one for each of its settings. That
    SystemdCgroup is not set and that it is false are the same.
    """
    old, new = flat_settings(before), flat_settings(after)
    found: list[SettingDifference] = []
    for name in [*old, *(name for name in new if name not in old)]:
        one, other = old.get(name), new.get(name)
        if _value(name, one) != _value(name, other) and not _is_part_of_one_sided(name, before, after):
            found.append(SettingDifference(name, one, other))
    return tuple(found)


def _value(name: str, setting: Setting | None) -> JSONValue:
    if name.endswith(".SystemdCgroup"):
        return bool(setting.value) if setting is not None else False
    return setting.value if setting is not None else None


def _is_part_of_one_sided(name: str, before: Effective, after: Effective) -> bool:
    for runtime in {*before.runtimes} ^ {*after.runtimes}:
        if name.startswith(f"runtimes.{runtime}.") and name != f"runtimes.{runtime}":
            return True
    return False
