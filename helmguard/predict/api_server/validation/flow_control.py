"""Checks of the API server's flow control.

Source: k8s.io/kubernetes@v1.36.3 pkg/apis/flowcontrol/validation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from helmguard.model.json_value import JSONObject
from helmguard.predict.api_server.validation.words import forbidden, invalid, required, unsupported

_EXEMPT: Final = "exempt"


def priority_level_errors(level: JSONObject) -> Iterator[str]:
    """Only the level named ``exempt`` is Exempt, and each type has its own settings."""
    spec = level.get("spec") or {}
    kind = spec.get("type") or ""
    if ((level.get("metadata") or {}).get("name") == _EXEMPT) != (kind == "Exempt"):
        yield invalid("spec.type", kind, "must be 'Exempt' if and only if `name` is 'exempt'")
    if kind == "Exempt":
        if "limited" in spec:
            yield forbidden("spec.limited", "must be nil if the type is not Limited")
    elif kind == "Limited":
        if "exempt" in spec:
            yield forbidden("spec.exempt", "must be nil if the type is Limited")
        if "limited" not in spec:
            yield required("spec.limited", "must not be empty when type is Limited")
    elif kind:
        yield unsupported("spec.type", kind, ("Exempt", "Limited"))
    else:
        yield required("spec.type")
