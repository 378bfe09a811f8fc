"""What is known about the values of one command beside their changes; rules judge it, no report prints it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from helmguard.model.field_path import FieldPath
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.value_change import Provenance

HowUsed = Literal["unread", "printed", "guarded", "tested"]
"""What the templates that are rendered do with a value, as far as their text tells. ``printed``: each use
writes it out as it is; ``guarded``: each use has a fallback (``default``, ``dig``, ``hasKey``);
``tested``: anything else."""


class TemplateUse(msgspec.Struct, frozen=True):
    """``templates`` are those that name the value, as Helm's ``# Source:`` lines call them."""

    how: HowUsed
    templates: tuple[str, ...] = ()


class GivenValue(msgspec.Struct, frozen=True):
    """A leaf that this very command sets; a null counts as a leaf."""

    path: FieldPath
    value: JSONValue
    provenance: Provenance


class RemovedDefault(msgspec.Struct, frozen=True):
    """A chart's default that a null of the user takes away; ``again``: the current revision lacks it too."""

    path: FieldPath
    default: JSONValue
    provenance: Provenance
    again: bool = False


class Subchart(msgspec.Struct, frozen=True):
    """A dependency before and after. ``name`` is the key of its values: its alias, or else its name.

    ``before`` and ``after`` are versions, empty where unknown. ``listed``: the new Chart.yaml has it.
    """

    name: str
    enabled_before: bool
    enabled_after: bool
    listed: bool
    before: str = ""
    after: str = ""
    condition: str = ""
    tags: tuple[str, ...] = ()


class AmbiguousScalar(msgspec.Struct, frozen=True):
    """A plain scalar of a values file that people and tools read otherwise than Helm.

    ``written`` is its text, ``value`` what Helm reads, ``otherwise`` what others take it for, in words.
    """

    path: FieldPath
    written: str
    value: JSONValue
    otherwise: str
    provenance: Provenance


class IndexGap(msgspec.Struct, frozen=True):
    """Places of a list that a ``--set`` word with an index left empty."""

    path: FieldPath
    indexes: tuple[int, ...]
    provenance: Provenance | None


class FailingValue(msgspec.Struct, frozen=True):
    """A value that the template at which the rendering fails depends on; ``is_set``: it has a value
    that is not empty."""

    path: FieldPath
    value: JSONValue
    is_set: bool


class ValueFacts(msgspec.Struct, frozen=True):
    """``defaults`` are those of the new chart, sub-charts below their keys; ``previous_defaults`` those that
    the current revision stores, None where that is not known. ``effective`` are the values after.

    ``uses`` says how the new chart's templates use the paths that matter; a path that is not there was not
    looked up. ``known`` tells whether the chart could be read at all. ``fresh_command`` is the command with
    ``--reset-then-reuse-values`` in place of ``--reuse-values``, empty for others.
    """

    known: bool = False
    given: tuple[GivenValue, ...] = ()
    defaults: JSONObject = {}
    previous_defaults: JSONObject | None = None
    effective: JSONObject = {}
    removed: tuple[RemovedDefault, ...] = ()
    uses: Mapping[FieldPath, TemplateUse] = {}
    subcharts: tuple[Subchart, ...] = ()
    scalars: tuple[AmbiguousScalar, ...] = ()
    gaps: tuple[IndexGap, ...] = ()
    failing: tuple[FailingValue, ...] = ()
    schema_skipped: bool = False
    fresh_command: str = ""
