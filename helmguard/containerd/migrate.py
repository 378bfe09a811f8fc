"""How containerd 2.x translates the CRI settings of older files.

``v1MigratePluginName`` of its configuration, and ``configMigration`` of the plugins
``io.containerd.cri.v1.runtime``, ``io.containerd.cri.v1.images`` and ``io.containerd.grpc.v1.cri`` (the same
in 2.1.4 and 2.3.0).
"""

from __future__ import annotations

from helmguard.containerd.fates import Fates
from helmguard.containerd.located import Leaf, Node, Table
from helmguard.containerd.merge import copied
from helmguard.containerd.schema import CRI, CRI_IMAGES, CRI_RUNTIME

_CORE_PLUGINS = {
    "cri": CRI,
    "cgroups": "io.containerd.monitor.v1.cgroups",
    "linux": "io.containerd.runtime.v1.linux",
    "scheduler": "io.containerd.gc.v1.scheduler",
    "bolt": "io.containerd.metadata.v1.bolt",
    "task": "io.containerd.runtime.v2.task",
    "opt": "io.containerd.internal.v1.opt",
    "restart": "io.containerd.internal.v1.restart",
    "tracing": "io.containerd.internal.v1.tracing",
    "otlp": "io.containerd.tracing.processor.v1.otlp",
    "aufs": "io.containerd.snapshotter.v1.aufs",
    "btrfs": "io.containerd.snapshotter.v1.btrfs",
    "devmapper": "io.containerd.snapshotter.v1.devmapper",
    "native": "io.containerd.snapshotter.v1.native",
    "overlayfs": "io.containerd.snapshotter.v1.overlayfs",
    "zfs": "io.containerd.snapshotter.v1.zfs",
}
_IMAGE_KEYS = (
    "registry",
    "image_decryption",
    "max_concurrent_downloads",
    "image_pull_progress_timeout",
    "image_pull_with_sync_fs",
    "stats_collect_period",
)
_SNAPSHOT_KEYS = ("snapshotter", "disable_snapshot_annotations", "discard_unpacked_layers")
_SERVER_KEYS = (
    "disable_tcp_service",
    "stream_server_address",
    "stream_server_port",
    "stream_idle_timeout",
    "enable_tls_streaming",
    "x509_key_pair_streaming",
)


class MigrationPanicError(Exception):
    """containerd ends with a panic: a setting has a type that its translation does not expect."""

    def __init__(self, node: Node, what: str) -> None:
        super().__init__(f"panic while migrating: {what} has the wrong type")
        self.node = node


def full_name(plugin: str) -> str:
    """The id that a plugin's short name of version 1 stands for."""
    if "." in plugin:
        return plugin
    if plugin in _CORE_PLUGINS:
        return _CORE_PLUGINS[plugin]
    if plugin.endswith("-service"):
        return f"io.containerd.service.v1.{plugin}"
    kind = "snapshotter" if plugin in ("windows", "windows-lcow") else "grpc"
    return f"io.containerd.{kind}.v1.{plugin}"


def with_full_names(plugins: Table, fates: Fates) -> Table:
    """The plugins of a file of version 1 by their ids."""
    found = Table(plugins.path, plugins.place)
    for name, node in plugins.items():
        full = full_name(name)
        if full in found:
            fates.lost(found[full], "overridden", node.place)
        found[full] = node
    return found


def migrate_cri(plugins: Table, disabled: frozenset[str], fates: Fates) -> None:
    """Move the settings of ``io.containerd.grpc.v1.cri`` to where containerd 2.x looks for them, in place.

    ``disabled`` are plugins whose translation does not run.

    Raises:
        MigrationPanicError: containerd would crash.
    """
    if CRI not in plugins:
        return
    if CRI_RUNTIME not in disabled:
        _migrate_runtime(plugins, fates)
    if CRI_IMAGES not in disabled:
        _migrate_images(plugins, fates)
    source = plugins.table(CRI)
    if source is not None and CRI not in disabled:
        server = Table(source.path, source.place)
        server.update({name: source[name] for name in _SERVER_KEYS if name in source})
        plugins[CRI] = server


def _migrate_runtime(plugins: Table, fates: Fates) -> None:
    source = plugins.table(CRI)
    if source is None:
        return
    before = plugins.table(CRI_RUNTIME)
    target = before if before is not None else Table(source.path, source.place)
    elsewhere = ("cni", "containerd", "sandbox_image", *_IMAGE_KEYS, *_SERVER_KEYS)
    _add_missing(target, source, elsewhere, fates)
    cni = source.table("cni")
    if cni is not None:
        target["cni"] = _migrated_cni(cni, target, fates)
    containerd = source.table("containerd")
    if containerd is not None:
        there = target.table("containerd")
        into = there if there is not None else Table(containerd.path, containerd.place)
        _add_missing(into, containerd, _SNAPSHOT_KEYS, fates)
        target["containerd"] = into
        if "runtimes" in into:
            _rename_sandbox_modes(into["runtimes"])
    plugins[CRI_RUNTIME] = target


def _add_missing(target: Table, source: Table, but: tuple[str, ...], fates: Fates) -> None:
    for name, node in source.items():
        if name in but:
            continue
        if name in target:
            fates.lost(node, "hidden", target[name].place)
        else:
            target[name] = copied(node)


def _migrated_cni(cni: Table, target: Table, fates: Fates) -> Table:
    there = target.table("cni")
    into = there if there is not None else Table(cni.path, cni.place)
    for name, node in cni.items():
        if name == "bin_dir":
            if not isinstance(node, Leaf) or not isinstance(node.value, str):
                raise MigrationPanicError(node, "cni.bin_dir")
            fates.holds(node)
            into["bin_dirs"] = Leaf([node.value], node.path, node.place)
        elif name in into:
            fates.lost(node, "hidden", into[name].place)
        else:
            into[name] = node
    return into


def _rename_sandbox_modes(runtimes: Node) -> None:
    for runtime in _tables(runtimes, "containerd.runtimes"):
        if "sandbox_mode" in runtime and "sandboxer" not in runtime:
            runtime["sandboxer"] = runtime.pop("sandbox_mode")


def _migrate_images(plugins: Table, fates: Fates) -> None:
    source = _table(plugins[CRI], CRI)
    before = plugins.get(CRI_IMAGES)
    target = Table(source.path, source.place) if before is None else _table(before, CRI_IMAGES)
    pinned = target.get("pinned_images")
    images = Table(source.path, source.place) if pinned is None else _table(pinned, "pinned_images")
    if "sandbox_image" in source:
        _put(images, "sandbox", source["sandbox_image"], fates)
    if images:
        target["pinned_images"] = images
    for name in _IMAGE_KEYS:
        if name in source:
            _put(target, name, source[name], fates)
    plugins[CRI_IMAGES] = target
    containerd = source.get("containerd")
    if containerd is None:
        return
    settings = _table(containerd, "containerd")
    if "runtimes" not in settings:
        # Without runtimes containerd leaves the snapshotter's settings behind.
        for name in _SNAPSHOT_KEYS:
            if name in settings:
                fates.lost(settings[name], "generation")
        return
    _tables(settings["runtimes"], "containerd.runtimes")
    for name in _SNAPSHOT_KEYS:
        if name in settings:
            _put(target, name, settings[name], fates)


def _put(target: Table, name: str, node: Node, fates: Fates) -> None:
    if name in target:
        fates.lost(target[name], "hidden", node.place)
    target[name] = copied(node)


def _table(node: Node, what: str) -> Table:
    if not isinstance(node, Table):
        raise MigrationPanicError(node, what)
    return node


def _tables(node: Node, what: str) -> list[Table]:
    return [_table(item, f"{what}.{name}") for name, item in _table(node, what).items()]
