"""What ``helmfile build --embed-values`` prints: every template worked out, files of values taken in."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from helmguard.gitops.documents import Document, Documents
from helmguard.gitops.helmfile import yaml_text
from helmguard.gitops.helmfile.not_read import NotReadError
from helmguard.gitops.helmfile.release import declared_release, release_identity, switched
from helmguard.gitops.helmfile.release_text import ReleaseText
from helmguard.gitops.helmfile.shape import list_at, map_at
from helmguard.gitops.helmfile.state import DEFAULT, HelmfileState, WrittenRelease
from helmguard.manifest.yaml import YAMLError
from helmguard.model.declared_release import DeclaredRelease, FoundReleases
from helmguard.model.plan import Unknown

_HEAD = re.compile(r"^---\n#  Source: (?P<file>.*)\n", re.MULTILINE)


def releases_of_build(
    text: str, documents: Documents, root: str, environment: str = DEFAULT
) -> FoundReleases:
    """The releases of all helmfiles in the output, under the identities that reading alone gives them.

    ``root`` is the folder on this machine that holds the tree: the output names its files from there.
    """
    releases: dict[str, DeclaredRelease] = {}
    unknown: list[Unknown] = []
    uninstalled: set[str] = set()
    for file, part in _parts(text, root):
        try:
            state = _state(documents, file, part, environment)
        except YAMLError as error:
            unknown.append(Unknown(f"{file} helmfile", f"what helmfile builds is not YAML: {error.message}"))
            continue
        for written in state.releases:
            try:
                release = ReleaseText(written, state)
                switch = switched(release)
            except NotReadError as error:
                unknown.append(Unknown(f"{file} helmfile release {written.name}", str(error)))
                continue
            identity = release_identity(release)
            if not switch.on or not switch.installed:
                uninstalled.update([identity] if switch.on else [])
                continue
            releases[identity] = declared_release(documents, release, identity)
    return FoundReleases(tuple(releases.values()), tuple(unknown), frozenset(uninstalled))


def _parts(text: str, root: str) -> Iterator[tuple[str, str]]:
    heads = list(_HEAD.finditer(text))
    for head, following in zip(heads, [*heads[1:], None], strict=True):
        file = posixpath.relpath(head["file"].strip(), root)
        yield file, text[head.end() : following.start() if following else len(text)]


def _state(documents: Documents, file: str, part: str, environment: str) -> HelmfileState:
    loaded = yaml_text.load(part)
    body = loaded if isinstance(loaded, dict) else {}
    document = Document(body, file)
    in_tree = documents.tree.entries
    return HelmfileState(
        file=file,
        environment=environment,
        text=documents.tree.read(file).decode("utf-8", errors="replace") if file in in_tree else "",
        body={key: value for key, value in body.items() if key != "releases"},
        releases=[
            WrittenRelease(release, document, index)
            for index, release in enumerate(list_at(body, "releases"))
            if isinstance(release, dict)
        ],
        values=map_at(body, "renderedvalues"),
        unknown_values=[],
        reads=set(),
        is_built=True,
    )
