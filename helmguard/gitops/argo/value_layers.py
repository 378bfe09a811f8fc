"""The values that Argo CD gives to ``helm template``, in the order of their precedence."""

from __future__ import annotations

import re
from collections.abc import Iterator

from helmguard.gitops.argo.application import Application, Source, Surroundings, texts_at
from helmguard.gitops.argo.build_environment import NotKnownHereError, environment, expanded
from helmguard.gitops.argo.globs import PatternError, is_glob, value_files
from helmguard.gitops.documents import dicts_at, text_at
from helmguard.gitops.tree import joined
from helmguard.model.declared_release import ValuesLayer

_SCHEME = re.compile(r"^[a-zA-Z][a-zA-Z0-9+.-]*:")
_UNESCAPED_COMMA = re.compile(r"(?<!\\),")


def layers_of(
    application: Application, source: Source, sources: list[Source], surroundings: Surroundings
) -> tuple[ValuesLayer, ...]:
    """Value files, then ``valuesObject`` or ``values``, then parameters, then file parameters."""
    reader = _Layers(application, source, sources, surroundings)
    return (*reader.files(), *reader.inline(), *reader.parameters(), *reader.file_parameters())


class _Layers:
    def __init__(
        self, application: Application, source: Source, sources: list[Source], surroundings: Surroundings
    ) -> None:
        self.origin = application.origin
        self.source = source
        self.refs = {f"${text_at(one.body, 'ref')}": one for one in sources if text_at(one.body, "ref")}
        self.own = surroundings.own
        self.tree = surroundings.documents.tree
        self.paths = surroundings.documents.paths
        self.variables = environment(application.body, source.body)

    def files(self) -> Iterator[ValuesLayer]:
        names = texts_at(self.source.helm, "valueFiles")
        ignore_missing = self.source.helm.get("ignoreMissingValueFiles") is True
        resolved = [self._resolved(name) for name in names]
        explicit = {path for path in resolved if isinstance(path, str) and not is_glob(path)}
        seen: set[str] = set()
        for index, (name, path) in enumerate(zip(names, resolved, strict=True)):
            line = self._line("valueFiles", index)
            if isinstance(path, _NotRead):
                yield ValuesLayer("unknown", path.source or name, line=line, why=path.why)
                continue
            glob = is_glob(path)
            try:
                found = value_files(path, self.paths) if glob else [path]
            except PatternError as error:
                yield ValuesLayer("unknown", path, line=line, why=str(error))
                continue
            if glob and not found and not ignore_missing:
                why = f"no file matches {name}, so Argo CD cannot render the Application"
                yield ValuesLayer("unknown", path, line=line, why=why)
            for file in found:
                if file in seen or (glob and file in explicit):
                    continue
                seen.add(file)
                if file in self.tree.entries:
                    yield ValuesLayer("yaml", file, text=self.tree.read(file))
                elif not ignore_missing:
                    why = f"{file} is not in the tree, so Argo CD cannot render the Application"
                    yield ValuesLayer("unknown", file, line=line, why=why)

    def inline(self) -> Iterator[ValuesLayer]:
        values_object, values = self.source.helm.get("valuesObject"), self.source.helm.get("values")
        if isinstance(values_object, dict):
            yield self.origin.map_layer((*self.source.path, "helm", "valuesObject"), values_object)
        elif isinstance(values, str) and values:
            yield self.origin.text_layer((*self.source.path, "helm", "values"), values)

    def parameters(self) -> Iterator[ValuesLayer]:
        # Argo CD keeps them by name, and helm takes --set before --set-string whatever their order.
        plain: dict[str, ValuesLayer] = {}
        strings: dict[str, ValuesLayer] = {}
        for index, parameter in enumerate(dicts_at(self.source.helm, "parameters")):
            name, value = text_at(parameter, "name"), text_at(parameter, "value")
            as_string = parameter.get("forceString") is True
            file, line = self._owner("parameters"), self._line("parameters", index)
            try:
                word = f"{name}={_escaped(expanded(value, self.variables))}"
                layer = ValuesLayer("set-string" if as_string else "set", file, word=word, line=line)
            except NotKnownHereError as error:
                why = f"the parameter {name} takes {error}, which is the commit that Argo CD syncs"
                layer = ValuesLayer("unknown", file, line=line, why=why)
            (strings if as_string else plain)[name] = layer
        yield from plain.values()
        yield from strings.values()

    def file_parameters(self) -> Iterator[ValuesLayer]:
        for index, parameter in enumerate(dicts_at(self.source.helm, "fileParameters")):
            name = text_at(parameter, "name")
            path = self._resolved(text_at(parameter, "path"))
            line = self._line("fileParameters", index)
            if isinstance(path, _NotRead):
                yield ValuesLayer("unknown", path.source, line=line, why=path.why)
            elif path not in self.tree.entries:
                why = f"{path} is not in the tree, so Argo CD cannot render the Application"
                yield ValuesLayer("unknown", path, line=line, why=why)
            else:
                yield ValuesLayer(
                    "set-file", path, text=self.tree.read(path), word=f"{name}={path}", line=line
                )

    def _resolved(self, name: str) -> str | _NotRead:
        """A value file's path in the tree."""
        ref, _, rest = name.partition("/")
        source, rest = (self.refs[ref], f"/{rest}") if ref in self.refs else (self.source, name)
        try:
            rest = expanded(rest, self.variables)
        except NotKnownHereError as error:
            return _NotRead(f"its path holds {error}, which is the commit that Argo CD syncs")
        if _SCHEME.match(rest):
            return _NotRead(f"{rest.partition('?')[0]} is outside the repository")
        if source.chart:
            return _NotRead(f"{rest} is a file inside the chart {source.chart}")
        at = joined("", source.folder) if source is self.source and not rest.startswith("/") else ""
        path = None if at is None else joined(at, rest.lstrip("/"))
        if path is None:
            return _NotRead(f"{rest} leads out of the repository")
        if not self._is_own(source, path):
            return _NotRead(f"{rest.lstrip('/')} is in another repository, {source.url}")
        return path

    def _is_own(self, source: Source, path: str) -> bool:
        """Whether a source is this tree; one that gives nothing but values is so by any of its files."""
        if source.folder:
            return self.own.owner(source.url, source.folder) != "another"
        prefix = f"${text_at(source.body, 'ref')}/"
        taken = texts_at(self.source.helm, "valueFiles")
        paths = [path, *(name.removeprefix(prefix) for name in taken if name.startswith(prefix))]
        return any(self.own.owner(source.url, one) != "another" for one in paths)

    def _owner(self, field: str) -> str:
        return self.source.overridden.get(field, self.origin.document.file)

    def _line(self, field: str, index: int) -> int:
        return (
            0
            if field in self.source.overridden
            else self.origin.line(*self.source.path, "helm", field, index)
        )


class _NotRead:
    def __init__(self, why: str, source: str = "") -> None:
        self.why = why
        self.source = source


def _escaped(value: str) -> str:
    """As ``cleanSetParameters`` of util/helm/cmd.go: a comma is no separator, except in ``{a,b}``."""
    if value.startswith("{") and value.endswith("}"):
        return value
    return _UNESCAPED_COMMA.sub(r"\\,", value)
