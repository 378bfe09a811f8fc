"""Whether a repository that Argo CD names is the one at hand."""

from __future__ import annotations

import posixpath
import re
from typing import Literal

import msgspec

from helmguard.gitops.tree import Paths

Owner = Literal["this tree", "taken for this tree", "another"]

_SSH = re.compile(r"^(?:ssh://)?[^/:]*?@[^@]+$")
_SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*://")
_USER = re.compile(r"^[^/]*@")
_REVISION = re.compile(r"^(?:[0-9a-f]{7,40}|refs/tags/.+|v?\d+\.\d+.*|[~^<>=*].*)$", re.IGNORECASE)


def normalised(url: str) -> str:
    """Host and path: the same for ``https://``, ``ssh://`` and ``git@host:path``, with ``.git`` or not."""
    url = url.strip().lower()
    if _SSH.match(url) and not url.startswith("ssh://"):
        url = url.replace(":", "/", 1)
    url = _USER.sub("", _SCHEME.sub("", url))
    return url.rstrip("/").removesuffix(".git")


def is_fixed_revision(revision: str) -> bool:
    """Whether a git revision names one state: a commit, a version's tag or a range of them."""
    return _REVISION.match(revision) is not None


class OwnRepository(msgspec.Struct, frozen=True):
    """The repository of the tree, by the URLs of its remotes."""

    paths: Paths
    remotes: tuple[str, ...] = ()

    def owner(self, url: str, path: str = "") -> Owner:
        """Whose ``path`` it is in the repository at ``url``.

        ``taken for this tree``: no remote has this URL, but the tree has the path, and has no remotes or
        one of the same name (a fork's or a mirror's).
        """
        wanted = normalised(url)
        remotes = [normalised(remote) for remote in self.remotes]
        if wanted in remotes:
            return "this tree"
        alike = not remotes or any(_name(remote) == _name(wanted) for remote in remotes)
        return "taken for this tree" if alike and self._has(path) else "another"

    def _has(self, path: str) -> bool:
        path = posixpath.normpath(path).strip("/") if path else ""
        if any(mark in path for mark in "*?["):
            path = posixpath.dirname(re.split(r"[*?\[]", path)[0])
        return path in self.paths.tree.entries or self.paths.is_folder(path)


def _name(url: str) -> str:
    return url.rpartition("/")[2]
