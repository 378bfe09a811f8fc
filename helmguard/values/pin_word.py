"""The flag that sets a value as it was, to paste into a shell."""

from __future__ import annotations

import shlex
from typing import cast

from helmguard.model.field_path import FieldPath
from helmguard.model.json_value import JSONValue
from helmguard.values.set_flags import set_flag
from helmguard.values.table import ValuePath


def pin_word(path: FieldPath, value: JSONValue) -> str:
    """``--set driver.enabled=false``: the shortest flag that gives exactly this value and type."""
    # Paths of values have no item keys: Helm knows lists by index only.
    flag, word = set_flag(cast(ValuePath, path), value)
    return f"{flag} {shlex.quote(word)}"
