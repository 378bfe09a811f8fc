"""The functions that helmfile's templates may call: Go's, sprig's, and its own in the place of some of these.

What runs something, or reads environment variables or files, is left out: it is refused by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from helmguard.gitops.argo.go_template.functions import FUNCTIONS
from helmguard.gitops.argo.go_template.template_error import TemplateError
from helmguard.manifest import yaml

_NOT_HELMFILES = frozenset(["normalize", "slugify", "fromYamlArray"])


class _NoValueError(TemplateError):
    """There is nothing at a path."""


def _get(path: str, *more: Any) -> Any:
    """``get PATH [DEFAULT] MAP`` (pkg/tmpl/get_or_nil.go)."""
    if len(more) not in (1, 2):
        raise TemplateError("get takes a path, a default where wanted, and a map")
    found = more[-1]
    for step in path.split(".") if path else ():
        if not isinstance(found, dict):
            raise _NoValueError(f"there is no {path}: what is above {step} is no map")
        if step not in found:
            if len(more) == 2:
                return more[0]
            raise _NoValueError(f"there is no {path}")
        found = found[step]
    return found


def _get_or_nil(path: str, found: Any) -> Any:
    try:
        return _get(path, found)
    except _NoValueError:
        return None


def _required(warning: str, value: Any) -> Any:
    if value is None or value == "":
        raise TemplateError(warning)
    return value


HELMFILE_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    **{name: function for name, function in FUNCTIONS.items() if name not in _NOT_HELMFILES},
    "get": _get,
    "getOrNil": _get_or_nil,
    "required": _required,
    "toYaml": lambda value: yaml.dump(value, sort_keys=True),
}
