"""A rendered manifest that Helm's client cannot read makes Helm fail before it changes anything."""

from __future__ import annotations

from msgspec.structs import replace

from helmguard.errors import ManifestError
from helmguard.manifest.hooks import hooks_of
from helmguard.manifest.objects import read_objects
from helmguard.planner.inputs import NewRevision


def readable(new: NewRevision) -> NewRevision:
    """The revision as it is, or with the text of what is wrong with a document in place of its manifest."""
    try:
        read_objects(new.manifest, "", lambda *_: None)
        hooks_of(new.hooks)
    except ManifestError as error:
        return replace(new, manifest="", hooks=(), error=error.message, error_remedy=error.remedy)
    return new
