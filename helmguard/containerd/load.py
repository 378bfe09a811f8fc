"""Reads a main configuration file and all it imports, and merges them, as one generation of containerd does.

``LoadConfig`` of containerd 1.7.29 and 2.1.4, ``LoadConfigWithPlugins`` of 2.3.0 (services/server/config and
cmd/containerd/server/config); the loader of 2.1.4 is that of 2.0 to 2.2.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping
from typing import Any

from helmguard.containerd.decode import Dialect, WrongTypeError, decode, kind_of
from helmguard.containerd.defaults import release_of
from helmguard.containerd.fates import Fates
from helmguard.containerd.imports import MalformedPatternError, has_glob, import_matches
from helmguard.containerd.located import Node, Table, TomlError, read_located
from helmguard.containerd.merge import MergePanicError, merge_deep, replace_tables
from helmguard.containerd.migrate import MigrationPanicError, full_name, migrate_cri, with_full_names
from helmguard.containerd.schema import schema_of
from helmguard.containerd.version import ContainerdVersion
from helmguard.model.containerd_settings import ConfigPlace, LoadedFile
from helmguard.model.node_facts import NodeFile, PathFacts

_BOM = "\ufeff"
_MISSING = "no such file or directory"


class RefusalError(Exception):
    """containerd does not start; ``place`` is where the reason stands, as far as it is known."""

    def __init__(self, message: str, place: ConfigPlace | None = None) -> None:
        super().__init__(message)
        self.place = place or ConfigPlace()


class Merged:
    """All files together, before a daemon of 2.0 to 2.2 translates them."""

    def __init__(self, version: int) -> None:
        self.version = version
        self.version_place = ConfigPlace()
        self.plugins = Table()
        self.disabled: list[str] = []
        self.required: list[str] = []
        self.timeouts: dict[str, str] = {}
        self.loaded: list[LoadedFile] = []
        self.places: dict[str, ConfigPlace] = {}
        self.warnings: list[str] = []
        self.unread: dict[str, str] = {}
        self.trees: dict[str, Table] = {}


class Loader:
    """Loads for one containerd; what it has read is in ``merged``, also where it refuses."""

    def __init__(
        self,
        version: ContainerdVersion,
        files: Mapping[str, NodeFile],
        paths: Mapping[str, PathFacts],
        fates: Fates,
    ) -> None:
        self._generation = version.generation
        self._release, _ = release_of(version)
        self._highest = version.highest_config
        self._files, self._paths, self._fates = files, paths, fates
        self._exists = [*files, *(path for path, fact in paths.items() if fact.kind not in _NOT_THERE)]
        self._first = self._generation == "1"
        self._dialect: Dialect = "v1" if self._first else "v2"
        self.merged = Merged(1 if self._first else self._highest)

    def load(self, path: str) -> None:
        """Read and merge everything from the main file on.

        Raises:
            RefusalError: containerd refuses to start.
        """
        pending = [LoadedFile(path)]
        seen: set[str] = set()
        root_version = 0
        while pending:
            file = pending.pop(0)
            if file.path in seen:
                continue
            seen.add(file.path)
            tree = self._read(file)
            if tree is None:
                continue
            config = self._config(tree, file)
            own = config.get("version") or 0
            if not self._release.drop_in_may_be_newer:
                root_version = root_version or own
                if own > root_version:
                    raise RefusalError(
                        f"drop-in config version {own} higher than root config version {root_version}",
                        _place_of(tree, "version", file.path),
                    )
            self._merge(config, tree, own, file)
            pending += self._imports(config, file, tree)
        self._validate(path)

    def _read(self, file: LoadedFile) -> Table | None:
        """The file as a tree; None where helmguard could not read what containerd can."""
        found = self._files.get(file.path)
        kind = self._paths[file.path].kind if file.path in self._paths else "absent"
        if found is None and kind in ("file", "unknown"):
            found = NodeFile(None, "it was not collected")
        if found is None:
            folder = kind == "folder"
            message = f"read {file.path}: is a directory" if folder else f"open {file.path}: {_MISSING}"
            if self._first:
                message = f"failed to load TOML: {file.path}: {message}"
            raise RefusalError(message, self._place_of_import(file))
        self.merged.loaded.append(file)
        if found.text is None:
            self.merged.unread[file.path] = found.why or "not read"
            return None
        text = found.text.removeprefix(_BOM) if self._first else found.text
        try:
            if text.startswith(_BOM):
                raise TomlError("invalid character at start of key: a byte order mark", 1)
            tree = read_located(text, file.path)
            if self._first:
                _refuse_bare_dates(tree, text)
        except TomlError as error:
            where = ConfigPlace(file.path, error.line)
            said = f"failed to load TOML: {file.path}" if self._first else "failed to unmarshal TOML"
            line = f" (line {error.line})" if error.line else ""
            raise RefusalError(f"{said}{line}: {error}", where) from None
        self.merged.trees[file.path] = tree
        return tree

    def _place_of_import(self, file: LoadedFile) -> ConfigPlace:
        parent = self.merged.trees.get(file.imported_by)
        if parent is None:
            return ConfigPlace(file.imported_by)
        return _place_of(parent, "imports", file.imported_by)

    def _config(self, tree: Table, file: LoadedFile) -> dict[str, Any]:
        """The file's top level, its types checked; ``plugins`` apart."""
        top = Table()
        for name, node in tree.items():
            if _is_plugins(name, self._first):
                self._check_plugins(node, name)
            else:
                top[name] = node
        try:
            decoded = decode(top, schema_of(self._generation).config, {}, self._dialect)
        except WrongTypeError as error:
            raise RefusalError(f"failed to unmarshal TOML: {error}", error.node.place) from None
        if not self._first:
            self.merged.warnings += [
                f"Ignoring unknown key in TOML [file {file.path}] [key {' '.join(key)}]"
                for key in decoded.unknown
            ]
        return decoded.values

    def _check_plugins(self, node: Node, name: str) -> None:
        if not isinstance(node, Table):
            raise RefusalError(f"failed to unmarshal TOML: {name} is no table", node.place)
        for plugin, item in node.items():
            if self._first and not isinstance(item, Table):
                kind = kind_of(item.value)
                raise RefusalError(
                    f"failed to unmarshal TOML: plugins.{plugin}: a {kind} is no table", item.place
                )

    def _merge(self, config: dict[str, Any], tree: Table, own: int, file: LoadedFile) -> None:
        merged = self.merged
        merged.loaded[-1] = LoadedFile(file.path, config.get("version"), file.imported_by, file.pattern)
        plugins = next((node for name, node in tree.items() if _is_plugins(name, self._first)), None)
        plugins = plugins if isinstance(plugins, Table) else Table()
        disabled, required = (
            list(config.get("disabled_plugins") or []),
            list(config.get("required_plugins") or []),
        )
        version = own
        if not self._first and (own in (0, 1) or self._generation == "2.3"):
            plugins, disabled, required = self._translated(plugins, own, disabled, required)
            version = max(own, merged.version) if own < merged.version else own
        if version:
            merged.version = version
        if own:
            merged.version_place = _place_of(tree, "version", file.path)
        if self._first:
            replace_tables(merged.plugins, plugins, self._fates)
            merged.disabled += disabled
            merged.required += required
        else:
            try:
                merge_deep(merged.plugins, plugins, self._fates)
            except MergePanicError as panic:
                raise RefusalError(str(panic), panic.node.place) from None
            merged.disabled += [one for one in dict.fromkeys(disabled) if one not in merged.disabled]
            merged.required += [one for one in dict.fromkeys(required) if one not in merged.required]
        if disabled:
            merged.places["disabled_plugins"] = _place_of(tree, "disabled_plugins", file.path)
        merged.timeouts.update(config.get("timeouts") or {})

    def _translated(
        self, plugins: Table, own: int, disabled: list[str], required: list[str]
    ) -> tuple[Table, list[str], list[str]]:
        """A file on the way to the version that the merged configuration has."""
        aim = self.merged.version
        if own >= aim:
            return plugins, disabled, required
        if own < 0 or aim > self._highest:
            raise RefusalError(f"panic: config version {min(own, aim) if own < 0 else aim} is out of range")
        if own in (0, 1) and aim > 1:
            plugins = with_full_names(plugins, self._fates)
            disabled, required = [full_name(one) for one in disabled], [full_name(one) for one in required]
        if self._generation == "2.3":
            for _ in range(own, aim):
                _migrate(plugins, frozenset(), self._fates)
            self.merged.warnings.append(
                f"Configuration migrated from version {own}, use `containerd config migrate` "
                "to avoid migration"
            )
        return plugins, disabled, required

    def _imports(self, config: dict[str, Any], file: LoadedFile, tree: Table) -> Iterable[LoadedFile]:
        found: list[LoadedFile] = []
        for pattern in config.get("imports") or []:
            try:
                matches = import_matches(self._written(pattern), file.path, self._exists)
            except MalformedPatternError:
                raise RefusalError(
                    f"syntax error in pattern: {pattern}", _place_of(tree, "imports", file.path)
                ) from None
            found += [LoadedFile(path, None, file.path, pattern) for path in matches]
        return found

    def _written(self, pattern: str) -> str:
        """Older releases take a relative pattern from the daemon's working folder, which is the root."""
        if self._release.relative_patterns or pattern.startswith("/") or not has_glob(pattern):
            return pattern
        return f"/{pattern}"

    def _validate(self, path: str) -> None:
        merged = self.merged
        said = f"failed to load TOML from {path}"
        if self._first:
            self._validate_first(said)
            return
        if merged.version > self._highest:
            raise RefusalError(
                f"{said}: expected containerd config version equal to or less than `{self._highest}`, "
                f"got `{merged.version}`",
                merged.version_place,
            )
        for kind, plugins in (("disabled", merged.disabled), ("required", merged.required)):
            for plugin in plugins:
                if "." not in plugin:
                    raise RefusalError(
                        f'{said}: invalid {kind} plugin URI "{plugin}" expect io.containerd.x.vx',
                        merged.places.get("disabled_plugins"),
                    )
        if merged.version < 0:
            raise RefusalError(
                f"panic: config version {merged.version} is out of range", merged.version_place
            )

    def _validate_first(self, said: str) -> None:
        merged = self.merged
        version = merged.version or 1
        if version < 2:
            merged.warnings.append(
                f"containerd config version `{version}` has been deprecated and will be converted on each "
                "startup in containerd v2.0, use `containerd config migrate` after upgrading to "
                "containerd 2.0 to avoid conversion on startup"
            )
            return
        if version > self._highest and self._release.refuses_higher:
            merged.warnings.append(
                f"containerd config version `{version}` is not supported, the max version is `2`, use "
                "`containerd config default` to generate a new config or manually revert to version `2`"
            )
            raise RefusalError(f"{said}: unsupported config version `{version}`", merged.version_place)
        names = [("disabled plugin", one, merged.places.get("disabled_plugins")) for one in merged.disabled]
        names += [("required plugin", one, None) for one in merged.required]
        names += [("plugin key", one, node.place) for one, node in merged.plugins.items()]
        for kind, plugin, place in names:
            if not plugin.startswith("io.containerd.") or len(plugin.split(".", 3)) < 4:
                raise RefusalError(f'{said}: invalid {kind} URI "{plugin}" expect io.containerd.x.vx', place)


def migrate_merged(merged: Merged, highest: int, fates: Fates) -> None:
    """What a daemon of 2.0 to 2.2 does with the merged configuration when it starts.

    Raises:
        RefusalError: it crashes.
    """
    if merged.version >= highest:
        return
    for _ in range(merged.version, highest):
        _migrate(merged.plugins, frozenset(merged.disabled), fates)


def _migrate(plugins: Table, disabled: frozenset[str], fates: Fates) -> None:
    try:
        migrate_cri(plugins, disabled, fates)
    except MigrationPanicError as error:
        raise RefusalError(str(error), error.node.place) from None


def _refuse_bare_dates(tree: Table, text: str) -> None:
    """go-toml 1.9.5 takes a date without a time only where a blank, or nothing, follows it."""
    lines = text.splitlines(keepends=True)
    for leaf in tree.leaves():
        values = leaf.value if isinstance(leaf.value, list) else [leaf.value]
        if any(type(value) is datetime.date for value in values):
            line = lines[leaf.place.line - 1] if leaf.place.line else ""
            if re.search(r"\d{4}-\d\d-\d\d[^ \t\dT]", line):
                raise TomlError("incorrect date/time separation character", leaf.place.line)


def _is_plugins(name: str, first: bool) -> bool:
    return name == "plugins" or (name in ("PLUGINS",) if first else name.lower() == "plugins")


def _place_of(tree: Table, name: str, file: str) -> ConfigPlace:
    node = tree.get(name)
    return node.place if node is not None else ConfigPlace(file)


_NOT_THERE = ("absent", "unknown")
