"""What a plan tells beside the manifests' objects: definitions, left-overs, the record, the aftermath."""

from __future__ import annotations

from typing import Literal

import msgspec

from helmguard.model.apply_options import ApplyOptions
from helmguard.model.field_path import FieldPath
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.live_state import LiveState
from helmguard.model.resource_key import ResourceKey

DefinitionStatus = Literal["missing", "differs", "same", "unknown"]


class DefinitionDifferences(msgspec.Struct, frozen=True):
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


class DefinitionState(msgspec.Struct, frozen=True):
    """A CustomResourceDefinition of the chart's ``crds/`` folders beside the live one.

    ``source`` is the file (``chart/crds/x.yaml``). ``release`` names the Helm release whose marks the live
    one bears, ``managers`` the field managers that own parts of its spec. ``applied_by`` says what of this
    very operation applies it (the install, or a hook that seems to), empty for nothing.
    """

    name: str
    source: str
    kind: str
    status: DefinitionStatus
    differences: DefinitionDifferences = msgspec.field(default_factory=DefinitionDifferences)
    release: str = ""
    managers: tuple[str, ...] = ()
    applied_by: str = ""
    why: str = ""


class Orphan(msgspec.Struct, frozen=True):
    """A live object that failed revisions brought and that no manifest Helm will look at names.

    ``revisions`` are the failed revisions that hold it.
    """

    key: ResourceKey
    api_version: str
    revisions: tuple[int, ...]


class LeftField(msgspec.Struct, frozen=True):
    """A field that a failed revision added to an object and that this operation does not take away."""

    key: ResourceKey
    path: FieldPath
    value: JSONValue
    revision: int


class Duplicate(msgspec.Struct, frozen=True):
    """An object that the new manifest holds more than once; ``sources`` are the templates, in its order.

    ``identical``: all its documents say the same.
    """

    key: ResourceKey
    sources: tuple[str, ...]
    identical: bool


class DroppedFields(msgspec.Struct, frozen=True):
    """Fields of a new document that the server's schema of the kind does not have.

    ``custom``: the schema is that of a custom resource's live definition.
    """

    key: ResourceKey
    api_version: str
    paths: tuple[str, ...]
    custom: bool


class NullFields(msgspec.Struct, frozen=True):
    """Fields of a new document that are null where the live definition of its kind wants a value."""

    key: ResourceKey
    api_version: str
    paths: tuple[str, ...]


class LostItems(msgspec.Struct, frozen=True):
    """Items that the new manifest asks for and that the object will not have: a merge by key lost them.

    ``asked`` and ``held`` are the lengths of the list in the manifest and in the predicted object.
    """

    key: ResourceKey
    path: FieldPath
    asked: int
    held: int
    items: tuple[JSONObject, ...]


class HookObject(msgspec.Struct, frozen=True):
    """A hook of a revision and what is live under its name now."""

    key: ResourceKey
    api_version: str
    events: tuple[str, ...]
    delete_policies: tuple[str, ...]
    body: JSONObject
    live: LiveState


class PastRevision(msgspec.Struct, frozen=True):
    """One line of the release's history.

    ``apply_method`` is how Helm 4 applied it, empty for a record of Helm 3. ``jobs`` are the Jobs and Pods
    among its hooks that ran with it (``pre-upgrade Job/migrate``), unless it was made with ``--no-hooks``,
    which the record does not tell.
    """

    version: int
    status: str
    updated: str
    description: str
    chart: str
    apply_method: str = ""
    jobs: tuple[str, ...] = ()


NEAR_LIMIT = 0.8
"""The share of a record's limit from which its size is computed exactly and worth a warning."""


class RecordPart(msgspec.Struct, frozen=True):
    """What one part of the release record adds to its stored size, in bytes, about."""

    name: str
    size: int


class RecordSize(msgspec.Struct, frozen=True):
    """The size of the new revision's record as it will be stored, in bytes.

    ``exact`` is False where ``size`` is an upper bound that is well below the limit; only an exact one comes
    with its ``parts`` and the chart's largest ``files``. ``limit`` is 0 for a storage without one. ``size``
    is None where it is not known, ``why`` says why. ``kind`` is the object that holds it.
    """

    size: int | None
    limit: int
    kind: str = "Secret"
    exact: bool = False
    parts: tuple[RecordPart, ...] = ()
    files: tuple[RecordPart, ...] = ()
    why: str = ""


class Aftermath(msgspec.Struct, frozen=True):
    """What a failure leaves behind.

    ``hooks_run`` and ``not_reached`` name hooks and objects. ``record`` is the status of the new revision
    (empty: none is stored), ``deployed`` the revision that counts as deployed then, None for none. ``text``
    says both in words, and what Helm does about it by itself.
    """

    hooks_run: tuple[str, ...]
    not_reached: tuple[ResourceKey, ...]
    revision: int
    record: str
    deployed: int | None
    text: str


class AssumedFailure(msgspec.Struct, frozen=True):
    """An object whose live state is not known, and the error it would meet if it is as the old manifest made
    it."""

    key: ResourceKey
    error: str


class Surroundings(msgspec.Struct, frozen=True):
    """Everything around the objects that rules judge; all of it is in the inputs of the plan.

    ``hooks`` are the new revision's, of all events; ``previous_hooks`` those of the revision Helm compares
    with. ``unserved`` are objects whose stored API version the cluster does not serve. ``live_kinds`` are the
    custom kinds (apiVersion, kind) that a live definition serves, where it was read.
    """

    options: ApplyOptions = msgspec.field(default_factory=ApplyOptions)
    helm_major: int = 3
    definitions: tuple[DefinitionState, ...] = ()
    orphans: tuple[Orphan, ...] = ()
    left_fields: tuple[LeftField, ...] = ()
    duplicates: tuple[Duplicate, ...] = ()
    dropped_fields: tuple[DroppedFields, ...] = ()
    lost_items: tuple[LostItems, ...] = ()
    hooks: tuple[HookObject, ...] = ()
    previous_hooks: tuple[HookObject, ...] = ()
    history: tuple[PastRevision, ...] = ()
    rollback_to: int | None = None
    record: RecordSize | None = None
    aftermath: Aftermath | None = None
    unserved: frozenset[ResourceKey] = frozenset()
    assumed_failures: tuple[AssumedFailure, ...] = ()
    live_kinds: frozenset[tuple[str, str]] = frozenset()
    nulls: tuple[NullFields, ...] = ()
