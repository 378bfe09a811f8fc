"""How keys that are not text become text: JSON has no others.

Source: sigs.k8s.io/yaml v1.6.0 yaml.go. Two keys that are equal only as text (``1`` and ``"1"``) are settled
by Go's random map order; here the later one wins.
"""

from __future__ import annotations

import math

from helmguard.manifest.numbers import INT64_MAX, Scalar, format_g

_SPECIAL_FLOATS = {"+Inf": ".inf", "-Inf": "-.inf", "NaN": ".nan"}


def key_text(key: Scalar) -> str | None:
    """The key as Go spells it; None for keys Go refuses: null, and integers beyond int64."""
    if isinstance(key, str):
        return key
    if isinstance(key, bool):
        return "true" if key else "false"
    if isinstance(key, float):
        text = format_g(key, bits=32)
        return _SPECIAL_FLOATS.get(text, text)
    if key is None or key > INT64_MAX:
        return None
    return str(key)


def identity(key: Scalar) -> object:
    """What makes two keys the same to Go: type and value. A NaN equals nothing, not even itself."""
    if isinstance(key, float) and math.isnan(key):
        return object()
    return (type(key), key)
