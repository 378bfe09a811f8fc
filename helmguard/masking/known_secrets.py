"""The secrets that a plan's objects and values hold, found wherever they are told to be secret."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterable

from helmguard.masking.secret_names import (
    is_password_name,
    is_reference_name,
    is_secret_flag,
    is_secret_name,
)
from helmguard.masking.secret_patterns import secret_intervals
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.live_state import Present
from helmguard.model.prediction import ResourcePrediction
from helmguard.model.value_change import ValueChange

_LOGIN = frozenset(["auth", "username", "password", "identitytoken", "registrytoken"])
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


class KnownSecrets:
    """Collects secrets in ``texts``."""

    def __init__(self) -> None:
        self.texts: set[str] = set()
        self._read: set[str] = set()

    def add_prediction(self, prediction: ResourcePrediction) -> None:
        """The secrets of an object in all its states; a state that is another is read once."""
        live = prediction.live.body if isinstance(prediction.live, Present) else None
        read: list[JSONObject] = []
        for body in (live, prediction.predicted, prediction.new, prediction.previous):
            if body and not any(body is other for other in read):
                read.append(body)
                self.add_object(body)

    def add_value_change(self, change: ValueChange) -> None:
        """The secrets among a value's two sides, if its path or a key inside names one."""
        named = any(isinstance(step, str) and is_secret_name(step) for step in change.path)
        self.add_tree(change.before, inside=named)
        self.add_tree(change.after, inside=named)

    def add_object(self, body: JSONObject) -> None:
        """A Secret's data, decoded; of other objects what stands under names of secrets."""
        if body.get("kind") != "Secret":
            self.add_tree(_without_field_owners(body))
            return
        for value in _texts(body.get("data")):
            self._add_told(decoded(value))
        for value in _texts(body.get("stringData")):
            self._add_told(value)
        metadata = body.get("metadata")
        annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
        applied = annotations.get(LAST_APPLIED) if isinstance(annotations, dict) else None
        parsed = parsed_json(applied) if isinstance(applied, str) else None
        if isinstance(parsed, dict):
            self.add_object(parsed)

    def add_tree(self, value: JSONValue, *, inside: bool = False) -> None:
        """The texts under names of secrets, variables included, and what has the form of a secret."""
        if isinstance(value, str):
            if inside:
                self._add_told(value)
            else:
                self._add_by_form(value)
        elif isinstance(value, dict):
            name = value.get("name")
            is_variable = "value" in value and isinstance(name, str) and is_secret_name(name)
            for key, inner in value.items():
                secret = (
                    is_secret_name(key)
                    or (inside and not is_reference_name(key))
                    or (is_variable and key == "value")
                )
                if isinstance(inner, int | float):
                    if is_password_name(key) and not isinstance(inner, bool):
                        self._add_number(inner)
                elif secret or type(inner) is not str:
                    self.add_tree(inner, inside=secret)
                elif inner not in self._read:
                    self._add_by_form(inner)
        elif isinstance(value, list):
            after_flag = False
            for item in value:
                self.add_tree(item, inside=inside or after_flag)
                after_flag = isinstance(item, str) and is_secret_flag(item)

    def _add_number(self, number: float) -> None:
        """A number as it is written, and as Go prints it where it is large: ``7.1412233e+07``."""
        text = str(int(number)) if float(number).is_integer() else str(number)
        self._add_told(text)
        digits = text.strip("-").rstrip("0")
        if text.strip("-").isdigit() and len(text.strip("-")) > 6:
            point = f".{digits[1:]}" if len(digits) > 1 else ""
            self._add_told(f"{digits[0]}{point}e+{len(text.strip('-')) - 1:02d}")

    def _add_told(self, text: str) -> None:
        """The secret itself, and the secrets inside one that is a document: JSON, settings, a URL."""
        if text in self.texts:
            return
        self.texts.add(text)
        if text.startswith(("{", "[")):
            parsed = parsed_json(text)
            self._add_logins(parsed)
            self.add_tree(parsed)
        self._add_by_form(text)

    def _add_logins(self, value: JSONValue) -> None:
        """Who logs in to registries, as Docker writes it, with ``auths`` around or without."""
        if not isinstance(value, dict):
            return
        for name, inner in value.items():
            if name in _LOGIN and isinstance(inner, str):
                self._add_told(inner)
                self._add_told(decoded(inner))
            else:
                self._add_logins(inner)

    def _add_by_form(self, text: str) -> None:
        if text not in self._read:
            self._read.add(text)
            self.texts.update(text[start:end] for start, end in secret_intervals(text))


def _without_field_owners(body: JSONObject) -> JSONObject:
    """The record of who owns which field is often larger than the object, and holds names alone."""
    metadata = body.get("metadata")
    if not isinstance(metadata, dict) or "managedFields" not in metadata:
        return body
    return {**body, "metadata": {name: value for name, value in metadata.items() if name != "managedFields"}}


def decoded(text: str) -> str:
    """What the base64 text of a Secret's data stands for; itself where that is not text."""
    try:
        return base64.b64decode(text, validate=True).decode()
    except (binascii.Error, ValueError):
        return text


def parsed_json(text: str) -> JSONValue:
    """The JSON the text holds, None where it holds none."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def _texts(data: JSONValue) -> Iterable[str]:
    """All texts and numbers in a Secret's data, also where a map or a list stands for a text by mistake."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list):
        for inner in data.values() if isinstance(data, dict) else data:
            yield from _texts(inner)
    elif data is not None and not isinstance(data, bool):
        yield str(data)
