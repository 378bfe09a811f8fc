"""Specs of the Container Device Interface on the nodes."""

from __future__ import annotations

from typing import Annotated

from helmguard.rules.context.cdi_readings import cdi_readings
from helmguard.rules.context.cdi_requests import AskedDevice, asked_by_pods
from helmguard.rules.context.cdi_specs import (
    DuplicateDevices,
    HookProgram,
    InvalidSpec,
    duplicate_devices,
    hook_programs,
    invalid_specs,
)
from helmguard.rules.context.cdi_staleness import BoundSpec, bound_specs
from helmguard.rules.context.cdi_switches import CdiSwitch, cdi_switches
from helmguard.rules.context.record import Record
from helmguard.rules.node_side import NodeSide


class Cdi(Record, frozen=True):
    """Specs of the Container Device Interface on the nodes."""

    invalid: Annotated[tuple[InvalidSpec, ...], "spec files that are refused, or could not be read"] = ()
    duplicates: Annotated[tuple[DuplicateDevices, ...], "devices that two spec files have"] = ()
    bound: Annotated[
        tuple[BoundSpec, ...], "specs that name a driver's version, or paths that are not there"
    ] = ()
    hooks: Annotated[tuple[HookProgram, ...], "programs that specs run"] = ()
    asked: Annotated[tuple[AskedDevice, ...], "devices that pods ask for by annotations"] = ()
    switches: Annotated[tuple[CdiSwitch, ...], "nodes where CDI is expected, and whether it is on"] = ()


def cdi_of(side: NodeSide) -> Cdi:
    """The topic of these nodes."""
    readings = [reading for node in side.nodes for reading in cdi_readings(node)]
    return Cdi(
        invalid=tuple(invalid_specs(readings)),
        duplicates=tuple(duplicate_devices(readings)),
        bound=tuple(bound_specs(readings)),
        hooks=tuple(hook_programs(readings)),
        asked=tuple(asked_by_pods(readings, side)),
        switches=tuple(cdi_switches(readings, side)),
    )
