"""What a rendering needs and what it gives."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from helmguard.model.helm_version import HelmVersion
from helmguard.model.json_value import JSONObject

RenderWay = Literal["dry-run-server", "template"]

_BLOCK = re.compile(r"(?:^|[\s:-])[|>][-+0-9]*[ \t]*(?:#.*)?$")


class TemplateInputs(msgspec.Struct, frozen=True):
    """What ``helm template`` must be told to render as the upgrade would.

    ``config`` are the values after Helm's value mode (a Python int is Go's int64, a float its float64);
    ``given`` are those of this command alone, which an upgrade merges itself.
    ``chart_values`` replace the chart's values.yaml, as ``--reuse-values`` does, None where they stay.
    ``api_versions`` is ``.Capabilities.APIVersions`` (`Discovery.helm_api_versions`).
    """

    config: JSONObject
    is_upgrade: bool
    kubernetes_version: str
    api_versions: tuple[str, ...]
    chart_values: JSONObject | None = None
    given: JSONObject = {}


class Rendered(msgspec.Struct, frozen=True):
    """One rendering. ``manifest`` and ``hooks`` are as Helm would store them.

    The manifest ends with one newline, whatever Helm 4 leaves there, unless its last document needs more.
    ``config``, ``chart`` and ``notes`` are those of the record Helm would write, None and empty where this
    way does not give them. ``why`` says why this way and not the other; ``unsure`` names what this way may
    have rendered differently, empty where the result is what Helm would apply.
    """

    manifest: str
    hooks: tuple[JSONObject, ...]
    helm: HelmVersion
    how: RenderWay
    why: str
    config: JSONObject | None = None
    chart: JSONObject | None = None
    notes: str = ""
    warnings: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()


def with_one_newline(manifest: str) -> str:
    """The manifest with one newline and no other white space at its end.

    Helm 4 keeps the white space that a template file ends with, and ``helm template`` drops it. It means
    nothing, unless the last document ends in a block scalar: then the manifest stays as it is.
    """
    return manifest if not manifest or ends_in_block(manifest) else manifest.rstrip() + "\n"


def ends_in_block(manifest: str) -> bool:
    """Whether the manifest's last lines are those of a block scalar, to which white space may belong."""
    narrowest = 1_000_000
    for line in reversed(manifest.split("\n")):
        if not line.strip():
            continue
        indent = len(line) - len(line.lstrip(" "))
        if indent < narrowest and _BLOCK.search(line):
            return True
        narrowest = min(narrowest, indent)
        if not indent:
            return False
    return False
