"""The driver's kernel module beside its user space: they work in the same version only."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Annotated

from helmguard.model.judged_node import JudgedNode
from helmguard.model.node_facts import NodeFacts
from helmguard.rules.context.driver_version import core_libraries, stem
from helmguard.rules.context.record import UNKNOWN, Record, Unknown


class DriverVersions(Record, frozen=True):
    """A node with the driver's libraries, and a kernel module that is loaded, or not known."""

    node: Annotated[str, "the node's name"]
    kernel: Annotated[str | Unknown, "the loaded module's version: `570.195.03`"] = UNKNOWN
    libraries: Annotated[tuple[str, ...], "the versions of libcuda and libnvidia-ml that programs find"] = ()
    file: Annotated[str, "a library that does not fit, or one of those that do"] = ""
    differ: Annotated[bool | Unknown, "a library is there in other versions than the module's alone"] = (
        UNKNOWN
    )
    newer: Annotated[
        bool, "the libraries are newer than the module: they were updated, and it is still loaded"
    ] = False
    root: Annotated[str, "where the driver's user space is: `/` or `/run/nvidia/driver`"] = "/"
    lacks: Annotated[tuple[str, ...], "what was not looked at"] = ()


def driver_versions(nodes: Iterable[JudgedNode]) -> Iterator[DriverVersions]:
    """One for each node with libraries that bear a version, unless it is known that no module is loaded."""
    for node in nodes:
        found = _versions(node.facts)
        if found is not None:
            yield found


def _versions(facts: NodeFacts) -> DriverVersions | None:
    driver = facts.driver
    found = [library for library in core_libraries(driver) if library.version]
    kernel = driver.kernel_version
    if not found or (driver.kernel_known and not kernel):
        return None
    # A library may be there in several versions: it is out of step where none of them is the module's.
    fitting = {stem(library) for library in found if library.version == kernel}
    wrong = [library for library in found if stem(library) not in fitting] if kernel else []
    return DriverVersions(
        node=facts.name,
        kernel=kernel or UNKNOWN,
        libraries=tuple(dict.fromkeys(library.version for library in found)),
        file=(wrong or found)[0].path,
        differ=bool(wrong) if kernel else UNKNOWN,
        newer=bool(wrong) and _numbers(wrong[0].version) > _numbers(kernel),
        root=driver.root,
        lacks=() if kernel else (f"the loaded kernel module on node {facts.name}",),
    )


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version))
