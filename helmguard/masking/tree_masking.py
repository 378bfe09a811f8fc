"""Masks the secrets in values trees and objects."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import lru_cache

from helmguard.masking.known_secrets import LAST_APPLIED, decoded, parsed_json
from helmguard.masking.secret_marks import is_masked
from helmguard.masking.secret_names import is_password_name, is_reference_name, is_secret_flag, is_secret_name
from helmguard.masking.secret_patterns import is_reference
from helmguard.model.json_value import JSONObject, JSONValue

_PLAIN_NAME = re.compile(r"[A-Za-z./_-]*|.{0,7}")
_IDENTITY = ("apiVersion", "kind")
_IDENTITY_METADATA = ("name", "namespace")
_SHORTEST_NUMBER = 6


@lru_cache(maxsize=16384)
def _is_plain_name(name: str) -> bool:
    return _PLAIN_NAME.fullmatch(name) is not None


class TreeMasker:
    """``text`` masks what is secret in a text, ``mark`` replaces a whole one, ``is_known`` tells one."""

    def __init__(
        self, text: Callable[[str], str], mark: Callable[[str], str], is_known: Callable[[str], bool]
    ) -> None:
        self._text = text
        self._mark = mark
        self._is_known = is_known

    def tree(self, value: JSONValue, *, secret: bool) -> JSONValue:
        """Any JSON; ``secret``: it stands under the name of a secret."""
        if isinstance(value, dict):
            name = value.get("name")
            variable = "value" in value and isinstance(name, str) and is_secret_name(name)
            return {
                self.key(key): self.under(key, inner, secret=secret or (variable and key == "value"))
                for key, inner in value.items()
            }
        if isinstance(value, list):
            return self._list(value, secret)
        if isinstance(value, str):
            return self.string(value, secret=secret)
        return self._number(value, secret=False)

    def under(self, name: str, value: JSONValue, *, secret: bool) -> JSONValue:
        """What stands under a key; ``secret``: the key itself stands under the name of a secret."""
        if name == LAST_APPLIED:
            return self.applied(value)
        named = is_secret_name(name)
        if isinstance(value, int | float):
            return self._number(value, secret=named and is_password_name(name))
        return self.tree(value, secret=named or (secret and not is_reference_name(name)))

    def string(self, text: str, *, secret: bool) -> str:
        """A text; nothing is secret about an empty one or a reference."""
        if secret and text and not is_reference(text):
            return self._mark(text)
        return self._text(text)

    def object(self, body: JSONObject) -> JSONObject:
        """A whole object; its identity stays readable."""
        masked: JSONObject = self.tree(body, secret=False)
        masked.update({name: body[name] for name in _IDENTITY if name in body})
        metadata = body.get("metadata")
        if isinstance(metadata, dict):
            names = {name: metadata[name] for name in _IDENTITY_METADATA if name in metadata}
            masked["metadata"] = {**masked["metadata"], **names}
        if body.get("kind") == "Secret":
            for field, encoded in (("data", True), ("stringData", False)):
                if isinstance(body.get(field), dict):
                    masked[field] = self.secret_data(body[field], encoded=encoded)
        return masked

    def secret_data(self, value: JSONValue, *, encoded: bool) -> JSONValue:
        """``data`` or ``stringData`` of a Secret, or one of its values: equal contents get equal marks."""
        if isinstance(value, dict):
            return {name: self.secret_data(inner, encoded=encoded) for name, inner in value.items()}
        if isinstance(value, str):
            content = decoded(value) if encoded else value
            # A bundle's secrets are masked already; their marks must stay equal to those of its values.
            return content if not content or is_masked(content) else self._mark(content)
        return None if value is None else self._mark(json.dumps(value))

    def applied(self, value: JSONValue) -> JSONValue:
        """kubectl's record of its last apply: a whole object as JSON text."""
        parsed = parsed_json(value) if isinstance(value, str) else None
        if not isinstance(parsed, dict):
            return self.tree(value, secret=isinstance(value, str))
        return json.dumps(self.object(parsed), ensure_ascii=False, separators=(",", ":"))

    def key(self, name: str) -> str:
        """A key of a map. Plain names stay: a password ``labels`` must not hide every ``labels``."""
        return name if _is_plain_name(name) else self._text(name)

    def _list(self, items: list[JSONValue], secret: bool) -> list[JSONValue]:
        """A list; in ``["--token", "x"]`` the flag tells that the next item is a secret."""
        masked, after_flag = [], False
        for item in items:
            masked.append(self.tree(item, secret=secret or after_flag))
            after_flag = isinstance(item, str) and is_secret_flag(item)
        return masked

    def _number(self, value: JSONValue, *, secret: bool) -> JSONValue:
        if value is None or isinstance(value, bool):
            return value
        text = str(value)
        if secret or (len(text) >= _SHORTEST_NUMBER and self._is_known(text)):
            return self._mark(text)
        return value
