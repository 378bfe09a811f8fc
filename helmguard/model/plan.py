"""The plan: everything that one upgrade, install or rollback will do, as data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from helmguard.model.action import Action
from helmguard.model.field_change import Cause, FieldChange
from helmguard.model.field_path import FieldPath
from helmguard.model.finding import FailOn, Finding, Severity, Suppressed
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.prediction import Failure, ResourcePrediction
from helmguard.model.release import ApplyMethod
from helmguard.model.resource_key import ResourceKey
from helmguard.model.surroundings import Surroundings
from helmguard.model.unshown import Unshown
from helmguard.model.value_change import ValueChange, ValueWarning
from helmguard.model.value_facts import ValueFacts

PlanOperation = Literal["upgrade", "install", "rollback", "drift", "comparison"]
"""``drift`` changes nothing: it is what an upgrade to the manifest already deployed would meet.
``comparison`` says what one stored revision has otherwise than another: nothing is live, nothing is done."""


class ChartRef(msgspec.Struct, frozen=True):
    """A chart's name, versions and where it was taken from (``reference`` as the user typed it)."""

    name: str
    version: str
    app_version: str = ""
    reference: str = ""
    digest: str = ""


class ReleaseSummary(msgspec.Struct, frozen=True):
    """The release from which to which revision; ``chart`` is the current revision's, None for an install.

    ``from_revision`` is the revision Helm compares with, ``last_revision`` the highest one; they differ
    after a failed upgrade. ``to_revision`` is None for drift. ``status`` is the last revision's, ``changed``
    when it got it, as Helm wrote it. Of a comparison they are ``to_revision``'s, and
    ``last_revision`` is None. ``from_status`` is ``from_revision``'s, told of drift and comparisons only.
    """

    name: str
    namespace: str
    from_revision: int | None
    last_revision: int | None
    to_revision: int | None
    status: str
    chart: ChartRef | None
    new_chart: ChartRef
    damaged: tuple[str, ...] = ()
    changed: str = ""
    from_status: str = ""


class Engine(msgspec.Struct, frozen=True):
    """Which Helm will act and how; ``why`` says in words what decided the apply method.

    ``render`` says where the new manifest came from, ``render_why`` why not by the other way.
    """

    helm: str
    apply_method: ApplyMethod
    why: str
    render: Literal["dry-run-server", "template", "given", "stored revision"]
    render_why: str = ""
    kubernetes: str = ""


class ValuesReport(Unshown, frozen=True):
    """How the values change; ``mode`` is Helm's value mode, ``mode_why`` what chose it, in words.

    ``previous_config`` and ``config`` are the user-supplied values that the current revision stores and the
    new one will store, None where there are none. ``facts`` are for rules alone.
    """

    mode: str
    mode_why: str
    changes: tuple[ValueChange, ...] = ()
    warnings: tuple[ValueWarning, ...] = ()
    previous_config: JSONObject | None = None
    config: JSONObject | None = None
    facts: ValueFacts = msgspec.field(default_factory=ValueFacts)


IgnoredKind = Literal["change", "drift", "latent"]


class IgnoredChange(msgspec.Struct, frozen=True):
    """A field change that the configuration ignores; ``kind`` says what it would have counted as.

    ``file`` and ``line`` are of the entry that ignores it, ``reason`` is that entry's.
    """

    kind: IgnoredKind
    change: FieldChange
    file: str
    line: int
    reason: str


class ResourceChange(msgspec.Struct, frozen=True):
    """One object of the plan: its prediction and the field changes computed from it.

    ``changes`` are what Helm's run changes, ``drift`` what somebody else changed live and Helm leaves
    (cause ``drift kept``). ``hook_events`` is not empty for an entry that stands for a hook. ``cause`` says
    why an object enters or leaves the manifest, empty where it does neither. ``latent`` are fields that hold
    the manifest's value and have another owner beside Helm; only drift asks for them. ``local_differs`` is
    where the API server's answer differs from what was predicted without it. ``ignored`` are changes
    that the configuration ignores: Helm makes them (or leaves them), and they count for nothing.
    """

    prediction: ResourcePrediction
    changes: tuple[FieldChange, ...] = ()
    drift: tuple[FieldChange, ...] = ()
    hook_events: tuple[str, ...] = ()
    cause: Cause | Literal[""] = ""
    confirmed: Literal["server", "local", "unknown"] = "local"
    local_differs: tuple[LocalDifference, ...] = ()
    latent: tuple[FieldChange, ...] = ()
    ignored: tuple[IgnoredChange, ...] = ()

    @property
    def action(self) -> Action:
        """What will happen to the object."""
        return self.prediction.action

    @property
    def is_ignored(self) -> bool:
        """Whether every change that Helm makes to the object is ignored."""
        if self.action != "update" or self.changes or self.prediction.unknown:
            return False
        return any(item.kind == "change" for item in self.ignored)


DryRunMode = Literal["auto", "always", "never"]


class LocalDifference(msgspec.Struct, frozen=True):
    """A field that the API server stores otherwise than was predicted without it; MISSING for absent."""

    path: FieldPath
    local: JSONValue
    server: JSONValue


NOT_ASKED = "not asked: what policies, webhooks and quotas answer is not predictable"


class DryRunReport(msgspec.Struct, frozen=True):
    """How far the API server was asked about the writes: ``asked`` requests, ``answered`` to the point.

    ``why`` says in words what kept others from being answered, empty where nothing did.
    """

    mode: DryRunMode = "never"
    asked: int = 0
    answered: int = 0
    why: str = NOT_ASKED


class HookRun(msgspec.Struct, frozen=True):
    """A hook that will run: at which event, in which place (``order`` from 1 within the event)."""

    event: str
    api_version: str
    kind: str
    namespace: str | None
    name: str
    weight: int
    delete_policies: tuple[str, ...]
    order: int
    source: str = ""


class LeftOver(msgspec.Struct, frozen=True):
    """A live object with the release's marks that its deployed manifest does not hold.

    ``revision`` is the last one whose manifest does, ``status`` that revision's. ``kept``: the live object
    asks Helm to keep it.
    """

    key: ResourceKey
    api_version: str
    revision: int
    status: str
    kept: bool
    created: str


class Unknown(msgspec.Struct, frozen=True):
    """Something that could not be found out, and why."""

    what: str
    why: str


class DisabledFinding(msgspec.Struct, frozen=True):
    """A finding that the configuration disabled: ``name`` of its object or value, the rule's own severity."""

    rule: str
    name: str
    severity: Severity
    reason: str
    file: str
    line: int


class Plan(Unshown, frozen=True):
    """What one operation will do. Pure data: the same inputs give the same plan.

    ``keep_command`` is the command that keeps the user's values, empty where nothing is lost.
    ``fingerprint`` holds digests of all inputs. ``unstable`` names fields that the templates render
    differently each time. ``left_over`` is asked for by drift only.
    ``around`` is what there is to tell around the objects. ``fail_on`` is the gate; with ``fail_on_unknown``
    what is not known refuses too. ``config_file`` is the configuration that was used, empty for none,
    ``disabled`` what it disabled. ``known_secrets`` are all secrets that the inputs hold, to mask them in
    every output; None where nobody collected them. ``suppressed`` is what guards of rules kept quiet,
    ``context`` what the rules looked at (docs/rule-context.md).
    """

    operation: PlanOperation
    release: ReleaseSummary
    engine: Engine
    values: ValuesReport
    resources: tuple[ResourceChange, ...]
    hooks: tuple[HookRun, ...] = ()
    failure: Failure | None = None
    findings: tuple[Finding, ...] = ()
    suppressed: tuple[Suppressed, ...] = ()
    unknown: tuple[Unknown, ...] = ()
    unstable: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    keep_command: str = ""
    fail_on: FailOn = "danger"
    fingerprint: JSONObject = msgspec.field(default_factory=dict)
    left_over: tuple[LeftOver, ...] = ()
    dry_run: DryRunReport = msgspec.field(default_factory=DryRunReport)
    around: Surroundings = msgspec.field(default_factory=Surroundings)
    fail_on_unknown: bool = False
    config_file: str = ""
    disabled: tuple[DisabledFinding, ...] = ()
    known_secrets: frozenset[str] | None = None
    context: Mapping[str, JSONValue] = {}

    @property
    def has_changes(self) -> bool:
        """Whether Helm would create, change, delete or replace any object, or run a hook.

        What the configuration ignores is no change.
        """
        idle = ("unchanged", "keep")
        return bool(self.hooks) or any(
            resource.action not in idle and not resource.is_ignored for resource in self.resources
        )
