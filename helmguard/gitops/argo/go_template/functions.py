"""The functions that a template may call, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from helmguard.gitops.argo.go_template.data_functions import DATA_FUNCTIONS
from helmguard.gitops.argo.go_template.number_functions import NUMBER_FUNCTIONS
from helmguard.gitops.argo.go_template.text_functions import TEXT_FUNCTIONS

FUNCTIONS: Mapping[str, Callable[..., Any]] = {**TEXT_FUNCTIONS, **DATA_FUNCTIONS, **NUMBER_FUNCTIONS}
"""Go's own, sprig's, and Argo CD's (``normalize``, ``slugify``, ``toYaml``, ``fromYaml``)."""
