"""A chart's CustomResourceDefinition beside the live one: what would come, go or change."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.compare.equal_trees import same_tree
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.surroundings import DefinitionDifferences

_VERSION_DEFAULTS: JSONObject = {"served": True, "storage": False, "deprecated": False}
_TEXTS = ("description", "example", "externalDocs", "title")
_UNORDERED = ("required", "enum", "x-kubernetes-list-map-keys")
_MAPS = ("properties", "patternProperties", "definitions")


def definition_differences(chart: JSONObject, live: JSONObject) -> DefinitionDifferences:
    """Compare two definitions of apiextensions.k8s.io/v1.

    What the API server fills in, the order of keys and of sets, and texts for people do not count; the
    latter are only noted.
    """
    new, old = _spec(chart), _spec(live)
    added: list[str] = []
    removed: list[str] = []
    changed = [name for name in ("scope", "group", "conversion") if not same_tree(new[name], old[name])]
    changed += [f"names.{name}" for name in _changed_names(new["names"], old["names"])]
    texts = False
    for version in dict.fromkeys([*new["versions"], *old["versions"]]):
        mine, theirs = new["versions"].get(version), old["versions"].get(version)
        if theirs is None:
            added.append(version)
        elif mine is None:
            removed.append(version)
        else:
            walk = _Walk(version)
            walk.versions(mine, theirs)
            added += walk.added
            removed += walk.removed
            changed += walk.changed
            texts = texts or walk.texts
    texts = texts or _annotations(chart) != _annotations(live)
    return DefinitionDifferences(tuple(sorted(added)), tuple(sorted(removed)), tuple(sorted(changed)), texts)


class _Walk:
    """Gathers what differs within one version."""

    def __init__(self, version: str) -> None:
        self.version = version
        self.added: list[str] = []
        self.removed: list[str] = []
        self.changed: list[str] = []
        self.texts = False

    def versions(self, new: JSONObject, old: JSONObject) -> None:
        """The settings of a version, and its schema."""
        for name in dict.fromkeys([*_VERSION_DEFAULTS, *new, *old]):
            if name in ("schema", "name"):
                continue
            default = _VERSION_DEFAULTS.get(name)
            left, right = new.get(name, default), old.get(name, default)
            if same_tree(_normal(left), _normal(right)):
                continue
            if name in ("deprecationWarning", "additionalPrinterColumns"):
                self.texts = True
            else:
                self.changed.append(f"{self.version} {name}")
        self.schema(_schema(new), _schema(old), "")

    def schema(self, new: JSONObject, old: JSONObject, path: str) -> None:
        """Walk two schemas side by side."""
        if new == old:
            return
        for name in dict.fromkeys([*new, *old]):
            left, right = new.get(name), old.get(name)
            if left == right or same_tree(_normal(left, name), _normal(right, name)):
                continue
            if name in _TEXTS:
                self.texts = True
            elif name in _MAPS:
                self._properties(_map(left), _map(right), path)
            elif name in ("items", "additionalProperties") and isinstance(left, dict | None):
                self._below(left, right, f"{path}[]" if name == "items" else f"{path}.*")
            else:
                self.changed.append(f"{self._at(path)} ({name})")

    def _below(self, new: JSONValue, old: JSONValue, path: str) -> None:
        if isinstance(new, dict) and isinstance(old, dict):
            self.schema(new, old, path)
        else:
            self.changed.append(self._at(path))

    def _properties(self, new: JSONObject, old: JSONObject, path: str) -> None:
        for name in dict.fromkeys([*new, *old]):
            here = f"{path}.{name}" if path else name
            if name not in old:
                self.added.append(self._at(here))
            elif name not in new:
                self.removed.append(self._at(here))
            else:
                self._below(new[name], old[name], here)

    def _at(self, path: str) -> str:
        return f"{self.version} {path}" if path else self.version


def _spec(definition: JSONObject) -> JSONObject:
    spec = _map(definition.get("spec"))
    versions = {
        str(version.get("name")): version
        for version in spec.get("versions") or ()
        if isinstance(version, dict)
    }
    return {
        "scope": spec.get("scope"),
        "group": spec.get("group"),
        "names": _map(spec.get("names")),
        "conversion": _conversion(_map(spec.get("conversion"))),
        "versions": versions,
    }


def _conversion(conversion: JSONObject) -> JSONValue:
    """The certificate that a controller or cert-manager fills in is nobody's change."""
    strategy = conversion.get("strategy") or "None"
    client = dict(_map(_map(conversion.get("webhook")).get("clientConfig")))
    client.pop("caBundle", None)
    service = client.get("service")
    if isinstance(service, dict):
        client["service"] = {"port": 443, **service}
    return [strategy, client]


def _changed_names(new: JSONObject, old: JSONObject) -> Iterator[str]:
    kind = str(new.get("kind") or "")
    filled = {"singular": kind.lower(), "listKind": f"{kind}List"}
    for name in ("kind", "plural", "singular", "listKind", "shortNames", "categories"):
        left, right = ((names.get(name) or filled.get(name) or []) for names in (new, old))
        if (sorted(left) if isinstance(left, list) else left) != (
            sorted(right) if isinstance(right, list) else right
        ):
            yield name


def _schema(version: JSONObject) -> JSONObject:
    return _map(_map(version.get("schema")).get("openAPIV3Schema"))


def _normal(value: JSONValue, name: str = "") -> JSONValue:
    """Absent, null and empty are one; the order of a set does not count."""
    if value in (None, {}, [], ""):
        return None
    if name in ("nullable", "uniqueItems", "exclusiveMinimum", "exclusiveMaximum") and value is False:
        return None
    if isinstance(value, list) and name in _UNORDERED:
        return sorted(value, key=str)
    if isinstance(value, dict):
        return {key: _normal(below, key) for key, below in value.items()}
    return value


def _annotations(definition: JSONObject) -> JSONObject:
    """The annotations a chart sets: the marks of tools that apply it are left out."""
    marks = _map(_map(definition.get("metadata")).get("annotations"))
    return {name: text for name, text in marks.items() if name.startswith("controller-gen.")}


def _map(value: JSONValue) -> JSONObject:
    return value if isinstance(value, dict) else {}
