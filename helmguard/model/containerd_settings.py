"""What containerd makes of its configuration files: the settings that hold, and what became of the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from helmguard.model.json_value import JSONObject, JSONValue

Generation = Literal["1", "2.0", "2.3"]
"""The three ways in which containerd reads its files: 1.x, 2.0 to 2.2, 2.3 and later."""


class ConfigPlace(msgspec.Struct, frozen=True):
    """Where a setting stands: a file of the node and a line (from 1). Without ``file`` it is a default."""

    file: str = ""
    line: int = 0


class RuntimeSettings(msgspec.Struct, frozen=True):
    """One runtime of the CRI plugin, by its name: what a RuntimeClass calls its handler.

    ``binary_name`` and ``systemd_cgroup`` are None where nothing sets them. ``options`` are further non-zero
    options, ``others`` further non-default fields, by the names that containerd gives them.
    ``options_error`` says why its options do not fit its type: every pod of it would fail.
    ``unknown_options`` are options that its type does not know. ``places`` are by name: ``type``,
    ``BinaryName``, ``SystemdCgroup``, an option's name; ``""`` is where its table begins.
    """

    name: str
    type: str = ""
    path: str = ""
    binary_name: str | None = None
    systemd_cgroup: bool | None = None
    options: Mapping[str, JSONValue] = {}
    others: Mapping[str, JSONValue] = {}
    options_error: str = ""
    unknown_options: tuple[str, ...] = ()
    places: Mapping[str, ConfigPlace] = {}


class LoadedFile(msgspec.Struct, frozen=True):
    """A file that was read, in the order of reading; ``version`` is None where it says none.

    ``imported_by`` is the file whose ``imports`` name it, empty for the main one, ``pattern`` the import's
    text.
    """

    path: str
    version: int | None = None
    imported_by: str = ""
    pattern: str = ""


IgnoredWhy = Literal[
    "generation", "unmigrated", "hidden", "replaced", "overridden", "unknown", "not-imported"
]
"""``generation``: the name of its plugin means nothing to this containerd under the merged version.
``unmigrated``: a file of version 1, or without version, whose names are not translated. ``hidden``: a table
of the newer generation takes its place. ``replaced``: a later file's table takes the place of the whole
table. ``overridden``: a later file sets another value. ``unknown``: no such field. ``not-imported``: no
import names the file."""


class Ignored(msgspec.Struct, frozen=True):
    """A setting that stands in a file and does not hold.

    ``path`` is the TOML path as it is written
    (``plugins."io.containerd.grpc.v1.cri".containerd.runtimes.nvidia``), ``value`` what it says (None for a
    table), ``by`` the place of what holds instead, ``text`` the reason in words. ``setting`` is the
    setting's name in the terms of this model (``runtimes.nvidia``, ``runtimes.runc.SystemdCgroup``,
    ``sandbox_image``, ``registry``), empty where it is none of these.
    """

    path: str
    place: ConfigPlace
    why: IgnoredWhy
    text: str
    value: JSONValue = None
    by: ConfigPlace | None = None
    setting: str = ""


class Effective(msgspec.Struct, frozen=True):
    """What one version of containerd makes of a set of files.

    ``daemon`` is ``starts`` or ``refuses`` (``daemon_error``, at ``daemon_error_at`` where that is known);
    ``cri`` is ``ok``, ``fails`` (``cri_error``, ``image_error``), ``disabled``, or empty where the daemon
    refuses. Settings are what was decoded even where the plugin then fails. ``merged_version`` is the
    version that the merged configuration has. ``places`` are by setting: ``default_runtime_name``,
    ``enable_cdi``, ``cdi_spec_dirs``, ``registry_config_path``, ``registry_mirrors``, ``sandbox_image``,
    ``disabled_plugins``, ``version``. ``defaults_known`` is False where the defaults are those of the
    nearest version that was measured. ``unread`` are files that containerd reads and helmguard could not,
    and why: what they set is not known. ``document`` holds the merged ``plugins`` as the files write them,
    before containerd translates them.
    """

    containerd: str
    generation: Generation
    daemon: Literal["starts", "refuses"]
    cri: Literal["ok", "fails", "disabled", ""]
    daemon_error: str = ""
    daemon_error_at: ConfigPlace = msgspec.field(default_factory=ConfigPlace)
    cri_error: str = ""
    image_error: str = ""
    runtimes: Mapping[str, RuntimeSettings] = {}
    default_runtime_name: str = ""
    enable_cdi: bool | None = None
    cdi_spec_dirs: tuple[str, ...] = ()
    registry_config_path: str = ""
    registry_mirrors: Mapping[str, tuple[str, ...]] = {}
    sandbox_image: str = ""
    disabled_plugins: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    merged_version: int | None = None
    loaded: tuple[LoadedFile, ...] = ()
    ignored: tuple[Ignored, ...] = ()
    places: Mapping[str, ConfigPlace] = {}
    defaults_known: bool = True
    unread: Mapping[str, str] = {}
    document: JSONObject | None = None

    @property
    def handlers(self) -> tuple[str, ...]:
        """The handlers that pods can name: none where the CRI plugin does not run."""
        return tuple(sorted(self.runtimes)) if self.cri == "ok" else ()
