"""Filling parameters into texts, as applicationset/utils/utils.go ``Replace`` does."""

from __future__ import annotations

import copy
import re
from typing import Any

from helmguard.gitops.argo.go_template.evaluate import execute
from helmguard.gitops.argo.go_template.open_map import OpenMap
from helmguard.gitops.argo.go_template.template_error import MissingKeyError, TemplateError
from helmguard.gitops.argo.parameters import NotExpandedError, Parameters

_TEMPLATED = re.compile(r"\{\{.*\}\}")
_PLACEHOLDER_SIGN = re.compile(r"[^A-Za-z0-9_.-]+")


class Dialect:
    """How the texts of one ApplicationSet are written."""

    def __init__(self, go_template: bool, options: tuple[str, ...] = ()) -> None:
        self.go_template = go_template
        self.missing_is_error = "missingkey=error" in options


class Rendering:
    """Texts with one set of parameters. ``opened``: the expressions for which only the cluster has a value;
    a placeholder stands for each (``<cluster.name>``).
    """

    def __init__(self, dialect: Dialect, parameters: Parameters, *, strict: bool = False) -> None:
        self.dialect = dialect
        self.parameters = parameters
        self.opened: dict[str, None] = {}
        self.values = copy.deepcopy(parameters.values)
        self.strict = strict

    def text(self, text: str) -> str:
        """The text with its parameters filled in.

        Raises:
            NotExpandedError: it cannot be.
        """
        if "{{" not in text:
            return text
        if not self.dialect.go_template:
            return self._fast(text)
        is_open = bool(self.parameters.open_why)
        try:
            return execute(
                text,
                OpenMap(self.values) if is_open else self.values,
                missing_is_error=self.dialect.missing_is_error or self.strict,
                left_open=self._left_open if is_open else None,
            )
        except MissingKeyError as error:
            why = self.parameters.open_why or str(error)
            raise NotExpandedError(f"{_shown(text)}: {why}") from None
        except TemplateError as error:
            raise NotExpandedError(f"{_shown(text)}: {error}") from None

    def deep(self, value: Any) -> Any:
        """Every text in a value, keys too."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.deep(item) for item in value]
        if isinstance(value, dict):
            return {self.text(key): self.deep(item) for key, item in value.items()}
        return value

    def _fast(self, text: str) -> str:
        """``{{name}}`` by valyala/fasttemplate; what no parameter is stays as it stands."""
        if _TEMPLATED.search(text) is None:
            return text
        written: list[str] = []
        rest = text
        while "{{" in rest:
            before, _, rest = rest.partition("{{")
            tag, end, rest = rest.partition("}}")
            if not end:
                raise NotExpandedError(f"{_shown(text)}: a parameter has no end")
            value = self.values.get(tag.strip())
            written += before
            if isinstance(value, str):
                written += value
            else:
                written += self._left_open(tag) if self.parameters.open_why else f"{{{{{tag}}}}}"
        return "".join((*written, rest))

    def _left_open(self, source: str) -> str:
        self.opened[f"{{{{ {source.strip()} }}}}"] = None
        return f"<{_PLACEHOLDER_SIGN.sub('_', source.strip()).strip('._')}>"


def _shown(text: str) -> str:
    """The text's line that has the template, not too long."""
    line = next(line for line in text.splitlines() if "{{" in line).strip()
    return line if len(line) <= 80 else f"{line[:77]}..."
