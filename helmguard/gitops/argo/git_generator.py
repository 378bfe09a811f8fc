"""Parameters from the folders and files of the tree (applicationset/generators/git.go)."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from helmguard.gitops.argo.application import Surroundings
from helmguard.gitops.argo.flat_parameters import flat
from helmguard.gitops.argo.globs import PatternError, directories, matches_directory, matches_pathspec
from helmguard.gitops.argo.json_numbers import as_floats
from helmguard.gitops.argo.names import sanitized
from helmguard.gitops.argo.parameters import NotExpandedError, Parameters
from helmguard.gitops.argo.rendering import Dialect
from helmguard.gitops.argo.repository_urls import is_fixed_revision
from helmguard.gitops.documents import dicts_at, text_at
from helmguard.manifest import yaml
from helmguard.model.json_value import JSONObject


def git_parameters(generator: JSONObject, dialect: Dialect, surroundings: Surroundings) -> list[Parameters]:
    """One for each folder that matches, or for each object in each file that does.

    Raises:
        NotExpandedError: the repository is another, or a file cannot be read.
    """
    url, revision = text_at(generator, "repoURL"), text_at(generator, "revision")
    folders, files = dicts_at(generator, "directories"), dicts_at(generator, "files")
    paths = [text_at(entry, "path") for entry in (*folders, *files)]
    owners = {surroundings.own.owner(url, path) for path in paths}
    if owners <= {"another"}:
        raise NotExpandedError(f"its git generator reads another repository, {url}")
    remarks = []
    if "this tree" not in owners:
        remarks.append(f"no remote of this repository is {url}, which its git generator reads")
    if is_fixed_revision(revision):
        remarks.append(f"its git generator reads the revision {revision}; what is shown is this tree's state")
    prefix = text_at(generator, "pathParamPrefix")
    try:
        return _found(folders, files, prefix, dialect, surroundings, tuple(remarks))
    except PatternError as error:
        raise NotExpandedError(f"its git generator is not tried: {error}") from None


def _found(
    folders: list[JSONObject],
    files: list[JSONObject],
    prefix: str,
    dialect: Dialect,
    surroundings: Surroundings,
    remarks: tuple[str, ...],
) -> list[Parameters]:
    if folders:
        matching = _matching_folders(folders, surroundings)
        return [Parameters(_path_values(folder, "", prefix, dialect), remarks=remarks) for folder in matching]
    return [
        Parameters(values, reads=frozenset({file}), remarks=remarks)
        for file in _matching_files(files, surroundings)
        for values in _file_values(file, prefix, dialect, surroundings)
    ]


def _matching_folders(entries: list[JSONObject], surroundings: Surroundings) -> list[str]:
    folders = directories(surroundings.documents.tree.entries)
    return _matching(entries, folders, matches_directory)


def _matching_files(entries: list[JSONObject], surroundings: Surroundings) -> list[str]:
    return _matching(entries, sorted(surroundings.documents.tree.entries), matches_pathspec)


def _matching(
    entries: list[JSONObject], paths: Iterable[str], matches: Callable[[str, str], bool]
) -> list[str]:
    """The paths that an entry names and none excludes; ``matches`` takes a pattern and a path."""
    wanted = [text_at(entry, "path") for entry in entries if entry.get("exclude") is not True]
    unwanted = [text_at(entry, "path") for entry in entries if entry.get("exclude") is True]
    return [
        path
        for path in paths
        if any(matches(pattern, path) for pattern in wanted)
        and not any(matches(pattern, path) for pattern in unwanted)
    ]


def _file_values(
    file: str, prefix: str, dialect: Dialect, surroundings: Surroundings
) -> Iterator[dict[str, Any]]:
    try:
        content = yaml.load(surroundings.documents.tree.read(file))
    except yaml.YAMLError as error:
        raise NotExpandedError(
            f"{file}, which its git generator reads, is not YAML: {error.message}"
        ) from None
    found = [{}] if content is None else content if isinstance(content, list) else [content]
    for item in found:
        if not isinstance(item, dict):
            raise NotExpandedError(
                f"{file}, which its git generator reads, holds neither a map nor a list of maps"
            )
        values = as_floats(item)
        given = dict(values) if dialect.go_template else dict(flat(values))
        yield {
            **given,
            **_path_values(posixpath.dirname(file) or ".", posixpath.basename(file), prefix, dialect),
        }


def _path_values(folder: str, file: str, prefix: str, dialect: Dialect) -> dict[str, Any]:
    base = posixpath.basename(folder)
    named = {"basename": base, "basenameNormalized": sanitized(base)}
    if file:
        named |= {"filename": file, "filenameNormalized": sanitized(file)}
    if dialect.go_template:
        inside = {"path": {"path": folder, "segments": folder.split("/"), **named}}
        return {prefix: inside} if prefix else inside
    name = f"{prefix}.path" if prefix else "path"
    segments = {f"{name}[{index}]": part for index, part in enumerate(folder.split("/")) if part}
    return {name: folder, **{f"{name}.{key}": value for key, value in named.items()}, **segments}
