"""What a release of containerd does otherwise than its neighbours: its defaults, and a few of its rules.

From a table made of 27 releases' own sources (``helmguard/data/containerd_defaults.json``).
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Literal

import msgspec

from helmguard.containerd.schema import CRI, CRI_IMAGES, CRI_RUNTIME, Shape, schema_of
from helmguard.containerd.version import ContainerdVersion, read_version


class Release(msgspec.Struct, frozen=True):
    """One measured release. The names are those of the table, whose ``about`` explains each.

    ``cdi`` is ``absent`` (up to 1.6), ``optional`` or ``always`` (from 2.4 on).
    """

    sandbox_image: str
    default_runtime_name: str
    runc_options: Mapping[str, Any]
    cdi: Literal["absent", "optional", "always"]
    enable_cdi: bool | None
    cdi_spec_dirs: tuple[str, ...]
    registry_config_path: str
    registry_config_path_beside_mirrors: bool
    relative_patterns: bool
    refuses_higher: bool
    drop_in_may_be_newer: bool
    config_version: int
    imports: tuple[str, ...]


def release_of(version: ContainerdVersion) -> tuple[Release, bool]:
    """The release, or the nearest earlier one that was measured, and whether that tells of this version.

    A release between two measured ones of its minor version is as the earlier of them; of one that is newer
    than all of its minor version, or whose minor version was not measured, the table cannot tell.
    """
    measured = _measured()
    of_line = [one for one in measured if (one.major, one.minor) == (version.major, version.minor)]
    earlier = [one for one in measured if one <= version]
    nearest = earlier[-1] if earlier else next(iter(measured))
    return measured[nearest], nearest in of_line and version <= of_line[-1]


def defaults_for(version: ContainerdVersion) -> dict[str, dict[str, Any]]:
    """The defaults of the CRI plugins by their ids, to be changed at will."""
    release, _ = release_of(version)
    defaults = copy.deepcopy(schema_of(version.generation).defaults)
    runtime = defaults[CRI if version.generation == "1" else CRI_RUNTIME]
    runtime["containerd"]["default_runtime_name"] = release.default_runtime_name
    runtime["containerd"]["runtimes"]["runc"]["options"] = dict(release.runc_options)
    runtime["cdi_spec_dirs"] = list(release.cdi_spec_dirs)
    runtime["enable_cdi"] = release.cdi == "always" or bool(release.enable_cdi)
    if version.generation == "1":
        runtime["sandbox_image"] = release.sandbox_image
    else:
        images = defaults[CRI_IMAGES]
        images["pinned_images"] = {"sandbox": release.sandbox_image}
        if release.registry_config_path_beside_mirrors:
            images["registry"] = {"config_path": release.registry_config_path}
    return defaults


def shapes_for(version: ContainerdVersion) -> Mapping[str, Shape]:
    """The shapes of the CRI plugins by their ids, without settings that this release does not have."""
    release, _ = release_of(version)
    shapes = dict(schema_of(version.generation).plugins)
    missing = {"absent": ("enable_cdi", "cdi_spec_dirs"), "always": ("enable_cdi",)}.get(release.cdi, ())
    plugin = CRI if version.generation == "1" else CRI_RUNTIME
    fields = {name: shape for name, shape in shapes[plugin]["fields"].items() if name not in missing}
    return {**shapes, plugin: {"fields": fields}}


@cache
def _measured() -> dict[ContainerdVersion, Release]:
    text = resources.files("helmguard").joinpath("data/containerd_defaults.json").read_text(encoding="utf-8")
    found = {}
    for name, release in json.loads(text)["versions"].items():
        version = read_version(name)
        if version is not None:
            found[version] = msgspec.convert(release, Release)
    return dict(sorted(found.items()))
