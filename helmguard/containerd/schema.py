"""What containerd reads of its configuration, by generation: a table made from its own types."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from helmguard.model.containerd_settings import Generation

Shape = Any
"""A scalar's Go kind (``string``, ``bool``, ``int``, ``uint32``, ``any``), ``{"fields"}``, ``{"map"}`` or
``{"list"}``."""

CRI = "io.containerd.grpc.v1.cri"
CRI_RUNTIME = "io.containerd.cri.v1.runtime"
CRI_IMAGES = "io.containerd.cri.v1.images"
LINUX_V1 = "io.containerd.runtime.v1.linux"
"""The runtime type of containerd 1.x that 2.0 removed."""


class Schema(msgspec.Struct, frozen=True):
    """One generation: shapes of the daemon's file, of its CRI plugins and of runtimes' options."""

    config: Shape
    plugins: Mapping[str, Shape]
    defaults: dict[str, dict[str, Any]]
    options: Mapping[str, Shape]


@cache
def schema_of(generation: Generation) -> Schema:
    """The table's part of a generation."""
    found = _table()["generations"][generation]
    return Schema(found["config"], found["plugins"], found["defaults"], found["options"])


@cache
def _table() -> Mapping[str, Any]:
    text = resources.files("helmguard").joinpath("data/containerd_schema.json").read_text(encoding="utf-8")
    found: Mapping[str, Any] = json.loads(text)
    return found
