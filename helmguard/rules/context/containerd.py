"""What containerd makes of the nodes' configuration files."""

from __future__ import annotations

from typing import Annotated

from helmguard.rules.context.containerd_binaries import RuntimeBinary, runtime_binaries
from helmguard.rules.context.containerd_cgroups import CgroupDriver, cgroup_drivers
from helmguard.rules.context.containerd_changes import UpgradeChange, upgrade_changes
from helmguard.rules.context.containerd_drop_ins import (
    ReplacedTable,
    ShadowedEdits,
    UnimportedFolder,
    replaced_tables,
    shadowed_edits,
    unimported_folders,
)
from helmguard.rules.context.containerd_readings import told_once
from helmguard.rules.context.containerd_refusals import Refusal, refusals, same_refusal
from helmguard.rules.context.containerd_runtimes import (
    NvidiaDefault,
    RemovedOption,
    RemovedType,
    WrongOption,
    nvidia_defaults,
    removed_options,
    removed_types,
    wrong_options,
)
from helmguard.rules.context.containerd_versions import (
    MixedVersions,
    OutdatedFile,
    WrongPluginId,
    mixed_versions,
    outdated_files,
    same_file,
    wrong_plugin_ids,
)
from helmguard.rules.context.record import Record
from helmguard.rules.node_side import NodeSide


class Containerd(Record, frozen=True):
    """What containerd makes of the nodes' configuration files."""

    refusals: Annotated[
        tuple[Refusal, ...], "nodes whose containerd does not start, or does not load its CRI plugin"
    ] = ()
    outdated_files: Annotated[
        tuple[OutdatedFile, ...], "files with CRI settings that say no `version`, or 1"
    ] = ()
    wrong_plugin_ids: Annotated[
        tuple[WrongPluginId, ...], "tables whose names do not belong into files of their version"
    ] = ()
    mixed_versions: Annotated[
        tuple[MixedVersions, ...], "nodes with a main file and a drop-in of different versions"
    ] = ()
    replaced_tables: Annotated[
        tuple[ReplacedTable, ...], "drop-ins that take the place of the CRI table of another file (1.x)"
    ] = ()
    shadowed_edits: Annotated[tuple[ShadowedEdits, ...], "edits that an older drop-in overrides (1.x)"] = ()
    unimported: Annotated[tuple[UnimportedFolder, ...], "folders of drop-ins that no import names"] = ()
    binaries: Annotated[
        tuple[RuntimeBinary, ...], "programs of runtimes that are missing, or that nobody looked at"
    ] = ()
    removed_types: Annotated[tuple[RemovedType, ...], "runtimes of a type that is gone (2.x)"] = ()
    removed_options: Annotated[tuple[RemovedOption, ...], "settings that are gone (2.x)"] = ()
    wrong_options: Annotated[
        tuple[WrongOption, ...], "options of runtimes that are unknown or do not fit"
    ] = ()
    cgroup_drivers: Annotated[
        tuple[CgroupDriver, ...], "nodes whose runtimes and kubelet differ in their cgroup driver"
    ] = ()
    nvidia_defaults: Annotated[
        tuple[NvidiaDefault, ...], "nodes whose default runtime is one of NVIDIA's"
    ] = ()
    upgrade_changes: Annotated[
        tuple[UpgradeChange, ...], "what the planned version makes otherwise of the same files"
    ] = ()


def containerd_of(side: NodeSide) -> Containerd:
    """The topic of these nodes."""
    nodes = side.nodes
    return Containerd(
        refusals=tuple(told_once(nodes, refusals, same_refusal)),
        outdated_files=tuple(told_once(nodes, outdated_files, same_file)),
        wrong_plugin_ids=tuple(told_once(nodes, wrong_plugin_ids)),
        mixed_versions=tuple(told_once(nodes, mixed_versions)),
        replaced_tables=tuple(told_once(nodes, replaced_tables)),
        shadowed_edits=tuple(told_once(nodes, shadowed_edits)),
        unimported=tuple(told_once(nodes, unimported_folders)),
        binaries=tuple(told_once(nodes, runtime_binaries)),
        removed_types=tuple(told_once(nodes, removed_types)),
        removed_options=tuple(told_once(nodes, removed_options)),
        wrong_options=tuple(told_once(nodes, wrong_options)),
        cgroup_drivers=tuple(told_once(nodes, cgroup_drivers)),
        nvidia_defaults=tuple(told_once(nodes, nvidia_defaults)),
        upgrade_changes=tuple(upgrade_changes(nodes)),
    )
