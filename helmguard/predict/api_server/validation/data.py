"""Checks of ConfigMaps and Secrets."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.predict.api_server.validation.names import config_key
from helmguard.predict.api_server.validation.words import compact, invalid, required

_MOST_BYTES = 1024 * 1024
_MARK_OF_ACCOUNT = "kubernetes.io/service-account.name"
_NEEDED: dict[str, tuple[str, ...]] = {
    "kubernetes.io/tls": ("tls.crt", "tls.key"),
    "kubernetes.io/ssh-auth": ("ssh-privatekey",),
    "kubernetes.io/dockercfg": (".dockercfg",),
    "kubernetes.io/dockerconfigjson": (".dockerconfigjson",),
}
_JSON_TYPES = ("kubernetes.io/dockercfg", "kubernetes.io/dockerconfigjson")


def config_map_errors(config_map: JSONObject) -> Iterator[str]:
    """Keys, each in one of the two maps only, and the size."""
    data, binary = config_map.get("data") or {}, config_map.get("binaryData") or {}
    for field, values in (("data", data), ("binaryData", binary)):
        for key in values:
            yield from (invalid(f"{field}[{key}]", key, problem) for problem in config_key(key))
            if field == "data" and key in binary:
                yield invalid(f"data[{key}]", key, "duplicate of key present in binaryData")
    size = sum(len(value.encode()) for value in data.values() if isinstance(value, str))
    size += sum(_decoded_length(value) for value in binary.values())
    if size > _MOST_BYTES:
        yield f"[]: Too long: may not be more than {_MOST_BYTES} bytes"


def secret_errors(secret: JSONObject) -> Iterator[str]:
    """Keys, what the type asks for, and the size."""
    data, type_ = secret.get("data") or {}, secret.get("type") or ""
    for key in data:
        yield from (invalid(f"data[{key}]", key, problem) for problem in config_key(key))
    if sum(_decoded_length(value) for value in data.values()) > _MOST_BYTES:
        yield f"data: Too long: may not be more than {_MOST_BYTES} bytes"
    for key in _NEEDED.get(type_, ()):
        if key not in data:
            yield required(f"data[{key}]")
        elif type_ in _JSON_TYPES:
            problem = _json_problem(data[key])
            if problem:
                yield invalid(f"data[{key}]", "<secret contents redacted>", problem)
    if type_ == "kubernetes.io/basic-auth" and not {"username", "password"} & data.keys():
        yield required("data[username]")
        yield required("data[password]")
    if type_ == "kubernetes.io/service-account-token":
        annotations = (secret.get("metadata") or {}).get("annotations") or {}
        if not annotations.get(_MARK_OF_ACCOUNT):
            yield required(f"metadata.annotations[{_MARK_OF_ACCOUNT}]")


def _json_problem(value: JSONValue) -> str:
    """Why a value is no JSON, as far as Go's words are simple."""
    try:
        text = base64.b64decode(str(value)).decode(errors="replace")
    except (binascii.Error, ValueError):
        return ""
    try:
        json.loads(text)
    except ValueError:
        stripped = text.lstrip()
        if not stripped:
            return "unexpected end of JSON input"
        if stripped[0] not in '{["tfn-0123456789':
            return f"invalid character {compact(stripped[0])[1:-1]!r} looking for beginning of value"
        return "invalid character"
    return ""


def _decoded_length(value: JSONValue) -> int:
    return len(str(value)) * 3 // 4
