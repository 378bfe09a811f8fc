"""What ``helm template`` prints, as the manifest and the hooks that Helm stores in the release record.

``helm template`` prints the stored manifest with its ends trimmed, then each hook like an object of the
release. Source: helm/helm@v3.22.0 cmd/helm/template.go and pkg/action/action.go renderResources; @v4.3.1
pkg/cmd/template.go.
"""

from __future__ import annotations

import re
from itertools import pairwise

import msgspec

from helmguard.errors import ManifestError
from helmguard.manifest.head import read_head
from helmguard.manifest.hook_document import HOOK, hook_entry, is_hook
from helmguard.model.json_value import JSONObject

_START = re.compile(r"^---\n# Source: ", re.MULTILINE)
# A document can only be a hook if it writes the annotation's name, or a name with escapes in it.
_MAY_BE_HOOK = re.compile(re.escape(HOOK) + r"|\\[xuU]")


def source_documents(manifest: str) -> list[str]:
    """The documents of a rendered manifest, each from its ``---`` and ``# Source`` lines to the next.

    Together they are the manifest; a text before the first such line is a document of its own.
    """
    places = [match.start() for match in _START.finditer(manifest)]
    starts = [0, *(place for place in places if place)] if manifest else []
    return [manifest[start:end] for start, end in pairwise([*starts, len(manifest)])]


class StoredRelease(msgspec.Struct, frozen=True):
    """``manifest`` and ``hooks`` as in a release record (a hook as JSON entry).

    ``end_is_known`` is False where the record may end in more white space than ``helm template`` prints:
    Helm 4 keeps what its last document ends in, and printing drops it. Then ``manifest`` has one line feed
    there; more matters only if that document ends in a block scalar that keeps line feeds (``|+``).
    """

    manifest: str
    hooks: tuple[JSONObject, ...]
    end_is_known: bool


def split_template_output(output: str, helm_major: int) -> StoredRelease:
    """The parts of what ``helm template`` printed without ``--include-crds``, ``--show-only`` and the like.

    Raises:
        ManifestError: a document cannot be read, which helm would not have printed.
    """
    places = [*(match.start() for match in _START.finditer(output)), len(output)]
    manifest: list[str] = []
    hooks: list[JSONObject] = []
    for start, end in pairwise(places):
        document = output[start:end]
        entry = _hook(document, helm_major)
        if entry is None:
            manifest.append(document)
        else:
            hooks.append(entry)
    return StoredRelease("".join(manifest), tuple(hooks), end_is_known=helm_major < 4 or not manifest)


def _hook(document: str, helm_major: int) -> JSONObject | None:
    """The record's entry if the document is a hook."""
    if not _MAY_BE_HOOK.search(document):
        return None
    path, _, text = document.removeprefix("---\n# Source: ").partition("\n")
    try:
        head = read_head(text)
    except ManifestError as error:
        raise ManifestError(f"YAML parse error on {path}: {error.message}") from None
    return hook_entry(head, path, text.removesuffix("\n"), helm_major) if is_hook(head) else None
