"""The values of a helmfile's release, in the order in which helmfile gives them to helm."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from helmguard.gitops.argo.globs import is_glob, value_files
from helmguard.gitops.documents import Documents, text_at
from helmguard.gitops.helmfile.environment import skips_missing
from helmguard.gitops.helmfile.not_read import NotReadError
from helmguard.gitops.helmfile.release_text import ReleaseText
from helmguard.gitops.helmfile.templates import rendered
from helmguard.gitops.tree import joined
from helmguard.gitops.values_files import values_layer
from helmguard.model.declared_release import ValuesLayer
from helmguard.model.json_value import JSONObject

_ESCAPED = str.maketrans({"{": r"\{", "}": r"\}", ",": r"\,"})


class ReleaseLayers:
    """Reads them. ``unknown`` are sentences about what the layers do not say."""

    def __init__(
        self, documents: Documents, release: ReleaseText, folder: str, state_body: JSONObject
    ) -> None:
        self.documents, self.release, self.folder = documents, release, folder
        self.skips_missing = skips_missing(release.body, state_body)
        self.reuses = (release.body.get("reuseValues"), state_body.get("helmDefaults"))
        self.unknown: list[str] = []

    def layers(self) -> tuple[ValuesLayer, ...]:
        """Files and maps, secrets, ``set``, ``setString`` (state.go ``namespaceAndValuesFlags``)."""
        return (
            *self._reused(),
            *self._values("valuesTemplate"),
            *self._values("values"),
            *self._secrets(),
            *self._set("setTemplate", "set"),
            *self._set("set", "set"),
            *self._set("setString", "set-string"),
            *self._environment_variables(),
        )

    def _reused(self) -> Iterator[ValuesLayer]:
        said, defaults = self.reuses
        by_default = isinstance(defaults, dict) and defaults.get("reuseValues") is True
        if said is True or (said is None and by_default):
            why = "helmfile keeps the values that the release has (reuseValues), which are in the cluster"
            yield ValuesLayer("unknown", self.release.file, line=self.release.line("reuseValues"), why=why)

    def _values(self, field: str) -> Iterator[ValuesLayer]:
        for index, entry in enumerate(self.release.list_at(field)):
            if isinstance(entry, dict):
                yield self._map(field, index, entry)
            elif isinstance(entry, str):
                yield from self._file(field, index, entry)

    def _map(self, field: str, index: int, values: JSONObject) -> ValuesLayer:
        if "ref+" in str(values):
            self.unknown.append("helmfile looks up values (ref+) when it runs: they are shown as they stand")
        if field == "valuesTemplate" and "{{" in str(values) and not self.release.state.is_built:
            why = "values of a template that is worked out when helmfile runs (valuesTemplate)"
            return ValuesLayer("unknown", self.release.file, line=self.release.line(field, index), why=why)
        return self.release.map_layer(field, index, values)

    def _file(self, field: str, index: int, entry: str) -> Iterator[ValuesLayer]:
        line = self.release.line(field, index)
        try:
            name = self.release.prefix + self.release.worked_out(entry)
        except NotReadError as error:
            yield ValuesLayer("unknown", self.release.file, line=line, why=f"values {entry}: {error}")
            return
        path = None if "://" in name or "::" in name else joined(self.folder, name)
        if path is None:
            skipped = ", and skipped where it is missing" if self.skips_missing else ""
            why = f"the values file {name} is outside of the repository{skipped}"
            yield ValuesLayer("unknown", name, line=line, why=why)
            return
        found = value_files(path, self.documents.paths) if is_glob(path) else [path]
        for file in found:
            if file in self.documents.tree.entries:
                yield self._read(file)
            elif not self.skips_missing:
                why = f"there is no file {file} in the repository: helmfile stops there"
                yield ValuesLayer("unknown", file, line=line, why=why)

    def _read(self, file: str) -> ValuesLayer:
        layer = values_layer(self.documents, file)
        if layer.kind == "unknown":
            return layer
        text = layer.text
        if file.endswith(".gotmpl"):
            try:
                text = rendered(text.decode("utf-8", errors="replace"), self.release.data).encode()
            except NotReadError as error:
                return ValuesLayer("unknown", file, why=f"{file}: {error}")
        if b"ref+" in text:
            self.unknown.append(f"helmfile looks up values in {file} (ref+): they are shown as they stand")
        return ValuesLayer("yaml", file, text)

    def _secrets(self) -> Iterator[ValuesLayer]:
        for index, entry in enumerate(self.release.list_at("secrets")):
            line = self.release.line("secrets", index)
            path = joined(self.folder, self.release.prefix + entry) if isinstance(entry, str) else None
            source = path or self.release.file
            what = f"the secrets file {path or entry} is" if isinstance(entry, str) else "secret values are"
            yield ValuesLayer("unknown", source, line=line, why=f"{what} decrypted when helmfile runs")

    def _set(self, field: str, kind: Any) -> Iterator[ValuesLayer]:
        """``pkg/state/state.go`` ``setFlags`` and ``escape``: commas and braces are no marks of ``--set``."""
        for index, entry in enumerate(self.release.list_at(field)):
            if not isinstance(entry, dict):
                continue
            line = self.release.line(field, index)
            try:
                yield from self._one(entry, kind, line)
            except NotReadError as error:
                why = f"the value {text_at(entry, 'name')}: {error}"
                yield ValuesLayer("unknown", self.release.file, line=line, why=why)

    def _one(self, entry: JSONObject, kind: Any, line: int) -> Iterator[ValuesLayer]:
        name = self._escaped(text_at(entry, "name"))
        value, values, file = entry.get("value"), entry.get("values"), text_at(entry, "file")
        if value not in (None, ""):
            word = f"{name}={self._escaped(_as_text(value))}"
            yield ValuesLayer(kind, self.release.file, word=word, line=line)
        elif file and kind == "set":
            yield self._set_file(name, file, line)
        elif isinstance(values, list) and values:
            items = ",".join(self._escaped(_as_text(item)) for item in values)
            yield ValuesLayer(kind, self.release.file, word=f"{name}={{{items}}}", line=line)
        if "ref+" in str(value) or "ref+" in str(values):
            self.unknown.append("helmfile looks up values (ref+) when it runs: they are shown as they stand")

    def _set_file(self, name: str, file: str, line: int) -> ValuesLayer:
        written = self.release.worked_out(file)
        path = None if "://" in written else joined(self.folder, written)
        if path is None or path not in self.documents.tree.entries:
            where = "is outside of" if path is None else "is not in"
            return ValuesLayer("unknown", path or written, line=line, why=f"{written} {where} the repository")
        return ValuesLayer(
            "set-file", path, text=self.documents.tree.read(path), word=f"{name}={path}", line=line
        )

    def _escaped(self, text: str) -> str:
        return self.release.worked_out(text).translate(_ESCAPED)

    def _environment_variables(self) -> Iterator[ValuesLayer]:
        if self.release.list_at("env"):
            why = "helmfile takes values from environment variables when it runs (env)"
            yield ValuesLayer("unknown", self.release.file, line=self.release.line("env"), why=why)


def _as_text(value: Any) -> str:
    """As Go prints what YAML has read into a text field."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
