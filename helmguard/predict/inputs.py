"""What a prediction starts from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from helmguard.model.apply_options import ApplyOptions, Operation
from helmguard.model.discovery import Discovery
from helmguard.model.helm_version import HelmVersion
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import LiveState
from helmguard.model.release import History
from helmguard.model.resource_key import ResourceKey

if TYPE_CHECKING:
    from helmguard.manifest.hooks import Hook
    from helmguard.manifest.objects import ManifestObject
    from helmguard.predict.requests import AnsweredWrite, UnsentWrite


class OperationInputs(msgspec.Struct, frozen=True, kw_only=True):
    """One operation, with all that was known before it.

    ``previous`` are the objects of the manifest that Helm starts from (empty for an install), ``target``
    those of the manifest it will apply, both in the manifest's order; ``hooks`` are the target's hooks.
    ``live`` says for each key of either what the cluster holds; a key that is missing counts as unread.
    ``crds`` are the cluster's CustomResourceDefinitions as far as known, else those of the chart;
    ``chart_crds`` the documents of the chart's ``crds/`` folder (they matter for an install),
    ``chart_crd_files`` the file of each, empty where they are not known.
    ``rollback_revision`` is the revision a rollback goes to, None for the one before the last.
    ``rendering_error`` is Helm's text where there is no new manifest because the chart could not be
    rendered or was refused (kubeVersion, schema). ``asks_server``: note which writes the API server could be
    asked about. ``answers`` is what it said to those of an earlier prediction on the same live state; they
    stand in for the local prediction; ``unsent`` are its writes that need none, and need not be computed
    again.
    ``record_refusal`` is its text where it will not store the new revision's record.
    """

    operation: Operation
    helm: HelmVersion
    options: ApplyOptions
    release: str
    namespace: str
    history: History
    previous: Sequence[ManifestObject]
    target: Sequence[ManifestObject]
    hooks: Sequence[Hook] = ()
    live: Mapping[ResourceKey, LiveState] = {}
    crds: Sequence[JSONObject] = ()
    chart_crds: Sequence[JSONObject] = ()
    chart_crd_files: Sequence[str] = ()
    discovery: Discovery | None = None
    rollback_revision: int | None = None
    rendering_error: str = ""
    record_refusal: str = ""
    asks_server: bool = False
    answers: Mapping[ResourceKey, AnsweredWrite] = {}
    unsent: Mapping[ResourceKey, UnsentWrite] = {}
