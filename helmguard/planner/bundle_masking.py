"""Masking what goes into a bundle, so that it still compares: equal secrets stay equal, others differ."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable
from typing import Any

from helmguard.errors import ManifestError
from helmguard.manifest import yaml
from helmguard.manifest.documents import split_kubectl
from helmguard.masking.known_secrets import KnownSecrets, decoded
from helmguard.masking.masker import Masker
from helmguard.masking.public_names import without_names
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.predict.schema.builtin_types import builtin_type
from helmguard.predict.schema.value_type import ValueType

_NOT_IN_BUNDLES = ("templates", "files", "schema")
"""Parts of a stored chart that no plan reads."""

_WHOLE_VALUE = re.compile(
    r"""^([ \t]*(?:-[ \t]+)?(?:[\w.$/"'-]+:[ \t]+)?)(["']?)([^\s"'{}][^"'{}\n]*?)\2(?=[ \t]*$)""",
    re.MULTILINE,
)
"""A line of YAML with one value and no template action: what is before it, its quote, and the value."""

_ACTION = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_END_OF_KEY = re.compile(r"""["']?[ \t]*:(?=\s|$)""")
_IDENTITY = re.compile(r"""(?:^|[\s{,"'])(?:apiVersion|kind|name|namespace)["']?[ \t]*:[ \t][^,\n]*$""")


class BundleMasker:
    """One salt for the whole bundle; it is kept nowhere."""

    def __init__(
        self,
        objects: Iterable[JSONObject],
        trees: Iterable[JSONValue],
        *,
        secrets: Iterable[str] = (),
        show: bool,
    ) -> None:
        """``secrets`` are known beside those that ``objects`` and ``trees`` hold."""
        self.shows_secrets = show
        known = KnownSecrets()
        known.texts.update(secrets)
        bodies = list(objects)
        if not show:
            for body in bodies:
                known.add_object(body)
            for tree in trees:
                known.add_tree(tree)
        self._known = set(without_names(known.texts, bodies))
        self._masker = Masker(self._known, show=show)

    def text(self, text: str) -> str:
        """Free text."""
        return self._masker.text(text)

    def tree(self, tree: JSONValue) -> JSONValue:
        """Values."""
        return self._masker.tree(tree)

    def object(self, body: JSONObject) -> JSONObject:
        """An object. What its kind holds as base64 stays so: ``data`` of a Secret equals ``stringData``."""
        masked = self._masker.object(body)
        assert masked is not None
        if self.shows_secrets or masked == body:
            return masked
        data = masked.get("data")
        if body.get("kind") != "Secret" or not isinstance(data, dict):
            type_ = builtin_type(str(body.get("apiVersion")), str(body.get("kind")))
            return masked if type_ is None else _bytes_encoded(masked, body, type_)
        encoded = {name: _encoded(value) for name, value in data.items()}
        return {**masked, "data": encoded}

    def manifest(self, manifest: str) -> str:
        """A manifest's text; documents that hold no secret stay as they are, to the byte."""
        if self.shows_secrets:
            return manifest
        return "---\n".join(self._document(text) for text in split_kubectl(manifest))

    def hook(self, hook: JSONObject) -> JSONObject:
        """A hook entry of a record."""
        return {**hook, "manifest": self._document(str(hook.get("manifest") or "")), "last_run": {}}

    def record(self, record: JSONObject) -> JSONObject:
        """A release record, without the parts that no plan reads."""
        chart = {
            key: value for key, value in (record.get("chart") or {}).items() if key not in _NOT_IN_BUNDLES
        }
        if "values" in chart:
            chart["values"] = self.tree(chart["values"])
        info = {key: value for key, value in (record.get("info") or {}).items() if key != "notes"}
        return {
            **record,
            "chart": chart,
            "config": self.tree(record.get("config")),
            "info": {**info, "description": self.text(str(info.get("description") or ""))},
            "manifest": self.manifest(str(record.get("manifest") or "")),
            "hooks": [self.hook(hook) for hook in record.get("hooks") or ()],
        }

    def words(self, words: Iterable[str]) -> list[str]:
        """Words of a command line."""
        return self._masker.words(list(words))

    def values_file(self, text: str) -> str:
        """A values file."""
        return masked_values_file(text, self._masker)

    def template(self, text: str) -> str:
        """A template of the chart: known secrets in its text, so that it still renders.

        Actions stay, and so do keys and what identifies an object, as they do in objects.
        """
        if self.shows_secrets:
            return text
        text = _WHOLE_VALUE.sub(self._template_value, text)
        actions = [action.span() for action in _ACTION.finditer(text)]
        masked, position = "", 0
        for start, end in self._masker.known_parts(text):
            if any(start < last and first < end for first, last in actions) or _is_fixed(text, start, end):
                continue
            masked += text[position:start] + self._in_place(text[start:end])
            position = end
        return masked + text[position:]

    def _in_place(self, secret: str) -> str:
        """A secret's mark, as base64 where the secret stands so."""
        content = decoded(secret)
        if content != secret and content in self._known:
            return str(_encoded(self._masker.text(content)))
        return self._masker.text(secret)

    def _template_value(self, found: re.Match[str]) -> str:
        before, quote, value = found.groups()
        if value in self._known or decoded(value) in self._known:
            return f"{before}{quote}{self._in_place(value)}{quote}"
        return found[0]

    def _document(self, text: str) -> str:
        try:
            body = yaml.load(text)
        except ManifestError:
            return self.text(text)
        if not isinstance(body, dict):
            return self.text(text)
        masked = self.object(body)
        if masked == body:
            return text
        source = "".join(line + "\n" for line in text.split("\n") if line.startswith("# Source: "))
        return source + yaml.dump(masked)


def masked_values_file(text: str, masker: Masker) -> str:
    """A values file; its lines stay in place unless a secret is only reached by writing it anew."""
    replaced = masker.text(text)
    try:
        tree = yaml.load(replaced)
    except ManifestError:
        return replaced
    masked = masker.tree(tree)
    return replaced if masked == tree else yaml.dump(masked)


def _bytes_encoded(masked: Any, original: Any, type_: ValueType | None) -> Any:
    """The masked tree with the bytes that were changed in it as base64; an API server takes no others."""
    if type_ is None or masked == original:
        return masked
    if type_.scalar == "bytes":
        return _encoded(masked)
    if isinstance(masked, dict) and isinstance(original, dict):
        return {
            key: _bytes_encoded(value, original.get(key), type_.child(key)) for key, value in masked.items()
        }
    if isinstance(masked, list) and isinstance(original, list):
        element = type_.element()
        pairs = zip(masked, original, strict=True)
        return [_bytes_encoded(value, before, element) for value, before in pairs]
    return masked


def _is_fixed(template: str, start: int, end: int) -> bool:
    """Whether a part of a template is a key, or belongs to an object's identity."""
    before = template[template.rfind("\n", 0, start) + 1 : start]
    return _END_OF_KEY.match(template, end) is not None or _IDENTITY.search(before) is not None


def _encoded(value: JSONValue) -> JSONValue:
    return base64.b64encode(value.encode()).decode() if isinstance(value, str) else value
