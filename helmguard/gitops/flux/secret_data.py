"""The data of ConfigMaps and Secrets as they stand in a repository."""

from __future__ import annotations

import base64
import binascii

from helmguard.gitops.documents import Document


def data_of(document: Document) -> tuple[dict[str, str], str]:
    """Texts by key, and why they are not known, empty where they are: ``is encrypted with SOPS``."""
    if "sops" in document.body:
        return {}, "is encrypted with SOPS"
    data = document.body.get("data")
    texts = {str(key): _text(value) for key, value in data.items()} if isinstance(data, dict) else {}
    if document.kind != "Secret":
        return texts, ""
    decoded = {}
    for key, value in texts.items():
        try:
            decoded[key] = base64.b64decode(value, validate=False).decode("utf-8", errors="replace")
        except (binascii.Error, ValueError):
            return {}, "holds what is not base64"
    plain = document.body.get("stringData")
    if isinstance(plain, dict):
        decoded.update({str(key): _text(value) for key, value in plain.items()})
    return decoded, ""


def _text(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)
