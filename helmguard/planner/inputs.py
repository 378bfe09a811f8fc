"""Everything a plan is computed from. With the same inputs the plan is the same, online or from a bundle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

import msgspec

from helmguard.config.gate import Gate
from helmguard.model.apply_options import ApplyOptions, Operation
from helmguard.model.cluster_facts import ClusterFacts
from helmguard.model.discovery import Discovery
from helmguard.model.field_path import FieldPath
from helmguard.model.helm_version import HelmVersion
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import LiveState
from helmguard.model.plan import ChartRef, DryRunReport, Unknown, ValuesReport
from helmguard.model.release import History
from helmguard.model.resource_key import ResourceKey
from helmguard.model.surroundings import RecordSize
from helmguard.model.unshown import Unshown
from helmguard.model.value_change import ValueCause
from helmguard.planner.chart_definitions import ChartDefinition

if TYPE_CHECKING:
    from helmguard.model.judged_node import JudgedNode
    from helmguard.predict.requests import AnsweredWrite

RenderedBy = Literal["dry-run-server", "template", "given", "stored revision"]


class NewRevision(msgspec.Struct, frozen=True):
    """What the operation would store and apply: the manifest and hooks, or Helm's text for why it has none.

    ``why`` says why the manifest was made this way; ``warnings`` are helm's own. ``unstable`` names the
    fields, by object, that the templates render differently each time. ``counterfactuals`` are manifests
    rendered with one class of value changes undone.
    """

    manifest: str = ""
    hooks: tuple[JSONObject, ...] = ()
    rendered_by: RenderedBy = "given"
    why: str = ""
    error: str = ""
    error_remedy: str = ""
    warnings: tuple[str, ...] = ()
    unstable: Mapping[ResourceKey, frozenset[FieldPath]] = {}
    counterfactuals: Mapping[ValueCause, str] = {}


class PlanInputs(Unshown, frozen=True):
    """``rollback_to`` is the target revision of a rollback, None otherwise.

    ``kubernetes`` is the server's version where there is no ``discovery`` to tell it.
    ``crds`` are the live definitions of the custom resources concerned, ``chart_crds`` those in the chart's
    ``crds/`` folder, ``definitions`` the same with their files. ``config`` are the values that the
    new revision would store; ``record`` is the size of its record, None where nobody asked.
    ``unknown`` is what could not be read. ``keep_command`` keeps the user's values, empty where nothing is
    lost. ``discovery`` is None where a bundle lacks it. ``answers`` are the API server's to dry runs.
    ``cluster`` is what was read around the release, ``now`` is
    an ISO date and time, empty where no clock was asked. ``known_secrets`` are those of the values that no
    object tells. ``nodes`` are those whose facts the user gave.
    """

    operation: Operation
    release: str
    namespace: str
    helm: HelmVersion
    options: ApplyOptions
    history: History
    new: NewRevision
    new_chart: ChartRef
    values: ValuesReport
    live: Mapping[ResourceKey, LiveState]
    crds: tuple[JSONObject, ...] = ()
    chart_crds: tuple[JSONObject, ...] = ()
    definitions: tuple[ChartDefinition, ...] = ()
    record: RecordSize | None = None
    discovery: Discovery | None = None
    kubernetes: str = ""
    rollback_to: int | None = None
    same_chart: bool = False
    config: JSONObject | None = None
    keep_command: str = ""
    gate: Gate = msgspec.field(default_factory=Gate)
    unknown: tuple[Unknown, ...] = ()
    answers: Mapping[ResourceKey, AnsweredWrite] = {}
    dry_run: DryRunReport = msgspec.field(default_factory=DryRunReport)
    cluster: ClusterFacts = msgspec.field(default_factory=ClusterFacts)
    now: str = ""
    known_secrets: frozenset[str] = frozenset()
    nodes: tuple[JudgedNode, ...] = ()
