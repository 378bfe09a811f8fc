"""pyhelm3's ``Command``, imported without the parts of pyhelm3 that helmguard does not use.

``import pyhelm3`` also imports its typed client and with it pydantic: 0.20 s of CPU against 0.09 s for the
module with ``Command`` alone (best of five, Python 3.11, 2 cores; 0.06 s of the 0.09 are asyncio and yaml).
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import threading
from typing import TYPE_CHECKING, Any

_importing = threading.Lock()


def _import_command() -> type[Any]:
    with _importing:
        if "pyhelm3" in sys.modules or "pyhelm3.command" in sys.modules:
            return _command_class()
        spec = importlib.util.find_spec("pyhelm3")
        if spec is None:
            raise ModuleNotFoundError("No module named 'pyhelm3'", name="pyhelm3")
        # The empty package lets the import system find the module inside it; it is taken away again, so that
        # a later `import pyhelm3` elsewhere runs the real package, which then finds this very module.
        sys.modules["pyhelm3"] = importlib.util.module_from_spec(spec)
        try:
            return _command_class()
        finally:
            del sys.modules["pyhelm3"]


def _command_class() -> type[Any]:
    command: type[Any] = importlib.import_module("pyhelm3.command").Command
    return command


if TYPE_CHECKING:
    from pyhelm3 import Command
else:
    Command = _import_command()

__all__ = ["Command"]
