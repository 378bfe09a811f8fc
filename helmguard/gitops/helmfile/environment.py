"""The values of a helmfile's environment."""

from __future__ import annotations

from typing import Any

from helmguard.gitops.argo.globs import is_glob, value_files
from helmguard.gitops.documents import Documents, text_at, value_at
from helmguard.gitops.helmfile import yaml_text
from helmguard.gitops.helmfile.merge import merged_values
from helmguard.gitops.helmfile.not_read import NotReadError
from helmguard.gitops.helmfile.shape import list_at
from helmguard.gitops.helmfile.templates import rendered, template_data
from helmguard.gitops.tree import joined
from helmguard.gitops.values_files import why_unreadable_values
from helmguard.manifest.yaml import YAMLError
from helmguard.model.json_value import JSONObject

_VALS = "ref+"
_Found = tuple[JSONObject, list[str], set[str]]


def environment_values(documents: Documents, folder: str, body: JSONObject, name: str) -> _Found:
    """The values, why they are not complete, and the files they were read from.

    The helmfile's own ``values``, then those of the environment, each in its order
    (helmfile pkg/state/create.go ``LoadEnvValues``).
    """
    environment = value_at(body, "environments", name)
    reader = _Reader(documents, folder, name)
    reader.take(list_at(body, "values"))
    reader.skips_missing = skips_missing(environment, body)
    if isinstance(environment, dict):
        fallback = environment.get("mergeStrategy") == "fallback"
        entries = list_at(environment, "values")
        reader.take(list(reversed(entries)) if fallback else entries)
        for secret in list_at(environment, "secrets"):
            reader.unknown.append(f"{secret} is decrypted when helmfile runs")
    return reader.values, reader.unknown, reader.reads


def skips_missing(*bodies: Any) -> bool:
    """Whether files that are missing are left out; the first body that says something about it counts."""
    said = (text_at(body, "missingFileHandler") for body in bodies)
    return next((word for word in said if word), "Error") != "Error"


class _Reader:
    def __init__(self, documents: Documents, folder: str, name: str) -> None:
        self.documents, self.folder, self.name = documents, folder, name
        self.values: JSONObject = {}
        self.unknown: list[str] = []
        self.reads: set[str] = set()
        self.skips_missing = False

    def take(self, entries: list[Any]) -> None:
        for entry in entries:
            if isinstance(entry, dict):
                self.values = merged_values(self.values, entry)
                if _VALS in str(entry):
                    self.unknown.append("values that vals looks up (ref+) are not in the repository")
            elif isinstance(entry, str):
                try:
                    self._file(rendered(entry, template_data(self.name, self.values)))
                except NotReadError as error:
                    self.unknown.append(f"{entry}: {error}")

    def _file(self, entry: str) -> None:
        path = None if "://" in entry else joined(self.folder, entry)
        if path is None:
            self.unknown.append(f"{entry} is outside of the repository")
            return
        files = value_files(path, self.documents.paths) if is_glob(path) else [path]
        for file in files:
            self._take_file(file)

    def _take_file(self, file: str) -> None:
        if file not in self.documents.tree.entries:
            if not self.skips_missing:
                self.unknown.append(f"{file} is not in the repository")
            return
        self.reads.add(file)
        data = self.documents.tree.read(file)
        why = why_unreadable_values(data) or ("is written in HCL" if file.endswith(".hcl") else "")
        if why:
            self.unknown.append(f"{file} {why}")
            return
        text = data.decode("utf-8", errors="replace")
        if file.endswith(".gotmpl"):
            text = rendered(text, template_data(self.name, self.values))
        try:
            values = yaml_text.load_values(text)
        except YAMLError:
            self.unknown.append(f"{file} is not YAML")
            return
        if isinstance(values, dict):
            self.values = merged_values(self.values, values)
