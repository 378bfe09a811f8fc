"""Chart.yaml and requirements.yaml as Go decodes them into Helm's record, and Helm's checks of it.

Scalars become text where text is wanted (``version: 1.10`` is ``1.1``), keys match in any case, unknown
keys are ignored (sigs.k8s.io/yaml@v1.6.0; helm/helm@v3.22.0 pkg/chart/metadata.go, dependency.go).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from helmguard.errors import ChartError
from helmguard.manifest.numbers import format_g
from helmguard.values.chart import ChartMetadata, Dependency
from helmguard.values.go_format import quote
from helmguard.values.semver import Version
from helmguard.values.table import to_plain

API_VERSION_1 = "v1"
_ALIAS = re.compile(r"[a-zA-Z0-9_-]+")

_METADATA_TEXTS = {
    "name": "name",
    "version": "version",
    "apiVersion": "api_version",
    "type": "type",
    "appVersion": "app_version",
    "kubeVersion": "kube_version",
    "description": "description",
}
_UNUSED_TEXTS = ("home", "icon", "condition", "tags")
_DEPENDENCY_TEXTS = ("name", "version", "repository", "condition", "alias")


class DecodeError(Exception):
    """A field of another type than Helm's record has; the message is Go's."""


def decode_metadata(document: Any, into: ChartMetadata) -> None:
    """Put a parsed Chart.yaml or requirements.yaml over ``into``; null fields change nothing.

    Raises:
        DecodeError: a field has the wrong type.
    """
    if document is None:
        return
    fields = _fields(document, "chart.Metadata")
    for key, attribute in _METADATA_TEXTS.items():
        if (value := fields.get(key.lower())) is not None:
            setattr(into, attribute, _text(value, f"Metadata.{key}"))
    for key in _UNUSED_TEXTS:
        if (value := fields.get(key)) is not None:
            _text(value, f"Metadata.{key}")
    for key in ("sources", "keywords"):
        for item in _items(fields.get(key), f"Metadata.{key}", "[]string"):
            _text(item, f"Metadata.{key}")
    if (deprecated := fields.get("deprecated")) is not None:
        if not isinstance(deprecated, bool):
            raise DecodeError(_mismatch(deprecated, "Metadata.deprecated", "bool"))
        into.deprecated = deprecated
    if (annotations := fields.get("annotations")) is not None:
        into.annotations = {**into.annotations, **_texts(annotations, "Metadata.annotations")}
    for item in _items(fields.get("maintainers"), "Metadata.maintainers", "[]*chart.Maintainer"):
        if item is None:
            raise ChartError("validation: maintainers must not contain empty or null nodes")
        _fields(item, "chart.Maintainer")
    if (dependencies := fields.get("dependencies")) is not None:
        into.dependencies = _dependencies(dependencies, into.dependencies or [])


def _dependencies(value: Any, existing: list[Dependency]) -> list[Dependency]:
    """Go decodes a list over the elements already there, one by one."""
    decoded = []
    for index, item in enumerate(_items(value, "Metadata.dependencies", "[]*chart.Dependency")):
        if item is None:
            raise ChartError("validation: dependencies must not contain empty or null nodes")
        entry = existing[index] if index < len(existing) else Dependency(name="")
        fields = _fields(item, "chart.Dependency")
        for key in _DEPENDENCY_TEXTS:
            if (text := fields.get(key)) is not None:
                setattr(entry, key, _text(text, f"Dependency.dependencies.{key}"))
        if (tags := fields.get("tags")) is not None:
            listed = _items(tags, "Dependency.dependencies.tags", "[]string")
            entry.tags = [_text(tag, "Dependency.dependencies.tags") for tag in listed]
        if (imports := fields.get("import-values")) is not None:
            listed = _items(imports, "Dependency.dependencies.import-values", "[]interface {}")
            entry.import_values = to_plain(listed)
        decoded.append(entry)
    return decoded


def _fields(value: Any, struct_name: str) -> dict[str, Any]:
    """The keys in lower case, without nulls; of keys that differ in case the last in order wins."""
    if not isinstance(value, Mapping):
        raise DecodeError(f"json: cannot unmarshal {_json_name(value)} into Go value of type {struct_name}")
    fields: dict[str, Any] = {}
    for key in sorted(value):
        if value[key] is not None:
            fields[key.lower()] = value[key]
    return fields


def _items(value: Any, field: str, wanted: str) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise DecodeError(_mismatch(value, field, wanted))
    return value


def _texts(value: Any, field: str) -> dict[str, str]:
    if not isinstance(value, Mapping):
        raise DecodeError(_mismatch(value, field, "map[string]string"))
    return {key: "" if item is None else _text(item, field) for key, item in value.items()}


def _text(value: Any, field: str) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return format_g(value, 32)  # sigs.k8s.io/yaml cuts numbers to 32 bits for text fields
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return value
    raise DecodeError(_mismatch(value, field, "string"))


def _mismatch(value: Any, field: str, wanted: str) -> str:
    return f"json: cannot unmarshal {_json_name(value)} into Go struct field {field} of type {wanted}"


def _json_name(value: Any) -> str:
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


def validate_metadata(metadata: ChartMetadata) -> None:
    """Helm's checks of Chart.yaml; texts lose what cannot be printed first.

    Raises:
        ChartError: with Helm's text.
    """
    for attribute in ("name", "description", "app_version", "kube_version"):
        setattr(metadata, attribute, _printable(getattr(metadata, attribute)))
    problem = _problem(metadata)
    if problem:
        raise ChartError(f"validation: {problem}", remedy="correct Chart.yaml")
    seen: set[str] = set()
    for entry in metadata.dependencies or ():
        for attribute in ("name", "version", "repository", "condition"):
            setattr(entry, attribute, _printable(getattr(entry, attribute)))
        entry.tags = [_printable(tag) for tag in entry.tags]
        if entry.alias and not _ALIAS.fullmatch(entry.alias):
            raise ChartError(
                f"validation: dependency {quote(entry.name)} has disallowed characters in the alias",
                remedy="use letters, digits, _ and - in the alias",
            )
        key = entry.alias or entry.name
        if key in seen:
            raise ChartError(
                f"validation: more than one dependency with name or alias {quote(key)}",
                remedy="give each dependency an alias of its own",
            )
        seen.add(key)


def _problem(metadata: ChartMetadata) -> str:
    name = metadata.name
    if not metadata.api_version:
        return "chart.metadata.apiVersion is required"
    if not name:
        return "chart.metadata.name is required"
    if name in (".", ".."):
        return f"chart.metadata.name {quote(name)} is not allowed"
    if "/" in name:
        return f"chart.metadata.name {quote(name)} is invalid"
    if not metadata.version:
        return "chart.metadata.version is required"
    if Version.parse(metadata.version) is None:
        return f"chart.metadata.version {quote(metadata.version)} is invalid"
    if metadata.type not in ("", "application", "library"):
        return "chart.metadata.type must be application or library"
    return ""


def _printable(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    characters = (" " if character.isspace() else character for character in text)
    return "".join(character for character in characters if character == " " or character.isprintable())
