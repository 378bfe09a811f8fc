"""What one version of containerd makes of a set of files: which settings hold, what became of the rest.

A port of the loaders, merges and translations of containerd 1.7.29 (for 1.x), 2.1.4 (for 2.0 to 2.2) and
2.3.0 (for 2.3 and later). Other plugins than those of the CRI are not decoded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from helmguard.containerd.cri_checks import (
    CheckFailedError,
    bad_durations,
    check_first_generation,
    check_images_plugin,
    check_runtime_plugin,
    check_server_plugin,
)
from helmguard.containerd.decode import Decoded, Dialect, WrongTypeError, decode
from helmguard.containerd.defaults import defaults_for, release_of, shapes_for
from helmguard.containerd.fates import Fates
from helmguard.containerd.ignored import ignored_settings, tell_unread_names
from helmguard.containerd.load import Loader, Merged, RefusalError, migrate_merged
from helmguard.containerd.located import Table
from helmguard.containerd.runtimes import runtimes_of
from helmguard.containerd.schema import CRI, CRI_IMAGES, CRI_RUNTIME, schema_of
from helmguard.containerd.settings import setting_name
from helmguard.containerd.version import ContainerdVersion, read_version
from helmguard.errors import UsageError
from helmguard.model.containerd_settings import ConfigPlace, Effective
from helmguard.model.node_facts import CONTAINERD_CONFIG, NodeFile, PathFacts


def effective_config(
    files: Mapping[str, NodeFile],
    paths: Mapping[str, PathFacts],
    version: str,
    path: str = CONTAINERD_CONFIG,
) -> Effective:
    """The settings that hold under a version of containerd.

    Args:
        files: text files by their path on the node; the main one may be absent.
        paths: what else is known to be on the node, for imports by pattern and for what settings name.
        version: ``2.1.4``, ``1.7.27-0ubuntu1``, ...
        path: the main file. If it is containerd's default and absent, containerd runs by its defaults.

    Raises:
        UsageError: the version is none.
    """
    found = read_version(version)
    if found is None:
        raise UsageError(f"{version!r} is no version of containerd", remedy="Write it as 2.1.4.")
    return _Simulation(files, paths, found, path).run()


class _Simulation:
    def __init__(
        self,
        files: Mapping[str, NodeFile],
        paths: Mapping[str, PathFacts],
        version: ContainerdVersion,
        path: str,
    ) -> None:
        self._files, self._paths, self._version, self._path = files, paths, version, path
        self._schema = schema_of(version.generation)
        self._release, self._defaults_known = release_of(version)
        self._defaults, self._shapes = defaults_for(version), shapes_for(version)
        self._fates = Fates()
        self._loader = Loader(version, files, paths, self._fates)
        self._merged: Merged = self._loader.merged
        self._first = version.generation == "1"
        self._dialect: Dialect = "v1" if self._first else "v2"
        self._document: dict[str, Any] = {}

    def run(self) -> Effective:
        try:
            if self._path in self._files or self._path != CONTAINERD_CONFIG:
                self._loader.load(self._path)
            self._document = self._merged.plugins.plain()
            return self._loaded()
        except RefusalError as error:
            self._fates = Fates()  # where it refuses nothing holds: single settings have no fate
            return self._result(daemon="refuses", daemon_error=str(error), daemon_error_at=error.place)

    def _loaded(self) -> Effective:
        merged = self._merged
        if self._version.generation == "2.0":
            migrate_merged(merged, self._version.highest_config, self._fates)
        for text in bad_durations(merged.timeouts):
            raise RefusalError(f"unable to parse {text} into a time duration")
        return self._first_generation() if self._first else self._later_generation()

    def _first_generation(self) -> Effective:
        plugin = "cri" if (self._merged.version or 1) == 1 else CRI
        decoded = self._decoded(CRI, plugin)
        disabled = plugin in self._merged.disabled
        error = ""
        if not disabled:
            try:
                check_first_generation(decoded.values, self._merged.warnings)
            except CheckFailedError as failed:
                error = str(failed)
        self._require(plugin, error or disabled)
        tell_unread_names(self._merged, (plugin,), self._fates)
        return self._result(decoded, decoded, disabled=disabled, cri_error=error)

    def _later_generation(self) -> Effective:
        merged = self._merged
        tell_unread_names(merged, (CRI, CRI_RUNTIME, CRI_IMAGES), self._fates)
        runtime, images, server = (self._decoded(name, name) for name in (CRI_RUNTIME, CRI_IMAGES, CRI))
        disabled = CRI in merged.disabled
        cri_error = image_error = ""
        if not disabled:
            self._default_registry(images)
            cri_error = self._failure(CRI_RUNTIME, lambda: check_runtime_plugin(runtime.values))
            cri_error = cri_error or self._base_specs(runtime)
            image_error = self._failure(CRI_IMAGES, lambda: check_images_plugin(images.values))
            cri_error = cri_error or self._failure(CRI, lambda: check_server_plugin(server.values))
        self._require(CRI, cri_error or image_error or disabled)
        return self._result(runtime, images, disabled=disabled, cri_error=cri_error, image_error=image_error)

    def _decoded(self, shape: str, plugin: str) -> Decoded:
        node = self._merged.plugins.get(plugin)
        if node is not None and not isinstance(node, Table):
            raise RefusalError(f"plugins.{plugin} is no table", node.place)
        table = node if node is not None else Table()
        try:
            defaults = self._defaults[shape]
            decoded = decode(table, self._shapes[shape], defaults, self._dialect, self._fates)
        except WrongTypeError as error:
            if plugin not in self._merged.disabled:
                raise RefusalError(str(error), error.node.place) from None
            decoded = decode(Table(), self._shapes[shape], defaults, self._dialect)
        if not self._first:
            self._merged.warnings += [
                f"Ignoring unknown key in TOML for plugin [plugin {plugin}] [key {' '.join(key)}]"
                for key in decoded.unknown
            ]
        return decoded

    def _failure(self, plugin: str, check: Callable[[], None]) -> str:
        if plugin in self._merged.disabled:
            return f"{plugin} is disabled"
        try:
            check()
        except CheckFailedError as failed:
            return str(failed)
        return ""

    def _base_specs(self, runtime: Decoded) -> str:
        for _, one in sorted(runtime.values.get("containerd", {}).get("runtimes", {}).items()):
            spec = one.get("base_runtime_spec")
            if spec and spec in self._paths and self._paths[spec].kind == "absent":
                return f"failed to load base OCI spec from file: {spec}"
        return ""

    def _default_registry(self, images: Decoded) -> None:
        """From 2.2 on: where neither mirrors nor a path are set."""
        registry = images.values.setdefault("registry", {})
        path = self._release.registry_config_path
        if path and not registry.get("config_path") and not registry.get("mirrors"):
            images.values["registry"] = {**registry, "config_path": path}

    def _require(self, plugin: str, failed: object) -> None:
        if failed and plugin in self._merged.required:
            raise RefusalError(f"load required plugin {plugin}: it does not load")

    def _result(
        self,
        runtime: Decoded | None = None,
        images: Decoded | None = None,
        *,
        daemon: Literal["starts", "refuses"] = "starts",
        daemon_error: str = "",
        daemon_error_at: ConfigPlace | None = None,
        disabled: bool = False,
        cri_error: str = "",
        image_error: str = "",
    ) -> Effective:
        merged = self._merged
        refuses = daemon == "refuses"
        of_runtime = runtime.values if runtime is not None else {}
        of_images = images.values if images is not None else {}
        registry = of_images.get("registry", {})
        cri: Literal["ok", "fails", "disabled", ""] = "fails" if cri_error or image_error else "ok"
        if disabled or refuses:
            cri = "" if refuses else "disabled"
        return Effective(
            containerd=self._version.text,
            generation=self._version.generation,
            daemon=daemon,
            cri=cri,
            daemon_error=daemon_error,
            daemon_error_at=daemon_error_at or ConfigPlace(),
            cri_error=cri_error,
            image_error=image_error,
            runtimes=runtimes_of(runtime, self._schema.options, self._dialect) if runtime else {},
            default_runtime_name=of_runtime.get("containerd", {}).get("default_runtime_name", ""),
            enable_cdi=of_runtime.get("enable_cdi", False) if runtime is not None else None,
            cdi_spec_dirs=tuple(of_runtime.get("cdi_spec_dirs", ())),
            registry_config_path=registry.get("config_path", ""),
            registry_mirrors={
                name: tuple(one.get("endpoint") or ()) for name, one in registry.get("mirrors", {}).items()
            },
            sandbox_image=_sandbox_image(of_images),
            disabled_plugins=() if refuses else tuple(merged.disabled),
            warnings=tuple(sorted(set(merged.warnings))),
            merged_version=merged.version,
            loaded=tuple(merged.loaded),
            ignored=ignored_settings(merged, self._fates, self._files, (runtime, images)),
            places={**merged.places, **_places(runtime), **_places(images), "version": merged.version_place},
            defaults_known=self._defaults_known,
            unread=dict(merged.unread),
            document=self._document,
        )


def _sandbox_image(images: Mapping[str, Any]) -> str:
    pinned = images.get("pinned_images")
    found = pinned.get("sandbox", "") if pinned is not None else images.get("sandbox_image", "")
    return str(found)


def _places(decoded: Decoded | None) -> dict[str, ConfigPlace]:
    if decoded is None:
        return {}
    named = {setting_name(path): leaf.place for path, leaf in decoded.leaves.items()}
    return {name: place for name, place in named.items() if name and not name.startswith("runtimes.")}
