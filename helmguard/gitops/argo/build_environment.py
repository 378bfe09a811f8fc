"""The variables that Argo CD fills into value files' paths and parameters."""

from __future__ import annotations

import re

from helmguard.gitops.documents import text_at
from helmguard.model.json_value import JSONObject

# Go's os.Expand: ${name}, $name or $ and one special character.
_VARIABLE = re.compile(r"\$(?:\{([^}]*)\}|([A-Za-z_][A-Za-z0-9_]*)|([*#$@!?0-9-]))")


class NotKnownHereError(Exception):
    """A variable that only Argo CD knows; the argument is its name."""


def environment(application: JSONObject, source: JSONObject) -> dict[str, str | None]:
    """The variables of a source; None for what depends on the commit that is synced.

    Source: reposerver/repository/repository.go ``newEnv``.
    """
    revision = dict.fromkeys(
        ("ARGOCD_APP_REVISION", "ARGOCD_APP_REVISION_SHORT", "ARGOCD_APP_REVISION_SHORT_8"), None
    )
    return {
        "ARGOCD_APP_NAME": text_at(application, "metadata", "name"),
        "ARGOCD_APP_NAMESPACE": text_at(application, "spec", "destination", "namespace"),
        "ARGOCD_APP_PROJECT_NAME": text_at(application, "spec", "project"),
        "ARGOCD_APP_SOURCE_REPO_URL": text_at(source, "repoURL"),
        "ARGOCD_APP_SOURCE_PATH": text_at(source, "path"),
        "ARGOCD_APP_SOURCE_TARGET_REVISION": text_at(source, "targetRevision"),
        **revision,
    }


def expanded(text: str, variables: dict[str, str | None]) -> str:
    """The text with its variables filled in; ``$$`` is ``$``, a name that is no variable is empty.

    Raises:
        NotKnownHereError: a variable of the commit that is synced.
    """

    def value(match: re.Match[str]) -> str:
        name = match[1] or match[2] or match[3] or ""
        if name == "$":
            return "$"
        found = variables.get(name, "")
        if found is None:
            raise NotKnownHereError(name)
        return found

    return _VARIABLE.sub(value, text)
