"""What a plan tells beside the manifests' objects: definitions, left-overs, the record, the aftermath."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from helmguard.model.field_path import FieldPath
from helmguard.model.json_value import JSONValue
from helmguard.model.resource_key import ResourceKey

DefinitionStatus = Literal["missing", "differs", "same", "unknown"]


@dataclass(frozen=True, slots=True)
class DefinitionDifferences:
    """How the chart's definition differs from the live one.

    ``added`` and ``removed`` name what the chart's has and lacks (``v2``, ``v1 spec.size``), ``changed``
    constraints and settings that differ. ``texts_only``: descriptions or annotations differ, and no more.
    """

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    texts_only: bool = False

    @property
    def matters(self) -> bool:
        """Whether more than texts differ."""
        return bool(self.added or self.removed or self.changed)


@dataclass(frozen=True, slots=True)
class DefinitionState:
    """A CustomResourceDefinition of the chart's ``crds/`` folders beside the live one.

    ``source`` is the file (``chart/crds/x.yaml``). ``release`` names the Helm release whose marks the live
    one bears, ``managers`` the field managers that own parts of its spec. ``applied``: this very operation
    applies it (an install, or a hook that seems to); ``applied_by`` says what does.
    """

    name: str
    source: str
    kind: str
    status: DefinitionStatus
    differences: DefinitionDifferences = field(default_factory=DefinitionDifferences)
    release: str = ""
    managers: tuple[str, ...] = ()
    applied_by: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Orphan:
    """A live object that failed revisions brought and that no manifest Helm will look at names.

    ``revisions`` are the failed revisions that hold it, ``removed``: this operation removes it.
    """

    key: ResourceKey
    api_version: str
    revisions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LeftField:
    """A field that a failed revision added to an object and that this operation does not take away."""

    key: ResourceKey
    path: FieldPath
    value: JSONValue
    revision: int


@dataclass(frozen=True, slots=True)
class RecordPart:
    """What one part of the release record adds to its stored size, in bytes, about."""

    name: str
    size: int


@dataclass(frozen=True, slots=True)
class RecordSize:
    """The size of the new revision's record as it will be stored, in bytes.

    ``exact`` is False where ``size`` is an upper bound that is well below the limit. ``limit`` is 0 for a
    storage without one. ``size`` is None where it is not known, ``why`` says why.
    """

    size: int | None
    limit: int
    exact: bool = False
    parts: tuple[RecordPart, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class Aftermath:
    """What a failure leaves behind.

    ``hooks_run`` and ``not_reached`` name hooks and objects. ``record`` is the state of the new revision
    (empty: none is stored), ``deployed`` the revision that counts as deployed then, None for none.
    ``next_step`` says what Helm does about it by itself, and what it does not.
    """

    hooks_run: tuple[str, ...]
    not_reached: tuple[ResourceKey, ...]
    revision: int
    record: str
    deployed: int | None
    text: str
