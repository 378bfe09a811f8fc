"""The version of NVIDIA's driver on a node, as far as its facts tell."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.node_facts import DriverFacts, Library

CORE = ("libcuda", "libnvidia-ml")
"""Without these two nothing uses a GPU: CUDA, and what nvidia-smi and the device plugin ask."""


def stem(library: Library) -> str:
    """``libcuda`` of ``libcuda.so.1`` and ``libcuda.so.570.195.03``."""
    return library.name.partition(".so")[0]


def core_libraries(driver: DriverFacts) -> Iterator[Library]:
    """Those of `CORE` that programs find: what ``….so.1`` leads to, or all where there is no such link."""
    for name in CORE:
        named = [library for library in driver.libraries if stem(library) == name]
        linked = [library for library in named if library.path.endswith(".so.1")]
        yield from linked or named


def library_versions(driver: DriverFacts) -> tuple[str, ...]:
    """The versions of the user space that is there, in the order of the libraries."""
    return tuple(dict.fromkeys(library.version for library in driver.libraries if library.version))


def running_version(driver: DriverFacts) -> str | None:
    """The loaded kernel module's version, or the user space's where none is loaded; None for neither."""
    if driver.kernel_version:
        return driver.kernel_version
    found = dict.fromkeys(library.version for library in core_libraries(driver) if library.version)
    return next(iter(found)) if driver.kernel_known and len(found) == 1 else None
