"""The NVIDIA driver on the nodes, layer by layer."""

from __future__ import annotations

from typing import Annotated

from helmguard.rules.context.driver_layers import GpuLayers, gpu_layers
from helmguard.rules.context.driver_mismatch import DriverVersions, driver_versions
from helmguard.rules.context.record import Record
from helmguard.rules.node_side import NodeSide


class Driver(Record, frozen=True):
    """The NVIDIA driver on the nodes, layer by layer."""

    versions: Annotated[
        tuple[DriverVersions, ...], "nodes with the driver's libraries, and their versions"
    ] = ()
    layers: Annotated[tuple[GpuLayers, ...], "nodes with a GPU, and which layers are there"] = ()


def driver_of(side: NodeSide) -> Driver:
    """The topic of these nodes."""
    return Driver(versions=tuple(driver_versions(side.nodes)), layers=tuple(gpu_layers(side)))
