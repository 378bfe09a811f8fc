"""The request of a recorded trace (``scenario.yaml``): only what was known before the operation is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from helmguard.errors import BundleError
from helmguard.model.apply_options import ApplyOptions
from helmguard.model.helm_version import HelmVersion
from helmguard.model.json_value import JSONObject
from helmguard.planner.bundle_format import BundleRequest

TRACE_FILE = "scenario.yaml"
_VALUES_GIVEN = "values-given.yaml"

_SWITCHES = {
    "--force": "force",
    "--force-replace": "force",
    "--force-conflicts": "force_conflicts",
    "--take-ownership": "take_ownership",
    "--no-hooks": "no_hooks",
    "--skip-crds": "skip_crds",
    "--atomic": "atomic",
    "--rollback-on-failure": "atomic",
    "--cleanup-on-fail": "cleanup_on_fail",
}
_VALUE_FLAGS = frozenset(
    ["-f", "--values", "--set", "--set-string", "--set-json", "--set-file", "--set-literal"]
)
_MODE_FLAGS = frozenset(["--reuse-values", "--reset-values", "--reset-then-reuse-values"])


def read_trace_request(document: JSONObject, folder: Path) -> BundleRequest:
    """The operation of a trace.

    Raises:
        BundleError: the scenario lacks a part.
    """
    try:
        operation = document["operation"]
        verb = str(operation["verb"])
        flags = [str(flag) for flag in operation.get("flags") or ()]
        options, words = _read_flags(flags)
        chart = str(document.get("chart_new") or document.get("chart_old") or "")
        return BundleRequest(
            operation="rollback" if verb == "rollback" else "upgrade",
            release=str(document["release"]),
            namespace=str(document["namespace"]),
            helm=HelmVersion.parse(str(document["helm"])),
            kubernetes=str(document.get("kubernetes") or ""),
            options=ApplyOptions(**options),
            value_words=tuple(_values_file(operation, folder) + words),
            chart=chart if (folder / chart).is_dir() else "",
            reference=chart,
            rollback_to=int(operation.get("revision") or 0),
            masked=False,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise BundleError(
            f"{folder / TRACE_FILE}: not a scenario ({type(error).__name__}: {error})"
        ) from None


def _values_file(operation: JSONObject, folder: Path) -> list[str]:
    if operation.get("values_file") and (folder / _VALUES_GIVEN).exists():
        return ["-f", _VALUES_GIVEN]
    return []


def _read_flags(flags: list[str]) -> tuple[dict[str, Any], list[str]]:
    options: dict[str, Any] = {}
    words: list[str] = []
    rest = list(flags)
    while rest:
        flag = rest.pop(0)
        name, equals, value = flag.partition("=")
        if flag in _MODE_FLAGS:
            words.append(flag)
        elif name in _VALUE_FLAGS:
            words.append(flag)
            if not equals and rest:
                words.append(rest.pop(0))
        elif name in _SWITCHES:
            options[_SWITCHES[name]] = not equals or value == "true"
        elif name == "--history-max":
            options["history_max"] = int(value if equals else rest.pop(0))
        elif name == "--server-side":
            options["server_side"] = value if equals else "true"
    return options, words
