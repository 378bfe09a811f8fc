"""PyYAML's binding to libyaml, which a PyYAML built without libyaml lacks."""

from __future__ import annotations

from typing import Any

from helmguard.manifest.goyaml.error import Doubt

try:
    from yaml._yaml import CParser
except ImportError:  # everything is read by the exact scanner then, some ten times slower
    CParser = None  # type: ignore[assignment, misc]


def new_parser(data: bytes) -> Any:
    """A parser whose ``get_event`` gives one event after the other.

    Raises:
        Doubt: there is no libyaml.
    """
    if CParser is None:
        raise Doubt
    return CParser(data)
