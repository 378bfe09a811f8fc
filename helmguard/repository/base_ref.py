"""What a change is compared with when nobody says it: the branch it is to be merged into."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from helmguard.errors import RepositoryError, UsageError
from helmguard.repository.discover import Repository, remote_name
from helmguard.repository.git_tree import find_commit

# Each is set in runs for a merge or pull request, and names the branch that it goes into.
_TARGET_BRANCHES = (
    "GITHUB_BASE_REF",
    "CI_MERGE_REQUEST_TARGET_BRANCH_NAME",
    "BITBUCKET_PR_DESTINATION_BRANCH",
    "CHANGE_TARGET",
    "SYSTEM_PULLREQUEST_TARGETBRANCH",
)
_GITLAB_BASE = "CI_MERGE_REQUEST_DIFF_BASE_SHA"


class BaseRef(msgspec.Struct, frozen=True):
    """``said_by`` is the variable that named it, empty where it is the repository's main branch."""

    ref: str
    said_by: str = ""


def default_base(repository: Repository, remotes: Mapping[str, str], environ: Mapping[str, str]) -> BaseRef:
    """The target branch that the CI names, else the remote's main branch, else the local one.

    Raises:
        RepositoryError: the CI names one that this clone does not have.
        UsageError: there is none of them.
    """
    remote = remote_name(remotes)
    named = _by_ci(repository, remote, environ)
    if named is not None:
        return named
    usual = (f"{remote}/HEAD", f"{remote}/main", f"{remote}/master", "main", "master")
    for ref in usual:
        if find_commit(repository.folder, ref, environ):
            return BaseRef(ref)
    raise UsageError(
        f"nothing to compare with: {repository.folder} has none of {', '.join(usual)}",
        remedy="Name it: --base REF or --base DIR",
    )


def _by_ci(repository: Repository, remote: str, environ: Mapping[str, str]) -> BaseRef | None:
    commit = environ.get(_GITLAB_BASE, "")
    if commit and find_commit(repository.folder, commit, environ):
        return BaseRef(commit, _GITLAB_BASE)
    variable = next((name for name in _TARGET_BRANCHES if environ.get(name)), "")
    if not variable:
        return None
    branch = environ[variable].removeprefix("refs/heads/")
    for ref in (f"{remote}/{branch}", branch):
        if find_commit(repository.folder, ref, environ):
            return BaseRef(ref, variable)
    raise RepositoryError(
        f"{variable} names the branch {branch!r}, which this clone does not have",
        remedy=f"Fetch it: git fetch {remote} {branch}:refs/remotes/{remote}/{branch}"
        " (actions/checkout: fetch-depth: 0), or name another: --base REF",
    )
