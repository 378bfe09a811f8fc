"""The outcome of predicting one operation, object by object."""

from __future__ import annotations

import msgspec

from helmguard.model.action import Action
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import LiveState
from helmguard.model.release import ApplyMethod
from helmguard.model.resource_key import ResourceKey


class Confirmation(msgspec.Struct, frozen=True):
    """What a dry run told about the write of one object.

    ``by_server``: the prediction is the API server's answer; ``local`` and ``local_error`` are then what was
    predicted without it, ``server`` the object it would store. Otherwise ``why`` says why it was not asked,
    or why its answer does not count. ``lacks_right``: the user may not make the request.
    """

    by_server: bool = False
    why: str = ""
    lacks_right: bool = False
    warnings: tuple[str, ...] = ()
    server: JSONObject | None = None
    local: JSONObject | None = None
    error: str = ""
    local_error: str = ""


class ResourcePrediction(msgspec.Struct, frozen=True):
    """One object: what the previous and new manifests say, what is live, and what will be.

    ``previous`` and ``new`` are manifest documents (``new`` without Helm's ownership marks), ``predicted``
    the object after Helm, None for absent. ``error`` is the text Helm will fail with on this object.
    ``unknown`` names what could not be predicted ("not predictable: ..."), empty when all is known;
    ``predicted`` is then the best guess and must not be shown as certain. ``why`` explains the action in
    words. ``source`` is the template the new (else previous) document came from. ``engine`` names the
    algorithm that was used. ``confirmation`` is None where no dry run was thought of, or Helm writes nothing.
    """

    key: ResourceKey
    api_version: str
    action: Action
    previous: JSONObject | None
    new: JSONObject | None
    live: LiveState
    predicted: JSONObject | None
    why: str = ""
    error: str = ""
    unknown: str = ""
    source: str = ""
    engine: str = ""
    confirmation: Confirmation | None = None


class Failure(msgspec.Struct, frozen=True):
    """Why and where Helm will stop; ``applied_before`` are the objects it will have changed by then.

    ``stage`` is ``before`` (nothing is changed), ``apply``, ``delete`` or ``hook``.
    """

    message: str
    stage: str
    resource: ResourceKey | None = None
    applied_before: tuple[ResourceKey, ...] = ()


class Prediction(msgspec.Struct, frozen=True):
    """What one operation will do: every object in Helm's order, and the failure that ends it, if any."""

    apply_method: ApplyMethod
    resources: tuple[ResourcePrediction, ...]
    failure: Failure | None = None
    notes: tuple[str, ...] = ()
