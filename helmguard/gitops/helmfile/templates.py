"""Go templates in helmfiles, as far as they can be worked out without running anything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from helmguard.gitops.argo.go_template.evaluate import execute
from helmguard.gitops.argo.go_template.template_error import TemplateError
from helmguard.gitops.helmfile.functions import HELMFILE_FUNCTIONS
from helmguard.gitops.helmfile.not_read import NotReadError

_OPEN = "{{"


def is_template(text: str) -> bool:
    """Whether there is anything to work out."""
    return _OPEN in text


def rendered(text: str, data: Mapping[str, Any]) -> str:
    """The text that a template makes; a value that is missing is an error, as in helmfile.

    Raises:
        NotReadError: the template needs what is not known here.
    """
    if not is_template(text):
        return text
    try:
        return execute(text, data, missing_is_error=True, functions=HELMFILE_FUNCTIONS)
    except TemplateError as error:
        raise NotReadError(f"it is a template: {error}") from None


def template_data(
    environment: str, values: Mapping[str, Any], release: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """What templates see (pkg/state/types.go); ``release`` only where a release is worked out."""
    data: dict[str, Any] = {
        "Environment": {"Name": environment, "Values": values},
        "Values": values,
        "StateValues": values,
        "Namespace": "",
    }
    return data if release is None else {**data, "Release": release}
