"""The mark that stands for a secret."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Mapping

from helmguard.model.json_value import JSONValue

MARK = re.compile(r"\(secret [0-9a-f]{8}\)")
"""How a masked secret is written."""


def mark(secret: str, salt: bytes) -> str:
    """``(secret 1f3a9c2e)``: a salted digest of the secret, and nothing of its length."""
    digest = hmac.new(salt, secret.encode(errors="surrogatepass"), hashlib.sha256)
    return f"(secret {digest.hexdigest()[:8]})"


def without_digest(text: str) -> str:
    """Marks as people read them: ``(secret)``."""
    return MARK.sub("(secret)", text)


def is_masked(value: JSONValue) -> bool:
    """Whether the value is one whole masked secret."""
    return isinstance(value, str) and MARK.fullmatch(value) is not None


def holds_masked(value: JSONValue) -> bool:
    """Whether the value is, or a part of it is, a masked secret."""
    if isinstance(value, Mapping):
        return any(holds_masked(inner) for inner in value.values())
    if isinstance(value, list):
        return any(holds_masked(item) for item in value)
    return isinstance(value, str) and MARK.search(value) is not None
