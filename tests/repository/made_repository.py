"""Small git repositories for the tests, made by the real git and independent of the user's settings."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

ENVIRON = {
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.com",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.com",
}


def git(folder: Path, *words: str) -> str:
    """What git prints; files are allowed as a transport, for submodules and clones."""
    settings = ("-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main")
    done = subprocess.run(
        ["git", *settings, "-C", str(folder), *words], env=ENVIRON, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().strip()


def write(folder: Path, **files: str) -> None:
    """Write files; ``__`` in a name stands for ``/`` and a trailing ``_`` for ``.yaml``."""
    for name, text in files.items():
        path = folder / (name.replace("__", "/").removesuffix("_") + (".yaml" if name.endswith("_") else ""))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def commit(folder: Path, message: str = "change") -> str:
    """Commit all, and give the commit's id."""
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", message)
    return git(folder, "rev-parse", "HEAD")


def make(folder: Path, **files: str) -> Path:
    """A repository with one commit on main."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q")
    write(folder, **files)
    commit(folder, "first")
    return folder


def state(folder: Path) -> dict[str, tuple[int, int]]:
    """Every file of a repository with size and time of its last change, git's own included."""
    return {
        str(path): (found.st_size, found.st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if (found := path.lstat())
    }
