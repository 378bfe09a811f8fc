"""Running git: the one place where a git process is started. Nothing is ever written into a repository.

No hook, no file system monitor and no transport of the repository's configuration is run: what is not in
the clone is not fetched.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import msgspec

from helmguard.errors import RepositoryError

_OPTIONS = (
    "--no-pager",
    "--no-replace-objects",
    "--literal-pathspecs",
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "protocol.ext.allow=never"),
)
# A hook sets these for its own repository; helmguard looks at the repository of a folder.
_DROPPED = frozenset(
    ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_IMPLICIT_WORK_TREE"]
)
_SET = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    # Of a partial clone, what is missing would be fetched without asking.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "LC_ALL": "C",
}


class GitOutput(msgspec.Struct, frozen=True):
    """What git wrote and how it ended."""

    exit_code: int
    stdout: bytes
    stderr: str


def try_git(folder: Path, *words: str, environ: Mapping[str, str] | None = None) -> GitOutput:
    """Run git in a folder to its end; that it fails is no error here.

    Raises:
        RepositoryError: git cannot be started, or refuses the repository of another owner.
    """
    try:
        done = subprocess.run(
            _command(folder, words),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=git_environment(environ),
            check=False,
        )
    except OSError as error:
        raise _not_started(error) from None
    output = GitOutput(done.returncode, done.stdout, done.stderr.decode(errors="replace"))
    if output.exit_code != 0 and "dubious ownership" in output.stderr:
        raise git_error(folder, output.stderr)
    return output


def run_git(folder: Path, *words: str, environ: Mapping[str, str] | None = None) -> bytes:
    """What git prints.

    Raises:
        RepositoryError: it failed, with git's own text.
    """
    output = try_git(folder, *words, environ=environ)
    if output.exit_code != 0:
        raise git_error(folder, output.stderr)
    return output.stdout


def start_git(folder: Path, *words: str, environ: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
    """A git that answers on its stdout what it is asked on its stdin.

    Raises:
        RepositoryError: git cannot be started.
    """
    try:
        return subprocess.Popen(
            _command(folder, words),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=git_environment(environ),
        )
    except OSError as error:
        raise _not_started(error) from None


def git_environment(environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment for git: no prompts, no locks, no fetches, no repository but the folder's."""
    given = os.environ if environ is None else environ
    return {**{name: value for name, value in given.items() if name not in _DROPPED}, **_SET}


def git_error(folder: Path, stderr: str) -> RepositoryError:
    """The error for a git that failed."""
    lines = [line.removeprefix("fatal: ").removeprefix("error: ") for line in stderr.splitlines() if line]
    said = lines[0] if lines else "git failed without a message"
    if "dubious ownership" in stderr:
        return RepositoryError(
            f"git does not read the repository {folder}: it belongs to another user",
            remedy=f"Trust it: git config --global --add safe.directory {folder}",
        )
    if "not a git repository" in stderr:
        return RepositoryError(f"{folder} is in no git repository", remedy="Run it inside a repository.")
    return RepositoryError(f"git in {folder}: {said}")


def _command(folder: Path, words: tuple[str, ...]) -> list[str]:
    return ["git", *_OPTIONS, "-C", str(folder), *words]


def _not_started(error: OSError) -> RepositoryError:
    reason = (
        "is not installed" if isinstance(error, FileNotFoundError) else f"cannot be run: {error.strerror}"
    )
    return RepositoryError(f"git {reason}", remedy="Install git, or give two folders: --base DIR --head DIR")
